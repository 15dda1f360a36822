import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { connect as connectTls } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import { NEVER_MS, until } from '../../../test/support/until.ts'
import { systemClock } from '../../platform/common/clock.ts'
import { systemRandom } from '../../platform/common/random.ts'
import { loadCertificates } from '../../platform/tls/authority.ts'
import { type ConnectionOptions, Connections, connectionLimits, openFilesLimit } from './connections.ts'
import { closeListener, createListener, FirstUse, type ListenerOptions, serve } from './listener.ts'
import { OpenPort } from './open-port.ts'

const LARGE = 'x'.repeat(32 * 1024 * 1024)
/** More than the buffers of a connection can contain. */
const STEP = 8 * 1024 * 1024
/** Short only where a timeout is expected: everything else has as much time as it needs. */
const SHORT_MS = 300
const TIMING = { requestMs: NEVER_MS, handshakeMs: NEVER_MS, lookMs: 50 }
const LINGER_MS = 50
/** Options of listeners whose errors are the names of their causes. */
const OPTIONS: ListenerOptions = {
  requestId: () => 'id',
  onBroken: ({ cause }) => ({
    status: cause === 'request timeout' ? 408 : 400,
    contentType: 'text/plain',
    body: cause,
  }),
}
/** Any free one. */
const FREE = { address: '127.0.0.1', port: 0 }

interface OpenedListener {
  server: FastifyInstance
  connections: Connections
  tls: boolean
}

async function open(
  tls: boolean,
  limits: Partial<ConnectionOptions> = {},
  timing: Partial<typeof TIMING> = {},
): Promise<OpenedListener> {
  const connections = new Connections({
    max: 100,
    perAddress: 100,
    stalledMs: NEVER_MS,
    lookMs: 50,
    ...limits,
  })
  const made = tls
    ? await loadCertificates({ names: [], clock: systemClock, random: systemRandom })
    : undefined
  const port = await OpenPort.open(FREE, {
    tls: made && { cert: made.certPem, key: made.keyPem },
    connections,
    timing: { ...TIMING, ...timing },
  })
  const server = createListener(port, { ...OPTIONS, lingerMs: LINGER_MS })
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', (_request, payload, done) => {
    payload.once('end', () => done(null)).resume()
  })
  server.get('/small', async () => 'ok')
  server.get('/large', async () => LARGE)
  server.post('/take', async () => 'ok')
  await serve(server, port)
  return { server, connections, tls }
}

/** A connection that reads nothing until told to, and is never closed from this side. */
async function dial({ server, tls }: OpenedListener): Promise<Socket> {
  const at = { host: '127.0.0.1', port: (server.server.address() as AddressInfo).port, allowHalfOpen: true }
  const socket = tls ? connectTls({ ...at, rejectUnauthorized: false }) : connect(at)
  socket.on('error', () => undefined)
  await once(socket, tls ? 'secureConnect' : 'connect')
  return socket
}

/** Everything that arrived until the other side closed the connection. */
async function heard(socket: Socket): Promise<string> {
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  await Promise.race([once(socket, 'end'), once(socket, 'close')])
  return text
}

/** Waits until this many connections are left. */
const left = ({ connections }: OpenedListener, count: number) =>
  until(`${count} connections left`, () => connections.count === count)

