import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import Library from 'twitter-lite'
import type { Plaza } from '../../src/app/server.ts'
import { systemClock } from '../../src/platform/common/clock.ts'
import { Client, demoKeys } from '../support/client.ts'
import { startPlaza } from '../support/plaza.ts'
import { demoUser, Visitor, verifierOf } from '../support/visitor.ts'

// The types of the package describe a default export, which the CommonJS file does not have.
const Twitter = Library as unknown as typeof Library.default
const CALLBACK = 'http://127.0.0.1:3000/callback'

describe('twitter-lite, which exchanges the verifier without the secret of the request token', () => {
  const opened: { plaza: Plaza; browser: Client }[] = []
  async function open(verifierExchange: 'strict' | 'lenient') {
    const plaza = await startPlaza({ verifierExchange }, { clock: systemClock })
    const browser = new Client(plaza)
    opened.push({ plaza, browser })
    // The client has no option for a certificate authority; this does for one process what
    // NODE_EXTRA_CA_CERTS does.
    setDefaultCACertificates([...getCACertificates('default'), plaza.caPem as string])
    return { plaza, browser }
  }
  let lenient: Awaited<ReturnType<typeof open>>
  before(async () => {
    lenient = await open('lenient')
  })
  after(async () => {
    for (const { plaza, browser } of opened) {
      await browser.close()
      await plaza.close()
    }
  })

  /** The library, with its built-in host replaced. */
  function libraryAt(plaza: Plaza, token: { key?: string; secret?: string } = {}) {
    const { consumerKey, consumerSecret } = demoKeys(plaza)
    const client = new Twitter({
      consumer_key: consumerKey,
      consumer_secret: consumerSecret,
      ...(token.key && { access_token_key: token.key }),
      ...(token.secret && { access_token_secret: token.secret }),
    })
    Object.assign(client, { url: `${plaza.urls.core}/1.1`, oauth: `${plaza.urls.core}/oauth` })
    return client
  }

  async function approved({ plaza, browser }: typeof lenient) {
    const client = libraryAt(plaza)
    const pending = (await client.getRequestToken(CALLBACK)) as { oauth_token: string }
    const target = `/oauth/authorize?oauth_token=${pending.oauth_token}`
    const answer = await new Visitor(browser).answer(target, demoUser(plaza, 'demo'), 'approve')
    return { client, oauth_token: pending.oauth_token, oauth_verifier: verifierOf(answer) }
  }

  test('signs in and asks who signed in', async () => {
    const { client, ...exchange } = await approved(lenient)
    const granted = (await client.getAccessToken(exchange)) as unknown as Record<string, string>
    const user = demoUser(lenient.plaza, 'demo')
    assert.deepEqual([granted.user_id, granted.screen_name], [user.id, 'demo'])
    const { oauth_token: key = '', oauth_token_secret: secret = '' } = granted
    const me = await libraryAt(lenient.plaza, { key, secret }).get('account/verify_credentials', {
      include_email: true,
    })
    assert.deepEqual(
      [me.id_str, me.screen_name, me.name, me.email],
      [user.id, 'demo', 'Demo Developer', null],
    )
  })

  test('needs the right verifier all the same', async () => {
    const { client, oauth_token } = await approved(lenient)
    const granted = await client.getAccessToken({ oauth_token, oauth_verifier: 'wrong' }).catch(() => ({}))
    assert.equal('oauth_token_secret' in granted, false)
  })

  /** What old guides show: a request without a signature. */
  const unsigned = async (
    { plaza, browser }: typeof lenient,
    exchange: Record<string, string>,
    inForm = false,
  ) => {
    const pairs = { oauth_consumer_key: demoKeys(plaza).consumerKey, ...exchange }
    return inForm
      ? browser.send('POST', '/oauth/access_token', { form: pairs })
      : browser.send('POST', `/oauth/access_token?${new URLSearchParams(pairs)}`)
  }

  test('an exchange without a signature has the consumer key, the request token and the verifier', async () => {
    for (const inForm of [false, true]) {
      const { client: _, ...exchange } = await approved(lenient)
      for (const [wrong, status, body] of [
        [
          { oauth_consumer_key: 'nobody' },
          401,
          '{"errors":[{"code":32,"message":"Could not authenticate you."}]}',
        ],
        [{ oauth_consumer_key: '' }, 400, '{"errors":[{"code":215,"message":"Bad Authentication data."}]}'],
        [{ oauth_token: 'nobody' }, 401, '{"errors":[{"code":89,"message":"Invalid or expired token."}]}'],
        [
          { oauth_verifier: 'wrong' },
          401,
          'Error processing your OAuth request: Invalid oauth_verifier parameter',
        ],
      ] as const) {
        const reply = await unsigned(lenient, { ...exchange, ...wrong }, inForm)
        assert.deepEqual([reply.status, reply.text], [status, body])
      }
      const reply = await unsigned(lenient, exchange, inForm)
      assert.equal(reply.status, 200, reply.text)
      const user = demoUser(lenient.plaza, 'demo')
      const granted = new URLSearchParams(reply.text)
      assert.deepEqual([granted.get('user_id'), granted.get('screen_name')], [user.id, 'demo'])
      assert.equal((await unsigned(lenient, exchange, inForm)).status, 401)
    }
  })

  test('is rejected by default', async () => {
    const strict = await open('strict')
    const { client, ...exchange } = await approved(strict)
    const granted = await client.getAccessToken(exchange).catch(() => ({}))
    assert.equal('oauth_token_secret' in granted, false)
    const reply = await unsigned(strict, exchange)
    assert.deepEqual(
      [reply.status, reply.text],
      [400, '{"errors":[{"code":215,"message":"Bad Authentication data."}]}'],
    )
  })
})
