import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { query } from '../../src/app/tables.ts'
import type { LoggedAttempt } from '../../src/delivery/webhooks/attempt.ts'
import { enqueueDeliveries, type NewDelivery } from '../../src/delivery/webhooks/enqueue.ts'
import { resendDelivery } from '../../src/delivery/webhooks/resend.ts'
import type { DeliveryRow } from '../../src/delivery/webhooks/tables.ts'
import { rotateApp } from '../../src/identity/apps/apps.ts'
import { Client, demoKeys, type Keys } from '../support/client.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { type Opened, stages } from '../support/stages.ts'
import { until } from '../support/until.ts'

const TIMEOUT_MS = 10_000
const MINUTE_MS = 60_000
/** What one body may take. */
const MAX_BYTES = 262_144

const allDeliveries = query<{ webhook: string }, DeliveryRow>('testDeliveries', (db, at) =>
  db.selectFrom('deliveries').selectAll().where('webhook_id', '=', at.webhook).orderBy('seq'),
)
const setSuspended = query<{ webhook: string; suspended: number }>('suspendAppOfWebhook', (db, at) =>
  db
    .updateTable('apps')
    .set({ suspended: at.suspended })
    .where('id', 'in', (on) => on.selectFrom('webhooks').select('app_id').where('id', '=', at.webhook)),
)
const invalidate = query<{ webhook: string }>('invalidateWebhook', (db, at) =>
  db.updateTable('webhooks').set({ valid: 0 }).where('id', '=', at.webhook),
)

