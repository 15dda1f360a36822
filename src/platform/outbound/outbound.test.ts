import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer, type ServerOptions } from 'node:https'
import { connect, createServer as createTcpServer, Socket } from 'node:net'
import { before, type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { NEVER_MS, settled, until } from '../../../test/support/until.ts'
import { ManualClock } from '../common/clock.ts'
import {
  type Authority,
  createAuthority,
  listen,
  outcomeOf,
  rawServer,
  script,
  setTrap,
} from './outbound.fixture.ts'
import { createOutbound, type Outbound, type OutboundOptions, type Outcome } from './outbound.ts'

let authority: Authority
before(async () => {
  authority = await createAuthority()
})

const defaults: OutboundOptions = {
  allow: ['127.0.0.0/8', '::1/128'],
  timeoutMs: 5_000,
  maxBytes: 65_536,
  maxConcurrent: 8,
  userAgent: 'plaza-test/1',
  // No test depends on the speed of the machine: deadlines pass when the test advances its clock.
  clock: new ManualClock(0),
  idleMs: NEVER_MS,
}

function outboundFor(t: TestContext, options: Partial<OutboundOptions> = {}): Outbound {
  const maxConcurrentOfOne = options.maxConcurrent ?? defaults.maxConcurrent
  const outbound = createOutbound({ ...defaults, maxConcurrentOfOne, ...options })
  t.after(() => outbound.close())
  return outbound
}

function answered(outcome: Outcome): Extract<Outcome, { kind: 'answered' }> {
  assert.equal(outcome.kind, 'answered', JSON.stringify(outcome))
  return outcome as Extract<Outcome, { kind: 'answered' }>
}

function get(outbound: Outbound, url: string): Promise<Outcome> {
  return outcomeOf(outbound, { method: 'GET', url })
}

/** Waits until a socket is closed, however it ends. */
const gone = (socket: Socket) =>
  socket.closed ? undefined : new Promise((resolve) => socket.once('close', resolve))

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(request))
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** It keeps connections open as long as its client does. */
const KEEPING = { keepAliveTimeout: 0 }

function httpServer(t: TestContext, handler: Handler): Promise<number> {
  return listen(t, createServer(KEEPING, handler))
}

async function tlsServer(
  t: TestContext,
  options: ServerOptions,
  handler: Handler = (_, response) => response.end('ok'),
) {
  return listen(t, createTlsServer({ ...KEEPING, ...options }, handler))
}

test('a challenge over plain http and any port is exchanged with an allowed address', async (t) => {
  let seen: IncomingMessage | undefined
  const port = await httpServer(t, (request, response) => {
    seen = request
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"response_token":"sha256=x"}')
  })
  const outbound = outboundFor(t)
  const outcome = answered(
    await outcomeOf(outbound, {
      method: 'GET',
      url: `http://127.0.0.1:${port}/hook?a=1&crc_token=${'t'.repeat(300)}`,
      headers: { 'X-Svc-Webhooks-Signature': 'sha256=abc' },
    }),
  )
  assert.equal(outcome.status, 200)
  assert.equal(outcome.headers['content-type'], 'application/json')
  assert.equal(outcome.body.toString(), '{"response_token":"sha256=x"}')
  assert.equal(seen?.method, 'GET')
  assert.equal(seen?.url, `/hook?a=1&crc_token=${'t'.repeat(300)}`)
  assert.deepEqual(seen?.headers, {
    host: `127.0.0.1:${port}`,
    connection: 'keep-alive',
    'user-agent': 'plaza-test/1',
    'x-svc-webhooks-signature': 'sha256=abc',
  })
})

