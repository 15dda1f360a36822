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

    test('a value that no text can hold is rejected, wherever it stands', async () => {
      const token = /name="form_token" value="([^"]+)"/.exec((await send('GET', '/emit')).text)?.[1]
      const emit = (values: string) => send('POST', '/emit', `form_token=${token}&${values}`)
      const replies = [
        ...['/?after=%00', '/?after=%ff', '/webhooks/a%00b', '/webhooks/1?before=%00'].map((path) =>
          send('GET', path),
        ),
        emit('event_type=post.create&user=a%00b'),
        emit('event_type=oauth.revoke&app=%00'),
        emit('event_type=news.new&text=%ed%a0%80'),
        send('POST', '/webhooks/%00/deliveries/1/resend', `form_token=${token}`),
      ]
      for (const { status, text } of await Promise.all(replies)) {
        assert.equal(status, 400, text)
        assert.match(text, /A value in the request is invalid/)
      }
    })

    test('a form of another site is rejected, with and without a session', async () => {
      const signedIn = cookie
      for (const path of ['/sign-in', '/emit', '/webhooks/1/deliveries/1/resend'])
        for (const origin of ['https://evil.example', 'null'])
          for (cookie of ['', signedIn]) {
            const { status, headers, text } = await send('POST', path, 'form_token=guessed', { origin })
            assert.deepEqual([status, headers['set-cookie']], [403, undefined])
            assert.match(text, /This form was not sent from the console/)
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
