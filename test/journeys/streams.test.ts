import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { connect, type Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import { createBrotliDecompress, createGunzip } from 'node:zlib'
import pino from 'pino'
import { Type } from 'typebox'
import type { Plaza } from '../../src/app/server.ts'
import { Connections } from '../../src/app/start/connections.ts'
import { createListener, serve } from '../../src/app/start/listener.ts'
import { OpenPort } from '../../src/app/start/open-port.ts'
import { empty, stream } from '../../src/platform/http/reply-kinds.ts'
import type { Sink } from '../../src/platform/http/streams.ts'
import { apiError } from '../../src/platform/protocols/catalogue.ts'
import { endpoint } from '../support/endpoint.ts'
import { startPlaza } from '../support/plaza.ts'
import { NEVER_MS, until } from '../support/until.ts'

// No endpoint of the interface holds its connection open yet: these are declared here, and served
// by the real server.

interface Line {
  text: string
}
type Run = (sink: Sink<Line>, signal: AbortSignal) => Promise<void>

/** What the stream below does; each test sets it. */
let run: Run = async () => undefined
let opened = 0

const LINE = Type.Object({ text: Type.String() }, { additionalProperties: false })

const declared = {
  host: 'core',
  summary: '',
  description: '',
  source: '',
  auth: ['none'],
  method: 'GET',
  reply: LINE,
} as const

const endpoints = [
  endpoint({
    ...declared,
    id: 'watch',
    path: '/2/watch',
    replyKind: 'stream',
    query: { wrong: Type.Optional(Type.Boolean()) },
    async handle({ query }) {
      if (query.wrong) throw apiError('rate limited')
      return stream<Line>((sink, signal) => {
        opened++
        return run(sink, signal)
      })
    },
  }),
  endpoint({ ...declared, id: 'give', path: '/2/give', handle: async () => empty() }),
]

/** Sends a request; resolves when the head of the reply is there. */
async function open(plaza: Plaza, path: string, { method = 'GET', headers = {} } = {}) {
  const request = httpsRequest(plaza.urls.core + path, {
    method,
    headers,
    ca: plaza.caPem,
    agent: false,
  })
  request.on('error', () => undefined)
  request.end()
  const [reply] = (await once(request, 'response')) as [IncomingMessage]
  reply.on('error', () => undefined)
  return reply
}

async function textOf(reply: Readable): Promise<string> {
  let text = ''
  for await (const chunk of reply) text += String(chunk)
  return text
}

const ended = (signal: AbortSignal) =>
  signal.aborted ? Promise.resolve() : once(signal, 'abort').then(() => undefined)

describe('a stream', () => {
  let plaza: Plaza
  before(async () => {
    plaza = await startPlaza({ seed: 'none' }, { endpoints })
  })
  after(() => plaza.close())

  test('sends its head before there is anything to tell, then each line by itself', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    run = async (sink) => {
      await promise
      await sink.send({ text: 'one' })
      await sink.write('\r\n')
    }
    const reply = await open(plaza, '/2/watch')
    assert.equal(reply.statusCode, 200)
    assert.equal(reply.headers['content-type'], 'application/json; charset=utf-8')
    assert.equal(reply.headers['cache-control'], 'no-cache, no-store, max-age=0')
    assert.equal(reply.headers['content-encoding'], undefined)
    assert.equal(reply.headers['content-length'], undefined)
    assert.match(String(reply.headers['x-transaction-id']), /^[0-9a-f]{16}$/)
    resolve()
    assert.equal(await textOf(reply), '{"text":"one"}\r\n\r\n')
    assert.equal(reply.complete, true)
  })

  test('is compressed for clients that accept it, each write by itself', async () => {
    const cases = [
      ['gzip, deflate', 'gzip', createGunzip],
      ['br, gzip', 'gzip', createGunzip],
      ['br', 'br', createBrotliDecompress],
    ] as const
    for (const [accept, encoding, createReader] of cases) {
      const { promise, resolve } = Promise.withResolvers<void>()
      run = async (sink) => {
        await sink.send({ text: 'one' })
        await promise
        await sink.send({ text: 'two' })
        sink.last('three')
      }
      const reply = await open(plaza, '/2/watch', { headers: { 'accept-encoding': accept } })
      assert.deepEqual([reply.headers['content-encoding'], reply.headers.vary], [encoding, 'accept-encoding'])
      const lines = reply.pipe(createReader())
      const [first] = await once(lines, 'data')
      assert.equal(String(first), '{"text":"one"}\r\n')
      resolve()
      assert.equal(await textOf(lines), '{"text":"two"}\r\nthree')
      assert.equal(reply.complete, true)
    }
  })

  test('lets no undeclared member leave', async () => {
    run = (sink) => sink.send({ text: 'a', secret: 'SECRET' } as Line)
    assert.equal(await textOf(await open(plaza, '/2/watch')), '{"text":"a"}\r\n')
  })

  test('that cannot be opened is an error like any other', async () => {
    const reply = await open(plaza, '/2/watch?wrong=true')
    assert.equal(reply.statusCode, 429)
    assert.equal(JSON.parse(await textOf(reply)).title, 'Too Many Requests')
  })

  test('is not opened by HEAD, which has its headers', async () => {
    const before = opened
    const reply = await open(plaza, '/2/watch', { method: 'HEAD' })
    assert.deepEqual([reply.statusCode, await textOf(reply)], [200, ''])
    assert.equal(reply.headers['content-type'], 'application/json; charset=utf-8')
    assert.equal(opened, before)
  })

  test('writes no faster than its reader reads, and loses nothing', async () => {
    const text = 'x'.repeat(256 * 1024)
    const LINES = 400
    let sent = 0
    let isWaiting = false
    let early: unknown
    run = async (sink) => {
      for (; sent < LINES; sent++) {
        const writing = sink.send({ text })
        isWaiting = !sink.canWrite
        if (isWaiting && early === undefined) early = await sink.write('early').catch((error) => error)
        await writing
      }
    }
    const reply = await open(plaza, '/2/watch')
    reply.pause()
    let seen = -1
    // What the buffers of both systems hold is taken at first; then nothing moves any more.
    await until('the writer waits', () => {
      const isStill = isWaiting && sent === seen
      seen = sent
      return isStill
    })
    assert.ok(sent < LINES / 2, `${sent} lines were taken`)
    assert.match(String(early), /written before the buffer drained/)
    let bytes = 0
    for await (const chunk of reply) bytes += (chunk as Buffer).length
    assert.equal(bytes, LINES * (text.length + '{"text":""}\r\n'.length))
  })

  for (const headers of [{}, { 'accept-encoding': 'gzip' }]) {
    const how = 'accept-encoding' in headers ? ' (compressed)' : ''

    test(`ends when its client goes away, idle or waiting to drain${how}`, async () => {
      // Text that cannot be compressed.
      const text = randomBytes(192 * 1024).toString('base64')
      const runs: Run[] = [
        (_sink, signal) => ended(signal),
        async (sink, signal) => {
          while (!signal.aborted) await sink.send({ text })
        },
      ]
      for (const one of runs) {
        const over = Promise.withResolvers<unknown>()
        run = async (sink, signal) => {
          signal.addEventListener('abort', () => over.resolve(signal.reason))
          await one(sink, signal)
        }
        const reply = await open(plaza, '/2/watch', { headers })
        reply.pause()
        reply.destroy()
        assert.equal(await over.promise, 'client gone')
      }
    })

    test(`that fails ends its connection and nothing else${how}`, async () => {
      run = async (sink) => {
        await sink.send({ text: 'one' })
        throw new Error('SECRET')
      }
      const reply = await open(plaza, '/2/watch', { headers })
      const lines = how ? reply.pipe(createGunzip()) : reply
      let text = ''
      lines.on('data', (chunk) => {
        text += String(chunk)
      })
      await until('the end', () => reply.closed && text !== '')
      assert.equal(text, '{"text":"one"}\r\n')
      assert.equal(reply.complete, false)
      assert.equal((await open(plaza, '/2/give')).statusCode, 204)
    })
  }
})

