import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net'
import { after, afterEach, before, describe, test } from 'node:test'
import { type RunningPlaza, startPlaza } from '../../src/app/index.ts'
import {
  appOnly,
  type Client,
  ConnectionError,
  createClient,
  type EventStream,
  oauth1,
  PlazaError,
  StreamError,
  type StreamOptions,
} from '../../src/client/index.ts'
import { until } from '../support/until.ts'

const FAST = { reconnect: { maxWaitMs: 20 } } as const

describe('streams of plaza/client', () => {
  let plaza: RunningPlaza
  let writer: Client
  let reader: Client
  let count = 0

  before(async () => {
    plaza = await startPlaza({
      seedPopulation: 0,
      ffmpeg: 'none',
      streamConnectionsPerApp: 3,
      rateLimits: 'off',
    })
    const [app] = plaza.apps
    const [token] = plaza.users[0]?.tokens ?? []
    assert.ok(app && token)
    const client = createClient({ urls: plaza.urls, ca: plaza.ca })
    writer = client.with({ auth: oauth1({ ...app, token: token.token, tokenSecret: token.secret }) })
    reader = client.with({ auth: appOnly(app) })
    await reader.core.changeStreamRules({ add: [{ value: 'streamed', tag: 'all' }] })
  })
  after(async () => {
    await reader.close()
    await plaza.close()
  })
  const streams = new Set<EventStream<unknown>>()
  // A test that fails leaves no stream behind, which would keep the process alive.
  afterEach(() => {
    for (const stream of streams) stream.close()
    streams.clear()
  })

  async function post(): Promise<string> {
    const { data } = await writer.core.createPost({ text: `streamed ${++count}` })
    return data.text
  }

  /** Reads a stream beside the test. */
  function reading(options: StreamOptions = {}, client = reader) {
    const texts: string[] = []
    const reasons: Error[] = []
    let connections = 0
    const stream = client.core.streamPosts(
      {},
      {
        ...FAST,
        onConnect: () => void connections++,
        onDisconnect: (reason) => void reasons.push(reason),
        ...options,
      },
    )
    streams.add(stream)
    const ended = (async () => {
      for await (const line of stream) texts.push(line.data?.text ?? '')
    })()
    ended.catch(() => undefined)
    const connected = (times: number) => until(`connection ${times}`, () => connections >= times)
    return { stream, texts, reasons, ended, connected }
  }

  test('sends posts, with the rules that they match, until it is closed', async () => {
    const { stream, texts, ended, connected } = reading()
    await connected(1)
    const sent = [await post(), await post()]
    await until('both posts', () => texts.length === 2)
    assert.deepEqual(texts, sent)
    stream.close()
    await ended
  })

  test('is opened again when the server ends it, and misses and repeats nothing', async () => {
    const { stream, texts, reasons, ended, connected } = reading()
    await connected(1)
    const sent = [await post()]
    await until('the post', () => texts.length === 1)
    for (const round of [1, 2]) {
      await reader.core.endAllStreamConnections()
      // While no one reads.
      sent.push(await post())
      await connected(round + 1)
      sent.push(await post())
      await until('the posts of the round', () => texts.length >= sent.length)
    }
    assert.deepEqual(texts, sent)
    assert.ok(reasons.every((reason) => reason instanceof StreamError && reason.problem?.title))
    stream.close()
    await ended
  })

  test('is opened again when the connection is cut', async () => {
    const cutter = await openCutter(plaza.ports.core)
    const origin = `https://127.0.0.1:${cutter.port}`
    const token = await reader.core.bearerToken(
      { grant_type: 'client_credentials' },
      { auth: basicOf(plaza) },
    )
    const through = createClient({ urls: { core: origin }, ca: plaza.ca })
    const auth = { header: async () => `Bearer ${token.access_token}` }
    const { stream, texts, reasons, ended, connected } = reading({}, through.with({ auth }))
    await connected(1)
    const sent = [await post()]
    await until('the post', () => texts.length === 1)
    cutter.cut()
    sent.push(await post())
    await connected(2)
    await until('the post in between', () => texts.length === 2)
    assert.deepEqual(texts, sent)
    assert.ok(reasons[0] instanceof ConnectionError, `${reasons[0]}`)
    stream.close()
    await ended
    await through.close()
    cutter.close()
  })

  test('leaving the loop closes the connection, and so does a signal, with its reason', async () => {
    const { connected, texts } = reading({}, reader)
    await connected(1)
    const stop = new AbortController()
    const second = reading({ signal: stop.signal })
    await second.connected(1)
    await post()
    await until('the posts', () => texts.length + second.texts.length >= 2)
    stop.abort(new Error('enough'))
    await assert.rejects(second.ended, /^Error: enough$/)
    await reader.core.endAllStreamConnections()
    for await (const line of reader.core.streamPosts({ backfill_minutes: 5 }, FAST)) {
      assert.match(line.data?.text ?? '', /^streamed/)
      break
    }
  })

  test('past posts are sent, and the loop ends', async () => {
    await post()
    const now = await plaza.clock.now()
    const start_time = new Date(now.getTime() - 600_000).toISOString()
    const lines = []
    for await (const line of reader.core.streamPosts({ start_time })) lines.push(line)
    assert.equal(lines.length, count)
    assert.equal(lines[0]?.matching_rules[0]?.tag, 'all')
  })

  test('what will not pass rejects; so does an end without reconnect', async () => {
    const wrong = createClient({ urls: plaza.urls, ca: plaza.ca })
    const lines = wrong.core.streamPosts()
    await assert.rejects(
      async () => {
        for await (const _ of lines) assert.fail('a line came')
      },
      (error) => error instanceof PlazaError && error.status === 401,
    )
    await wrong.close()
    const { ended, connected } = reading({ reconnect: false })
    await connected(1)
    await reader.core.endAllStreamConnections()
    await assert.rejects(ended, StreamError)
  })

  test('a stream that falls silent is opened again, at longer and longer intervals, as often as it may', async () => {
    const queries: string[] = []
    const server = createServer((request, response) => {
      queries.push(new URL(request.url ?? '', 'http://x').search)
      response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders()
      if (queries.length === 1) response.write('{"data":{"id":"1","text":"one"}}\r\n\r\n')
    }).listen(0, '127.0.0.1')
    await until('the server', () => server.listening)
    const { port } = server.address() as AddressInfo
    const one = createClient({ urls: { core: `http://127.0.0.1:${port}` } })
    const reconnect = { attempts: 2, maxWaitMs: 5 }
    const { ended, texts, reasons } = reading({ keepAliveTimeoutMs: 60, reconnect }, one)
    await assert.rejects(ended, /^ConnectionError: The stream sent nothing for 60 ms\.$/)
    assert.deepEqual(texts, ['one'])
    assert.equal(reasons.length, 2)
    assert.deepEqual(queries, ['', '?backfill_minutes=1', '?backfill_minutes=1'])
    server.closeAllConnections()
    server.close()
  })
})

function basicOf({ apps: [app] }: RunningPlaza) {
  const text = `${app?.consumerKey}:${app?.consumerSecret}`
  return { header: async () => `Basic ${Buffer.from(text).toString('base64')}` }
}

/** Passes bytes on to a port, until `cut` resets every connection. */
async function openCutter(target: number) {
  const open = new Set<Socket>()
  const server = createTcpServer((near) => {
    const far = connect(target, '127.0.0.1')
    for (const socket of [near, far]) {
      open.add(socket)
      socket
        .on('error', () => undefined)
        .on('close', () => {
          near.destroy()
          far.destroy()
        })
    }
    near.pipe(far).pipe(near)
  }).listen(0, '127.0.0.1')
  await until('the cutter', () => server.listening)
  const cut = () => {
    for (const socket of open) socket.resetAndDestroy()
    open.clear()
  }
  const close = () => {
    cut()
    server.close()
  }
  return { port: (server.address() as AddressInfo).port, cut, close }
}
