import assert from 'node:assert/strict'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { adminToken } from '../../src/api/admin/access.ts'
import { startPlaza as startPlazaInProcess } from '../../src/app/index.ts'
import type { Plaza } from '../../src/app/server.ts'
import { query } from '../../src/app/tables.ts'
import { createApp } from '../../src/identity/apps/apps.ts'
import { compareIds } from '../../src/platform/common/ids.ts'
import { Desk, dataOf } from '../support/ads-desk.ts'
import { Client, demoKeys } from '../support/client.ts'
import { Person } from '../support/person.ts'
import { startPlaza } from '../support/plaza.ts'
import { dial, heard } from '../support/raw-request.ts'
import { startReceiver } from '../support/receiver.ts'
import { type Opened, stages } from '../support/stages.ts'
import { until } from '../support/until.ts'
import { REDIRECT, tokensFor } from '../support/user-tokens.ts'
import { FREE_PORTS, runPlaza, spawnPlaza, startCli, stopCli, temporaryFolder } from './cli.fixture.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

interface Reading {
  now: string
  machine_now: string
  frozen: boolean
  settled?: boolean
}

const deliveriesOf = query<{ webhook: string }, { state: string; log: string; created_at: number }>(
  'deliveriesOfClockTest',
  (db, at) =>
    db
      .selectFrom('deliveries')
      .select(['state', 'log', 'created_at'])
      .where('webhook_id', '=', at.webhook)
      .orderBy('seq'),
)