for (const stage of stages) {
  describe(`deliveries on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let keys: Required<Keys>
    const receivers: Receiver[] = []
    let events = 0

    before(async () => {
      const settings = { rateLimits: 'off', webhooksPerApp: 100, shutdownSeconds: 1 } as const
      opened = await stage.open(settings, { backgroundDeliveries: true })
      client = new Client(opened.plaza)
      keys = demoKeys(opened.plaza)
    })
    after(async () => {
      await client.close()
      await opened.close()
      await Promise.all(receivers.map((one) => one.close()))
    })

    /** A receiver that is registered. */
    async function register(): Promise<{ receiver: Receiver; webhook: string }> {
      const receiver = await startReceiver(keys.consumerSecret)
      receivers.push(receiver)
      const reply = await client.signed('POST', '/2/webhooks', keys, { json: { url: receiver.url } })
      assert.equal(reply.status, 200)
      return { receiver, webhook: (reply.json as { data: { id: string } }).data.id }
    }
    const event = (webhookId: string, more: Partial<NewDelivery> = {}): NewDelivery => {
      const eventId = String(++events)
      return { webhookId, eventId, body: JSON.stringify({ event_uuid: eventId }), ...more }
    }
    const enqueue = (...deliveries: NewDelivery[]) =>
      opened.plaza.context.store.write((tx) => enqueueDeliveries(tx, deliveries))
    const rows = (webhook: string) => opened.plaza.context.store.all(allDeliveries, { webhook })
    const attemptsOf = (row: DeliveryRow | undefined) =>
      JSON.parse(row?.log ?? '[]') as readonly LoggedAttempt[]
    const whenAll = (webhook: string, state: string) =>
      until(`all deliveries are ${state}`, async () => {
        const found = await rows(webhook)
        return found.length > 0 && found.every((row) => row.state === state) && found
      })
    /** Waits until some attempts were recorded, of all deliveries together. */
    const whenTried = (webhook: string, attempts: number) =>
      until(`${attempts} attempts`, async () => {
        const found = await rows(webhook)
        return found.flatMap(attemptsOf).length >= attempts && found
      })
    /**
     * Waits while the clock continues, but only as long as nothing arrives: what is in progress
     * must not time out.
     */
    function untilLater(what: string, look: () => Promise<boolean>): Promise<boolean> {
      let seen = 0
      let looks = 0
      return until(what, async () => {
        const arrived = receivers.reduce((sum, { deliveries }) => sum + deliveries.length, 0)
        if (arrived !== seen) looks = 0
        seen = arrived
        if (++looks % 10 === 0) opened.plaza.clock.advance(1_000)
        return look()
      })
    }
    const areDelivered = async (webhook: string) =>
      (await rows(webhook)).every(({ state }) => state === 'delivered')
    const idsAt = (receiver: Receiver) =>
      receiver.deliveries.map(({ body }) => (JSON.parse(body) as { event_uuid: string }).event_uuid)

    test('an event arrives once, signed, and the log records it', async () => {
      const { receiver, webhook } = await register()
      const one = event(webhook, { body: '{"text":"Grüße 🌍"}' })
      await enqueue(one)
      const [row] = await whenAll(webhook, 'delivered')
      const [delivery] = receiver.deliveries
      assert.equal(receiver.deliveries.length, 1)
      assert.equal(delivery?.body, '{"text":"Grüße 🌍"}')
      assert.equal(delivery.headers['content-type'], 'application/json')
      const digest = createHmac('sha256', keys.consumerSecret).update(one.body).digest('base64')
      assert.equal(delivery.headers['x-svc-webhooks-signature'], `sha256=${digest}`)
      const [attempt] = attemptsOf(row)
      const sent = { at: opened.plaza.clock.now(), ms: 0, signature: `sha256=${digest}` }
      assert.deepEqual({ ...attempt, ms: 0 }, { ...sent, status: 200 })
    })

    test('deliveries of a failed transaction are not sent', async () => {
      const { webhook } = await register()
      const failing = opened.plaza.context.store.write(async (tx) => {
        await enqueueDeliveries(tx, [event(webhook)])
        throw new Error('no')
      })
      await assert.rejects(failing, { message: 'no' })
      assert.deepEqual(await rows(webhook), [])
    })

    test('an event that is too large is recorded and never sent; the others arrive', async () => {
      const { receiver, webhook } = await register()
      const { store, clock } = opened.plaza.context
      // Multi-byte, so that its characters alone would fit.
      const large = event(webhook, { body: JSON.stringify({ text: 'ü'.repeat(MAX_BYTES / 2) }) })
      const largest = event(webhook, { body: JSON.stringify('x'.repeat(MAX_BYTES - 2)) })
      const [first, last] = [event(webhook), event(webhook)]
      await enqueue(first, large, largest, last)
      const found = await until('all have ended', async () => {
        const all = await rows(webhook)
        return all.length === 4 && all.every(({ ended_at }) => ended_at !== null) && all
      })
      assert.deepEqual(
        new Map(found.map((row) => [row.event_id, row.state])),
        new Map([
          [first.eventId, 'delivered'],
          [large.eventId, 'oversized'],
          [largest.eventId, 'delivered'],
          [last.eventId, 'delivered'],
        ]),
      )
      const row = found.find(({ state }) => state === 'oversized')
      const error = `not sent: the event has ${MAX_BYTES + 11} bytes, and a delivery at most ${MAX_BYTES}`
      assert.deepEqual([row?.body, attemptsOf(row)], ['', [{ at: clock.now(), ms: 0, error }]])
      assert.equal(await resendDelivery(store, { seq: row?.seq ?? 0 }), 'oversized')
      assert.equal(receiver.deliveries.length, 3)
    })

    test('many events arrive, each once', async () => {
      const { receiver, webhook } = await register()
      const many = Array.from({ length: 1_200 }, () => event(webhook))
      await enqueue(...many)
      await whenAll(webhook, 'delivered')
      assert.deepEqual(idsAt(receiver).sort(), many.map(({ eventId }) => eventId).sort())
    })

    test('a failed delivery is sent again after 3, 27 and 242 seconds, with the same body', async () => {
      const { receiver, webhook } = await register()
      receiver.answerWith((_, response) => response.writeHead(500).end('not now'))
      await enqueue(event(webhook))
      for (const [attempts, wait] of [
        [1, 3_000],
        [2, 27_000],
        [3, 242_000],
      ] as const) {
        const [row] = await whenTried(webhook, attempts)
        assert.equal(row?.state, 'pending')
        const delay = row.due_at - opened.plaza.clock.now()
        assert.ok(delay >= wait && delay <= wait * 1.1, `${delay} ms`)
        opened.plaza.clock.advance(delay)
      }
      const [row] = await whenAll(webhook, 'failed')
      assert.deepEqual(
        attemptsOf(row).map(({ status, answer }) => [status, answer]),
        Array.from({ length: 4 }, () => [500, 'not now']),
      )
      assert.equal(new Set(receiver.deliveries.map(({ body }) => body)).size, 1)
      assert.ok(receiver.deliveries.every(({ trusted }) => trusted))
    })

    test('a longer wait that the webhook asks for is granted, up to 5 minutes', async () => {
      const { receiver, webhook } = await register()
      const asked = ['60', '86400', 'Sun, 01 Mar 2026 13:00:00 nonsense']
      receiver.answerWith((_, response) =>
        response.writeHead(503, { 'retry-after': asked.shift() ?? '' }).end(),
      )
      await enqueue(event(webhook))
      for (const [attempts, least, most] of [
        [1, 60_000, 60_000],
        [2, 300_000, 300_000],
        [3, 242_000, 266_200],
      ] as const) {
        const [row] = await whenTried(webhook, attempts)
        const delay = (row?.due_at ?? 0) - opened.plaza.clock.now()
        assert.ok(delay >= least && delay <= most, `${delay} ms`)
        opened.plaza.clock.advance(delay)
      }
      await whenAll(webhook, 'failed')
    })

    test('a webhook that answers 410 receives nothing more until a check of it succeeds', async () => {
      const { receiver, webhook } = await register()
      receiver.answerWith((_, response) => response.writeHead(410).end())
      await enqueue(event(webhook))
      await whenAll(webhook, 'failed')
      const list = await client.signed('GET', '/2/webhooks', keys)
      const { data } = list.json as { data: { id: string; valid: boolean }[] }
      assert.equal(data.find(({ id }) => id === webhook)?.valid, false)
      await enqueue(event(webhook))
      await until('it is skipped', async () => (await rows(webhook))[1]?.state === 'skipped')
      receiver.accept()
      await client.signed('PUT', `/2/webhooks/${webhook}`, keys)
      await enqueue(event(webhook))
      await until('it is delivered', async () => (await rows(webhook))[2]?.state === 'delivered')
      assert.equal(receiver.deliveries.length, 2)
    })

    test('redirects are not followed, and count as failures', async () => {
      const { receiver, webhook } = await register()
      const { receiver: other } = await register()
      receiver.answerWith((_, response) => response.writeHead(307, { location: other.url }).end())
      await enqueue(event(webhook))
      const [row] = await whenTried(webhook, 1)
      assert.equal(attemptsOf(row)[0]?.status, 307)
      assert.equal(row?.state, 'pending')
      assert.deepEqual(other.deliveries, [])
    })

    test('an answer of 10 MB is a success, and is not read', async () => {
      const { receiver, webhook } = await register()
      let written = 0
      receiver.answerWith((_, response) => {
        const chunk = Buffer.alloc(65_536, 'x')
        const more = () => {
          while (written < 10_485_760 && !response.destroyed) {
            written += chunk.length
            if (!response.write(chunk)) return void response.once('drain', more)
          }
          response.end()
        }
        more()
      })
      await enqueue(event(webhook))
      const [row] = await whenAll(webhook, 'delivered')
      assert.equal(attemptsOf(row)[0]?.answer, 'x'.repeat(1_024))
    })

    test('a webhook that accepts and never answers is given up after 10 seconds, and holds up no other', async () => {
      const { receiver, webhook } = await register()
      const { receiver: other, webhook: quick } = await register()
      receiver.answerWith(() => undefined)
      await enqueue(...Array.from({ length: 20 }, () => event(webhook)), event(quick))
      await whenAll(quick, 'delivered')
      await until('it was called', () => receiver.deliveries.length > 0)
      opened.plaza.clock.advance(TIMEOUT_MS)
      const found = await whenTried(webhook, 1)
      assert.equal(found.flatMap(attemptsOf)[0]?.error, 'no answer in time')
      assert.equal(other.deliveries.length, 1)
      receiver.accept()
      // Deliveries are tried one at a time while it fails.
      await untilLater('all have arrived', () => areDelivered(webhook))
    })

    test('after ten failures in a row, one delivery is tried after each pause', async () => {
      const { receiver, webhook } = await register()
      receiver.answerWith((_, response) => response.writeHead(500).end())
      await enqueue(...Array.from({ length: 40 }, () => event(webhook)))
      await until('it pauses', async () => (await rows(webhook)).flatMap(attemptsOf).length >= 10)
      const tried = receiver.deliveries.length
      assert.ok(tried < 40, `${tried} attempts`)
      receiver.accept()
      opened.plaza.clock.advance(1_100)
      await untilLater('all have arrived', () => areDelivered(webhook))
      const ids = idsAt(receiver)
      assert.equal(new Set(ids).size, 40)
    })

    test('events of one subject arrive in their order, also when one of them fails', async () => {
      const { receiver, webhook } = await register()
      let failures = 2
      receiver.answerWith((_, response) => response.writeHead(failures-- > 0 ? 500 : 200).end())
      const ordered = Array.from({ length: 30 }, () => event(webhook, { subject: 'a' }))
      await enqueue(...ordered.slice(0, 20))
      await whenTried(webhook, 1)
      await enqueue(...ordered.slice(20))
      await untilLater('all have arrived', () => areDelivered(webhook))
      const ids = idsAt(receiver)
      assert.deepEqual(
        ids.filter((id, at) => ids.lastIndexOf(id) === at),
        ordered.map(({ eventId }) => eventId),
      )
    })

    test('a webhook that was away for an hour: events are given up, and newer ones arrive', async () => {
      const { receiver, webhook } = await register()
      await receiver.shut()
      await enqueue(...Array.from({ length: 15 }, () => event(webhook)))
      await until('it is tried', async () => (await rows(webhook)).flatMap(attemptsOf).length >= 10)
      opened.plaza.clock.advance(3_600_000)
      await receiver.open()
      await whenAll(webhook, 'failed')
      const late = event(webhook)
      await enqueue(late)
      await untilLater('the new one arrives', async () => (await rows(webhook)).at(-1)?.state === 'delivered')
      assert.deepEqual(idsAt(receiver), [late.eventId])
    })

    test('a delivery that is resent gets all attempts, however old it is', async () => {
      const { receiver, webhook } = await register()
      await enqueue(event(webhook))
      const [row] = await whenAll(webhook, 'delivered')
      const { store, clock } = { store: opened.plaza.context.store, clock: opened.plaza.clock }
      clock.advance(60 * MINUTE_MS)
      receiver.answerWith((_, response) => response.writeHead(500).end())
      assert.equal(await resendDelivery(store, { seq: row?.seq ?? 0 }), undefined)
      const [tried] = await whenTried(webhook, 2)
      assert.deepEqual([tried?.state, tried?.attempts, tried?.created_at], ['pending', 1, row?.created_at])
      receiver.answerWith((_, response) => response.writeHead(200).end())
      clock.advance(MINUTE_MS)
      const [again] = await whenAll(webhook, 'delivered')
      assert.deepEqual(
        attemptsOf(again).map(({ status }) => status),
        [200, 500, 200],
      )
    })

    test('a delivery that cannot be resent does not change', async () => {
      const { store } = opened.plaza.context
      assert.equal(await resendDelivery(store, { seq: 999_999_999 }), 'no delivery')
      const { webhook } = await register()
      await enqueue(event(webhook))
      const [row] = await whenAll(webhook, 'delivered')
      const again = () => resendDelivery(store, { seq: row?.seq ?? 0 })
      await store.write((tx) => tx.run(setSuspended, { webhook, suspended: 1 }))
      assert.equal(await again(), 'suspended app')
      await store.write((tx) => tx.run(setSuspended, { webhook, suspended: 0 }))
      await store.write((tx) => tx.run(invalidate, { webhook }))
      assert.equal(await again(), 'invalid webhook')
      assert.deepEqual(await rows(webhook), [row])
      await client.signed('DELETE', `/2/webhooks/${webhook}`, keys)
      assert.equal(await again(), 'no webhook')
    })

    test('deliveries after a rotation of the secret are signed with the new secret', async () => {
      const { receiver, webhook } = await register()
      await enqueue(event(webhook))
      await whenAll(webhook, 'delivered')
      const { store, sealer, random } = opened.plaza.context
      const appId = (await store.all(allApps, {}))[0]?.id ?? ''
      const rotated = await store.write((tx) => rotateApp(tx, appId, { sealer, random } as never))
      keys.consumerSecret = rotated?.consumerSecret ?? ''
      keys.consumerKey = rotated?.consumerKey ?? ''
      receiver.secret = keys.consumerSecret
      receiver.answerWith(({ trusted }, response) => response.writeHead(trusted ? 200 : 401).end())
      await enqueue(event(webhook), event(webhook))
      await untilLater('they arrive', () => areDelivered(webhook))
    })

    test('a deleted webhook receives nothing more, and its deliveries are removed', async () => {
      const { receiver, webhook } = await register()
      receiver.answerWith((_, response) => response.writeHead(500).end())
      await enqueue(event(webhook))
      await whenTried(webhook, 1)
      await client.signed('DELETE', `/2/webhooks/${webhook}`, keys)
      opened.plaza.clock.advance(300_000)
      await until('they are removed', async () => {
        await opened.plaza.tasks.runDue('remove deliveries of webhook')
        return (await rows(webhook)).length === 0
      })
      assert.equal(receiver.deliveries.length, 1)
      // One that comes late is removed too.
      await enqueue(event(webhook))
      await until('it is removed', async () => {
        await opened.plaza.tasks.runDue('remove deliveries of webhook')
        return (await rows(webhook)).length === 0
      })
      assert.equal(receiver.deliveries.length, 1)
    })

    const minute = (ms: number) =>
      new Date(ms)
        .toISOString()
        .replace(/[^0-9]/g, '')
        .slice(0, 12)
    /** As the app. */
    const asApp = async (path: string, json?: object) => {
      const authorization = `Bearer ${await client.bearer(keys)}`
      return client.send('POST', path, { headers: { authorization }, ...(json && { json }) })
    }
    const askReplay = async (webhook: string, since: number) => {
      const now = opened.plaza.clock.now()
      const json = { webhook_id: webhook, from_date: minute(since), to_date: minute(now - 11 * MINUTE_MS) }
      return asApp('/2/webhooks/replay', json)
    }
    const noticesAt = ({ deliveries }: Receiver) =>
      deliveries
        .map(({ body }) => (JSON.parse(body) as { replay_job_status?: object }).replay_job_status)
        .filter((status) => status !== undefined)
    async function replay(webhook: string, since: number): Promise<string> {
      const reply = await askReplay(webhook, since)
      assert.equal(reply.status, 200, JSON.stringify(reply.json))
      const { job_id } = (reply.json as { data: { job_id: string } }).data
      await until('the replay has ended', async () => {
        await opened.plaza.tasks.runDue('replay deliveries')
        opened.plaza.clock.advance(100)
        return (await rows(webhook)).some((row) => row.event_id === job_id)
      })
      return job_id
    }

    test('a webhook that was away for an hour misses nothing after a replay', async () => {
      const { receiver, webhook } = await register()
      const since = opened.plaza.clock.now()
      const before = [event(webhook), event(webhook)]
      await enqueue(...before)
      await whenAll(webhook, 'delivered')
      await receiver.shut()
      const missed = Array.from({ length: 300 }, () => event(webhook))
      await enqueue(...missed)
      await until('it is tried', async () => (await rows(webhook)).flatMap(attemptsOf).length >= 12)
      opened.plaza.clock.advance(60 * MINUTE_MS)
      await receiver.open()
      await until('they are given up', async () =>
        (await rows(webhook)).every(({ ended_at }) => ended_at !== null),
      )
      const job = await replay(webhook, since)
      const found = await until('the notice arrives', () => noticesAt(receiver)[0])
      assert.deepEqual(found, {
        webhook_id: webhook,
        job_state: 'Complete',
        job_state_description: 'Job completed successfully',
        job_id: job,
      })
      const ids = receiver.deliveries.map(({ body }) => JSON.parse(body).event_uuid as string | undefined)
      assert.deepEqual(
        [...new Set(ids)].filter((id) => id !== undefined).sort(),
        [...before, ...missed].map(({ eventId }) => eventId).sort(),
      )
      assert.ok(receiver.deliveries.every(({ trusted }) => trusted))
      const attempts = (await rows(webhook)).flatMap(attemptsOf).filter((one) => one.replay === job)
      assert.equal(attempts.length, 302)
    })

    test('a replay that fails is incomplete; its events are not sent again', async () => {
      const { receiver, webhook } = await register()
      const since = opened.plaza.clock.now()
      await enqueue(...Array.from({ length: 60 }, () => event(webhook)))
      await whenAll(webhook, 'delivered')
      opened.plaza.clock.advance(45 * MINUTE_MS)
      receiver.answerWith(({ body }, response) =>
        response.writeHead(body.includes('replay_job_status') ? 200 : 500).end(),
      )
      const job = await replay(webhook, since)
      const notice = await until('the notice arrives', () => noticesAt(receiver)[0])
      assert.deepEqual(notice, {
        webhook_id: webhook,
        job_state: 'Incomplete',
        job_state_description: 'Job failed to deliver all events, please retry your replay job',
        job_id: job,
      })
      const events = (await rows(webhook)).filter(({ notice }) => notice === 0)
      assert.ok(events.every(({ state }) => state === 'delivered'))
    })

    test('one replay of a webhook runs at a time; a check comes first', async () => {
      const { receiver, webhook } = await register()
      const since = opened.plaza.clock.now()
      opened.plaza.clock.advance(45 * MINUTE_MS)
      receiver.secret = 'another secret'
      const failed = await askReplay(webhook, since)
      assert.equal(failed.status, 400)
      assert.match(JSON.stringify(failed.json), /CrcValidationFailed/)
      receiver.secret = keys.consumerSecret
      const replies = await Promise.all([askReplay(webhook, since), askReplay(webhook, since)])
      assert.equal(replies.filter(({ status }) => status === 200).length, 1)
      const conflict = await askReplay(webhook, since)
      assert.equal(conflict.status, 409)
      assert.deepEqual(conflict.json, {
        title: 'Conflict',
        type: `${opened.plaza.urls.core}/2/problems/conflict`,
        status: 409,
        detail: 'A replay of this webhook is running. Wait until it has ended.',
      })
      await opened.plaza.tasks.runDue('replay deliveries')
      await until('the notice arrives', () => noticesAt(receiver).length === 1)
      assert.equal((await askReplay(webhook, since)).status, 200)
    })

    test('the former path starts the same job, and says that it is deprecated', async () => {
      const { receiver, webhook } = await register()
      const since = opened.plaza.clock.now()
      await enqueue(event(webhook))
      await whenAll(webhook, 'delivered')
      opened.plaza.clock.advance(45 * MINUTE_MS)
      const dates = `from_date=${minute(since)}&to_date=${minute(since + 30 * MINUTE_MS)}`
      const path = `/2/account_activity/replay/webhooks/${webhook}/subscriptions/all?${dates}`
      const reply = await asApp(path)
      assert.equal(reply.status, 200)
      assert.equal(reply.headers.deprecation, '@1774396800')
      assert.equal(reply.headers.link, '</2/webhooks/replay>; rel="successor-version"')
      await opened.plaza.tasks.runDue('replay deliveries')
      opened.plaza.clock.advance(100)
      await opened.plaza.tasks.runDue('replay deliveries')
      await until('the notice arrives', () => noticesAt(receiver).length === 1)
      assert.equal(receiver.deliveries.length, 3)
    })

    test('ended deliveries are kept for 26 hours', async () => {
      const { webhook } = await register()
      await enqueue(event(webhook))
      await whenAll(webhook, 'delivered')
      opened.plaza.clock.advance(25 * 3_600_000)
      await opened.plaza.tasks.runDue('remove old deliveries')
      assert.equal((await rows(webhook)).length, 1)
      opened.plaza.clock.advance(2 * 3_600_000)
      await opened.plaza.tasks.runDue('remove old deliveries')
      assert.equal((await rows(webhook)).length, 0)
    })
  })
}

const allApps = query<object, { id: string }>('testApps', (db) => db.selectFrom('apps').select('id'))
