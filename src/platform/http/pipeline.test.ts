import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { connect, type TLSSocket } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { Type } from 'typebox'
import { Client } from '../../../test/support/client.ts'
import { endpoint } from '../../../test/support/endpoint.ts'
import { startPlaza } from '../../../test/support/plaza.ts'
import { until } from '../../../test/support/until.ts'
import type { Plaza } from '../../app/server.ts'
import { ClusterUnavailable } from '../cluster/cluster.ts'
import { StoreUnavailable } from '../storage/store.ts'
import { StreamedJson } from './reply.ts'
import { json } from './reply-kinds.ts'

const MAX_BODY_BYTES = 100

let handled = 0
/** What the endpoints below reply or throw. */
let answer: () => unknown = () => ({ ok: true })
/** The list in the reply of `/2/long`. */
let pieces: () => AsyncGenerator<string> = async function* () {
  yield '[]'
}

const declared = {
  host: 'core',
  summary: '',
  description: '',
  source: '',
  auth: ['none'],
  reply: Type.Object({ ok: Type.Boolean() }, { additionalProperties: false }),
} as const

const handle = async (): Promise<never> => {
  handled++
  return json(answer()) as never
}

const anyId = { id: Type.String() }
const anyThing = { thing_id: Type.String() }

const endpoints = [
  endpoint({
    ...declared,
    id: 'take',
    method: 'POST',
    path: '/2/take',
    body: Type.Object({ text: Type.String() }, { additionalProperties: false }),
    maxBodyBytes: MAX_BODY_BYTES,
    handle,
  }),
  endpoint({ ...declared, id: 'give', method: 'GET', path: '/2/give', handle }),
  endpoint({ ...declared, id: 'old', method: 'GET', path: '/1.1/give', handle }),
  endpoint({ ...declared, id: 'one', method: 'GET', path: '/2/things/{id}', params: anyId, handle }),
  endpoint({
    ...declared,
    id: 'other',
    method: 'DELETE',
    path: '/2/things/{thing_id}',
    params: anyThing,
    handle,
  }),
  endpoint({
    ...declared,
    id: 'long',
    method: 'GET',
    path: '/2/long',
    reply: Type.Object(
      { list: Type.Array(Type.String()), end: Type.Boolean() },
      { additionalProperties: false },
    ),
    handle: async () => {
      const list = new StreamedJson(pieces)
      return json({ list: list as never, end: true }, undefined, undefined, [list])
    },
  }),
  endpoint({ ...declared, id: 'page', method: 'GET', path: '/page', replyKind: 'page', handle }),
]

const problem = (status: number, title: string, detail = title) =>
  JSON.stringify({ title, type: 'about:blank', status, detail })

