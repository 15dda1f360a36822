import assert from 'node:assert/strict'
import { type ChannelListener, subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { connect as connectPlain, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { connect, type TLSSocket } from 'node:tls'
import { BodyMemory } from '../../src/platform/http/input/body-memory.ts'
import { Client, demoKeys } from '../support/client.ts'
import { startPlaza } from '../support/plaza.ts'
import { heard, parsedReply } from '../support/raw-request.ts'
import { until } from '../support/until.ts'

const MB = 1024 * 1024
const PATH = '/1.1/media/upload.json'
const PATIENCE_MS = 20_000

describe('forms of callers who are not authenticated', () => {
  let plaza: Awaited<ReturnType<typeof startPlaza>>
  let client: Client
  before(async () => {
    plaza = await startPlaza()
    client = new Client(plaza)
  })
  after(async () => {
    await client.close()
    await plaza.close()
  })

  /** The head of a form of 8 MB. */
  async function begin(authorization?: string): Promise<TLSSocket> {
    const { port } = new URL(plaza.urls.core)
    const socket = connect({ host: '127.0.0.1', port: Number(port), ca: plaza.caPem as string })
    socket.on('error', () => undefined)
    await new Promise((resolve) => socket.once('secureConnect', resolve))
    socket.write(
      `POST ${PATH} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/x-www-form-urlencoded\r\n` +
        `content-length: ${8 * MB}\r\n${authorization ? `authorization: ${authorization}\r\n` : ''}\r\n`,
    )
    return socket
  }

  /** The first line of the reply; undefined when none comes. */
  const answer = (socket: TLSSocket) =>
    Promise.race([
      new Promise<string>((resolve) =>
        socket.once('data', (chunk) => resolve(String(chunk).split('\r\n')[0] ?? '')),
      ),
      wait(PATIENCE_MS, undefined, { ref: false }),
    ])

  test('are not read when the head of the request is enough to reject it', async () => {
    const keys = demoKeys(plaza)
    const oauth = (change: Partial<typeof keys>) => client.sign('POST', PATH, { ...keys, ...change })
    const stale = oauth({}).replace(/oauth_timestamp="[0-9]+"/, 'oauth_timestamp="1"')
    for (const [authorization, status] of [
      [oauth({ consumerKey: 'unknown' }), '401 Unauthorized'],
      [oauth({ token: 'unknown' }), '401 Unauthorized'],
      [stale, '401 Unauthorized'],
      [oauth({}).replace('HMAC-SHA1', 'PLAINTEXT'), '400 Bad Request'],
      ['Bearer unknown', '401 Unauthorized'],
      ['Basic YTpi', '403 Forbidden'],
      ['Digest x', '400 Bad Request'],
    ] as const) {
      const socket = await begin(authorization)
      assert.equal(await answer(socket), `HTTP/1.1 ${status}`, authorization)
      socket.destroy()
    }
  })

  test('take no more memory than they may, while others are served', async () => {
    const sockets = await Promise.all(Array.from({ length: 20 }, () => begin()))
    const rejected: string[] = []
    for (const socket of sockets)
      socket.once('data', (chunk) => rejected.push(String(chunk).split('\r\n')[0] ?? ''))
    // All but the last byte: none of them ends by itself.
    for (const socket of sockets) socket.write(Buffer.alloc(8 * MB - 1, 'a'))
    const deadline = performance.now() + PATIENCE_MS
    while (rejected.length < 18 && performance.now() < deadline) await wait(50)
    assert.deepEqual(new Set(rejected), new Set(['HTTP/1.1 503 Service Unavailable']))
    assert.ok(rejected.length >= 18, `${rejected.length} are rejected`)
    const reply = await client.signed('POST', PATH, demoKeys(plaza), { form: { media_data: 'AAAA' } })
    assert.deepEqual(reply.json, {
      errors: [{ code: 324, message: 'The file is not a complete image, GIF or video of its category.' }],
    })
    for (const socket of sockets) socket.destroy()
    // What they held is given back.
    for (let round = 0; ; round++) {
      const token = await client.send('POST', '/oauth/request_token', { form: { a: 'x'.repeat(50_000) } })
      if (token.status === 400) break
      assert.ok(round < 100, `${token.status}`)
      await wait(50)
    }
  })
})

test('callers who are refused for lack of memory are not read, and their connections end', async (t) => {
  const plaza = await startPlaza({ behindProxy: true, coreUrl: 'https://api.plaza.test' })
  const sockets: Socket[] = []
  t.after(async () => {
    for (const socket of sockets) socket.destroy()
    await plaza.close()
  })
  const port = plaza.listening.core
  const accepted = new Map<number, Socket>()
  const keep: ChannelListener = (message) => {
    const { socket } = message as { socket: Socket }
    accepted.set(socket.remotePort ?? 0, socket)
  }
  subscribe('net.server.socket', keep)
  const chunk = Buffer.alloc(64 * 1024, 'a')
  /** Sends almost all of a form of 8 MB, as fast as it is read. */
  const call = async () => {
    const socket = connectPlain({ host: '127.0.0.1', port, allowHalfOpen: true })
    sockets.push(socket)
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    const { localPort = 0 } = socket
    const reply = heard(socket)
    socket.write(
      `POST ${PATH} HTTP/1.1\r\nhost: api.plaza.test\r\nx-forwarded-proto: https\r\nx-forwarded-for: 203.0.113.9\r\n` +
        `content-type: application/x-www-form-urlencoded\r\ncontent-length: ${8 * MB}\r\n\r\n`,
    )
    let left = 8 * MB - 1
    const send = () => {
      while (left > 0 && socket.writable) {
        const part = chunk.subarray(0, left)
        left -= part.length
        if (!socket.write(part)) return
      }
    }
    socket.on('drain', send)
    send()
    return { socket, reply, bytesRead: () => accepted.get(localPort)?.bytesRead ?? 0 }
  }
  const admitted = [await call(), await call()]
  // One address may use half of 32 MB.
  await until('two callers are read', () => admitted.every(({ bytesRead }) => bytesRead() > 8 * MB - 1))
  const refused = await Promise.all(Array.from({ length: 20 }, call))
  for (const { reply, bytesRead, socket } of refused) {
    const { status, headers, body } = parsedReply(await reply)
    assert.deepEqual([status, headers.connection, headers['retry-after']], [503, 'close', '5'])
    assert.match(body, /"code":130/)
    assert.ok(bytesRead() < MB, `${bytesRead()} bytes`)
    socket.destroy()
  }
  for (const { socket } of admitted) socket.destroy()
  unsubscribe('net.server.socket', keep)
})

test('the memory of bodies is counted by who is known, and given back once', () => {
  const memory = new BodyMemory({ known: 100, anonymous: 40 })
  const [one, other, third] = ['192.0.2.1', '192.0.2.2', '192.0.2.3'].map((address) => memory.open(address))
  const full = { reason: 'over capacity' }
  one?.take(20)
  assert.throws(() => one?.take(1), full)
  other?.take(20)
  assert.throws(() => third?.take(1), full)
  if (third) third.isKnown = true
  third?.take(100)
  assert.throws(() => third?.take(1), full)
  assert.deepEqual(memory.held, { known: 100, anonymous: 40 })
  one?.release()
  one?.release()
  third?.release()
  assert.deepEqual(memory.held, { known: 0, anonymous: 20 })
  one?.take(20)
  assert.deepEqual(memory.held, { known: 0, anonymous: 40 })
})

test('the declared length of an unknown caller is reserved before its first byte, that of others as it arrives', () => {
  const memory = new BodyMemory({ known: 100, anonymous: 40 })
  const [one, other] = [memory.open('192.0.2.1'), memory.open('192.0.2.2')]
  one.begin(15)
  assert.deepEqual(memory.held, { known: 0, anonymous: 15 })
  one.take(10)
  assert.throws(() => memory.open('192.0.2.1').begin(6), { reason: 'over capacity', endsConnection: true })
  // Bytes beyond the declared length are counted too.
  one.take(6)
  assert.deepEqual(memory.held, { known: 0, anonymous: 16 })
  other.isKnown = true
  other.begin(100)
  other.take(30)
  assert.deepEqual(memory.held, { known: 30, anonymous: 16 })
  one.release()
  other.release()
  assert.deepEqual(memory.held, { known: 0, anonymous: 0 })
})
