import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer, type ServerOptions } from 'node:https'
import { connect, createServer as createTcpServer, type Socket } from 'node:net'
import { before, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { type Authority, createAuthority, listen, rawServer, script, setTrap } from './outbound.fixture.ts'
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
}

function outboundFor(t: TestContext, options: Partial<OutboundOptions> = {}): Outbound {
  const outbound = createOutbound({ ...defaults, ...options })
  t.after(() => outbound.close())
  return outbound
}

function answered(outcome: Outcome): Extract<Outcome, { kind: 'answered' }> {
  assert.equal(outcome.kind, 'answered', JSON.stringify(outcome))
  return outcome as Extract<Outcome, { kind: 'answered' }>
}

function get(outbound: Outbound, url: string): Promise<Outcome> {
  return outbound.send({ method: 'GET', url })
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(request))
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void

function httpServer(t: TestContext, handler: Handler): Promise<number> {
  return listen(t, createServer(handler))
}

async function tlsServer(
  t: TestContext,
  options: ServerOptions,
  handler: Handler = (_, response) => response.end('ok'),
) {
  return listen(t, createTlsServer(options, handler))
}

test('a challenge over plain http and any port is exchanged with an allowed address', async (t) => {
  let seen: IncomingMessage | undefined
  const port = await httpServer(t, (request, response) => {
    seen = request
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"response_token":"sha256=x"}')
  })
  const outbound = outboundFor(t)
  const outcome = answered(
    await outbound.send({
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
      await outbound.send({ method: 'POST', url: `http://127.0.0.1:${port}/`, body: sent }),
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
    answered(await outbound.send({ method: 'POST', url, body: 'x', fresh }))
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
    await assert.rejects(outbound.send({ method: 'GET', url, headers }), TypeError, JSON.stringify(headers))
  }
})

test('a refused URL and a refused address say why, without naming the address a name leads to', async (t) => {
  const outbound = outboundFor(t, { allow: [], resolve: script([['10.20.30.40']]).resolve })
  assert.deepEqual(await get(outbound, 'http://example.com/'), {
    kind: 'refused',
    reason: 'the URL must use https, not http',
  })
  assert.deepEqual(await get(outbound, 'https://example.com/'), {
    kind: 'refused',
    reason: 'the host leads to an address that is not public',
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
  assert.equal((await outbound.send({ method: 'GET', url, fresh: true })).kind, 'refused')
  assert.equal((await outbound.send({ method: 'GET', url, fresh: true })).kind, 'answered')
  assert.deepEqual(dialled, ['127.0.0.1', '127.0.0.1'])
})

test('nothing is sent over a connection that ended at another address than the checked one', async (t) => {
  let received = 0
  const port = await rawServer(t, (socket) => socket.on('data', (bytes) => (received += bytes.length)))
  const outbound = outboundFor(t, { dial: () => connect(port, '127.0.0.1') })
  const outcome = await get(outbound, 'http://127.0.0.2:9/')
  assert.equal(outcome.kind, 'refused', JSON.stringify(outcome))
  await sleep(20)
  assert.equal(received, 0)
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

test('TLS is spoken to names and addresses with their own identity', async (t) => {
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

test('no answer, a slow drip of headers or body, a silent handshake and a hanging resolver end at the deadline', async (t) => {
  const drip = (socket: Socket, start: string, drop: string) => {
    socket.write(start)
    const timer = setInterval(() => socket.write(drop), 10)
    socket.on('close', () => clearInterval(timer))
  }
  const silent = await rawServer(t, (socket) => socket.resume())
  const headers = await rawServer(t, (socket) => drip(socket, 'HTTP/1.1 200 OK\r\nx: ', 'a'))
  const body = await rawServer(t, (socket) =>
    drip(socket, 'HTTP/1.1 200 OK\r\ncontent-length: 60000\r\n\r\n', 'a'),
  )
  const chunks = await rawServer(t, (socket) =>
    drip(socket, 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', '1\r\na\r\n'),
  )
  const informational = await rawServer(t, (socket) => drip(socket, '', 'HTTP/1.1 102 Processing\r\n\r\n'))
  const outbound = outboundFor(t, { timeoutMs: 150, resolve: () => new Promise(() => {}) })
  for (const url of [
    `http://127.0.0.1:${silent}/`,
    `http://127.0.0.1:${headers}/`,
    `http://127.0.0.1:${body}/`,
    `http://127.0.0.1:${chunks}/`,
    `http://127.0.0.1:${informational}/`,
    `https://127.0.0.1:${silent}/`,
    'https://example.com/',
  ]) {
    assert.deepEqual(await get(outbound, url), { kind: 'timeout' }, url)
  }
})

test('a call that is cut off leaves no connection behind', async (t) => {
  const sockets: Socket[] = []
  const port = await rawServer(t, (socket) => {
    sockets.push(socket.resume())
  })
  const outbound = outboundFor(t, { timeoutMs: 50 })
  assert.equal((await get(outbound, `http://127.0.0.1:${port}/`)).kind, 'timeout')
  assert.equal((await get(outbound, `https://127.0.0.1:${port}/`)).kind, 'timeout')
  assert.equal(sockets.length, 2)
  await Promise.all(sockets.map((socket) => socket.closed || once(socket, 'close')))
})

test('an answer of the resolver that comes after the deadline leads to no connection', async (t) => {
  let dialled = 0
  const late = Promise.withResolvers<{ address: string; family: number }[]>()
  const outbound = outboundFor(t, {
    timeoutMs: 30,
    resolve: () => late.promise,
    dial: ({ address, port }) => {
      dialled++
      return connect(port, address)
    },
  })
  assert.deepEqual(await get(outbound, 'https://example.com/'), { kind: 'timeout' })
  late.resolve([{ address: '127.0.0.1', family: 4 }])
  await sleep(20)
  assert.equal(dialled, 0)
})

test('a body over the limit is cut off, declared, chunked or without any length', async (t) => {
  let written = 0
  const flood = (socket: Socket, head: string, piece: string) => {
    const write = () => {
      while (!socket.destroyed && socket.write(piece)) written += piece.length
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
  await sleep(50)
  const stopped = written
  await sleep(50)
  assert.equal(written, stopped)
})

test('a call may have a limit of its own', async (t) => {
  const port = await httpServer(t, (_, response) => response.end('a'.repeat(1_001)))
  const outbound = outboundFor(t, { maxBytes: 1_000 })
  const url = `http://127.0.0.1:${port}/`
  const larger = answered(await outbound.send({ method: 'GET', url, maxBytes: 1_001 }))
  assert.equal(larger.body.length, 1_001)
  assert.deepEqual(await outbound.send({ method: 'GET', url }), { kind: 'too-large', limitBytes: 1_000 })
  assert.deepEqual(await outbound.send({ method: 'GET', url, maxBytes: 10 }), {
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

test('a reset, a closed or a refused connection, an answer that is not HTTP and an unknown name are unreachable', async (t) => {
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

test('no more than the allowed number of calls is under way, and the others wait their turn', async (t) => {
  let open = 0
  let most = 0
  const port = await httpServer(t, async (_, response) => {
    most = Math.max(most, ++open)
    await sleep(10)
    open--
    response.end()
  })
  const outbound = outboundFor(t, { maxConcurrent: 3, maxQueued: 20 })
  const outcomes = await Promise.all(
    Array.from({ length: 23 }, () => get(outbound, `http://127.0.0.1:${port}/`)),
  )
  assert.deepEqual(new Set(outcomes.map((outcome) => outcome.kind)), new Set(['answered']))
  assert.equal(most, 3)
})

test('a call beyond the queue is turned away at once, and waiting counts to the deadline', async (t) => {
  let opened = 0
  const port = await rawServer(t, (socket) => {
    opened++
    socket.resume()
  })
  const outbound = outboundFor(t, { maxConcurrent: 1, maxQueued: 2, timeoutMs: 100 })
  const url = `http://127.0.0.1:${port}/`
  const held = [get(outbound, url), get(outbound, url), get(outbound, url)]
  assert.deepEqual(await Promise.race([get(outbound, url), ...held]), {
    kind: 'unreachable',
    detail: 'too many calls at once',
  })
  assert.deepEqual(await Promise.all(held), [{ kind: 'timeout' }, { kind: 'timeout' }, { kind: 'timeout' }])
  // The two that waited ran out of time in the queue: they never came to connect.
  assert.equal(opened, 1)
})

test('places are free again after calls of every outcome', async (t) => {
  const reset = await rawServer(t, (socket) => socket.once('data', () => socket.resetAndDestroy()))
  const silent = await rawServer(t, (socket) => socket.resume())
  const good = await httpServer(t, (_, response) => response.end())
  const outbound = outboundFor(t, {
    maxConcurrent: 1,
    timeoutMs: 60,
    resolve: script([['10.0.0.1']]).resolve,
  })
  for (let round = 0; round < 3; round++) {
    assert.equal((await get(outbound, `http://127.0.0.1:${reset}/`)).kind, 'unreachable')
    assert.equal((await get(outbound, `http://127.0.0.1:${silent}/`)).kind, 'timeout')
    assert.equal((await get(outbound, 'https://example.com/')).kind, 'refused')
    assert.equal((await get(outbound, `http://127.0.0.1:${good}/`)).kind, 'answered')
  }
})

test('closing ends calls under way, waiting calls and kept connections, and refuses later ones', async (t) => {
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
    ...defaults,
    maxConcurrent: 3,
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
  while (sockets.size < 3) await sleep(5)
  assert.equal(own, 3)
  await outbound.close()
  assert.equal(own, 0)
  assert.deepEqual(await Promise.all(calls), Array(4).fill({ kind: 'closed' }))
  assert.deepEqual(await get(outbound, `http://127.0.0.1:${port}/`), { kind: 'closed' })
  while (sockets.size > 0) await sleep(5)
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