for (const tls of [false, true]) {
  describe(`a listener ${tls ? 'with' : 'without'} TLS`, () => {
    let opened: OpenedListener
    let hasty: OpenedListener
    before(async () => {
      opened = await open(tls, { stalledMs: SHORT_MS })
      hasty = await open(tls, {}, { requestMs: SHORT_MS })
    })
    after(async () => {
      await opened.server.close()
      await hasty.server.close()
    })

    const late: [string, string][] = [
      ['headers that break off', 'GET /small HTTP/1.1\r\nhost: x\r\n'],
      ['a body that breaks off', 'POST /take HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\nabc'],
      [
        'a chunked body without an end',
        'POST /take HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n',
      ],
      ['silence', ''],
    ]
    // Together, because each waits for the timeout.
    describe('a request that is late', { concurrency: true }, () => {
      for (const [what, sent] of late) {
        test(`${what}: 408, and the socket is gone although the client keeps its side open`, async () => {
          const sockets = await Promise.all(
            Array.from({ length: 10 }, async () => {
              const socket = await dial(hasty)
              socket.write(sent)
              return { socket, text: await heard(socket) }
            }),
          )
          for (const { text } of sockets) {
            assert.match(text, /^HTTP\/1\.1 408 Request Timeout\r\n/)
            assert.match(text, /\r\n\r\nrequest timeout$/)
          }
          await left(hasty, 0)
          for (const { socket } of sockets) socket.destroy()
        })
      }
    })

    test('malformed requests lose their sockets too', async () => {
      const socket = await dial(opened)
      socket.write('what is this\r\n\r\n')
      assert.match(await heard(socket), /^HTTP\/1\.1 400 Bad Request\r\n[\s\S]*\r\n\r\nbad request$/)
      await left(opened, 0)
      socket.destroy()
    })

    test('a large reply that is not read is given up', async () => {
      const sockets = await Promise.all(Array.from({ length: 5 }, () => dial(opened)))
      for (const socket of sockets) socket.pause().write('GET /large HTTP/1.1\r\nhost: x\r\n\r\n')
      await left(opened, 0)
      for (const socket of sockets) socket.destroy()
    })

    test('a large reply that is read slowly arrives whole', async () => {
      const slow = await open(tls, { stalledMs: 1_000, lookMs: 1_000_000 })
      const socket = await dial(slow)
      let length = 0
      socket.on('data', (chunk) => {
        length += chunk.length
        if (length % STEP < chunk.length) socket.pause()
      })
      socket.write('GET /large HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
      let ended = false
      socket.once('end', () => {
        ended = true
      })
      for (let nowMs = 0; !ended; nowMs += 1_000) {
        await until('the end of a step', () => ended || socket.isPaused())
        slow.connections.look(nowMs)
        socket.resume()
      }
      assert.ok(length > LARGE.length, `${length} bytes`)
      socket.destroy()
      await slow.server.close()
    })

    test('a connection that was slow to read its reply may ask again', async () => {
      const slow = await open(tls, { stalledMs: 1_000, lookMs: 1_000_000 })
      const socket = await dial(slow)
      socket.pause().write('GET /large HTTP/1.1\r\nhost: x\r\n\r\n')
      for (const nowMs of [0, 900]) slow.connections.look(nowMs)
      let text = ''
      socket.on('data', (chunk) => {
        text = (text + chunk).slice(-200)
      })
      socket.resume()
      await until('the reply', () => text.endsWith('xxx') && socket.bytesRead > LARGE.length)
      for (const nowMs of [1_900, 2_800]) slow.connections.look(nowMs)
      socket.write('GET /small HTTP/1.1\r\nhost: x\r\n\r\n')
      await until('the next reply', () => text.endsWith('\r\n\r\nok'))
      socket.destroy()
      await slow.server.close()
    })
  })
}

test('a TLS handshake that is not finished ends', async () => {
  const opened = await open(true, {}, { handshakeMs: SHORT_MS })
  const { port } = opened.server.server.address() as AddressInfo
  const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true })
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  await Promise.race([once(socket, 'end'), once(socket, 'close')])
  await left(opened, 0)
  socket.destroy()
  await opened.server.close()
})

test('a request has 30 seconds for its headers and its body together', async () => {
  const connections = new Connections({ max: 1, perAddress: 1 })
  const { server } = await OpenPort.open(FREE, { tls: undefined, connections })
  const { requestTimeout, headersTimeout } = server
  assert.deepEqual({ requestTimeout, headersTimeout }, { requestTimeout: 30_000, headersTimeout: 30_000 })
  server.close()
})

test('a request that arrives before the port is served waits for its reply', async () => {
  const connections = new Connections({ max: 10, perAddress: 10 })
  const port = await OpenPort.open(FREE, { tls: undefined, connections, timing: TIMING })
  const socket = connect({ host: FREE.address, port: port.port })
  await once(socket, 'connect')
  socket.write('POST /take HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\nconnection: close\r\n\r\nabc')
  await once(port.server, 'request')
  const server = createListener(port, OPTIONS)
  server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  server.post('/take', async ({ body }) => `took ${body}`)
  await serve(server, port)
  assert.match(await heard(socket), /^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\ntook abc$/)
  await server.close()
})

test('a port that is given up ends the connections that wait on it', async () => {
  const connections = new Connections({ max: 10, perAddress: 10 })
  const port = await OpenPort.open(FREE, { tls: undefined, connections, timing: TIMING })
  const socket = connect({ host: FREE.address, port: port.port })
  await once(socket, 'connect')
  socket.write('GET /small HTTP/1.1\r\nhost: x\r\n\r\n')
  await once(port.server, 'request')
  await port.end()
  assert.equal(await heard(socket), '')
  assert.equal(port.server.listening, false)
})