for (const stage of stages) {
  describe(`the clock of the admin API on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client

    before(async () => {
      opened = await stage.open(
        { deliveryRetries: 'long', webhooksPerApp: 10, audienceDelaySeconds: 0 },
        { usesOwnClock: true, backgroundTasks: true },
      )
      client = new Client(opened.plaza)
    })
    after(async () => {
      await client?.close()
      await opened?.close()
    })

    const send = (method: string, path: string, json?: unknown, plaza = opened.plaza) =>
      client.send(method, `${plaza.urls.console}/admin/v1${path}`, json === undefined ? {} : { json })
    async function clock(method: string, path: string, json?: unknown): Promise<Reading> {
      const reply = await send(method, `/clock${path}`, json)
      assert.equal(reply.status, 200, reply.text)
      return (reply.json as { data: Reading }).data
    }
    const now = async () => Date.parse((await clock('GET', '')).now)
    async function advance(by: string): Promise<number> {
      const { now, settled } = await clock('POST', '/advance', { by, timeout_seconds: 120 })
      assert.equal(settled, true)
      return Date.parse(now)
    }

    test('it is the machine’s until it is set, stands still while it is frozen, and never goes back', async () => {
      const first = await clock('GET', '')
      assert.ok(Math.abs(Date.parse(first.now) - Date.parse(first.machine_now)) < 10, JSON.stringify(first))
      assert.equal(first.frozen, false)
      const frozen = await clock('PUT', '', { frozen: true })
      assert.equal(frozen.frozen, true)
      assert.equal((await clock('GET', '')).now, frozen.now)
      const later = new Date(Date.parse(frozen.now) + HOUR_MS).toISOString()
      assert.equal((await clock('PUT', '', { now: later })).now, later)
      assert.equal((await clock('GET', '')).now, later, 'a frozen clock that is set stays frozen')
      const back = await send('PUT', '/clock', { now: frozen.now })
      assert.equal(back.status, 400)
      assert.deepEqual(back.json, {
        errors: [
          {
            parameters: { now: [frozen.now] },
            message: `ClockSetBack: \`now\` must not be before the time of the clock, ${later}`,
          },
        ],
        title: 'Invalid Request',
        detail: 'One or more parameters to your request was invalid.',
        type: `${opened.plaza.urls.console}/2/problems/invalid-request`,
      })
      assert.equal((await clock('GET', '')).now, later, 'a rejected change changes nothing')
      const resumed = await clock('PUT', '', { frozen: false })
      assert.ok(Date.parse(resumed.now) - Date.parse(later) < 10_000)
    })

    test('signatures carry the time of the caller’s machine, and limits are counted by the clock', async () => {
      const person = await Person.join(opened.plaza, client)
      await clock('PUT', '', { frozen: true })
      await advance('3d')
      const path = `/2/users/${person.id}`
      const first = await person.core('GET', path)
      assert.equal(first.status, 200, first.text)
      const limit = Number(first.headers['x-rate-limit-limit'])
      assert.equal(Number(first.headers['x-rate-limit-remaining']), limit - 1)
      assert.equal(Number((await person.core('GET', path)).headers['x-rate-limit-remaining']), limit - 2)
      const at = await advance('15m')
      const next = await person.core('GET', path)
      assert.equal(Number(next.headers['x-rate-limit-remaining']), limit - 1)
      assert.equal(Number(next.headers['x-rate-limit-reset']), Math.ceil((at + 15 * MINUTE_MS) / 1000))
    })

    test('a scheduled post is published at its time, however far the clock is moved', async () => {
      const desk = await Desk.open(opened.plaza, client)
      const from = await now()
      // Scheduled times are whole minutes.
      const due = new Date(Math.ceil((from + HOUR_MS) / MINUTE_MS) * MINUTE_MS)
      const later = new Date(due.getTime() + HOUR_MS)
      for (const [text, at] of [
        ['Second', later],
        ['First', due],
      ] as const) {
        const reply = await desk.post('/scheduled_posts', {
          ...{ text, scheduled_at: at.toISOString(), nullcast: 'false' },
        })
        assert.equal(reply.status, 201, reply.text)
        assert.equal(dataOf(reply).text, text)
      }
      await advance('30m')
      const read = () =>
        client.signed('GET', `/2/users/${desk.person.id}/posts?post.fields=created_at,text`, desk.person.keys)
      const early = await read()
      assert.equal(early.status, 200, early.text)
      assert.deepEqual((early.json as { data?: unknown[] }).data ?? [], [])
      await advance('10h')
      const { data } = (await read()).json as { data: { text: string; created_at: string }[] }
      assert.deepEqual(
        data.map(({ text }) => text),
        ['Second', 'First'],
      )
      for (const [index, at] of [later, due].entries()) {
        assert.equal(data[index]?.created_at, at.toISOString())
      }
    })

    test('an access token ends after two hours', async () => {
      const user = opened.plaza.seeded?.users[0]
      assert.ok(user)
      const { context } = opened.plaza
      const app = await context.store.write((tx) =>
        createApp(
          tx,
          {
            name: 'Clock',
            website: 'https://app.example.com/',
            ownerUserId: user.id,
            callbacks: [REDIRECT],
            permission: 'read-write',
            kind: 'web',
            signIn: false,
          },
          context,
        ),
      )
      const tokens = await tokensFor(client, app, user)
      const call = () =>
        client.send('GET', '/2/users/me', { headers: { authorization: `Bearer ${tokens.access_token}` } })
      assert.equal((await call()).status, 200)
      await advance('1h59m')
      assert.equal((await call()).status, 200)
      await advance('2m')
      assert.equal((await call()).status, 401)
    })

    test('a webhook is checked again, and a failed delivery is retried over 76 hours', async () => {
      const keys = demoKeys(opened.plaza)
      const receiver = await startReceiver(keys.consumerSecret)
      try {
        const reply = await client.signed('POST', '/2/webhooks', keys, { json: { url: receiver.url } })
        assert.equal(reply.status, 200, reply.text)
        const webhook = (reply.json as { data: { id: string } }).data.id
        const checks = receiver.checks
        await advance('28h')
        assert.ok(receiver.checks > checks, 'no check in 28 hours')

        const subscribed = await client.signed(
          'POST',
          `/2/account_activity/webhooks/${webhook}/subscriptions/all`,
          keys,
        )
        assert.equal(subscribed.status, 200, subscribed.text)
        receiver.answerWith((_, response) => {
          response.statusCode = 500
          response.end()
        })
        const posted = await client.signed('POST', '/2/posts', keys, { json: { text: 'Retried' } })
        assert.equal(posted.status, 201, posted.text)
        await advance('86h')
        const [row] = await opened.plaza.context.store.all(deliveriesOf, { webhook })
        assert.equal(row?.state, 'failed')
        const attempts = JSON.parse(row.log) as { at: number; status?: number }[]
        assert.equal(attempts.length, 12)
        assert.equal(receiver.deliveries.length, 12)
        const last = (attempts.at(-1)?.at ?? 0) - row.created_at
        assert.ok(
          last >= 76 * HOUR_MS && last < 85 * HOUR_MS,
          `the last attempt came after ${last / HOUR_MS} h`,
        )
      } finally {
        await receiver.close()
      }
    })

    test('an advance ends when its time is over, although a webhook does not answer', async () => {
      const keys = demoKeys(opened.plaza)
      const receiver = await startReceiver(keys.consumerSecret)
      try {
        const reply = await client.signed('POST', '/2/webhooks', keys, { json: { url: receiver.url } })
        const webhook = (reply.json as { data: { id: string } }).data.id
        await client.signed('POST', `/2/account_activity/webhooks/${webhook}/subscriptions/all`, keys)
        receiver.answerWith(() => undefined)
        await client.signed('POST', '/2/posts', keys, { json: { text: 'Unanswered' } })
        const from = await now()
        const reading = await clock('POST', '/advance', { by: '1s', timeout_seconds: 1 })
        assert.equal(reading.settled, false)
        assert.equal(Date.parse(reading.now), from + 1_000)
      } finally {
        receiver.accept()
        await receiver.close()
      }
    })

    test('wrong values are named and change nothing', async () => {
      const before = await clock('PUT', '', { frozen: true })
      for (const [method, path, body, message] of [
        [
          'PUT',
          '/clock',
          { now: 'tomorrow' },
          'TimeInvalid: `now` must be a time before 2080, such as 2026-03-01T12:00:00Z',
        ],
        ['PUT', '/clock', { now: 7 }, '$.now: must be of type string'],
        ['PUT', '/clock', { frozen: 'yes' }, '$.frozen: must be of type boolean'],
        ['PUT', '/clock', { speed: 2 }, '$.speed: is not one of [now,frozen,machine_now]'],
        ['POST', '/clock/advance', {}, '$.by: is missing but it is required'],
        ['POST', '/clock/advance', { by: '-1h' }, '$.by: is not valid'],
        ['POST', '/clock/advance', { by: '99999d' }, 'DurationInvalid: `by` must be at most 100 years'],
        [
          'POST',
          '/clock/advance',
          { by: '1h', timeout_seconds: 601 },
          '$.timeout_seconds: must be between 1 and 600',
        ],
      ] as const) {
        const reply = await send(method, path, body)
        assert.equal(reply.status, 400, reply.text)
        assert.deepEqual(
          (reply.json as { errors: { message: string }[] }).errors.map((error) => error.message),
          [message],
        )
      }
      assert.equal((await clock('GET', '')).now, before.now)
    })
  })
}

