import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { query } from '../../src/app/tables.ts'
import type { LoggedAttempt } from '../../src/delivery/webhooks/attempt.ts'
import { resendDelivery } from '../../src/delivery/webhooks/resend.ts'
import type { DeliveryRow } from '../../src/delivery/webhooks/tables.ts'
import { setEnrolled } from '../../src/identity/apps/apps.ts'
import { userBlocked } from '../../src/identity/relations/events.ts'
import { updateProfile } from '../../src/identity/users/profile.ts'
import { ManualClock } from '../../src/platform/common/clock.ts'
import { emit } from '../../src/platform/events/log.ts'
import { Client, demoKeys, type Keys, type Reply } from '../support/client.ts'
import { allEventsHandled } from '../support/events.ts'
import { Person } from '../support/person.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { type Opened, stages } from '../support/stages.ts'
import { StreamReader } from '../support/stream-reader.ts'
import { until } from '../support/until.ts'

const MINUTE_MS = 60_000
/** Requests that a webhook has under way. */
const CONCURRENCY = 2

const allDeliveries = query<{ webhook: string }, DeliveryRow>('withdrawalDeliveries', (db, at) =>
  db.selectFrom('deliveries').selectAll().where('webhook_id', '=', at.webhook).orderBy('seq'),
)
const setUser = query<{ id: string; suspended: number; protected: number }>('withdrawalUser', (db, at) =>
  db.updateTable('users').set({ suspended: at.suspended, protected: at.protected }).where('id', '=', at.id),
)

const invalidate = query<{ webhook: string }>('withdrawalInvalidate', (db, at) =>
  db.updateTable('webhooks').set({ valid: 0 }).where('id', '=', at.webhook),
)

/** How an app loses what it was about to be sent, and what the log says then. */
interface Case {
  readonly it: string
  readonly why: keyof typeof LOGGED
  subscribe(): Promise<void>
  act(): Promise<unknown>
  withdraw(): Promise<unknown>
}

const LOGGED = {
  'hidden post': 'not sent: its post was deleted, or the author is protected or suspended',
  'suspended user': 'not sent: its user is suspended',
  'ended subscription': 'not sent: its subscription has ended',
  'no consent': 'not sent: its user no longer lets the app see it',
}

