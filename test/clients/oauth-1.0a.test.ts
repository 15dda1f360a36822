import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import OAuth from 'oauth-1.0a'
import { Agent, fetch } from 'undici'
import { systemClock } from '../../src/platform/common/clock.ts'
import { Client, demoKeys } from '../support/client.ts'
import { startConsumer } from '../support/consumer.ts'
import { startPlaza } from '../support/plaza.ts'
import { Visitor } from '../support/visitor.ts'

type Answer = { status: number; text: string; form: URLSearchParams }

describe('oauth-1.0a with fetch, unmodified', () => {
  let plaza: Awaited<ReturnType<typeof startPlaza>>
  let browser: Client
  let dispatcher: Agent
  let signer: OAuth

  before(async () => {
    plaza = await startPlaza({}, { clock: systemClock })
    browser = new Client(plaza)
    dispatcher = new Agent({ connect: { ca: plaza.caPem as string } })
    const { consumerKey, consumerSecret } = demoKeys(plaza)
    signer = new OAuth({
      consumer: { key: consumerKey, secret: consumerSecret },
      signature_method: 'HMAC-SHA1',
      hash_function: (base, key) => createHmac('sha1', key).update(base).digest('base64'),
    })
  })
  after(async () => {
    await dispatcher.close()
    await browser.close()
    await plaza.close()
  })

  /**
   * Signs and sends; `data` is a form that the signature covers, `json` a body that it does not.
   */
  async function call(
    method: string,
    path: string,
    token?: OAuth.Token,
    data?: Record<string, string>,
    json?: unknown,
  ): Promise<Answer> {
    const url = plaza.urls.core + path
    const { Authorization } = signer.toHeader(signer.authorize({ url, method, ...(data && { data }) }, token))
    const body = data
      ? new URLSearchParams(data).toString()
      : json === undefined
        ? undefined
        : JSON.stringify(json)
    const type = data ? 'application/x-www-form-urlencoded' : 'application/json'
    const response = await fetch(url, {
      method,
      dispatcher,
      headers: { Authorization, ...(body !== undefined && { 'content-type': type }) },
      ...(body !== undefined && { body }),
    })
    const text = await response.text()
    return { status: response.status, text, form: new URLSearchParams(text) }
  }

  test('the full story: sign in, register a webhook, check it, list it, delete it, sign out', async () => {
    const request = await call('POST', '/oauth/request_token', undefined, {
      oauth_callback: 'http://127.0.0.1:3000/callback',
    })
    assert.equal(request.status, 200, request.text)
    const pending = {
      key: request.form.get('oauth_token') as string,
      secret: request.form.get('oauth_token_secret') as string,
    }
    const user = plaza.seeded?.users[0]
    assert.ok(user)
    const reply = await new Visitor(browser).answer(
      `${plaza.urls.core}/oauth/authenticate?oauth_token=${pending.key}`,
      user,
      'approve',
    )
    const back = new URL(reply.headers.location as string)
    const exchanged = await call('POST', '/oauth/access_token', pending, {
      oauth_verifier: back.searchParams.get('oauth_verifier') as string,
    })
    assert.equal(exchanged.status, 200, exchanged.text)
    const token = {
      key: exchanged.form.get('oauth_token') as string,
      secret: exchanged.form.get('oauth_token_secret') as string,
    }

    const consumer = await startConsumer(demoKeys(plaza).consumerSecret)
    try {
      const registered = await call('POST', '/2/webhooks', token, undefined, { url: consumer.url })
      assert.equal(registered.status, 200, registered.text)
      const { id } = (JSON.parse(registered.text) as { data: { id: string } }).data
      assert.deepEqual(JSON.parse((await call('PUT', `/2/webhooks/${id}`, token)).text), {
        data: { attempted: true },
      })
      const listed = JSON.parse((await call('GET', '/2/webhooks', token)).text) as {
        meta: { result_count: number }
      }
      assert.equal(listed.meta.result_count, 1)
      assert.deepEqual(JSON.parse((await call('DELETE', `/2/webhooks/${id}`, token)).text), {
        data: { deleted: true },
      })
    } finally {
      await consumer.close()
    }
    assert.equal((await call('POST', '/1.1/oauth/invalidate_token.json', token)).status, 200)
    const rejected = await call('POST', '/1.1/oauth/invalidate_token.json', token)
    assert.deepEqual(
      [rejected.status, JSON.parse(rejected.text)],
      [401, { errors: [{ code: 89, message: 'Invalid or expired token.' }] }],
    )
  })

  test('a request that was changed after it was signed is rejected', async () => {
    const { token, tokenSecret } = demoKeys(plaza)
    const url = `${plaza.urls.core}/2/webhooks`
    const { Authorization } = signer.toHeader(
      signer.authorize({ url, method: 'GET' }, { key: token, secret: tokenSecret }),
    )
    const response = await fetch(`${url}?webhook_config.fields=id`, {
      dispatcher,
      headers: { Authorization },
    })
    assert.equal(response.status, 401)
    await response.text()
  })
})
