import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { isIP, type Socket } from 'node:net'
import { after, before, beforeEach, describe, test } from 'node:test'
import { createApp } from '../../src/identity/apps/apps.ts'
import { createAccessToken } from '../../src/identity/tokens/access-tokens.ts'
import { ManualClock } from '../../src/platform/common/clock.ts'
import { readEvents } from '../../src/platform/events/log.ts'
import { classify } from '../../src/platform/outbound/address.ts'
import { createOutbound } from '../../src/platform/outbound/outbound.ts'
import { targets } from '../../src/platform/outbound/targets.corpus.ts'
import { Client, demoKeys, type Keys, type Reply } from '../support/client.ts'
import { type Answer, type Consumer, startConsumer } from '../support/consumer.ts'
import { START_MS } from '../support/plaza.ts'
import { type Opened, stages } from '../support/stages.ts'

const HOUR_MS = 3_600_000
const CRC_TIMEOUT_MS = 500

interface WebhookBody {
  id: string
  url: string
  valid: boolean
  created_at: string
}

const dataOf = (reply: Reply) => (reply.json as { data: WebhookBody }).data
const listOf = (reply: Reply) => (reply.json as { data: WebhookBody[] }).data

interface Told {
  message?: string
  errors?: Told[]
}

/** The reason word of an error, or of the Problem that a reply carries. */
function reasonOf(reply: Reply): string | undefined {
  const [first] = (reply.json as Told).errors ?? []
  return (first?.errors?.[0] ?? first)?.message?.split(':')[0]
}

/** Answers rightly, but only once it is let go: whatever comes meanwhile comes during a check. */
function heldAnswer(consumerSecret: string) {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const answer: Answer = ({ token }, response) => {
    const digest = createHmac('sha256', consumerSecret).update(token).digest('base64')
    void held.then(() => response.end(JSON.stringify({ response_token: `sha256=${digest}` })))
  }
  return { answer, release }
}

/** Resolves when all but one of the promises have. */
function allButOne(promises: readonly Promise<unknown>[]): Promise<void> {
  return new Promise((resolve) => {
    let open = promises.length
    for (const promise of promises) void promise.then(() => --open === 1 && resolve())
  })
}

