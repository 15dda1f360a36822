import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import Fastify from 'fastify'
import { ManualClock } from '../../platform/common/clock.ts'
import { seededRandom } from '../../platform/common/random.ts'
import { neutralVocabulary } from '../../platform/http/vocabulary.ts'
import { createSealer } from '../../platform/storage/seal.ts'
import { isConsoleKey, isFromConsole, newConsoleKey, newSession, sessionOf } from './access.ts'
import { type ConsoleParts, mountConsole, mountHealth } from './console.ts'
import { NotReady } from './not-ready.ts'

const sealer = createSealer(Buffer.alloc(32, 1), seededRandom('one'))
const other = createSealer(Buffer.alloc(32, 2), seededRandom('two'))
const NOW = 1_000_000

describe('the key of the console', () => {
  const key = newConsoleKey({ sealer, now: NOW })
  const opens = (text: string, now = NOW, by = sealer) => isConsoleKey(text, { sealer: by, now })

  test('opens it for ten minutes, on a server with the same master key', () => {
    assert.deepEqual([opens(key), opens(key, NOW + 599_999), opens(key, NOW + 600_000)], [true, true, false])
    assert.equal(opens(key, NOW, other), false)
  })

  test('opens nothing when it was changed, or extended', () => {
    const [time, code] = [key.slice(0, key.indexOf('-')), key.slice(key.indexOf('-'))]
    assert.equal(time, '1600000')
    for (const text of ['', '-', key.slice(0, -1), `${key}A`, `1600001${code}`, `01600000${code}`, `x${key}`])
      assert.equal(opens(text), false, text)
  })

  test('is no session, and a session is no key', () => {
    const cookie = newSession({ sealer, now: NOW })
    const value = cookie.slice('plaza_console='.length, cookie.indexOf(';'))
    assert.equal(opens(value), false)
    assert.equal(sessionOf({ cookie: `plaza_console=${key}` }, { sealer, now: NOW }), undefined)
  })
})

describe('a session', () => {
  const cookie = newSession({ sealer, now: NOW })
  const value = cookie.slice('plaza_console='.length, cookie.indexOf(';'))
  const session = (header: string | undefined, now = NOW, by = sealer) =>
    sessionOf(header === undefined ? {} : { cookie: header }, { sealer: by, now })

  test('lasts for twelve hours, in a cookie that no script and no other site can use', () => {
    assert.equal(cookie, `plaza_console=${value}; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict`)
    const header = `a=b; plaza_console=${value}`
    assert.equal(session(header, NOW + 43_199_999), value)
    assert.equal(session(header, NOW + 43_200_000), undefined)
    assert.deepEqual(
      [session(header, NOW, other), session(undefined), session('a=b')],
      [undefined, undefined, undefined],
    )
  })
})

test('a form is that of the console if its origin is the address that it was sent to', () => {
  const from = (headers: object) => isFromConsole({ host: '127.0.0.1:8440', ...headers })
  assert.deepEqual(
    [
      from({}),
      from({ origin: 'http://127.0.0.1:8440' }),
      from({ origin: 'http://127.0.0.1:8440', 'sec-fetch-site': 'same-origin' }),
      from({ origin: 'http://localhost:8440' }),
      from({ origin: 'https://127.0.0.1:8440' }),
      from({ origin: 'null' }),
      from({ 'sec-fetch-site': 'cross-site' }),
      from({ origin: 'http://127.0.0.1:8440', 'sec-fetch-site': 'same-site' }),
    ],
    [true, true, true, false, false, false, false, false],
  )
})

