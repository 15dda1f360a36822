import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { request } from 'undici'
import { newConsoleKey } from '../../src/app/console/access.ts'
import { type Opened, stages } from '../support/stages.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

for (const stage of stages) {
  describe(`requests to the console on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let cookie: string

    const send = async (method: 'GET' | 'POST' | 'HEAD', path: string, form?: string, more: object = {}) => {
      const { statusCode, headers, body } = await request(opened.plaza.urls.console + path, {
        method,
        headers: { cookie, ...(form !== undefined && FORM), ...more },
        ...(form !== undefined && { body: form }),
      })
      return { status: statusCode, headers, text: await body.text() }
    }

    before(async () => {
      opened = await stage.open({ rateLimits: 'off', shutdownSeconds: 1 })
      await opened.plaza.caughtUp
      cookie = ''
      const { sealer, clock } = opened.plaza.context
      const { headers } = await send('POST', '/sign-in', `key=${newConsoleKey({ sealer, now: clock.now() })}`)
      cookie = String(headers['set-cookie']).split(';')[0] ?? ''
    })
    after(async () => opened.close())

    test('a value that no text can hold is no key, and no page', async () => {
      for (const key of ['a%00b', '%ff', '%ed%a0%80', '%'])
        assert.equal((await send('POST', '/sign-in', `key=${key}`)).status, 403, key)
      // The application shows what it cannot find.
      for (const path of ['/?after=%00', '/webhooks/a%00b', '/webhooks/1?before=%ff'])
        assert.ok([200, 400].includes((await send('GET', path)).status), path)
      for (const path of ['/console/%00', '/console/..%2fmaster.key', '/console/none.js'])
        assert.ok([400, 404].includes((await send('GET', path)).status), path)
    })

    test('a form of another site is rejected, with and without a session', async () => {
      const signedIn = cookie
      for (const path of ['/sign-in', '/sign-out'])
        for (const origin of ['https://evil.example', 'null'])
          for (cookie of ['', signedIn]) {
            const { status, headers, text } = await send('POST', path, 'key=guessed', { origin })
            assert.deepEqual([status, headers['set-cookie']], [403, undefined])
            assert.equal(text, '{"status":"foreign"}')
          }
    })

    test('HEAD returns what GET returns, without a body', async () => {
      for (const path of ['/health', '/ready', '/metrics', '/ca.pem']) {
        const [get, head] = [await send('GET', path), await send('HEAD', path)]
        assert.deepEqual([head.status, head.text], [200, ''], path)
        assert.equal(head.headers['content-type'], get.headers['content-type'])
      }
    })
  })
}