describe('limits of connections', () => {
  for (const [what, limits] of [
    ['in all', { max: 3 }],
    ['of one address', { perAddress: 3 }],
  ] as const) {
    test(`${what}: one more is closed, and another is accepted when one ends`, async () => {
      const opened = await open(false, limits)
      const sockets = await Promise.all(Array.from({ length: 3 }, () => dial(opened)))
      for (const socket of sockets) {
        socket.write('GET /small HTTP/1.1\r\nhost: x\r\n\r\n')
        await once(socket, 'data')
      }
      const beyond = await dial(opened)
      beyond.write('GET /small HTTP/1.1\r\nhost: x\r\n\r\n')
      assert.equal(await heard(beyond), '')
      sockets[0]?.destroy()
      await left(opened, 2)
      const next = await dial(opened)
      next.write('GET /small HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
      assert.match(await heard(next), /^HTTP\/1\.1 200/)
      for (const socket of [...sockets, next]) socket.destroy()
      await opened.server.close()
    })
  }

  test('drops are reported once a minute', async () => {
    const reports: object[] = []
    const connections = new Connections({
      max: 0,
      perAddress: 9,
      onDropped: (report) => reports.push(report),
    })
    const port = await OpenPort.open(FREE, { tls: undefined, connections })
    const server = createListener(port, OPTIONS)
    await serve(server, port)
    for (let i = 0; i < 3; i++) await heard(await dial({ server, connections, tls: false }))
    assert.deepEqual(reports, [{ count: 1, address: '127.0.0.1', limit: 'max' }])
    await server.close()
  })

  test('follow the descriptors of the process, and leave half of them to other addresses', () => {
    const wanted = { max: 10_000, perAddress: 1_000 }
    const at = (descriptors: number | undefined, behindProxy = false) =>
      connectionLimits(wanted, { descriptors, behindProxy })
    assert.deepEqual(at(undefined), { max: 10_000, perAddress: 1_000 })
    assert.deepEqual(at(1_048_576), { max: 10_000, perAddress: 1_000 })
    assert.deepEqual(at(256), { max: 160, perAddress: 80 })
    assert.deepEqual(at(64), { max: 16, perAddress: 8 })
    assert.deepEqual(at(256, true), { max: 160, perAddress: 160 })
    assert.deepEqual(
      connectionLimits({ max: 100, perAddress: 80 }, { descriptors: undefined, behindProxy: false }),
      {
        max: 100,
        perAddress: 50,
      },
    )
    const limit = openFilesLimit()
    assert.ok(limit === undefined || limit > 0)
  })
})

describe('a port that is served with its first request', () => {
  const openIdle = async (mount: (server: FastifyInstance) => void) => {
    const connections = new Connections({ max: 100, perAddress: 100, stalledMs: NEVER_MS, lookMs: 50 })
    const port = await OpenPort.open(FREE, { tls: undefined, connections, timing: TIMING })
    const server = createListener(port, { ...OPTIONS, lingerMs: LINGER_MS })
    const seen = { mounts: 0, failures: [] as unknown[] }
    const mounted = () => {
      seen.mounts++
      mount(server)
    }
    const api = new FirstUse(server, port, mounted, (error) => seen.failures.push(error))
    return { server, port, api, seen }
  }
  const get = async (port: OpenPort) => (await fetch(`http://127.0.0.1:${port.port}/small`)).text()

  test('answers requests that come together, and mounts once', async () => {
    const { server, port, seen } = await openIdle((listener) => listener.get('/small', async () => 'ok'))
    assert.equal(seen.mounts, 0)
    assert.deepEqual(await Promise.all([get(port), get(port), get(port)]), ['ok', 'ok', 'ok'])
    assert.equal(await get(port), 'ok')
    assert.deepEqual(seen, { mounts: 1, failures: [] })
    await closeListener(server, Promise.resolve())
  })

  test('answers a request that was half sent when the port closed', async () => {
    const { server, port, api, seen } = await openIdle((listener) => listener.get('/small', async () => 'ok'))
    const socket = connect({ host: '127.0.0.1', port: port.port })
    await once(socket, 'connect')
    socket.write('GET /small HTTP/1.1\r\nhost: a\r\n')
    const open = () =>
      new Promise<boolean>((resolve) => port.server.getConnections((_, count) => resolve(count === 1)))
    await until('the connection is there', open)
    await api.serve()
    socket.write('connection: close\r\n\r\n')
    assert.match(await heard(socket), /^HTTP\/1\.1 200 OK\r\n.*ok$/s)
    assert.deepEqual(seen, { mounts: 1, failures: [] })
    await closeListener(server, Promise.resolve())
  })

  test('ends its connections and tells when it cannot be mounted', async () => {
    const wrong = new Error('two routes have one path')
    const { port, seen } = await openIdle(() => {
      throw wrong
    })
    await assert.rejects(get(port), TypeError)
    assert.deepEqual(seen, { mounts: 1, failures: [wrong] })
    assert.equal(port.server.listening, false)
  })
})
