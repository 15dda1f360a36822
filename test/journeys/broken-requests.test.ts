import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startPlaza } from '../support/plaza.ts'
import { rawReply } from '../support/raw-request.ts'

/** The same error in the format of each host, and of each part of the core API. */
const malformed = {
  problem: {
    type: 'problem+json',
    body: /"title":"Invalid Request"/,
  },
  legacy: { type: 'json', body: /^\{"errors":\[\{"code":44,"message":"The request is malformed\."\}\]\}$/ },
  ads: {
    type: 'json',
    body: /^\{"errors":\[\{"code":"INVALID_PARAMETER","message":"The request is malformed"\}\],"request":\{"params":\{\}\}\}$/,
  },
}

describe('requests that cannot be parsed', () => {
  let plaza: Awaited<ReturnType<typeof startPlaza>>
  before(async () => {
    plaza = await startPlaza({ healthListen: { address: '127.0.0.1', port: 0 } })
  })
  after(() => plaza.close())

  const sent = (origin: string, bytes: string) => rawReply(origin, plaza.caPem, bytes)

  const hosts = () =>
    [
      [plaza.urls.core, '/2/posts', malformed.problem],
      [plaza.urls.core, '/1.1/media/upload.json', malformed.legacy],
      [plaza.urls.ads, '/12/accounts', malformed.ads],
      [plaza.urls.adsSandbox, '/12/accounts', malformed.ads],
    ] as const

  test('a malformed header line gets the error of its host and path, with the usual headers', async () => {
    for (const [origin, path, { type, body }] of hosts()) {
      const reply = await sent(origin, `GET ${path} HTTP/1.1\r\nhost: a\r\nno colon\r\n\r\n`)
      assert.equal(reply.status, 400, path)
      assert.match(reply.body, body)
      const { headers } = reply
      assert.match(headers['content-type'] ?? '', new RegExp(type.replace('+', '\\+')))
      assert.equal(headers['content-length'], String(Buffer.byteLength(reply.body)))
      assert.match(headers.date ?? '', /GMT$/)
      assert.match(headers['x-transaction-id'] ?? '', /^[0-9a-f]{16}$/)
      assert.match(headers['x-connection-hash'] ?? '', /^[0-9a-f]{64}$/)
      assert.equal(headers['x-content-type-options'], 'nosniff')
      assert.equal(headers['cache-control'], 'no-cache, no-store, max-age=0')
      assert.equal(headers.connection, 'close')
      assert.equal(headers['x-current-api-version'], origin === plaza.urls.core ? undefined : '12')
    }
  })

  test('an unknown method is like any other that the path does not have', async () => {
    for (const method of ['FOO', 'PROPFIND', 'CONNECT']) {
      const known = await sent(
        plaza.urls.core,
        `${method} /2/posts HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`,
      )
      assert.equal(known.status, 405, method)
      assert.equal(known.headers.allow, 'GET, HEAD, POST', method)
      assert.deepEqual(JSON.parse(known.body), {
        title: 'Method Not Allowed',
        type: 'about:blank',
        status: 405,
        detail: 'Method Not Allowed',
      })
      const ads = await sent(
        plaza.urls.ads,
        `${method} /12/nothing HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`,
      )
      assert.equal(ads.status, 404, method)
      assert.match(ads.body, /ROUTE_NOT_FOUND/)
    }
  })

  test('what is no request at all is malformed', async () => {
    for (const bytes of ['what is this\r\n\r\n', '\x16\x03\x01\r\n\r\n', 'FOO\r\n\r\n']) {
      const core = await sent(plaza.urls.core, bytes)
      assert.deepEqual([core.status, malformed.legacy.body.test(core.body)], [400, true], core.body)
      const ads = await sent(plaza.urls.ads, bytes)
      assert.deepEqual([ads.status, malformed.ads.body.test(ads.body)], [400, true], ads.body)
    }
  })

  test('a path that cannot be decoded is malformed', async () => {
    const reply = await sent(plaza.urls.core, 'GET /2/%zz HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n')
    assert.equal(reply.status, 400)
    assert.match(reply.body, malformed.problem.body)
    assert.match(reply.headers['x-transaction-id'] ?? '', /^[0-9a-f]{16}$/)
    assert.equal(reply.headers['x-content-type-options'], 'nosniff')
  })

  test('headers that are too large are 431', async () => {
    const reply = await sent(
      plaza.urls.ads,
      `GET /12/accounts HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(40_000)}`,
    )
    assert.equal(reply.status, 431)
    assert.match(reply.body, /"message":"The request headers are too large"/)
  })

  test('a chunked body that is malformed has the error of its path', async () => {
    const reply = await sent(
      plaza.urls.core,
      'POST /2/posts HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\nauthorization: Bearer AAAA\r\n\r\nzz\r\n',
    )
    assert.ok([400, 401].includes(reply.status), `${reply.status}`)
    assert.match(reply.headers['content-type'] ?? '', /^application\/problem\+json/)
  })

  test('a request without a host is malformed, unless it is HTTP/1.0', async () => {
    const reply = await sent(plaza.urls.core, 'GET /2/posts HTTP/1.1\r\nconnection: close\r\n\r\n')
    assert.equal(reply.status, 400)
    assert.match(reply.body, malformed.problem.body)
    assert.equal((await sent(plaza.urls.core, 'GET /2/webhooks HTTP/1.0\r\n\r\n')).status, 401)
  })

  test('an expectation that nobody knows is ignored', async () => {
    const reply = await sent(
      plaza.urls.core,
      'GET /2/webhooks HTTP/1.1\r\nhost: a\r\nexpect: the-best\r\nconnection: close\r\n\r\n',
    )
    assert.equal(reply.status, 401)
    assert.match(reply.headers['content-type'] ?? '', /^application\/problem\+json/)
  })

  test('the console and the health listener answer in JSON', async () => {
    for (const origin of [plaza.urls.console, plaza.urls.health ?? '']) {
      const reply = await sent(origin, 'GET /health HTTP/1.1\r\nno colon\r\n\r\n')
      assert.equal(reply.status, 400)
      assert.deepEqual(JSON.parse(reply.body), { status: 'bad request' })
      assert.equal(reply.headers['x-content-type-options'], 'nosniff')
    }
  })
})
