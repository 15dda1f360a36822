import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type Agent, request as httpsRequest } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import OAuth from 'oauth-1.0a'
import { type ApiResponseError, ETwitterStreamEvent, TwitterApi } from 'twitter-api-v2'
import globals from 'twitter-api-v2/dist/cjs/globals.js'
import { callAdmin, callWhole } from '../../src/app/admin-client.ts'
import { startPlaza as startPlazaInProcess } from '../../src/app/index.ts'
import type { Plaza } from '../../src/app/server.ts'
import { query } from '../../src/app/tables.ts'
import { FAULT_KINDS } from '../../src/workbench/faults/settings.ts'
import { Client, demoKeys } from '../support/client.ts'
import { localAgent } from '../support/local-agent.ts'
import { startPlaza } from '../support/plaza.ts'
import { startReceiver } from '../support/receiver.ts'
import { type Opened, stages } from '../support/stages.ts'
import { StreamReader } from '../support/stream-reader.ts'
import { NEVER_MS, until } from '../support/until.ts'
import { FREE_PORTS, runPlaza, spawnPlaza } from './cli.fixture.ts'

/** twitter-api-v2's own words for Plaza's neutral ones. */
const VOCABULARY = { words: { post: 'tweet', posts: 'tweets', service: 'twitter', svc: 'twitter' } }
const HOST = new URL(globals.API_V2_PREFIX).hostname

interface Rule {
  id: string
  position: number
  kind: string
  matches: number
  hits: number
}

const deliveriesOf = query<{ webhook: string }, { state: string; log: string }>(
  'deliveriesOfFaultsTest',
  (db, at) =>
    db.selectFrom('deliveries').select(['state', 'log']).where('webhook_id', '=', at.webhook).orderBy('seq'),
)

/** The rules of a Plaza, by the admin API. */
const rulesOf = (plaza: Plaza) => {
  const admin = { consoleUrl: plaza.urls.console }
  return {
    add: async (rule: object) => (await callAdmin(admin, 'POST', '/faults', rule)) as unknown as Rule,
    get: async (id: string) => (await callAdmin(admin, 'GET', `/faults/${id}`)) as unknown as Rule,
    list: async () => (await callWhole(admin, 'GET', '/faults')).data as unknown as Rule[],
    clear: () => callWhole(admin, 'DELETE', '/faults'),
  }
}

