import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import oauth from 'oauth'
import { systemClock } from '../../src/platform/common/clock.ts'
import { Client, demoKeys } from '../support/client.ts'
import { startPlaza } from '../support/plaza.ts'
import { Visitor } from '../support/visitor.ts'

const CALLBACK = 'http://127.0.0.1:3000/callback'

interface Tokens {
  token: string
  secret: string
  results: Record<string, string>
}

/** Turns the client's callbacks into promises. */
function promised<T>(
  call: (done: (error: unknown, ...values: never[]) => void) => void,
  pick: (values: string[]) => T,
) {
  return new Promise<T>((resolve, reject) =>
    call((error, ...values) => (error ? reject(error) : resolve(pick(values)))),
  )
}

const tokensOf = ([token = '', secret = '', results]: unknown[]) => ({ token, secret, results }) as Tokens

describe('oauth, unmodified', () => {
  let plaza: Awaited<ReturnType<typeof startPlaza>>
  let browser: Client
  let client: oauth.OAuth

  before(async () => {
    plaza = await startPlaza({}, { clock: systemClock })
    browser = new Client(plaza)
    const { core } = plaza.urls
    const { consumerKey, consumerSecret } = demoKeys(plaza)
    client = new oauth.OAuth(
      `${core}/oauth/request_token`,
      `${core}/oauth/access_token`,
      consumerKey,
      consumerSecret,
      '1.0',
      CALLBACK,
      'HMAC-SHA1',
    )
    // The client has no option for a certificate authority; this does for one process what
    // NODE_EXTRA_CA_CERTS does.
    setDefaultCACertificates([...getCACertificates('default'), plaza.caPem as string])
  })
  after(async () => {
    await browser.close()
    await plaza.close()
  })

  const requestToken = () => promised<Tokens>((done) => client.getOAuthRequestToken(done as never), tokensOf)

  const accessToken = (pair: Tokens, verifier: string) =>
    promised<Tokens>(
      (done) => client.getOAuthAccessToken(pair.token, pair.secret, verifier, done as never),
      tokensOf,
    )

  const get = (path: string, { token, secret }: Tokens) =>
    promised(
      (done) => client.get(plaza.urls.core + path, token, secret, done as never),
      ([body = '']) => JSON.parse(body),
    )

  test('goes through the three legs, calls, invalidates, and is rejected afterwards', async () => {
    const pending = await requestToken()
    assert.equal(pending.results.oauth_callback_confirmed, 'true')
    const user = plaza.seeded?.users[0]
    assert.ok(user)
    const reply = await new Visitor(browser).answer(
      `${plaza.urls.core}/oauth/authorize?oauth_token=${pending.token}`,
      user,
      'approve',
    )
    const back = new URL(reply.headers.location as string)
    const granted = await accessToken(pending, back.searchParams.get('oauth_verifier') as string)
    assert.deepEqual([granted.results.user_id, granted.results.screen_name], [user.id, user.screenName])
    assert.deepEqual(await get('/2/webhooks', granted), { data: [], meta: { result_count: 0 } })

    const { token, secret } = granted
    const gone = await promised(
      (done) =>
        client.post(
          `${plaza.urls.core}/1.1/oauth/invalidate_token`,
          token,
          secret,
          '',
          undefined,
          done as never,
        ),
      ([body = '']) => JSON.parse(body),
    )
    assert.deepEqual(gone, { access_token: token })
    await assert.rejects(get('/2/webhooks', granted), { statusCode: 401 })
  })

  test('cannot finish without the verifier', async () => {
    const pending = await requestToken()
    await assert.rejects(accessToken(pending, ''), { statusCode: 401 })
  })

  test('signs bodies and queries with characters that need escaping', async () => {
    const grant = plaza.seeded?.apps[0]?.grants[1]
    assert.ok(grant)
    const failed = promised(
      (done) =>
        client.get(
          `${plaza.urls.core}/2/webhooks?webhook_config.fields=${encodeURIComponent("a b+c'(é)*!~")}`,
          grant.token,
          grant.secret,
          done as never,
        ),
      ([body = '']) => body,
    )
    // The signature is right, so it is the parameter that is rejected.
    await assert.rejects(failed, { statusCode: 400 })
  })
})