for (const stage of stages) {
  describe(`webhooks on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let keys: Required<Keys>
    let consumer: Consumer

    before(async () => {
      opened = await stage.open({ rateLimits: 'off', crcTimeoutMs: CRC_TIMEOUT_MS })
      client = new Client(opened.plaza)
      keys = demoKeys(opened.plaza)
    })
    after(async () => {
      await client.close()
      await opened.close()
    })
    beforeEach(async (context) => {
      consumer = await startConsumer(keys.consumerSecret)
      ;(context as { after(work: () => unknown): void }).after(async () => {
        for (const { id } of listOf(await list())) await client.signed('DELETE', `/2/webhooks/${id}`, keys)
        await consumer.close()
      })
    })

    const list = () => client.signed('GET', '/2/webhooks', keys)
    const register = (url = consumer.url) => client.signed('POST', '/2/webhooks', keys, { json: { url } })
    const validate = (id: string) => client.signed('PUT', `/2/webhooks/${id}`, keys)

    test('a webhook that answers the challenge is registered and listed', async () => {
      const reply = await register()
      assert.equal(reply.status, 200)
      const webhook = dataOf(reply)
      assert.match(webhook.id, /^[0-9]{1,19}$/)
      assert.deepEqual(webhook, {
        id: webhook.id,
        url: consumer.url,
        valid: true,
        created_at: new Date(opened.plaza.clock.now()).toISOString(),
      })
      assert.deepEqual((await list()).json, { data: [webhook], meta: { result_count: 1 } })
    })

    test('the challenge carries a new token, a nonce and the signature of both', async () => {
      const { id } = dataOf(await register(`${consumer.url}?kept=1`))
      await validate(id)
      const [first, second] = consumer.challenges
      assert.ok(first && second && first.token !== second.token)
      assert.ok(first.target.startsWith('/hook?kept=1&crc_token='), first.target)
      const expected = createHmac('sha256', keys.consumerSecret)
        .update(`crc_token=${first.token}&nonce=${first.nonce}`)
        .digest('base64')
      assert.equal(first.signature, `sha256=${expected}`)
    })

    test('a webhook that fails the challenge is not registered, and the reply says why', async () => {
      consumer.answerWith((_challenge, response) => response.end('{"response_token":"sha256=bm8="}'))
      const reply = await register()
      assert.equal(reply.status, 400)
      assert.equal(reasonOf(reply), 'CrcValidationFailed')
      assert.deepEqual(listOf(await list()), [])
    })

    for (const url of [
      'ftp://127.0.0.1/',
      'http://user@127.0.0.1:1/',
      'https://10.0.0.1/',
      'nothing',
      'https://h.test/#x',
    ]) {
      test(`the URL ${url} is rejected before anything is called`, async () => {
        const reply = await register(url)
        assert.equal(reply.status, 400)
        assert.equal(reasonOf(reply), 'UrlValidationFailed')
      })
    }

    test('the same URL is registered once for an app, also when two ask at once', async () => {
      const replies = await Promise.all([register(), register(), register()])
      assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 400, 400])
      for (const reply of replies.filter(({ status }) => status === 400)) {
        assert.equal(reasonOf(reply), 'DuplicateUrlFailed')
      }
      assert.equal(reasonOf(await register()), 'DuplicateUrlFailed')
    })

    test('an app has at most five webhooks, also when many are registered at once', async () => {
      const urls = Array.from({ length: 9 }, (_, n) => `${consumer.url}/${n}`)
      const replies = await Promise.all(urls.map(register))
      assert.equal(replies.filter(({ status }) => status === 200).length, 5)
      for (const reply of replies.filter(({ status }) => status === 400)) {
        assert.equal(reasonOf(reply), 'WebhookLimitExceeded')
      }
    })

    test('a check that passes is attempted and changes nothing else', async () => {
      const { id } = dataOf(await register())
      const reply = await validate(id)
      assert.equal(reply.status, 200)
      assert.deepEqual(reply.json, { data: { attempted: true } })
    })

    const lasting: [string, Parameters<Consumer['answerWith']>[0]][] = [
      ['a wrong token', (_challenge, response) => response.end('{"response_token":"sha256=bm8="}')],
      ['no JSON', (_challenge, response) => response.end('hello')],
      ['a redirect', (_challenge, response) => response.writeHead(302, { location: consumer.url }).end()],
      ['an endless body', (_challenge, response) => response.end('x'.repeat(100_000))],
    ]
    for (const [what, answer] of lasting) {
      test(`${what} makes a webhook invalid at once, and a right answer makes it valid again`, async () => {
        const { id } = dataOf(await register())
        consumer.answerWith(answer)
        const reply = await validate(id)
        assert.equal(reply.status, 200)
        assert.equal((reply.json as { data: { attempted: boolean } }).data.attempted, true)
        assert.equal(reasonOf(reply), 'CrcValidationFailed')
        assert.equal(listOf(await list())[0]?.valid, false)
        consumer.answerRightly()
        assert.deepEqual((await validate(id)).json, { data: { attempted: true } })
        assert.equal(listOf(await list())[0]?.valid, true)
        await validate(id)
        const events = await readEvents(opened.plaza.context.store, { after: 0, limit: 1_000 })
        assert.deepEqual(
          events.filter(({ subject }) => subject === id).map(({ kind }) => kind),
          ['webhook.invalidated', 'webhook.validated'],
          'the event log has each change, and no check that changed nothing',
        )
      })
    }

    const passing: [string, Parameters<Consumer['answerWith']>[0]][] = [
      ['status 500', (_challenge, response) => response.writeHead(500).end()],
      ['status 404', (_challenge, response) => response.writeHead(404).end()],
      // The time for an answer passes as soon as it is asked for.
      ['silence', () => opened.plaza.clock.advance(CRC_TIMEOUT_MS)],
      ['a broken connection', (_challenge, response) => response.destroy()],
    ]
    for (const [what, answer] of passing) {
      test(`${what} is reported but leaves a webhook valid until 28 hours have passed`, async () => {
        const { id } = dataOf(await register())
        consumer.answerWith(answer)
        assert.equal(reasonOf(await validate(id)), 'CrcValidationFailed')
        assert.equal(listOf(await list())[0]?.valid, true)
        opened.plaza.clock.advance(28 * HOUR_MS)
        assert.equal(reasonOf(await validate(id)), 'CrcValidationFailed')
        assert.equal(listOf(await list())[0]?.valid, false)
      })
    }

    test('a webhook without a success for 28 hours is invalid though no one checked it', async () => {
      await register()
      opened.plaza.clock.advance(28 * HOUR_MS - 1)
      assert.equal(listOf(await list())[0]?.valid, true)
      opened.plaza.clock.advance(1)
      assert.equal(listOf(await list())[0]?.valid, false)
    })

    test('two checks of one webhook at once send one challenge, and the other says it was not attempted', async () => {
      const { id } = dataOf(await register())
      consumer.challenges.length = 0
      const { answer, release } = heldAnswer(keys.consumerSecret)
      consumer.answerWith(answer)
      const asked = Array.from({ length: 10 }, () => validate(id))
      await allButOne(asked)
      release()
      const replies = await Promise.all(asked)
      const attempted = replies.map(
        (reply) => (reply.json as { data: { attempted: boolean } }).data.attempted,
      )
      assert.equal(attempted.filter(Boolean).length, 1)
      assert.equal(consumer.challenges.length, 1)
    })

    test('the periodic check asks the webhooks whose last success is a day old, and only those', async () => {
      await register()
      consumer.challenges.length = 0
      opened.plaza.clock.advance(23 * HOUR_MS)
      await opened.plaza.tasks.runDue('check webhook')
      assert.equal(consumer.challenges.length, 0)
      opened.plaza.clock.advance(HOUR_MS)
      await opened.plaza.tasks.runDue('check webhook')
      await opened.plaza.tasks.runDue('check webhook')
      assert.equal(consumer.challenges.length, 1)
      assert.equal(listOf(await list())[0]?.valid, true)
    })

    test('a deleted webhook is gone, and deleting it again does not find it', async () => {
      const { id } = dataOf(await register())
      const reply = await client.signed('DELETE', `/2/webhooks/${id}`, keys)
      assert.deepEqual([reply.status, reply.json], [200, { data: { deleted: true } }])
      assert.deepEqual(listOf(await list()), [])
      const again = await client.signed('DELETE', `/2/webhooks/${id}`, keys)
      assert.deepEqual([again.status, reasonOf(again)], [400, 'WebhookIdInvalid'])
    })

    test('a webhook deleted during its check stays deleted', async () => {
      const { id } = dataOf(await register())
      consumer.answerWith(({ token }, response) => {
        const digest = createHmac('sha256', keys.consumerSecret).update(token).digest('base64')
        void client
          .signed('DELETE', `/2/webhooks/${id}`, keys)
          .then(() => response.end(JSON.stringify({ response_token: `sha256=${digest}` })))
      })
      assert.deepEqual((await validate(id)).json, { data: { attempted: true } })
      assert.deepEqual(listOf(await list()), [])
    })

    test("another app's webhook is not found, by any method", async () => {
      const { id } = dataOf(await register())
      const { context, seeded } = opened.plaza
      const ownerUserId = seeded?.users[0]?.id as string
      const other = await context.store.write((tx) =>
        createApp(
          tx,
          {
            name: 'Other',
            website: 'https://other.test/',
            ownerUserId,
            callbacks: [],
            permission: 'read-write',
            kind: 'web',
            signIn: false,
          },
          context,
        ),
      )
      const pair = await context.store.write((tx) =>
        createAccessToken(tx, { appId: other.id, userId: ownerUserId, access: 'read-write' }, context),
      )
      const stranger = {
        consumerKey: other.consumerKey,
        consumerSecret: other.consumerSecret,
        token: pair.token,
        tokenSecret: pair.secret,
      }
      for (const method of ['PUT', 'DELETE']) {
        const reply = await client.signed(method, `/2/webhooks/${id}`, stranger)
        const unknown = await client.signed(method, '/2/webhooks/1', stranger)
        assert.equal(reply.status, 400)
        assert.equal(reply.text.replaceAll(id, '1'), unknown.text)
      }
      assert.deepEqual(listOf(await client.signed('GET', '/2/webhooks', stranger)), [])
      assert.equal(listOf(await list()).length, 1)
    })

    test('the fields of a list are chosen, and the id always comes', async () => {
      const { id, url } = dataOf(await register())
      const reply = await client.signed('GET', '/2/webhooks?webhook_config.fields=url', keys)
      assert.deepEqual(listOf(reply), [{ id, url }])
    })
  })

  describe(`two nodes on ${stage.name}`, { skip: stage.skip || !stage.shared }, () => {
    test('each due webhook is checked once, and two nodes validate one webhook with one challenge', async () => {
      const opened = await stage.open({ rateLimits: 'off', webhooksPerApp: 60 })
      const second = await opened.second()
      const client = new Client(opened.plaza)
      const keys = demoKeys(opened.plaza)
      const consumer = await startConsumer(keys.consumerSecret)
      try {
        const ids: string[] = []
        for (let n = 0; n < 45; n++) {
          const reply = await client.signed('POST', '/2/webhooks', keys, {
            json: { url: `${consumer.url}/${n}` },
          })
          ids.push(dataOf(reply).id)
        }
        consumer.challenges.length = 0
        opened.plaza.clock.advance(24 * HOUR_MS)
        await Promise.all([opened.plaza.tasks.runDue('check webhook'), second.tasks.runDue('check webhook')])
        const asked = consumer.challenges.map(({ target }) => target.split('?')[0])
        assert.equal(asked.length, 45)
        assert.equal(new Set(asked).size, 45)

        consumer.challenges.length = 0
        const onSecond = new Client(second)
        const { answer, release } = heldAnswer(keys.consumerSecret)
        consumer.answerWith(answer)
        const sent = [client, onSecond, client, onSecond].map((one) =>
          one.signed('PUT', `/2/webhooks/${ids[0]}`, keys),
        )
        await allButOne(sent)
        release()
        const replies = await Promise.all(sent)
        await onSecond.close()
        assert.deepEqual(
          replies.map(({ status }) => status),
          [200, 200, 200, 200],
        )
        assert.equal(consumer.challenges.length, 1)
      } finally {
        await consumer.close()
        await client.close()
        await opened.close()
      }
    })
  })
}

describe('webhooks of a hardened Plaza', () => {
  let opened: Opened
  let client: Client
  let elsewhere: number[]
  const dialled: string[] = []
  const answers = new Map(
    targets.flatMap(({ url, answers = [['127.0.0.1']] }) =>
      hostsOf(url).map((host) => [host, answers.flat()]),
    ),
  )
  /** The test's own client connects to Plaza; whatever connects anywhere else is Plaza. */
  const watch = (message: unknown) => {
    const { socket } = message as { socket: Socket }
    socket.once('connect', () => elsewhere.push(socket.remotePort as number))
  }

  before(async () => {
    const outbound = createOutbound({
      allow: [],
      timeoutMs: 2_000,
      clock: new ManualClock(START_MS),
      maxBytes: 65_536,
      maxConcurrent: 8,
      userAgent: 'plaza-test',
      resolve: async (host) =>
        (answers.get(host) ?? ['127.0.0.1']).map((address) => ({ address, family: isIP(address) })),
      dial: ({ address }) => {
        dialled.push(address)
        throw new Error('a connection was attempted')
      },
    })
    const stage = stages[0]
    assert.ok(stage)
    opened = await stage.open({ hardened: true, rateLimits: 'off' }, { outbound })
    client = new Client(opened.plaza)
  })
  after(async () => {
    await client.close()
    await opened.close()
  })

  test('register nothing of a corpus of internal targets, and not one connection is made', async () => {
    const keys = demoKeys(opened.plaza)
    elsewhere = []
    subscribe('net.client.socket', watch)
    try {
      for (const { url, note } of targets) {
        const reply = await client.signed('POST', '/2/webhooks', keys, { json: { url } })
        assert.equal(reply.status, 400, `${note}: ${url}: ${reply.text}`)
      }
    } finally {
      unsubscribe('net.client.socket', watch)
    }
    // Targets of the corpus that are public for a moment may be dialled there, and nowhere else.
    assert.deepEqual(
      dialled.filter((address) => classify(address) !== 'public'),
      [],
    )
    const own = Object.values(opened.plaza.listening)
    assert.deepEqual(
      elsewhere.filter((port) => !own.includes(port)),
      [],
    )
    assert.deepEqual(listOf(await client.signed('GET', '/2/webhooks', keys)), [])
  })

  test('may not be on loopback, with plain HTTP or with a port', async () => {
    const keys = demoKeys(opened.plaza)
    for (const url of [
      'http://127.0.0.1:3001/',
      'http://localhost/',
      'https://127.0.0.1/',
      'https://h.test:8443/',
      'http://h.test/',
    ]) {
      const reply = await client.signed('POST', '/2/webhooks', keys, { json: { url } })
      assert.deepEqual([reply.status, reasonOf(reply)], [400, 'UrlValidationFailed'], url)
    }
  })
})

/** The host of a target as the resolver is asked for it; none when it is not a URL. */
function hostsOf(url: string): string[] {
  return URL.canParse(url) ? [new URL(url).hostname] : []
}