for (const stage of stages) {
  describe(`faults on ${stage.name}`, { skip: stage.skip }, () => {
    let folder: string
    let opened: Opened
    let plaza: Opened['plaza']
    let agent: Agent
    let client: Client
    let rules: ReturnType<typeof rulesOf>
    const kindsSeen = new Set<string>()

    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'plaza-faults-'))
      const vocabulary = join(folder, 'vocabulary.json')
      await writeFile(vocabulary, JSON.stringify(VOCABULARY))
      opened = await stage.open(
        {
          ...{ vocabulary, coreUrl: `https://${HOST}`, streamConnectionsPerApp: 20, webhooksPerApp: 10 },
          ...{ deliveryTimeoutMs: 1_000, deliveryRetries: 'short', rateLimits: 'documented' },
        },
        { usesOwnClock: true, backgroundTasks: true },
      )
      plaza = opened.plaza
      const port = plaza.listening.core
      agent = localAgent({ ca: plaza.caPem as string, host: HOST, port })
      client = new Client(plaza, { host: HOST, port })
      rules = rulesOf(plaza)
    })
    after(async () => {
      agent?.destroy()
      await client?.close()
      await opened?.close()
      await rm(folder, { recursive: true, force: true })
    })

    const api = () => {
      const { consumerKey, consumerSecret, token, tokenSecret } = demoKeys(plaza)
      const tokens = { accessToken: token, accessSecret: tokenSecret }
      return new TwitterApi(
        { appKey: consumerKey, appSecret: consumerSecret, ...tokens },
        { httpAgent: agent },
      )
    }
    /** How a call of the client failed. */
    const failure = async (call: Promise<unknown>) =>
      (await call.then(
        () => assert.fail('the call succeeded'),
        (error) => error,
      )) as Omit<ApiResponseError, 'type'> & { type: string }
    /** Runs a test with rules, and removes them. */
    async function withRules<T>(added: readonly object[], work: (added: Rule[]) => Promise<T>): Promise<T> {
      try {
        const known: Rule[] = []
        for (const rule of added) known.push(await rules.add(rule))
        for (const { kind } of known) kindsSeen.add(kind)
        return await work(known)
      } finally {
        await rules.clear()
      }
    }

    test('twitter-api-v2 sees a limit that is exhausted, with its headers, and then its post', () =>
      withRules([{ route: 'POST /2/posts', kind: 'error', status: 429, times: 1 }], async ([rule]) => {
        const error = await failure(api().v2.tweet('Limited'))
        assert.equal(error.code, 429)
        assert.equal(error.rateLimitError, true)
        assert.equal(error.rateLimit?.remaining, 0)
        const journal = await client.send('GET', `${plaza.urls.console}/admin/v1/journal?status=429`)
        assert.match(journal.text, new RegExp(`"cause":"rate limited","detail":"fault ${rule?.id}: error"`))
        assert.ok((error.rateLimit?.limit ?? 0) > 0 && (error.rateLimit?.reset ?? 0) > 0)
        assert.equal((await api().v2.tweet('Not limited any more')).data.text, 'Not limited any more')
        const { matches, hits } = await rules.get(rule?.id ?? '')
        assert.deepEqual([matches, hits], [2, 1])
      }))

    test('it sees documented causes, usage caps, expired tokens and a lost database', async () => {
      const seen = async (rule: object, call: (one: TwitterApi) => Promise<unknown>) =>
        withRules([rule], async () => failure(call(api())))
      const me = (one: TwitterApi) => one.v2.me()
      const duplicate = await seen({ kind: 'error', route: '/2/posts', cause: 'duplicate post' }, (one) =>
        one.v2.tweet('Once'),
      )
      assert.deepEqual(
        [duplicate.code, duplicate.data.detail],
        [403, 'You are not allowed to create a Tweet with duplicate content.'],
      )
      const capped = await seen({ kind: 'exhausted_usage', route: '/2/posts/search/recent' }, (one) =>
        one.v2.search('cat'),
      )
      assert.deepEqual([capped.code, capped.data.title], [429, 'UsageCapExceeded'])
      const limited = await seen({ kind: 'exhausted_limit', route: 'GET /2/users/me' }, me)
      assert.deepEqual([limited.code, limited.rateLimit?.remaining], [429, 0])
      const lost = await seen({ kind: 'lost_database' }, me)
      assert.deepEqual([lost.code, lost.headers['retry-after']], [503, '5'])

      const bearer = await new TwitterApi(
        { appKey: demoKeys(plaza).consumerKey, appSecret: demoKeys(plaza).consumerSecret },
        { httpAgent: agent },
      ).appLogin()
      await withRules([{ kind: 'expired_token' }], async () => {
        const expired = await failure(bearer.v2.userByUsername('demo'))
        assert.equal(expired.code, 401)
        assert.match(String(expired.headers['www-authenticate']), /error="invalid_token"/)
        assert.equal((await api().v2.me()).data.username, 'demo', 'a signed request has no such token')
      })
    })

    test('a client of the advertising API sees errors with its codes', async () => {
      const keys = demoKeys(plaza)
      const signer = new OAuth({
        consumer: { key: keys.consumerKey, secret: keys.consumerSecret },
        signature_method: 'HMAC-SHA1',
        hash_function: (base, key) => createHmac('sha1', key).update(base).digest('base64'),
      })
      const call = async (path = '') => {
        const url = `${plaza.urls.ads}/12/accounts${path}`
        const token = { key: keys.token, secret: keys.tokenSecret }
        const headers = { ...signer.toHeader(signer.authorize({ url, method: 'GET' }, token)) }
        const { status, json } = await client.send('GET', url, { headers })
        return [status, (json as { errors?: { code: string }[] }).errors?.[0]?.code]
      }
      for (const [status, code] of [
        [503, 'SERVICE_UNAVAILABLE'],
        [423, 'LOCK_ACQUISITION_TIMEOUT'],
        [401, 'UNAUTHORIZED_ACCESS'],
      ])
        await withRules([{ route: 'GET /12/accounts', host: 'ads', kind: 'error', status }], async () =>
          assert.deepEqual(await call(), [status, code]),
        )
      assert.deepEqual(await call(), [200, undefined])
      const limited = { route: 'GET /12/accounts/{account_id}/campaigns', kind: 'error', status: 429 }
      await withRules([limited], async () =>
        assert.deepEqual(await call('/abc/campaigns'), [429, 'TOO_MANY_REQUESTS']),
      )
    })

    test('latency comes before the reply, and a client may give up', () =>
      withRules([{ route: 'GET /2/users/me', kind: 'latency', latency: 'uniform 300ms 400ms' }], async () => {
        const began = performance.now()
        await api().v2.me()
        assert.ok(performance.now() - began >= 290)
        await rules.clear()
        const { id } = await rules.add({ route: 'GET /2/users/me', kind: 'latency', latency: '5m' })
        const target = `https://${HOST}/2/users/me`
        const authorization = client.sign('GET', target, demoKeys(plaza))
        const request = httpsRequest(target, { agent, headers: { authorization } })
        const closed = once(request, 'error')
        request.end()
        await until('it waits', async () => (await rules.get(id)).hits === 1)
        request.destroy(new Error('no time'))
        await closed
        // Otherwise it would wait for five minutes.
        await until('Plaza notices', async () =>
          /the wait of a fault ended early/.test(
            (await client.send('GET', `${plaza.urls.console}/admin/v1/journal?limit=10`)).text,
          ),
        )
      }))

    test('a dropped connection has no reply: before the call, or after it took effect', async () => {
      const texts = async () => {
        const { data } = (await api().v2.me()) as { data: { id: string } }
        const { tweets } = await api().v2.userTimeline(data.id, { max_results: 100 })
        return tweets.map(({ text }) => text)
      }
      for (const [kind, hasEffect] of [
        ['drop', false],
        ['drop_after', true],
      ] as const) {
        await withRules([{ route: 'POST /2/posts', kind }], async () => {
          const error = await failure(api().v2.tweet(`A post with ${kind}`))
          assert.equal(error.type, 'request', String(error))
        })
        assert.equal((await texts()).includes(`A post with ${kind}`), hasEffect, kind)
      }
    })

    test('a truncated reply ends early, and a throttled one is whole and slow', async () => {
      const before = await client.signed('GET', '/2/users/me', demoKeys(plaza))
      await withRules([{ route: 'GET /2/users/me', kind: 'truncate', bytes: 10 }], async () => {
        const error = await failure(api().v2.me())
        assert.notEqual(error.type, 'response', String(error))
      })
      const bytes_per_second = before.text.length * 2
      await withRules([{ route: 'GET /2/users/me', kind: 'throttle', bytes_per_second }], async () => {
        const began = performance.now()
        const slow = await client.signed('GET', '/2/users/me', demoKeys(plaza))
        assert.equal(slow.text, before.text)
        assert.ok(performance.now() - began >= 400)
        assert.equal((await api().v2.me()).data.username, 'demo', 'twitter-api-v2 waits for the whole reply')
      })
    })

    describe('of streams', () => {
      let bearer: string
      let posts = 0
      before(async () => {
        bearer = await client.bearer(demoKeys(plaza))
        const reply = await client.send('POST', '/2/tweets/search/stream/rules', {
          headers: { authorization: `Bearer ${bearer}` },
          json: { add: [{ value: 'streamed' }] },
        })
        assert.equal(reply.status, 201, reply.text)
      })
      const PATH = '/2/tweets/search/stream'
      const here = () => ({ urls: { ...plaza.urls, core: `https://127.0.0.1:${plaza.listening.core}` } })
      const open = () => StreamReader.open({ ...here(), caPem: plaza.caPem }, bearer, '', PATH)
      const post = () => api().v2.tweet(`streamed ${++posts}`)

      test('every documented reason ends a stream with its Problem, after so many posts', async () => {
        for (const [reason, type] of [
          ['operator_disconnect', 'OperationalDisconnect'],
          ['server_shutdown', 'OperationalDisconnect'],
          ['slow_reader', 'SlowReader'],
          ['too_many_posts', 'OperationalDisconnect'],
          ['internal_error', 'InternalError'],
          ['token_revoked', 'ForceDisconnect'],
          ['app_suspended', 'ClientApplicationStateDegraded'],
          ['app_unenrolled', 'ClientApplicationStateDegraded'],
          ['usage_capped', undefined],
          ['client_closed', undefined],
        ] as const)
          await withRules([{ kind: 'disconnect', reason, posts: 1 }], async () => {
            const reader = await open()
            assert.equal(reader.status, 200)
            await post()
            const { end, disconnect } = await reader.ended()
            assert.deepEqual([end, disconnect], ['whole', type], reason)
            assert.equal(reader.texts.length, 1, reason)
            const [title] = reader.items.flatMap(({ errors }) => errors?.map((error) => error.title) ?? [])
            if (reason === 'usage_capped') assert.equal(title, 'UsageCapExceeded')
            if (reason === 'client_closed') assert.equal(title, undefined)
          })
      })

      test('a stream is disconnected at once or after some time, and its end is recorded', async () => {
        for (const more of [{}, { after: '200ms' }])
          await withRules([{ kind: 'disconnect', reason: 'token_revoked', ...more }], async () => {
            const reader = await open()
            const { disconnect } = await reader.ended()
            assert.equal(disconnect, 'ForceDisconnect')
          })
        const history = await client.send(
          'GET',
          '/2/connections?status=inactive&connection.fields=disconnect_reason',
          {
            headers: { authorization: `Bearer ${bearer}` },
          },
        )
        assert.match(history.text, /token_revoked/)
      })

      test('a stalled stream stays open and sends nothing more, not even a blank line', () =>
        withRules([{ kind: 'stall', posts: 1, times: 1 }], async () => {
          const reader = await open()
          const witness = await open()
          await post()
          await until('the first post', () => reader.texts.length === 1 && witness.texts.length === 1)
          const blanks = reader.blanks
          await callAdmin({ consoleUrl: plaza.urls.console }, 'POST', '/clock/advance', { by: '1m' })
          await until('a blank line', () => witness.blanks > 0)
          await post()
          await until('the second post', () => witness.texts.length === 2)
          assert.deepEqual([reader.texts.length, reader.blanks, reader.end], [1, blanks, undefined])
          reader.close()
          witness.close()
        }))

      test('twitter-api-v2 notices that a stream is stalled, and connects again', () =>
        withRules([{ kind: 'stall', posts: 1, times: 1 }], async ([rule]) => {
          const stream = await new TwitterApi(bearer, { httpAgent: agent }).v2.searchStream({
            autoConnect: false,
          })
          let lost = 0
          let reconnected = 0
          stream.on(ETwitterStreamEvent.ConnectionLost, () => lost++)
          stream.on(ETwitterStreamEvent.Reconnected, () => reconnected++)
          // Shorter than the 20 seconds between blank lines.
          await stream.connect({
            autoReconnect: true,
            autoReconnectRetries: 100,
            nextRetryTimeout: () => 20,
            keepAliveTimeout: 1_000,
          })
          await until('it connects again', () => reconnected > 0)
          assert.ok(lost > 0)
          assert.equal((await rules.get(rule?.id as string)).hits, 1)
          stream.close()
        }))

      test('a throttled stream is slow', () =>
        withRules(
          [{ route: 'GET /2/posts/search/stream', kind: 'throttle', bytes_per_second: 200 }],
          async () => {
            const reader = await open()
            const began = performance.now()
            await post()
            await until('the post', () => reader.texts.length === 1)
            assert.ok(performance.now() - began >= 200)
            reader.close()
          },
        ))

      test('twitter-api-v2 connects again after a disconnect', () =>
        withRules([{ kind: 'disconnect', posts: 1, times: 1 }], async () => {
          const stream = await new TwitterApi(bearer, { httpAgent: agent }).v2.searchStream()
          Object.assign(stream, {
            autoReconnect: true,
            autoReconnectRetries: 100,
            nextRetryTimeout: () => 20,
          })
          let reconnected = 0
          stream.on(ETwitterStreamEvent.Reconnected, () => reconnected++)
          await post()
          await until('it connects again', () => reconnected === 1)
          stream.close()
        }))
    })

    test('deliveries fail as their rule says, and are retried on the usual schedule', async () => {
      const keys = demoKeys(plaza)
      const receiver = await startReceiver(keys.consumerSecret)
      const admin = { consoleUrl: plaza.urls.console }
      try {
        const reply = await client.signed('POST', '/2/webhooks', keys, { json: { url: receiver.url } })
        assert.equal(reply.status, 200, reply.text)
        const webhook = (reply.json as { data: { id: string } }).data.id
        const subscribed = await client.signed(
          'POST',
          `/2/account_activity/webhooks/${webhook}/subscriptions/all`,
          keys,
        )
        assert.equal(subscribed.status, 200, subscribed.text)
        await callAdmin(admin, 'PUT', '/clock', { frozen: true })
        await withRules(
          [
            { kind: 'webhook_status', status: 503, webhook, times: 1 },
            { kind: 'webhook_timeout', webhook: receiver.url, times: 1 },
            { kind: 'webhook_tls', app_id: plaza.seeded?.apps[0]?.id, times: 1 },
            { kind: 'webhook_slow', latency: '100ms', times: 1 },
          ],
          async (added) => {
            await api().v2.tweet('Delivered at last')
            await callAdmin(admin, 'POST', '/clock/advance', { by: '10m', timeout_seconds: 300 })
            const [row] = await plaza.context.store.all(deliveriesOf, { webhook })
            const attempts = JSON.parse(row?.log ?? '[]') as { status?: number; error?: string; ms: number }[]
            assert.deepEqual(
              attempts.map(({ status, error }) => status ?? error),
              [503, 'no answer in time', 'TLS failed: a fault rule rejects the certificate', 200],
            )
            assert.ok((attempts[3]?.ms ?? 0) >= 90)
            assert.equal(row?.state, 'delivered')
            assert.equal(receiver.deliveries.length, 1)
            for (const { id } of added) assert.equal((await rules.get(id)).hits, 1)
          },
        )
        await withRules([{ kind: 'webhook_unreachable' }], async () => {
          await api().v2.tweet('Never delivered')
          await callAdmin(admin, 'POST', '/clock/advance', { by: '10m', timeout_seconds: 300 })
        })
        const rows = await plaza.context.store.all(deliveriesOf, { webhook })
        assert.equal(rows.at(-1)?.state, 'failed')
        assert.match(rows.at(-1)?.log ?? '', /a fault rule refuses the connection/)
      } finally {
        await callAdmin(admin, 'PUT', '/clock', { frozen: false })
        await receiver.close()
      }
    })

    test('the tests above saw every kind of fault', () =>
      assert.deepEqual([...kindsSeen].sort(), [...FAULT_KINDS].sort()))

    test('a request may name its own fault in a header', async () => {
      const send = (fault: string) =>
        client.signed('GET', '/2/users/me', demoKeys(plaza), { headers: { 'plaza-fault': fault } })
      assert.equal((await send('429')).status, 429)
      assert.equal((await send('cause=user suspended; latency=1ms')).status, 403)
      await assert.rejects(send('drop'))
      const wrong = await send('418')
      assert.equal(wrong.status, 400)
      assert.match(
        wrong.text,
        /FaultInvalid: `status` 418 is not documented\. Documented are: 400 \(bad request/,
      )
      assert.match((await send('often')).text, /has \\"often\\", which is no status, no kind/)
      assert.equal((await client.signed('GET', '/2/users/me', demoKeys(plaza))).status, 200)
    })

    test('rules have an order, which may be changed, and each is replaced or removed alone', async () => {
      const admin = { consoleUrl: plaza.urls.console }
      await withRules(
        [
          { kind: 'error', status: 500 },
          { kind: 'error', status: 503 },
        ],
        async ([first, second]) => {
          const status = async () => (await client.signed('GET', '/2/users/me', demoKeys(plaza))).status
          assert.equal(await status(), 500)
          const { position: _, ...read } = await rules.get(second?.id ?? '')
          await callAdmin(admin, 'PUT', `/faults/${second?.id}`, { ...read, position: 1 })
          assert.deepEqual(
            (await rules.list()).map(({ id }) => id),
            [second?.id, first?.id],
          )
          assert.equal(await status(), 503)
          await callAdmin(admin, 'PUT', `/faults/${second?.id}`, { kind: 'error', status: 401 })
          assert.equal(await status(), 401)
          await callWhole(admin, 'DELETE', `/faults/${second?.id}`)
          assert.equal(await status(), 500)
          await assert.rejects(callWhole(admin, 'DELETE', `/faults/${second?.id}`), {
            message: `There is no fault rule "${second?.id}".`,
          })
        },
      )
    })

    test('wrong values are named and change nothing', async () => {
      for (const [body, message] of [
        [{}, '$.kind: is missing but it is required'],
        [
          { kind: 'error', route: 'POST /2/posts', status: 418 },
          /^FaultInvalid: `status` 418 is not documented/,
        ],
        [{ kind: 'explode' }, /^\$\.kind: must be one of \[error,/],
        [{ kind: 'drop', route: 'posts' }, '$.route: is not valid'],
        [{ kind: 'drop', probability: 2 }, '$.probability: must be between 0 and 1'],
        [{ kind: 'drop', times: 0 }, '$.times: must be between 1 and 1000000000'],
        [{ kind: 'drop', position: 1_001 }, '$.position: must be between 1 and 1000'],
        [{ kind: 'latency', latency: '6m' }, /^FaultInvalid: `latency` must be at most 5 minutes/],
        [{ kind: 'drop', often: true }, /^\$\.often: is not one of/],
      ] as const) {
        const reply = await client.send('POST', `${plaza.urls.console}/admin/v1/faults`, { json: body })
        assert.equal(reply.status, 400, reply.text)
        const [error] = (reply.json as { errors: { message: string }[] }).errors
        if (typeof message === 'string') assert.equal(error?.message, message)
        else assert.match(error?.message ?? '', message)
      }
      assert.deepEqual(await rules.list(), [])
    })

    test('rules are in force on every node, or after a restart', {
      skip: stage.name === 'SQLite in memory',
    }, async () => {
      const own = await stage.open({ seedPopulation: 0 }, { usesOwnClock: true })
      const first = rulesOf(own.plaza)
      try {
        const { id } = await first.add({ kind: 'error', status: 503, route: '/2/users/me' })
        if (!stage.shared) await own.plaza.close()
        const other = stage.shared
          ? await own.second()
          : await startPlaza(
              { ...(own.folder !== undefined && { data: own.folder }) },
              { usesOwnClock: true },
            )
        const caller = new Client(other)
        const status = async () => (await caller.signed('GET', '/2/users/me', demoKeys(own.plaza))).status
        assert.equal(await status(), 503)
        assert.deepEqual(
          (await rulesOf(other).list()).map((rule) => [rule.id, rule.hits]),
          [[id, 1]],
        )
        if (stage.shared) {
          // Each node has its own journal and counts its own hits, and says so.
          const seen = async (plaza: Plaza) => {
            const read = async (path: string) =>
              (await caller.send('GET', `${plaza.urls.console}/admin/v1${path}`)).json as {
                data: { hits?: number }[]
                meta: { node: number }
              }
            const [journal, faults] = [await read('/journal?route=/2/users/me'), await read('/faults')]
            const counts = await read('/journal/counts?route=/2/users/me')
            const wait = `${plaza.urls.console}/admin/v1/journal/wait`
            const waited = await caller.send('POST', wait, {
              json: { route: '/2/users/me', timeout_seconds: 0 },
            })
            const { found, node } = (waited.json as { meta: { found: boolean; node: number } }).meta
            assert.deepEqual([journal.meta.node, faults.meta.node, counts.meta.node], [node, node, node])
            return { node, found, entries: journal.data.length, hits: faults.data[0]?.hits }
          }
          assert.deepEqual(await seen(other), { node: 1, found: true, entries: 1, hits: 1 })
          assert.deepEqual(await seen(own.plaza), { node: 0, found: false, entries: 0, hits: 0 })
          // Both nodes change the rules at the same time: none is lost.
          const many = Array.from({ length: 10 }, (_, index) => index)
          await Promise.all(
            many.map((index) =>
              rulesOf(index % 2 ? other : own.plaza).add({ kind: 'drop', route: '/2/posts' }),
            ),
          )
          for (const node of [own.plaza, other])
            await until('all rules', async () => (await rulesOf(node).list()).length === 11)
          await first.clear()
          await until('the other node follows', async () => (await status()) === 200)
        }
        await caller.close()
        if (!stage.shared) await other.close()
      } finally {
        await own.close()
      }
    })
  })
}