test('streams count as connections of their address', async () => {
  const plaza = await startPlaza({ seed: 'none', connectionsPerAddress: 2 }, { endpoints })
  try {
    run = (_sink, signal) => ended(signal)
    const first = await open(plaza, '/2/watch')
    await open(plaza, '/2/watch')
    await assert.rejects(
      () =>
        new Promise((resolve, reject) =>
          httpsRequest(`${plaza.urls.core}/2/give`, { ca: plaza.caPem, agent: false }, resolve)
            .on('error', reject)
            .end(),
        ),
      /socket|ECONNRESET/,
    )
    first.destroy()
    await until('another connection is accepted', () =>
      open(plaza, '/2/give').then(
        ({ statusCode }) => statusCode === 204,
        () => false,
      ),
    )
  } finally {
    await plaza.close()
  }
})

describe('a server that shuts down', () => {
  test('notifies its streams, which send a last line, and counts them', async () => {
    const lines: string[] = []
    const log = pino({ level: 'info', base: null }, { write: (line: string) => void lines.push(line) })
    const plaza = await startPlaza({ seed: 'none' }, { endpoints, log })
    run = async (sink, signal) => {
      await ended(signal)
      await sink.send({ text: String(signal.reason) })
    }
    const replies = [await open(plaza, '/2/watch'), await open(plaza, '/2/watch')]
    const [texts] = await Promise.all([Promise.all(replies.map(textOf)), plaza.close()])
    assert.deepEqual(texts, ['{"text":"shutdown"}\r\n', '{"text":"shutdown"}\r\n'])
    const ending = lines.map((line) => JSON.parse(line)).find(({ streams }) => streams !== undefined)
    assert.deepEqual([ending?.streams, ending?.msg], [2, 'streams are being closed'])
  })

  test('cuts streams that do not end in time', async () => {
    const plaza = await startPlaza({ seed: 'none', shutdownSeconds: 1 }, { endpoints })
    const { promise, resolve } = Promise.withResolvers<void>()
    run = () => promise
    const reply = await open(plaza, '/2/watch')
    await Promise.all([assert.rejects(() => textOf(reply), /aborted/), plaza.close()])
    resolve()
  })
})