describe('what everyone may read', () => {
  const server = Fastify()
  const health = Fastify()
  let state: { ready: ConsoleParts['ready']; metrics: ConsoleParts['metrics'] }
  const parts: ConsoleParts = {
    ...{ sealer, clock: new ManualClock(NOW) },
    ready: () => state.ready(),
    metrics: () => state.metrics(),
    ...{ caPem: 'the certificate', version: '1.2.3', core: () => undefined, mediaPath: '/media/' },
    reference: {
      ...{ endpoints: [], naming: { vocabulary: neutralVocabulary, problemBase: 'https://p' } },
      servers: { core: 'https://core', ads: 'https://ads', sandbox: 'https://sandbox' },
    },
  }
  before(() => {
    mountConsole(server, parts)
    mountHealth(health, parts)
  })
  beforeEach(() => {
    state = { ready: async () => [], metrics: async () => 'plaza_up 1\n' }
  })
  after(() => Promise.all([server.close(), health.close()]))

  const get = async (url: string, host = 'localhost:8440', of = server) => {
    const { statusCode, headers, body } = await of.inject({ url, headers: { host } })
    return { status: statusCode, type: headers['content-type'], body }
  }
  const json = 'application/json; charset=utf-8'

  test('health is that of the process alone', async () => {
    state.ready = () => Promise.reject(new Error('the store is closed'))
    const healthy = { status: 200, type: json, body: '{"status":"ok","version":"1.2.3"}' }
    assert.deepEqual(await get('/health'), healthy)
    assert.deepEqual(await get('/health', 'balancer.example.com', health), healthy)
  })

  test('readiness has its warnings, or the reason why not with its details', async () => {
    assert.deepEqual(await get('/ready'), { status: 200, type: json, body: '{"status":"ready"}' })
    state.ready = async () => ['The disk is nearly full.']
    assert.equal((await get('/ready')).body, '{"status":"ready","warnings":["The disk is nearly full."]}')
    state.ready = () => Promise.reject(new NotReady('behind', { behind: 7 }))
    const not = { status: 503, type: json, body: '{"status":"not ready","reason":"behind","behind":7}' }
    assert.deepEqual(await get('/ready'), not)
    state.ready = () => Promise.reject('a text')
    assert.equal((await get('/ready')).body, '{"status":"not ready","reason":"a text"}')
  })

  test('readiness for other machines has neither reason nor warnings', async () => {
    const ready = () => get('/ready', 'balancer.example.com', health)
    state.ready = async () => ['The disk is nearly full.']
    assert.deepEqual(await ready(), { status: 200, type: json, body: '{"status":"ready"}' })
    state.ready = () => Promise.reject(new NotReady('behind', { behind: 7 }))
    assert.deepEqual(await ready(), { status: 503, type: json, body: '{"status":"not ready"}' })
    assert.equal((await get('/metrics', 'localhost', health)).status, 404)
  })

  test('metrics are text, or the reason why there are none', async () => {
    const type = 'text/plain; version=0.0.4; charset=utf-8'
    assert.deepEqual(await get('/metrics'), { status: 200, type, body: 'plaza_up 1\n' })
    state.metrics = () => Promise.reject(new Error('the store is closed'))
    const body = '{"status":"not ready","reason":"the store is closed"}'
    assert.deepEqual(await get('/metrics'), { status: 503, type: json, body })
  })

  test('the certificate is that of the local authority, if there is one', async () => {
    const type = 'application/x-pem-file'
    assert.deepEqual(await get('/ca.pem'), { status: 200, type, body: 'the certificate' })
    const without = Fastify()
    mountConsole(without, { ...parts, caPem: undefined })
    const body = '{"status":"no local authority: the certificate was given"}'
    assert.deepEqual(await get('/ca.pem', '[::1]:1', without), { status: 404, type: json, body })
    await without.close()
  })

  test('nothing is for a name that is not of this machine, whatever its address', async () => {
    for (const host of ['127.0.0.1', '127.0.0.1:1', 'localhost', '[::1]:8440'])
      assert.equal((await get('/health', host)).status, 200, host)
    const forbidden = { status: 403, type: json, body: '{"status":"forbidden"}' }
    for (const host of [
      'example.com',
      'localhost.example.com',
      '127.0.0.1.example.com:1',
      'localhost:x',
      '::1',
    ])
      for (const path of ['/health', '/metrics', '/', '/none'])
        assert.deepEqual(await get(path, host), forbidden)
  })

  test('HEAD has the status without a body', async () => {
    for (const url of ['/health', '/ready', '/metrics', '/ca.pem', '/reference']) {
      const { statusCode, body } = await server.inject({
        method: 'HEAD',
        url,
        headers: { host: 'localhost' },
      })
      assert.deepEqual([statusCode, body], [200, ''], url)
    }
  })
})