test('at most 1,000 rules are kept', async () => {
  const plaza = await startPlaza({ seed: 'none' }, { usesOwnClock: true })
  const rules = rulesOf(plaza)
  try {
    for (let count = 0; count < 1_000; count++) await rules.add({ kind: 'drop', route: '/2/users/me' })
    await assert.rejects(rules.add({ kind: 'drop' }), {
      message: 'FaultInvalid: there are 1000 fault rules already: remove some',
    })
    assert.equal((await rules.list()).length, 1_000)
  } finally {
    await plaza.close()
  }
})

test('Plaza closes although requests wait for faults', { timeout: NEVER_MS }, async () => {
  const plaza = await startPlaza({}, { usesOwnClock: true })
  const client = new Client(plaza)
  const { id } = await rulesOf(plaza).add({ kind: 'latency', latency: '5m', route: '/2/users/me' })
  const waiting = client.signed('GET', '/2/users/me', demoKeys(plaza))
  await until('it waits', async () => (await rulesOf(plaza).get(id)).hits === 1)
  await Promise.all([
    waiting.then(
      ({ status }) => assert.equal(status, 503),
      () => undefined,
    ),
    plaza.close(),
  ])
  await client.close()
})

test('with --hardened, requests cannot name their own faults', async () => {
  for (const adminApi of [true, false]) {
    const plaza = await startPlaza({ hardened: true, adminApi }, { usesOwnClock: true })
    const client = new Client(plaza)
    try {
      const headers = { 'plaza-fault': '503' }
      assert.equal((await client.signed('GET', '/2/users/me', demoKeys(plaza), { headers })).status, 200)
    } finally {
      await client.close()
      await plaza.close()
    }
  }
})