/** A connection that has sent some text. */
function connected(port: number, text: string): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(text)
      resolve(socket)
    })
  })
}

test('a quiet stream outlives the timeouts of requests and of unread replies', async () => {
  const connections = new Connections({ max: 10, perAddress: 10, stalledMs: NEVER_MS, lookMs: NEVER_MS })
  const open = await OpenPort.open(
    { address: '127.0.0.1', port: 0 },
    { tls: undefined, connections, timing: { requestMs: 100, handshakeMs: NEVER_MS, lookMs: 10 } },
  )
  const { port } = open
  const server = createListener(open, {
    requestId: () => 'id',
    lingerMs: 10,
    onBroken: ({ cause }) => ({ status: 400, contentType: 'text/plain', body: cause }),
  })
  server.get('/watch', (_request, reply) => {
    reply.hijack()
    reply.raw.writeHead(200).flushHeaders()
  })
  await serve(server, open)
  const quiet = await connected(port, 'GET /watch HTTP/1.1\r\nhost: a\r\n\r\n')
  await once(quiet, 'data')
  // A request that began later and is not whole runs out of time: so would the stream, if the time
  // counted for it.
  const slow = await connected(port, 'GET /watch HTTP/1.1\r\n')
  await once(slow, 'data')
  connections.look(performance.now())
  connections.look(performance.now() + 2 * NEVER_MS)
  assert.deepEqual([quiet.destroyed, quiet.readableEnded], [false, false])
  quiet.destroy()
  slow.destroy()
  await server.close()
})