for (const stage of stages) {
  describe(`what an app may no longer see on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let monotonic: ManualClock
    let client: Client
    let keys: Required<Keys>
    let authorization: string
    let receiver: Receiver
    let webhook: string
    let ada: Person
    let bob: Person
    const receivers: Receiver[] = []

    before(async () => {
      const settings = {
        rateLimits: 'off',
        webhooksPerApp: 100,
        activitySubscriptionsPerApp: 100,
        shutdownSeconds: 1,
        deliveryConcurrency: CONCURRENCY,
      } as const
      monotonic = new ManualClock(0)
      opened = await stage.open(settings, { backgroundDeliveries: true, monotonic })
      client = new Client(opened.plaza)
      keys = demoKeys(opened.plaza)
      authorization = `Bearer ${await client.bearer(keys)}`
    })
    after(async () => {
      await client.close()
      await opened.close()
      await Promise.all(receivers.map((one) => one.close()))
    })
    beforeEach(async () => {
      receiver = await startReceiver(keys.consumerSecret)
      receivers.push(receiver)
      const reply = await client.signed('POST', '/2/webhooks', keys, { json: { url: receiver.url } })
      webhook = (reply.json as { data: { id: string } }).data.id
      ;[ada, bob] = [await Person.join(opened.plaza, client), await Person.join(opened.plaza, client)]
    })

    const isDone = ({ status, text }: Reply) => assert.ok(status < 300, text)
    const asApp = (method: string, path: string, json?: object) =>
      client.send(method, path, { headers: { authorization }, ...(json && { json }) })
    const subscriptions: string[] = []
    const subscribe = async (event_type: string, filter: object) => {
      const json = { event_type, filter, webhook_id: webhook }
      const reply = await asApp('POST', '/2/activity/subscriptions', json)
      isDone(reply)
      const { subscription } = (reply.json as { data: { subscription: { subscription_id: string } } }).data
      subscriptions.push(subscription.subscription_id)
    }
    const posts: string[] = []
    const post = async (who: Person, text: string) => {
      const reply = await who.core('POST', '/2/posts', { text })
      assert.equal(reply.status, 201, reply.text)
      posts.push((reply.json as { data: { id: string } }).data.id)
    }
    const block = async () =>
      isDone(await ada.core('POST', `/2/users/${ada.id}/blocking`, { target_user_id: bob.id }))
    const revoke = async (who: Person) => isDone(await who.core('POST', '/1.1/oauth/invalidate_token'))
    const setRow = (who: Person, row: { suspended: number; protected: number }) =>
      opened.plaza.context.store.write((tx) => tx.run(setUser, { id: who.id, ...row }))
    const rows = () => opened.plaza.context.store.all(allDeliveries, { webhook })
    const attemptsOf = ({ log }: DeliveryRow) => JSON.parse(log) as readonly LoggedAttempt[]
    const errorsOf = (row: DeliveryRow) => attemptsOf(row).map(({ error, status }) => error ?? status)
    const account = (rest: string) => `/2/account_activity/webhooks/${webhook}/subscriptions${rest}`
    const minute = (ms: number) =>
      new Date(ms)
        .toISOString()
        .replace(/[^0-9]/g, '')
        .slice(0, 12)
    /** Everything since a time, as far as there is anything left to send. */
    const replay = async (since: number) => {
      const json = {
        webhook_id: webhook,
        from_date: minute(since),
        to_date: minute(opened.plaza.clock.now() - 11 * MINUTE_MS),
      }
      const reply = await asApp('POST', '/2/webhooks/replay', json)
      isDone(reply)
      return (reply.json as { data: { job_id: string } }).data.job_id
    }
    const replayed = (job: string) =>
      until('the replay has ended', async () => {
        await opened.plaza.tasks.runDue('replay deliveries')
        opened.plaza.clock.advance(100)
        return (await rows()).some((row) => row.event_id === job)
      })

    const cases: readonly Case[] = [
      {
        it: 'a user who revokes the app',
        why: 'no consent',
        subscribe: () => subscribe('block.block', { user_id: ada.id }),
        act: block,
        withdraw: () => revoke(ada),
      },
      {
        it: 'a post that is deleted',
        why: 'hidden post',
        subscribe: () => subscribe('post.create', { user_id: ada.id }),
        act: () => post(ada, 'Not for long'),
        withdraw: async () => isDone(await ada.core('DELETE', `/2/posts/${posts.at(-1)}`)),
      },
      {
        it: 'an author who becomes protected',
        why: 'hidden post',
        subscribe: () => subscribe('post.mention.create', { user_id: bob.id }),
        act: () => post(ada, `Hello @${bob.screenName}`),
        withdraw: () => setRow(ada, { suspended: 0, protected: 1 }),
      },
      {
        it: 'a user who is suspended',
        why: 'suspended user',
        subscribe: () => subscribe('profile.update.bio', { user_id: ada.id }),
        act: () =>
          opened.plaza.context.store.write((tx) => updateProfile(tx, ada.id, { description: 'Hidden soon' })),
        withdraw: () => setRow(ada, { suspended: 1, protected: 0 }),
      },
      {
        it: 'an activity subscription that is deleted',
        why: 'ended subscription',
        subscribe: () => subscribe('follow.follow', { user_id: ada.id }),
        act: async () =>
          isDone(await ada.core('POST', `/2/users/${ada.id}/following`, { target_user_id: bob.id })),
        withdraw: async () =>
          isDone(await asApp('DELETE', `/2/activity/subscriptions/${subscriptions.at(-1)}`)),
      },
      {
        it: 'a subscription to account activity that ends',
        why: 'ended subscription',
        subscribe: async () => isDone(await ada.core('POST', account('/all'))),
        act: block,
        withdraw: async () => isDone(await asApp('DELETE', account(`/${ada.id}/all`))),
      },
      {
        it: 'a webhook that is taken off the filtered stream',
        why: 'ended subscription',
        async subscribe() {
          const add = [{ value: `from:${ada.screenName}` }]
          isDone(await asApp('POST', '/2/posts/search/stream/rules', { add }))
          isDone(await asApp('POST', `/2/posts/search/webhooks/${webhook}`))
        },
        act: () => post(ada, 'Matched'),
        withdraw: async () => isDone(await asApp('DELETE', `/2/posts/search/webhooks/${webhook}`)),
      },
    ]

    for (const { it, why, subscribe: begin, act, withdraw } of cases)
      test(`${it}: the next attempt is not made, nor is it sent again by hand or in a replay`, async () => {
        const since = opened.plaza.clock.now()
        receiver.answerWith((_, response) => response.writeHead(500).end())
        await begin()
        await act()
        const tried = await until('the first attempt', async () => {
          const [row] = await rows()
          return row && attemptsOf(row).length === 1 && row
        })
        await withdraw()
        receiver.accept()
        opened.plaza.clock.advance(4_000)
        const row = await until('its end', async () =>
          (await rows()).find(({ seq, ended_at }) => seq === tried.seq && ended_at !== null),
        )
        assert.deepEqual([row.state, errorsOf(row)], ['withdrawn', [500, LOGGED[why]]])
        assert.equal(await resendDelivery(opened.plaza.context.store, { seq: row.seq }), why)
        opened.plaza.clock.advance(45 * MINUTE_MS)
        const job = await replay(since)
        await replayed(job)
        const [after] = await rows()
        assert.deepEqual(after && errorsOf(after), [500, LOGGED[why], LOGGED[why]])
        assert.equal(after && attemptsOf(after).at(-1)?.replay, job)
        await until('the notice', () =>
          receiver.deliveries.some(({ body }) => body.includes('"job_state":"Complete"')),
        )
        const same = receiver.deliveries.filter(({ body }) => body === row.body)
        assert.equal(same.length, 1)
      })

    test('a replay covers a subscription that was made again for the same type, filter and webhook', async () => {
      const since = opened.plaza.clock.now()
      const made = async (event_type: string, filter: object) => {
        await subscribe(event_type, filter)
        return `/2/activity/subscriptions/${subscriptions.at(-1)}`
      }
      const users = { user_id: ada.id }
      const again = await made('follow.follow', { ...users, direction: 'sent' })
      const [narrowed, gone] = [await made('like.create', users), await made('post.create', users)]
      isDone(await ada.core('POST', `/2/users/${ada.id}/following`, { target_user_id: bob.id }))
      await post(ada, 'Likeable')
      isDone(await ada.core('POST', `/2/users/${ada.id}/likes`, { post_id: posts.at(-1) }))
      const types = () =>
        receiver.deliveries.flatMap(({ body }) => {
          const { data } = JSON.parse(body) as { data?: { event_type: string } }
          return data ? [data.event_type] : []
        })
      await until('the deliveries', () => types().length === 3)
      await until('their outcomes', async () => (await rows()).every(({ ended_at }) => ended_at !== null))
      for (const path of [again, narrowed, gone]) isDone(await asApp('DELETE', path))
      // The older name, and another name of the direction.
      await subscribe('FollowFollow', { ...users, direction: 'outbound' })
      await subscribe('like.create', { ...users, direction: 'received' })
      opened.plaza.clock.advance(45 * MINUTE_MS)
      await replayed(await replay(since))
      await until('the notice', () =>
        receiver.deliveries.some(({ body }) => body.includes('"job_state":"Complete"')),
      )
      assert.deepEqual(types().sort(), ['follow.follow', 'follow.follow', 'like.create', 'post.create'])
    })

    test('an app that is no longer enrolled gets no further attempt and no new activity', async () => {
      receiver.answerWith((_, response) => response.writeHead(500).end())
      await subscribe('block.block', { user_id: ada.id })
      await block()
      await until('the first attempt', async () => (await rows()).some(({ log }) => log !== '[]'))
      const { store } = opened.plaza.context
      const app = opened.plaza.seeded?.apps[0]?.id ?? ''
      await store.write((tx) => setEnrolled(tx, { id: app, enrolled: false }))
      receiver.accept()
      opened.plaza.clock.advance(4_000)
      const row = await until('its end', async () => (await rows()).find(({ ended_at }) => ended_at !== null))
      assert.deepEqual([row.state, errorsOf(row)], ['skipped', [500]])
      assert.equal(await resendDelivery(store, { seq: row.seq }), 'unenrolled app')
      await store.write((tx) => emit(tx, userBlocked, { user_id: ada.id, target_id: bob.id }))
      await allEventsHandled(store)
      await store.write((tx) => setEnrolled(tx, { id: app, enrolled: true }))
      assert.equal(await resendDelivery(store, { seq: row.seq }), undefined)
      await until('the delivery', async () => (await rows()).every(({ state }) => state === 'delivered'))
      assert.equal(receiver.deliveries.length, 2)
    })

    test('what is still permitted is tried again, and arrives', async () => {
      receiver.answerWith((_, response) => response.writeHead(500).end())
      await subscribe('block.block', { user_id: ada.id })
      await block()
      await until('the first attempt', () => receiver.deliveries.length === 1)
      receiver.accept()
      await until('the second attempt', async () => {
        opened.plaza.clock.advance(1_000)
        return (await rows())[0]?.state === 'delivered'
      })
      assert.equal(receiver.deliveries.length, 2)
    })

    /** Answers that wait until they are let go. */
    function held() {
      const waiting: (() => void)[] = []
      receiver.answerWith((_, response) => waiting.push(() => response.end()))
      return {
        letGo() {
          receiver.accept()
          for (const answer of waiting.splice(0)) answer()
        },
      }
    }
    /** For longer than what changed may go unseen. */
    const longEnough = () => monotonic.advance(251)

    test('what waits behind others in memory is not sent either', async () => {
      await subscribe('block.block', { user_id: ada.id })
      const answers = held()
      for (let n = 0; n < 10; n++) {
        await block()
        isDone(await ada.core('DELETE', `/2/users/${ada.id}/blocking/${bob.id}`))
      }
      await until('all are enqueued', async () => (await rows()).length === 10)
      await until('the first are under way', () => receiver.deliveries.length === CONCURRENCY)
      await revoke(ada)
      longEnough()
      answers.letGo()
      const ended = await until('their end', async () => {
        const found = await rows()
        return found.every(({ ended_at }) => ended_at !== null) && found
      })
      assert.equal(receiver.deliveries.length, CONCURRENCY)
      assert.deepEqual(
        ended.map(({ state }) => state),
        [...Array(CONCURRENCY).fill('delivered'), ...Array(10 - CONCURRENCY).fill('withdrawn')],
      )
    })

    for (const end of ['the consent', 'the webhook'] as const)
      test(`a replay under way stops with ${end}`, async () => {
        await subscribe('block.block', { user_id: ada.id })
        const since = opened.plaza.clock.now()
        for (let n = 0; n < 6; n++) {
          await block()
          isDone(await ada.core('DELETE', `/2/users/${ada.id}/blocking/${bob.id}`))
        }
        await until('all arrived', () => receiver.deliveries.length === 6)
        opened.plaza.clock.advance(45 * MINUTE_MS)
        const answers = held()
        const job = await replay(since)
        const running = replayed(job)
        await until('the first are under way', () => receiver.deliveries.length === 6 + CONCURRENCY)
        if (end === 'the consent') await revoke(ada)
        else await opened.plaza.context.store.write((tx) => tx.run(invalidate, { webhook }))
        longEnough()
        answers.letGo()
        await running
        const found = (await rows()).flatMap(attemptsOf).filter((one) => one.replay === job)
        const unsent = Array(6 - CONCURRENCY).fill(LOGGED['no consent'])
        assert.deepEqual(found.map(({ error, status }) => error ?? status).sort(), [
          ...Array(CONCURRENCY).fill(200),
          ...(end === 'the consent' ? unsent : []),
        ])
        const sent = receiver.deliveries.filter(({ body }) => !body.includes('replay_job_status'))
        assert.equal(sent.length, 6 + CONCURRENCY)
      })

    test('streams of the past leave out public activities of a user who is suspended', async (t) => {
      await subscribe('profile.update.bio', { user_id: ada.id })
      await subscribe('profile.update.bio', { user_id: bob.id })
      for (const { id } of [ada, bob])
        await opened.plaza.context.store.write((tx) => updateProfile(tx, id, { description: 'New' }))
      await until('both arrived', () => receiver.deliveries.length === 2)
      await setRow(ada, { suspended: 1, protected: 0 })
      const bearer = authorization.slice('Bearer '.length)
      const path = '/2/activity/stream'
      const reader = await StreamReader.open(opened.plaza, bearer, '?backfill_minutes=5', path)
      t.after(() => reader.close())
      const seen = () => reader.items.map(({ data }) => (data as unknown as { filter: object }).filter)
      const users = () => seen().map((filter) => (filter as { user_id?: string }).user_id)
      await until('the other one', () => users().includes(bob.id))
      assert.ok(!users().includes(ada.id))
    })
  })
}