test('the JavaScript interface adds, lists and removes faults', async () => {
  const plaza = await startPlazaInProcess({ seed: 'none' })
  try {
    const added = await plaza.faults.add({ route: 'POST /2/posts', status: 429, times: 2 })
    assert.deepEqual(added, {
      ...{ id: 'f1', position: 1, kind: 'error', status: 429, route: 'POST /2/posts', times: 2 },
      ...{ matches: 0, hits: 0 },
    })
    const first = await plaza.faults.add({ kind: 'drop', route: 'POST /2/posts', position: 1 })
    assert.deepEqual(
      (await plaza.faults.list()).map(({ id }) => id),
      ['f2', 'f1'],
    )
    await plaza.faults.remove(first.id)
    await assert.rejects(plaza.faults.remove(first.id), { message: 'There is no fault rule "f2".' })
    await assert.rejects(plaza.faults.add({ route: 'POST /2/posts', status: 418 }), { name: 'AdminError' })
    await plaza.faults.clear()
    assert.deepEqual(await plaza.faults.list(), [])
  } finally {
    await plaza.close()
  }
})

test('commands add, list and remove faults of a Plaza in memory', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'plaza-faults-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const readyFile = join(folder, 'ready.json')
  const server = spawnPlaza(t, ['start', '--memory', ...FREE_PORTS, `--ready-file=${readyFile}`])
  const run = (...args: string[]) => runPlaza(t, [...args, `--ready-file=${readyFile}`])
  await until('it is ready', async () => (await run('fault', 'list')).code === 0)
  const added = await run('fault', 'add', 'POST /2/posts', '429', '--times', '2')
  assert.equal(added.stdout, 'f1  POST /2/posts  error  status=429 times=2  0 of 0\n')
  const slow = await run(
    'fault',
    'add',
    '/*',
    'latency',
    '--latency',
    'uniform 1s 2s',
    '--position',
    '1',
    '--json',
  )
  const { id, route, kind, latency } = JSON.parse(slow.stdout) as Record<string, string>
  assert.deepEqual([id, route, kind, latency], ['f2', undefined, 'latency', 'uniform 1s 2s'])
  const hooks = await run('fault', 'add', '*', 'webhook_status', '--status', '500')
  assert.equal(hooks.stdout, 'f3  *  webhook_status  status=500  0 of 0\n')
  assert.deepEqual((await run('fault', 'list')).stdout.match(/^f[0-9]/gm), ['f2', 'f1', 'f3'])
  const wrong = await run('fault', 'add', 'POST /2/posts', '418')
  assert.equal(wrong.code, 1)
  assert.match(wrong.stderr, /^plaza: FaultInvalid: `status` 418 is not documented\. Documented are: 400 \(/)
  assert.match(
    (await run('fault', 'add', '/*', 'drop', '--times', 'x')).stderr,
    /--times must be a number, not "x"/,
  )
  assert.equal((await run('fault', 'remove', 'f1')).code, 0)
  assert.deepEqual((await run('fault', 'list')).stdout.match(/^f[0-9]/gm), ['f2', 'f3'])
  assert.equal((await run('fault', 'clear')).code, 0)
  assert.equal((await run('fault', 'list')).stdout, '')
  server.stop('SIGTERM')
  await server.ended
})