for (const stage of stages) {
  test(`an adjusted clock goes on after a restart, on every node: ${stage.name}`, {
    skip: stage.skip || (!stage.shared && stage.name !== 'SQLite file'),
  }, async () => {
    const opened = await stage.open({}, { usesOwnClock: true })
    const client = new Client(opened.plaza)
    const adjust = async (plaza: Plaza, json: unknown) => {
      const reply = await client.send('PUT', `${plaza.urls.console}/admin/v1/clock`, { json })
      assert.equal(reply.status, 200, reply.text)
    }
    const read = async (plaza: Plaza) => {
      const reply = await client.send('GET', `${plaza.urls.console}/admin/v1/clock`)
      return (reply.json as { data: Reading }).data
    }
    try {
      await adjust(opened.plaza, { now: '2070-01-01T00:00:00Z', frozen: true })
      if (stage.shared) {
        const second = await opened.second()
        assert.equal((await read(second)).now, '2070-01-01T00:00:00.000Z')
        await adjust(second, { now: '2070-01-02T00:00:00Z' })
        await until('the first node follows', async () => {
          return (await read(opened.plaza)).now === '2070-01-02T00:00:00.000Z'
        })
      } else {
        await opened.plaza.close()
        const again = await startPlaza(
          { ...(opened.folder !== undefined && { data: opened.folder }) },
          { usesOwnClock: true },
        )
        assert.equal((await read(again)).now, '2070-01-01T00:00:00.000Z')
        await again.close()
      }
    } finally {
      await client.close()
      await opened.close()
    }
  })
}