test('localhost and IPv6 literals reach whichever loopback address listens', async (t) => {
  const port = await httpServer(t, (request, response) => response.end(request.headers.host))
  const outbound = outboundFor(t)
  for (const host of ['localhost', 'app.localhost']) {
    const url = `http://${host}:${port}/`
    assert.equal(answered(await get(outbound, url)).body.toString(), `${host}:${port}`)
  }
  const six = createServer((_, response) => response.end('six'))
  const sixPort = await listen(t, six, '::1').catch(() => 0)
  if (sixPort === 0) return
  assert.equal(answered(await get(outbound, `http://[::1]:${sixPort}/`)).body.toString(), 'six')
  assert.equal(answered(await get(outbound, `http://localhost:${sixPort}/`)).body.toString(), 'six')
})

test('a body is posted byte for byte with its length', async (t) => {
  const bodies: Buffer[] = []
  const lengths: unknown[] = []
  const port = await httpServer(t, async (request, response) => {
    bodies.push(await bodyOf(request))
    lengths.push(request.headers['content-length'])
    response.writeHead(204).end()
  })
  const outbound = outboundFor(t)
  const body = Buffer.from([0, 255, 10, 13, 128])
  for (const sent of [body, '{"text":"\u00e9"}', '']) {
    const outcome = answered(
      await outcomeOf(outbound, { method: 'POST', url: `http://127.0.0.1:${port}/`, body: sent }),
    )
    assert.equal(outcome.status, 204)
    assert.equal(outcome.body.length, 0)
  }
  assert.deepEqual(bodies, [body, Buffer.from('{"text":"\u00e9"}'), Buffer.alloc(0)])
  assert.deepEqual(lengths, ['5', '13', '0'])
})

test('a connection is kept for the next call unless a fresh one is asked for', async (t) => {
  const ports: (number | undefined)[] = []
  const port = await httpServer(t, (request, response) => {
    ports.push(request.socket.remotePort)
    response.end()
  })
  const outbound = outboundFor(t)
  const url = `http://127.0.0.1:${port}/`
  for (const fresh of [false, false, true])
    answered(await outcomeOf(outbound, { method: 'POST', url, body: 'x', fresh }))
  assert.equal(ports[0], ports[1])
  assert.notEqual(ports[1], ports[2])
})

test('a server that closes each connection is called again on a new one', async (t) => {
  const port = await httpServer(t, (_, response) =>
    response.writeHead(200, { connection: 'close' }).end('bye'),
  )
  const outbound = outboundFor(t)
  for (let round = 0; round < 20; round++) {
    assert.equal(answered(await get(outbound, `http://127.0.0.1:${port}/`)).body.toString(), 'bye')
  }
})

test('every status is an answer and no redirect is followed', async (t) => {
  const paths: (string | undefined)[] = []
  const port = await httpServer(t, (request, response) => {
    paths.push(request.url)
    response.writeHead(Number(request.url?.slice(1)), { location: '/elsewhere' }).end()
  })
  const outbound = outboundFor(t)
  const statuses = [200, 301, 302, 303, 307, 308, 404, 500, 503]
  for (const status of statuses) {
    const outcome = answered(await get(outbound, `http://127.0.0.1:${port}/${status}`))
    assert.equal(outcome.status, status)
    assert.equal(outcome.headers.location, '/elsewhere')
  }
  assert.deepEqual(
    paths,
    statuses.map((status) => `/${status}`),
  )
})

test('informational answers are skipped, repeated headers joined and compressed bodies left as they are', async (t) => {
  const packed = gzipSync('{}')
  const port = await httpServer(t, (_, response) => {
    response.writeEarlyHints({ link: '</style.css>; rel=preload' })
    response.writeHead(200, { 'content-encoding': 'gzip', 'x-twice': ['a', 'b'] }).end(packed)
  })
  const outcome = answered(await get(outboundFor(t), `http://127.0.0.1:${port}/`))
  assert.equal(outcome.status, 200)
  assert.equal(outcome.headers['x-twice'], 'a, b')
  assert.equal(outcome.headers.link, undefined)
  assert.deepEqual(outcome.body, packed)
})

