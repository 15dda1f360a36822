import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import Fastify, { type FastifyInstance } from 'fastify'
import { ManualClock } from '../../platform/common/clock.ts'
import { seededRandom } from '../../platform/common/random.ts'
import { createSealer } from '../../platform/storage/seal.ts'
import { newConsoleKey, newSession, sessionOf } from './access.ts'
import { mountSignIn } from './sign-in.ts'

const sealer = createSealer(Buffer.alloc(32, 1), seededRandom('one'))
const NOW = 1_000_000
const FORM = 'application/x-www-form-urlencoded'

describe('signing in', () => {
  let server: FastifyInstance
  let clock: ManualClock
  const opened: FastifyInstance[] = []
  beforeEach(() => {
    clock = new ManualClock(NOW)
    server = start()
  })
  after(() => Promise.all(opened.map((one) => one.close())))

  const start = () => {
    const started = Fastify()
    mountSignIn(started, { sealer, clock })
    opened.push(started)
    return started
  }
  const post = async (path: string, form: Record<string, string>, more: object = {}) => {
    const { statusCode, headers, body } = await server.inject({
      ...{ method: 'POST', url: path, payload: new URLSearchParams(form).toString() },
      headers: { host: 'localhost', 'content-type': FORM, ...more },
    })
    return { status: statusCode, headers, body }
  }
  const newKey = () => newConsoleKey({ sealer, now: clock.now() })

  test('a key signs in once, also with white space around it', async () => {
    const key = newKey()
    const good = await post('/sign-in', { key: ` ${key}\n` })
    assert.deepEqual([good.status, good.headers.location], [303, '/'])
    assert.equal(good.headers['set-cookie'], newSession({ sealer, now: NOW }))
    assert.equal(good.headers['cache-control'], 'no-store')
    const again = await post('/sign-in', { key })
    assert.deepEqual([again.status, again.headers['set-cookie']], [403, undefined])
    clock.advance(1)
    assert.equal((await post('/sign-in', { key: newKey() })).status, 303)
  })

  test('a key that is wrong, missing, expired or older than the process signs nobody in', async () => {
    const key = newKey()
    for (const wrong of [{ key: `${key}x` }, { key: '' }, {}, { other: key }]) {
      const reply = await post('/sign-in', wrong as Record<string, string>)
      assert.deepEqual([reply.status, reply.headers['set-cookie']], [403, undefined])
      assert.doesNotMatch(reply.body, new RegExp(key))
    }
    clock.advance(1_000)
    server = start()
    assert.equal((await post('/sign-in', { key })).status, 403)
    const late = newKey()
    clock.advance(600_000)
    assert.equal((await post('/sign-in', { key: late })).status, 403)
  })

  test('a page of another site can neither sign in nor sign out', async () => {
    for (const headers of [{ origin: 'https://other.example.com' }, { 'sec-fetch-site': 'cross-site' }])
      for (const path of ['/sign-in', '/sign-out']) {
        const reply = await post(path, { key: newKey() }, headers)
        assert.deepEqual([reply.status, reply.headers['set-cookie']], [403, undefined])
      }
  })

  test('after ten wrong keys in a minute, none is accepted until it is over', async () => {
    for (let n = 0; n < 10; n++) assert.equal((await post('/sign-in', { key: `1-${n}` })).status, 403)
    assert.equal((await post('/sign-in', { key: newKey() })).status, 429)
    clock.advance(60_000)
    assert.equal((await post('/sign-in', { key: newKey() })).status, 303)
  })

  test('a form that is too large or of another type changes nothing', async () => {
    assert.equal((await post('/sign-in', { key: 'x'.repeat(5_000) })).status, 413)
    assert.equal((await post('/sign-in', { key: newKey() }, { 'content-type': 'text/xml' })).status, 415)
  })

  test('signing out ends the session of the browser', async () => {
    const reply = await post('/sign-out', {})
    assert.equal(reply.status, 303)
    const cookie = String(reply.headers['set-cookie'])
    assert.match(cookie, /^plaza_console=; Path=\/; Max-Age=0; HttpOnly; SameSite=Strict$/)
    assert.equal(sessionOf({ cookie: cookie.slice(0, cookie.indexOf(';')) }, { sealer, now: NOW }), undefined)
  })
})