test('calls to other servers end after their timeout, although the clock stands still', async () => {
  const plaza = await startPlaza({ deliveryTimeoutMs: 1_000 }, { usesOwnClock: true, backgroundTasks: true })
  const client = new Client(plaza)
  const keys = demoKeys(plaza)
  const receiver = await startReceiver(keys.consumerSecret)
  try {
    const reply = await client.signed('POST', '/2/webhooks', keys, { json: { url: receiver.url } })
    const webhook = (reply.json as { data: { id: string } }).data.id
    await client.signed('POST', `/2/account_activity/webhooks/${webhook}/subscriptions/all`, keys)
    receiver.answerWith(() => undefined)
    await client.send('PUT', `${plaza.urls.console}/admin/v1/clock`, { json: { frozen: true } })
    await client.signed('POST', '/2/posts', keys, { json: { text: 'Unanswered' } })
    await until('an attempt has failed', async () => {
      const [row] = await plaza.context.store.all(deliveriesOf, { webhook })
      return (JSON.parse(row?.log ?? '[]') as unknown[]).length === 1
    })
  } finally {
    receiver.accept()
    await receiver.close()
    await client.close()
    await plaza.close()
  }
})

test('the admin API accepts its token and programs on this machine, and no pages of other origins', async () => {
  const plaza = await startPlaza({}, { usesOwnClock: true })
  const client = new Client(plaza)
  const url = `${plaza.urls.console}/admin/v1/clock`
  const token = adminToken(plaza.context.sealer)
  try {
    const status = async (headers: Record<string, string>) =>
      (await client.send('GET', url, { headers })).status
    assert.equal(await status({}), 200)
    assert.equal(await status({ authorization: `Bearer ${token}` }), 200)
    assert.equal(await status({ origin: plaza.urls.console }), 200)
    assert.equal(await status({ authorization: 'Bearer wrong' }), 401)
    assert.equal(await status({ authorization: `Basic ${token}` }), 401)
    assert.equal(await status({ origin: 'https://evil.example' }), 403)
    assert.equal(await status({ 'sec-fetch-site': 'cross-site' }), 403)
    assert.equal(await status({ origin: 'https://evil.example', authorization: `Bearer ${token}` }), 403)
    // A name that another site points at this address.
    const socket = await dial(plaza.urls.console, undefined)
    socket.write('GET /admin/v1/clock HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n')
    const rebound = await heard(socket)
    assert.match(rebound, /^HTTP\/1\.1 403 /)
  } finally {
    await client.close()
    await plaza.close()
  }
})

test('with --hardened, the admin API is absent unless it is asked for, and then needs its token', async () => {
  for (const adminApi of [false, true]) {
    const plaza = await startPlaza({ hardened: true, adminApi, seed: 'none' }, { usesOwnClock: true })
    const client = new Client(plaza)
    const url = `${plaza.urls.console}/admin/v1/clock`
    try {
      const open = await client.send('GET', url)
      const authorization = `Bearer ${adminToken(plaza.context.sealer)}`
      const trusted = await client.send('GET', url, { headers: { authorization } })
      assert.deepEqual([open.status, trusted.status], adminApi ? [401, 200] : [404, 404])
    } finally {
      await client.close()
      await plaza.close()
    }
  }
})