test('headers that would change the meaning of a request are a mistake of the caller', async (t) => {
  const outbound = outboundFor(t)
  const url = 'https://example.com/'
  for (const headers of [
    { host: 'internal' },
    { 'Transfer-Encoding': 'chunked' },
    { 'accept-encoding': 'gzip' },
    { connection: 'close' },
    { 'x-a': 'b\r\nhost: internal' },
    { 'x a': 'b' },
  ]) {
    await assert.rejects(
      outcomeOf(outbound, { method: 'GET', url, headers }),
      TypeError,
      JSON.stringify(headers),
    )
  }
})

test('a rejected URL and a rejected address say why, without naming the address a name leads to', async (t) => {
  const outbound = outboundFor(t, { allow: [], resolve: script([['10.20.30.40']]).resolve })
  assert.deepEqual(await get(outbound, 'http://example.com/'), {
    kind: 'rejected',
    reason: 'the URL must use https, not http',
  })
  assert.deepEqual(await get(outbound, 'https://example.com/'), {
    kind: 'rejected',
    reason: 'the host resolves to an address that is not public',
  })
  assert.equal(outbound.checkTarget('https://example.com/').ok, true)
  assert.equal(outbound.checkTarget('https://127.0.0.1/').ok, false)
})

test('a name is resolved and judged again for every new connection, and a kept one stays where it was judged', async (t) => {
  const port = await tlsServer(t, await authority.issue(['hook.test']))
  const dialled: string[] = []
  const { resolve, asked } = script([['127.0.0.1'], ['127.0.0.2'], ['127.0.0.1']])
  const outbound = outboundFor(t, {
    allow: ['127.0.0.1/32'],
    ca: [authority.cert],
    resolve,
    dial: ({ address }) => {
      dialled.push(address)
      return connect(port, address)
    },
  })
  const url = 'https://hook.test/'
  assert.equal((await get(outbound, url)).kind, 'answered')
  assert.equal((await get(outbound, url)).kind, 'answered')
  assert.equal(asked(), 1)
  assert.equal((await outcomeOf(outbound, { method: 'GET', url, fresh: true })).kind, 'rejected')
  assert.equal((await outcomeOf(outbound, { method: 'GET', url, fresh: true })).kind, 'answered')
  assert.deepEqual(dialled, ['127.0.0.1', '127.0.0.1'])
})

test('nothing is sent over a connection that ended at another address than the checked one', async (t) => {
  const received = Promise.withResolvers<Buffer>()
  const port = await rawServer(t, async (socket) => {
    // Closed by the other side: nothing arrives any more.
    received.resolve(Buffer.concat(await Array.fromAsync(socket)))
  })
  const outbound = outboundFor(t, { dial: () => connect(port, '127.0.0.1') })
  const outcome = await get(outbound, 'http://127.0.0.2:9/')
  assert.equal(outcome.kind, 'rejected', JSON.stringify(outcome))
  assert.equal((await received.promise).length, 0)
})

test('the next address is tried when one does not listen, and an endless list is not walked through', async (t) => {
  const port = await tlsServer(t, await authority.issue(['hook.test']))
  const dialled: string[] = []
  const dial = ({ address }: { address: string }) => {
    dialled.push(address)
    return connect(port, address)
  }
  const ca = [authority.cert]
  const two = outboundFor(t, { ca, dial, resolve: script([['127.0.0.9', '127.0.0.1']]).resolve })
  assert.equal((await get(two, 'https://hook.test/')).kind, 'answered')
  assert.deepEqual(dialled, ['127.0.0.9', '127.0.0.1'])

  dialled.length = 0
  const many = Array.from({ length: 200 }, (_, index) => `127.0.1.${index}`)
  const crowded = outboundFor(t, { ca, dial, resolve: script([many]).resolve })
  assert.equal((await get(crowded, 'https://hook.test/')).kind, 'unreachable')
  assert.equal(dialled.length, 6)
})