describe('the way of a request', () => {
  let plaza: Plaza
  let client: Client
  before(async () => {
    plaza = await startPlaza({ seed: 'none' }, { endpoints })
    client = new Client(plaza)
  })
  after(async () => {
    await client?.close()
    await plaza?.close()
  })

  /**
   * Opens a connection and writes. Resolves to everything received until the connection ended, or
   * the reply is complete.
   */
  const open = (): Promise<TLSSocket> =>
    new Promise((resolve, reject) => {
      const { port } = new URL(plaza.urls.core)
      const socket = connect({ host: '127.0.0.1', port: Number(port), ca: plaza.caPem ?? '' }, () =>
        resolve(socket),
      )
      socket.once('error', reject)
    })
  const all = async (socket: TLSSocket): Promise<string> => {
    let text = ''
    for await (const chunk of socket) text += chunk
    return text
  }
  const head = (more: string) =>
    `POST /2/take HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\nconnection: close\r\n${more}\r\n\r\n`

  test('a body that comes slowly is waited for', async () => {
    answer = () => ({ ok: true })
    const socket = await open()
    socket.write(`${head('content-length: 12')}{"text`)
    await wait(50)
    socket.write('":"a"}')
    assert.match(await all(socket), /^HTTP\/1\.1 200 OK[\s\S]*\{"ok":true\}$/)
  })

  test('a body that breaks off is no one’s request', async () => {
    const before = handled
    for (const length of ['content-length: 50', 'transfer-encoding: chunked']) {
      const socket = await open()
      socket.write(`${head(length)}${length.startsWith('c') ? '' : '6\r\n'}{"text`)
      await wait(20)
      socket.destroy()
    }
    await wait(20)
    assert.equal(handled, before)
    assert.equal((await client.send('GET', '/2/give')).status, 200)
  })

  test('what follows the declared length of a body is not a request, and ends the connection', async () => {
    const socket = await open()
    socket.write(`${head('content-length: 12')}{"text":"a"}and more`)
    const reply = await all(socket)
    assert.match(reply, /^HTTP\/1\.1 400 Bad Request\r\n/)
    assert.match(reply, /\r\nconnection: close\r\n/)
    assert.match(reply, /"message":"The request is malformed"/)
  })

  test('a body in chunks is rejected as soon as it is too large', async () => {
    const before = handled
    const socket = await open()
    socket.on('error', () => undefined)
    socket.write(head('transfer-encoding: chunked'))
    socket.write(`${(80).toString(16)}\r\n${'x'.repeat(80)}\r\n`)
    await wait(20)
    socket.write(`${(80).toString(16)}\r\n${'x'.repeat(80)}\r\n`)
    const text = await all(socket)
    assert.match(text, /^HTTP\/1\.1 413/)
    assert.ok(text.includes(problem(413, 'Payload Too Large', 'The request body is too large.')), text)
    assert.match(text, /connection: close/i)
    assert.equal(handled, before)
  })

  test('a client that reads only after sending everything receives the 413 and can continue', async () => {
    answer = () => ({ ok: true })
    const socket = await open()
    const replies: string[] = []
    socket.on('data', (chunk) => replies.push(String(chunk)))
    const bytes = 8 * 1024 * 1024
    socket.pause()
    socket.write(`${head(`content-length: ${bytes}`).replace('connection: close\r\n', '')}`)
    await new Promise<void>((resolve, reject) =>
      socket.write('x'.repeat(bytes), (error) => (error ? reject(error) : resolve())),
    )
    socket.resume()
    while (replies.length === 0) await once(socket, 'data')
    assert.match(replies.join(''), /^HTTP\/1\.1 413/)
    replies.length = 0
    socket.write(`${head('content-length: 12')}{"text":"a"}`)
    await once(socket, 'end')
    assert.match(replies.join(''), /^HTTP\/1\.1 200/)
  })

  test('a body that is packed is rejected by its encoding', async () => {
    const packed = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    const reply = await client.send('POST', '/2/take', {
      headers: packed,
      body: gzipSync('{"text":"a"}'),
    })
    assert.equal(reply.status, 415)
  })

  test('a body of just the allowed size is taken', async () => {
    answer = () => ({ ok: true })
    const text = 'a'.repeat(MAX_BODY_BYTES - '{"text":""}'.length)
    assert.equal((await client.send('POST', '/2/take', { json: { text } })).status, 200)
    assert.equal((await client.send('POST', '/2/take', { json: { text: `${text}a` } })).status, 413)
  })

  test('an undeclared member of a reply cannot leak', async () => {
    answer = () => ({ ok: true, secret: 'SECRET' })
    assert.equal((await client.send('GET', '/2/give')).text, '{"ok":true}')
  })

  const troubles: [string, () => unknown, number, string][] = [
    [
      'a handler that throws',
      () => {
        throw new Error('SECRET detail')
      },
      500,
      'Internal Server Error',
    ],
    ['a reply without what it must have', () => ({}), 500, 'Internal Server Error'],
    ['a reply of the wrong type', () => ({ ok: 'SECRET' }), 500, 'Internal Server Error'],
    ['no reply at all', () => undefined, 500, 'Internal Server Error'],
    [
      'a cluster that cannot be reached',
      () => {
        throw new ClusterUnavailable('SECRET host')
      },
      503,
      'Service Unavailable',
    ],
    [
      'a store that cannot be reached',
      () => {
        throw new StoreUnavailable('SECRET host')
      },
      503,
      'Service Unavailable',
    ],
  ]
  for (const [what, trouble, status, title] of troubles) {
    test(`${what} is answered ${status}, without detail, in each protocol`, async () => {
      answer = trouble
      const reply = await client.send('GET', '/2/give')
      assert.deepEqual([reply.status, reply.text], [status, problem(status, title)])
      const legacy = await client.send('GET', '/1.1/give')
      const error =
        status === 500 ? { code: 131, message: 'Internal error' } : { code: 130, message: 'Over capacity' }
      assert.deepEqual([legacy.status, legacy.json], [status, { errors: [error] }])
      const page = await client.send('GET', '/page')
      assert.equal(page.status, status)
      assert.match(String(page.headers['content-type']), /^text\/html/)
      assert.doesNotMatch(reply.text + legacy.text + page.text, /SECRET/)
    })
  }

  test('a long list is sent while it is read, and an error in the middle ends only its connection', async () => {
    let read = 0
    pieces = async function* () {
      for (read = 0; read < 3; read++) yield read === 0 ? '["a"' : ',"\\u0001b"'
      yield ']'
    }
    const whole = await client.send('GET', '/2/long')
    assert.deepEqual(whole.json, { list: ['a', '\u0001b', '\u0001b'], end: true })
    assert.equal(whole.headers['transfer-encoding'], 'chunked')
    pieces = async function* () {
      yield '["a"'
      throw new StoreUnavailable('gone')
    }
    await assert.rejects(client.send('GET', '/2/long'))
    // A client that leaves ends the reading.
    let isEnded = false
    pieces = async function* () {
      try {
        yield '["a"'
        for (;;) yield `,"${'x'.repeat(100_000)}"`
      } finally {
        isEnded = true
      }
    }
    const socket = await open()
    socket.write('GET /2/long HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n')
    await once(socket, 'data')
    socket.destroy()
    await until('the list is read no further', () => isEnded)
    answer = () => ({ ok: true })
    assert.equal((await client.send('GET', '/2/give')).status, 200)
  })

  test('two endpoints of one path may name its parameter differently', async () => {
    answer = () => ({ ok: true })
    for (const method of ['GET', 'DELETE'])
      assert.equal((await client.send(method, '/2/things/1')).status, 200)
    const { status, headers } = await client.send('PUT', '/2/things/1')
    assert.deepEqual([status, headers.allow], [405, 'GET, HEAD, DELETE'])
    assert.equal((await client.send('GET', '/2/things/')).status, 404)
  })

  test('an authorization header is not looked at where no one asks for one', async () => {
    answer = () => ({ ok: true })
    const reply = await client.send('GET', '/2/give', { headers: { authorization: 'Bearer x' } })
    assert.equal(reply.status, 200)
  })
})

test('behind a proxy plain HTTP of the client is rejected', async () => {
  answer = () => ({ ok: true })
  const corePort = await freePort()
  const plaza = await startPlaza(
    { seed: 'none', behindProxy: true, coreUrl: 'https://api.example.com', corePort },
    { endpoints },
  )
  const get = (scheme: string) =>
    fetch(`http://127.0.0.1:${corePort}/2/give`, { headers: { 'x-forwarded-proto': scheme } })
  try {
    const rejected = await get('http')
    assert.deepEqual(
      [rejected.status, await rejected.text()],
      [403, problem(403, 'Forbidden', 'SSL is required')],
    )
    assert.equal((await get('https')).status, 200)
  } finally {
    await plaza.close()
  }
})

/** A port without a listener: a public URL hides the port that was chosen. */
function freePort(): Promise<number> {
  const server = createServer()
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}