test('ids go on after a kill and after a stop, while the clock is frozen', async (t) => {
  const folder = temporaryFolder(t)
  const args = ['--seed-population=0']
  const ids: string[] = []
  for (const end of ['SIGKILL', 'SIGKILL', 'SIGTERM', 'SIGTERM'] as const) {
    const plaza = await startCli(t, { folder, args })
    const call = async (method: string, path: string, body: object) => {
      const url = `${plaza.ready.console_url}/admin/v1${path}`
      const headers = { 'content-type': 'application/json' }
      const reply = await fetch(url, { method, headers, body: JSON.stringify(body) })
      assert.ok(reply.ok, `${reply.status}`)
      return ((await reply.json()) as { data: { id: string } }).data
    }
    await call('PUT', '/clock', { frozen: true })
    const author = plaza.ready.user?.screen_name
    for (const text of ['one', 'two', 'three']) ids.push((await call('POST', '/posts', { author, text })).id)
    await stopCli(plaza, end)
    rmSync(plaza.readyPath, { force: true })
  }
  assert.deepEqual(ids.toSorted(compareIds), ids)
  assert.equal(new Set(ids).size, 12)
})

test('the JavaScript interface steers the clock', async () => {
  const plaza = await startPlazaInProcess({ seed: 'none' })
  try {
    const frozen = await plaza.clock.freeze()
    assert.deepEqual(await plaza.clock.now(), frozen)
    assert.equal((await plaza.clock.advance('1d2h')).getTime(), frozen.getTime() + 26 * HOUR_MS)
    const later = new Date('2079-01-01T00:00:00.001Z')
    assert.deepEqual(await plaza.clock.set(later), later)
    await assert.rejects(plaza.clock.set(frozen), {
      name: 'AdminError',
      message: 'ClockSetBack: `now` must not be before the time of the clock, 2079-01-01T00:00:00.001Z',
    })
    await assert.rejects(plaza.clock.advance('soon'), { name: 'AdminError', message: '$.by: is not valid' })
    assert.ok((await plaza.clock.resume()) >= later)
    await until('it goes on', async () => (await plaza.clock.now()) > later)
  } finally {
    await plaza.close()
  }
})

test('commands steer the clock, also of a Plaza in memory', async (t) => {
  const { data } = await startCli(t)
  const run = (...args: string[]) => runPlaza(t, [...args, `--data=${data}`])
  const frozen = await run('clock', 'freeze')
  assert.match(frozen.stdout, /^20[0-9-]{8}T[0-9:.]{12}Z \(frozen\)\n$/)
  assert.equal((await run('clock', 'show')).stdout, frozen.stdout)
  const advanced = await run('clock', 'advance', '2h', '--json')
  const shown = Date.parse(frozen.stdout.slice(0, 24))
  const { now, frozen: isFrozen, settled } = JSON.parse(advanced.stdout) as Reading
  assert.deepEqual([Date.parse(now) - shown, isFrozen, settled], [2 * HOUR_MS, true, true])
  const back = await run('clock', 'set', '2020-01-01T00:00:00Z')
  assert.deepEqual([back.code, back.stdout], [1, ''])
  assert.match(back.stderr, /^plaza: ClockSetBack: `now` must not be before the time of the clock, /)
  assert.match((await run('admin-token')).stdout, /^[A-Za-z0-9_-]{43}\n$/)

  const readyFile = join(data, 'memory.json')
  const inMemory = spawnPlaza(t, ['start', '--memory', ...FREE_PORTS, `--ready-file=${readyFile}`])
  await until('it is ready', async () => existsSync(readyFile))
  const set = await runPlaza(t, ['clock', 'set', '2079-01-01T00:00:00Z', `--ready-file=${readyFile}`])
  assert.match(set.stdout, /^2079-01-01T00:00:00\./)
  inMemory.stop('SIGTERM')
  await inMemory.ended
})