test('TLS connects to names and addresses with their own identity', async (t) => {
  const names: unknown[] = []
  const port = await tlsServer(t, {
    ...(await authority.issue(['localhost', '127.0.0.1', '::1'])),
    SNICallback: (name, done) => {
      names.push(name)
      done(null)
    },
  })
  const outbound = outboundFor(t, { ca: [authority.cert] })
  assert.equal(answered(await get(outbound, `https://localhost:${port}/`)).body.toString(), 'ok')
  assert.equal(answered(await get(outbound, `https://127.0.0.1:${port}/`)).body.toString(), 'ok')
  assert.deepEqual(names, ['localhost'])
})

test('a certificate that is untrusted, for another name or expired is a TLS failure', async (t) => {
  const good = await authority.issue(['localhost'])
  const cases: readonly (readonly [string, ServerOptions, readonly string[], RegExp])[] = [
    ['untrusted', good, [], /certificate/],
    ['other name', await authority.issue(['other.test']), [authority.cert], /altnames/],
    ['expired', await authority.issue(['localhost'], new Date('2020-06-01')), [authority.cert], /expired/],
  ]
  for (const [name, options, ca, detail] of cases) {
    let requests = 0
    const port = await tlsServer(t, options, (_, response) => {
      requests++
      response.end()
    })
    const outcome = await get(outboundFor(t, { ca }), `https://localhost:${port}/`)
    assert.equal(outcome.kind, 'tls', `${name}: ${JSON.stringify(outcome)}`)
    assert.match(outcome.kind === 'tls' ? outcome.detail : '', detail)
    assert.equal(requests, 0)
  }
})

test('the environment cannot switch the check of certificates off', async (t) => {
  const port = await tlsServer(t, await authority.issue(['localhost']))
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  t.after(() => delete process.env.NODE_TLS_REJECT_UNAUTHORIZED)
  assert.equal((await get(outboundFor(t), `https://localhost:${port}/`)).kind, 'tls')
})

test('TLS older than 1.2, plain http behind https and a broken handshake are TLS failures', async (t) => {
  const outbound = outboundFor(t, { ca: [authority.cert] })
  const old = await tlsServer(t, {
    ...(await authority.issue(['localhost'])),
    minVersion: 'TLSv1.1',
    maxVersion: 'TLSv1.1',
    ciphers: 'DEFAULT@SECLEVEL=0',
  })
  const plain = await httpServer(t, (_, response) => response.end())
  const garbage = await rawServer(t, (socket) => socket.write('SSH-2.0-server\r\n'))
  for (const port of [old, plain, garbage]) {
    const outcome = await get(outbound, `https://localhost:${port}/`)
    assert.equal(outcome.kind, 'tls', JSON.stringify(outcome))
  }
})

/** Starts a call, waits until it has reached the given point, and lets its deadline pass. */
async function atDeadline(
  call: { outbound: Outbound; url: string; clock: ManualClock; timeoutMs: number },
  reached: () => boolean,
): Promise<Outcome> {
  let outcome: Outcome | undefined
  const sending = get(call.outbound, call.url).then((came) => {
    outcome = came
    return came
  })
  await until(`the call to ${call.url}`, reached)
  call.clock.advance(call.timeoutMs - 1)
  await settled()
  assert.equal(outcome, undefined, `${call.url} is still waited for`)
  call.clock.advance(1)
  return sending
}

test('no answer, a slow drip of headers or body, a silent handshake and a hanging resolver end at the deadline', async (t) => {
  let drops = 0
  const drip = (socket: Socket, start: string, drop: string) => {
    socket.write(start)
    const timer = setInterval(() => {
      drops++
      socket.write(drop)
    }, 1)
    socket.on('close', () => clearInterval(timer))
  }
  let heard = 0
  const silent = await rawServer(t, (socket) => socket.on('data', () => heard++))
  const headers = await rawServer(t, (socket) => drip(socket, 'HTTP/1.1 200 OK\r\nx: ', 'a'))
  const body = await rawServer(t, (socket) =>
    drip(socket, 'HTTP/1.1 200 OK\r\ncontent-length: 60000\r\n\r\n', 'a'),
  )
  const chunks = await rawServer(t, (socket) =>
    drip(socket, 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', '1\r\na\r\n'),
  )
  const informational = await rawServer(t, (socket) => drip(socket, '', 'HTTP/1.1 102 Processing\r\n\r\n'))
  let asked = 0
  const resolve = () => {
    asked++
    return new Promise<never>(() => {})
  }
  const [clock, timeoutMs] = [new ManualClock(0), 5_000]
  const outbound = outboundFor(t, { clock, timeoutMs, resolve })
  const cases: [url: string, steps: () => number, least: number][] = [
    [`http://127.0.0.1:${silent}/`, () => heard, 1],
    [`http://127.0.0.1:${headers}/`, () => drops, 5],
    [`http://127.0.0.1:${body}/`, () => drops, 5],
    [`http://127.0.0.1:${chunks}/`, () => drops, 5],
    [`http://127.0.0.1:${informational}/`, () => drops, 5],
    [`https://127.0.0.1:${silent}/`, () => heard, 1],
    ['https://example.com/', () => asked, 1],
  ]
  for (const [url, steps, least] of cases) {
    const before = steps()
    const outcome = await atDeadline({ outbound, url, clock, timeoutMs }, () => steps() >= before + least)
    assert.deepEqual(outcome, { kind: 'timeout' }, url)
  }
})

test('a call that is cut off leaves no connection behind', async (t) => {
  const sockets: Socket[] = []
  const port = await rawServer(t, (socket) => {
    sockets.push(socket.resume())
  })
  const [clock, timeoutMs] = [new ManualClock(0), 5_000]
  const outbound = outboundFor(t, { clock, timeoutMs })
  for (const [index, url] of [`http://127.0.0.1:${port}/`, `https://127.0.0.1:${port}/`].entries()) {
    const call = { outbound, url, clock, timeoutMs }
    assert.deepEqual(await atDeadline(call, () => sockets.length > index), { kind: 'timeout' })
  }
  assert.equal(sockets.length, 2)
  await Promise.all(sockets.map(gone))
})

test('an answer of the resolver that comes after the deadline leads to no connection', async (t) => {
  let dialled = 0
  let asked = false
  const late = Promise.withResolvers<{ address: string; family: number }[]>()
  const [clock, timeoutMs] = [new ManualClock(0), 5_000]
  const outbound = outboundFor(t, {
    clock,
    timeoutMs,
    resolve: () => {
      asked = true
      return late.promise
    },
    dial: ({ address, port }) => {
      dialled++
      return connect(port, address)
    },
  })
  const url = 'https://example.com/'
  assert.deepEqual(await atDeadline({ outbound, url, clock, timeoutMs }, () => asked), { kind: 'timeout' })
  late.resolve([{ address: '127.0.0.1', family: 4 }])
  await settled()
  assert.equal(dialled, 0)
})

test('an address that does not answer is given up for the next one, long before the deadline', async (t) => {
  const port = await tlsServer(t, await authority.issue(['hook.test']))
  const dialled: string[] = []
  const clock = new ManualClock(0)
  const outbound = outboundFor(t, {
    ca: [authority.cert],
    clock,
    timeoutMs: 5_000,
    resolve: script([['127.0.0.9', '127.0.0.1']]).resolve,
    dial: ({ address }) => {
      dialled.push(address)
      // The first address never reports whether the connection succeeded or failed.
      return address === '127.0.0.9' ? new Socket() : connect(port, address)
    },
  })
  const sending = get(outbound, 'https://hook.test/')
  await until('the first address', () => dialled.length === 1)
  clock.advance(1_999)
  await settled()
  assert.deepEqual(dialled, ['127.0.0.9'])
  clock.advance(1)
  assert.equal((await sending).kind, 'answered')
  assert.deepEqual(dialled, ['127.0.0.9', '127.0.0.1'])
})

test('a connection is replaced when it is a minute old', async (t) => {
  let connections = 0
  const server = createServer(KEEPING, (_, response) => response.end())
  server.on('connection', () => connections++)
  const port = await listen(t, server)
  const clock = new ManualClock(0)
  const outbound = outboundFor(t, { clock })
  const counts: number[] = []
  for (const waitMs of [0, 59_999, 1]) {
    clock.advance(waitMs)
    await settled()
    answered(await get(outbound, `http://127.0.0.1:${port}/`))
    counts.push(connections)
  }
  assert.deepEqual(counts, [1, 1, 2])
})

test('a body over the limit is cut off, declared, chunked or without any length', async (t) => {
  const sockets: Socket[] = []
  const flood = (socket: Socket, head: string, piece: string) => {
    sockets.push(socket)
    const write = () => {
      while (!socket.destroyed && socket.write(piece));
    }
    socket.on('drain', write)
    socket.once('data', () => {
      socket.write(head)
      write()
    })
  }
  const piece = 'a'.repeat(1_000)
  const declared = await rawServer(t, (socket) =>
    socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1001\r\n\r\n')),
  )
  const chunked = await rawServer(t, (socket) =>
    flood(socket, 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', `3e8\r\n${piece}\r\n`),
  )
  const endless = await rawServer(t, (socket) => flood(socket, 'HTTP/1.1 200 OK\r\n\r\n', piece))
  const outbound = outboundFor(t, { maxBytes: 1_000 })
  for (const port of [declared, chunked, endless]) {
    assert.deepEqual(await get(outbound, `http://127.0.0.1:${port}/`), {
      kind: 'too-large',
      limitBytes: 1_000,
    })
  }
  assert.equal(sockets.length, 2)
  await Promise.all(sockets.map(gone))
})

test('a call may have a limit of its own', async (t) => {
  const port = await httpServer(t, (_, response) => response.end('a'.repeat(1_001)))
  const outbound = outboundFor(t, { maxBytes: 1_000 })
  const url = `http://127.0.0.1:${port}/`
  const larger = answered(await outcomeOf(outbound, { method: 'GET', url, maxBytes: 1_001 }))
  assert.equal(larger.body.length, 1_001)
  assert.deepEqual(await outcomeOf(outbound, { method: 'GET', url }), {
    kind: 'too-large',
    limitBytes: 1_000,
  })
  assert.deepEqual(await outcomeOf(outbound, { method: 'GET', url, maxBytes: 10 }), {
    kind: 'too-large',
    limitBytes: 10,
  })
})

test('a body of exactly the limit is an answer', async (t) => {
  const port = await httpServer(t, (_, response) => {
    for (let index = 0; index < 1_000; index++) response.write('a')
    response.end()
  })
  const outcome = answered(await get(outboundFor(t, { maxBytes: 1_000 }), `http://127.0.0.1:${port}/`))
  assert.equal(outcome.body.toString(), 'a'.repeat(1_000))
})

test('bytes after the declared length are no part of an answer and never become the next one', async (t) => {
  let connections = 0
  const port = await rawServer(t, (socket) => {
    const number = ++connections
    socket.on('data', () =>
      socket.write(
        `HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n#${number}HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil`,
      ),
    )
  })
  const outbound = outboundFor(t)
  for (let round = 0; round < 5; round++) {
    const outcome = await get(outbound, `http://127.0.0.1:${port}/`)
    if (outcome.kind === 'answered') assert.match(outcome.body.toString(), /^#[0-9]$/)
    else assert.equal(outcome.kind, 'unreachable')
  }
})

test('endless headers are cut off', async (t) => {
  const port = await rawServer(t, (socket) =>
    socket.once('data', () =>
      socket.write(`HTTP/1.1 200 OK\r\n${`x: ${'a'.repeat(1_000)}\r\n`.repeat(40)}\r\n`),
    ),
  )
  assert.deepEqual(await get(outboundFor(t), `http://127.0.0.1:${port}/`), {
    kind: 'too-large',
    limitBytes: 16_384,
  })
})

test('a reset, a closed or a rejected connection, an answer that is not HTTP and an unknown name are unreachable', async (t) => {
  const ofPort = (port: number) => `http://127.0.0.1:${port}/`
  const reset = await rawServer(t, (socket) => socket.once('data', () => socket.resetAndDestroy()))
  const shut = await rawServer(t, (socket) => socket.end())
  const half = await rawServer(t, (socket) =>
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf')),
  )
  const cut = await rawServer(t, (socket) =>
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-')),
  )
  const other = await rawServer(t, (socket) =>
    socket.once('data', () => socket.write('220 mail.test ESMTP\r\n')),
  )
  const closing = createTcpServer()
  const free = await listen(t, closing)
  closing.close()
  const outbound = outboundFor(t, {
    resolve: async (host) => {
      if (host === 'empty.test') return []
      throw Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' })
    },
  })
  const cases: readonly (readonly [string, string])[] = [
    [ofPort(reset), 'the connection was closed'],
    [ofPort(shut), 'the connection was closed'],
    [ofPort(half), 'the connection was closed'],
    [ofPort(cut), 'the connection was closed'],
    [ofPort(other), 'the answer is not valid HTTP'],
    [ofPort(free), 'the connection was refused'],
    [`https://127.0.0.1:${shut}/`, 'the connection was closed'],
    ['https://unknown.test/', 'the host name could not be resolved'],
    ['https://empty.test/', 'the host name has no address'],
  ]
  for (const [url, detail] of cases) {
    assert.deepEqual(await get(outbound, url), { kind: 'unreachable', detail }, url)
  }
})

test('no more than the allowed number of calls is in progress, and the others wait their turn', async (t) => {
  const open: ServerResponse[] = []
  let most = 0
  const port = await httpServer(t, ({ url }, response) => {
    if (url === '/other') response.end()
    else most = Math.max(most, open.push(response))
  })
  const outbound = outboundFor(t, { maxConcurrent: 3, maxQueued: 20 })
  const other = outboundFor(t)
  const calls = Array.from({ length: 23 }, () => get(outbound, `http://127.0.0.1:${port}/`))
  for (let left = 23; left > 0; left--) {
    await until('the calls that may be under way', () => open.length === Math.min(3, left))
    // While nothing is answered, another client is served, so everything sent before it has
    // arrived.
    answered(await get(other, `http://127.0.0.1:${port}/other`))
    open.shift()?.end()
  }
  const outcomes = await Promise.all(calls)
  assert.deepEqual(new Set(outcomes.map((outcome) => outcome.kind)), new Set(['answered']))
  assert.equal(most, 3)
})

test('a call beyond the queue is turned away at once, and waiting counts to the deadline', async (t) => {
  let opened = 0
  const port = await rawServer(t, (socket) => {
    opened++
    socket.resume()
  })
  const [clock, timeoutMs] = [new ManualClock(0), 5_000]
  const outbound = outboundFor(t, { maxConcurrent: 1, maxQueued: 2, timeoutMs, clock })
  const url = `http://127.0.0.1:${port}/`
  const held = [get(outbound, url), get(outbound, url), get(outbound, url)]
  await until('the connection of the first', () => opened === 1)
  // The clock stands still: this call waits for nothing.
  assert.deepEqual(await get(outbound, url), { kind: 'unreachable', detail: 'too many calls at once' })
  clock.advance(timeoutMs)
  assert.deepEqual(await Promise.all(held), [{ kind: 'timeout' }, { kind: 'timeout' }, { kind: 'timeout' }])
  // The two waiting calls ran out of time in the queue, and never connected.
  await settled()
  assert.equal(opened, 1)
})

test('places are free again after calls of every outcome', async (t) => {
  let heard = 0
  const reset = await rawServer(t, (socket) => socket.once('data', () => socket.resetAndDestroy()))
  const silent = await rawServer(t, (socket) => socket.on('data', () => heard++))
  const good = await httpServer(t, (_, response) => response.end())
  const [clock, timeoutMs] = [new ManualClock(0), 5_000]
  const outbound = outboundFor(t, {
    maxConcurrent: 1,
    clock,
    timeoutMs,
    resolve: script([['10.0.0.1']]).resolve,
  })
  for (let round = 1; round <= 3; round++) {
    assert.equal((await get(outbound, `http://127.0.0.1:${reset}/`)).kind, 'unreachable')
    const call = { outbound, url: `http://127.0.0.1:${silent}/`, clock, timeoutMs }
    assert.equal((await atDeadline(call, () => heard === round)).kind, 'timeout')
    assert.equal((await get(outbound, 'https://example.com/')).kind, 'rejected')
    assert.equal((await get(outbound, `http://127.0.0.1:${good}/`)).kind, 'answered')
  }
})

test('closing ends calls in progress, waiting calls and kept connections, and rejects later ones', async (t) => {
  const sockets = new Set<Socket>()
  const silent = await rawServer(t, (socket) => {
    sockets.add(socket.resume())
    socket.on('close', () => sockets.delete(socket))
  })
  const good = createServer((_, response) => response.end())
  good.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  const port = await listen(t, good)
  let own = 0
  const outbound = createOutbound({
    ...{ ...defaults, maxConcurrent: 3, maxConcurrentOfOne: 3 },
    resolve: () => new Promise(() => {}),
    dial: (where) => {
      const socket = connect(where.port, where.address)
      own++
      return socket.on('close', () => own--)
    },
  })
  answered(await get(outbound, `http://127.0.0.1:${port}/`))
  const calls = [
    get(outbound, `http://127.0.0.1:${silent}/`),
    get(outbound, `https://127.0.0.1:${silent}/`),
    get(outbound, 'https://example.com/'),
    get(outbound, `http://127.0.0.1:${silent}/`),
  ]
  await until('three connections', () => sockets.size === 3)
  assert.equal(own, 3)
  await outbound.close()
  assert.equal(own, 0)
  assert.deepEqual(await Promise.all(calls), Array(4).fill({ kind: 'closed' }))
  assert.deepEqual(await get(outbound, `http://127.0.0.1:${port}/`), { kind: 'closed' })
  await until('their end', () => sockets.size === 0)
  await outbound.close()
})

test('no proxy of the environment is used', async (t) => {
  const trap = await setTrap(t)
  const port = await httpServer(t, (_, response) => response.end('direct'))
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'NODE_USE_ENV_PROXY']
  for (const name of names)
    process.env[name] = name.startsWith('NODE') ? '1' : `http://127.0.0.1:${trap.port}`
  t.after(() => {
    for (const name of names) delete process.env[name]
  })
  assert.equal(answered(await get(outboundFor(t), `http://127.0.0.1:${port}/`)).body.toString(), 'direct')
  assert.equal(trap.touched(), 0)
})

test('a bad network or certificate is reported when the client is made', () => {
  assert.throws(() => createOutbound({ ...defaults, allow: ['10.0.0.0/8', 'intranet'] }), /"intranet"/)
  assert.throws(() => createOutbound({ ...defaults, ca: ['not a certificate'] }))
})

test('calls of one app that hang leave room for those of another app', async (t) => {
  const port = await httpServer(t, (_, response) => response.end('here'))
  let asked = 0
  const outbound = outboundFor(t, {
    ...{ maxConcurrent: 8, maxConcurrentOfOne: 2 },
    resolve: () => {
      asked++
      return new Promise(() => {})
    },
  })
  const hanging = Array.from({ length: 20 }, (_, n) =>
    outcomeOf(outbound, { owner: 'one', method: 'GET', url: `https://n${n}.test/` }),
  )
  await until('two lookups', () => asked === 2)
  const other = await outcomeOf(outbound, { owner: 'other', method: 'GET', url: `http://127.0.0.1:${port}/` })
  assert.equal(answered(other).body.toString(), 'here')
  assert.equal(asked, 2)
  await outbound.close()
  assert.deepEqual(
    await Promise.all(hanging),
    hanging.map(() => ({ kind: 'closed' })),
  )
})
