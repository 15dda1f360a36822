import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import * as oauth from 'oauth4webapi'
import { Agent, fetch as fetchWith } from 'undici'
import { createApp, type NewApp } from '../../src/identity/apps/apps.ts'
import { systemClock } from '../../src/platform/common/clock.ts'
import { Client } from '../support/client.ts'
import { startPlaza } from '../support/plaza.ts'
import { demoUser, Visitor } from '../support/visitor.ts'

const CALLBACK = 'https://app.example.com/callback'

/** The client only uses the names in the metadata, so it works with any vocabulary. */
const SPOKEN = [
  {
    name: 'as it is',
    vocabulary: undefined,
    iss: false,
    tokenPath: '/2/oauth2/token',
    posts: '/2/posts',
    scopes: 'post.read post.write users.read offline.access',
  },
  {
    name: 'with other words and paths, and the issuer in redirects',
    iss: true,
    vocabulary: {
      words: { post: 'memo', posts: 'memos' },
      paths: { '/2/oauth2/token': ['/2/grants/token'] },
    },
    tokenPath: '/2/grants/token',
    posts: '/2/memos',
    scopes: 'memo.read memo.write users.read offline.access',
  },
] as const

/** What an app keeps from the redirect until the callback. */
interface Visit {
  page: URL
  state: string
  verifier: string
}

for (const spoken of SPOKEN)
  describe(`oauth4webapi, unmodified, and Plaza ${spoken.name}`, () => journey(spoken))

function journey({ vocabulary, iss, tokenPath, posts, scopes }: (typeof SPOKEN)[number]) {
  let folder: string
  let plaza: Awaited<ReturnType<typeof startPlaza>>
  let browser: Client
  let agent: Agent
  let server: oauth.AuthorizationServer
  let user: ReturnType<typeof demoUser>
  /** The options of each call, including the authority that signed Plaza's certificate. */
  let calls: { [oauth.customFetch]: (url: string, options: object) => Promise<Response> }

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plaza-client-'))
    const file = join(folder, 'vocabulary.json')
    if (vocabulary) await writeFile(file, JSON.stringify(vocabulary))
    plaza = await startPlaza(
      { ...(vocabulary && { vocabulary: file }), oauth2Iss: iss },
      { clock: systemClock },
    )
    browser = new Client(plaza)
    agent = new Agent({ connect: { ca: plaza.caPem as string } })
    calls = {
      [oauth.customFetch]: (url, options) =>
        fetchWith(url, { ...options, dispatcher: agent }) as unknown as Promise<Response>,
    }
    user = demoUser(plaza, 'demo')
    const issuer = new URL(plaza.urls.core)
    server = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...calls }),
    )
  })
  after(async () => {
    await agent.close()
    await browser.close()
    await plaza.close()
    await rm(folder, { recursive: true, force: true })
  })

  const newApp = (more: Partial<NewApp> = {}) =>
    plaza.context.store.write((tx) =>
      createApp(
        tx,
        {
          name: 'Paper Plane',
          website: 'https://app.example.com/',
          ownerUserId: user.id,
          callbacks: [CALLBACK],
          permission: 'read-write',
          kind: 'web',
          signIn: false,
          ...more,
        },
        plaza.context,
      ),
    )

  /** The app as the client knows it, and its authentication. */
  async function clientOf(clientType: 'confidential' | 'public') {
    const app = await newApp({ clientType })
    const proof = app.clientSecret === undefined ? oauth.None() : oauth.ClientSecretBasic(app.clientSecret)
    return { client: { client_id: app.clientId } as oauth.Client, proof }
  }
  type Both = Awaited<ReturnType<typeof clientOf>>

  async function visit({ client }: Both, more: Record<string, string> = {}): Promise<Visit> {
    const verifier = oauth.generateRandomCodeVerifier()
    const state = oauth.generateRandomState()
    const page = new URL(server.authorization_endpoint as string)
    page.search = new URLSearchParams({
      client_id: client.client_id,
      redirect_uri: CALLBACK,
      response_type: 'code',
      scope: scopes,
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...more,
    }).toString()
    return { page, state, verifier }
  }

  const callbackOf = async ({ page }: Visit, decision: 'approve' | 'cancel' = 'approve') => {
    const answer = await new Visitor(browser).answer(page.pathname + page.search, user, decision)
    return new URL(answer.headers.location ?? '')
  }

  async function exchange({ client, proof }: Both, { state, verifier }: Visit, callback: URL) {
    const answer = oauth.validateAuthResponse(server, client, callback, state)
    const reply = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      proof,
      answer,
      CALLBACK,
      verifier,
      calls,
    )
    return oauth.processAuthorizationCodeResponse(server, client, reply)
  }

  async function refresh({ client, proof }: Both, token = '') {
    const reply = await oauth.refreshTokenGrantRequest(server, client, proof, token, calls)
    return oauth.processRefreshTokenResponse(server, client, reply)
  }

  async function revoke({ client, proof }: Both, token = '', type_hint?: string) {
    const additionalParameters = type_hint === undefined ? {} : { token_type_hint: type_hint }
    const options = { ...calls, additionalParameters }
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(server, client, proof, token, options),
    )
  }

  const call = (token: string, method = 'GET', path = '/2/users/me', body: string | null = null) => {
    const headers = new Headers(body === null ? {} : { 'content-type': 'application/json' })
    return oauth.protectedResourceRequest(token, method, new URL(path, server.issuer), headers, body, calls)
  }

  const fails = (promise: Promise<unknown>, status: number, error: string, description: string) =>
    assert.rejects(promise, (thrown) => {
      assert.ok(thrown instanceof oauth.ResponseBodyError, String(thrown))
      assert.deepEqual([thrown.status, thrown.error, thrown.error_description], [status, error, description])
      return true
    })

  test('configures itself with the metadata', () => {
    assert.equal(server.issuer, plaza.urls.core)
    assert.equal(server.token_endpoint, plaza.urls.core + tokenPath)
    assert.deepEqual(server.code_challenge_methods_supported, ['S256', 'plain'])
    assert.equal(server.introspection_endpoint, undefined)
  })

  test(
    iss
      ? 'redirects name the issuer, which it checks'
      : 'redirects suit a client without an issuer, such as next-auth',
    async () => {
      const app = await clientOf('confidential')
      const first = await visit(app)
      const callback = await callbackOf(first)
      assert.equal(callback.searchParams.get('iss'), iss ? plaza.urls.core : null)
      assert.equal(server.authorization_response_iss_parameter_supported, iss ? true : undefined)
      const checked = (issuer: string) =>
        oauth.validateAuthResponse({ issuer }, app.client, callback, first.state)
      assert.ok(checked(plaza.urls.core))
      const stranger = 'https://issuer.example.com'
      if (iss) assert.throws(() => checked(stranger), oauth.OperationProcessingError)
      else assert.ok(checked(stranger))
    },
  )

  for (const clientType of ['confidential', 'public'] as const)
    test(`signs a user in as a ${clientType} client, renews its tokens and revokes them`, async () => {
      const app = await clientOf(clientType)
      const first = await visit(app)
      const tokens = await exchange(app, first, await callbackOf(first))
      assert.deepEqual([tokens.token_type, tokens.expires_in, tokens.scope], ['bearer', 7200, scopes])
      const me = (await (await call(tokens.access_token)).json()) as { data: { id: string } }
      assert.equal(me.data.id, user.id)
      const text = `Signed in as a ${clientType} client`
      const posted = await call(tokens.access_token, 'POST', posts, JSON.stringify({ text }))
      assert.equal(posted.status, 201)

      const next = await refresh(app, tokens.refresh_token)
      assert.notEqual(next.refresh_token, tokens.refresh_token)
      assert.equal(next.scope, scopes)
      await revoke(app, next.access_token, 'access_token')
      await assert.rejects(call(next.access_token), oauth.WWWAuthenticateChallengeError)
      const last = await refresh(app, next.refresh_token)
      await revoke(app, last.refresh_token, 'refresh_token')
      await assert.rejects(call(last.access_token), oauth.WWWAuthenticateChallengeError)
      // Revoking an expired token is not an error.
      await revoke(app, last.refresh_token)
      await revoke(app, 'never issued')
    })

  test('a refresh token that comes again ends the access', async () => {
    const app = await clientOf('public')
    const first = await visit(app)
    const tokens = await exchange(app, first, await callbackOf(first))
    const next = await refresh(app, tokens.refresh_token)
    const why = 'Value passed for the token was invalid.'
    await fails(refresh(app, tokens.refresh_token), 400, 'invalid_request', why)
    await fails(refresh(app, next.refresh_token), 400, 'invalid_request', why)
    await assert.rejects(call(next.access_token), oauth.WWWAuthenticateChallengeError)
  })

  test('tells in its own error classes what was rejected', async () => {
    const app = await clientOf('confidential')
    const first = await visit(app)
    const callback = await callbackOf(first)
    const other = { ...first, verifier: oauth.generateRandomCodeVerifier() }
    const mismatch = 'Value passed for the code verifier did not match the code challenge.'
    await fails(exchange(app, other, callback), 400, 'invalid_request', mismatch)
    const tokens = await exchange(app, first, callback)
    const used = 'Value passed for the authorization code was invalid.'
    await fails(exchange(app, first, callback), 400, 'invalid_request', used)
    await assert.rejects(call(tokens.access_token), oauth.WWWAuthenticateChallengeError)

    const cancelled = await visit(app)
    assert.throws(
      () => oauth.validateAuthResponse(server, app.client, callback, 'another state'),
      oauth.OperationProcessingError,
    )
    await assert.rejects(
      exchange(app, cancelled, await callbackOf(cancelled, 'cancel')),
      (thrown) => thrown instanceof oauth.AuthorizationResponseError && thrown.error === 'access_denied',
    )
    const wide = await visit(app, { scope: 'everything' })
    await assert.rejects(
      exchange(app, wide, await callbackOf(wide)),
      (thrown) => thrown instanceof oauth.AuthorizationResponseError && thrown.error === 'invalid_scope',
    )
  })

  test('is challenged when the client does not prove itself', async () => {
    const { client } = await clientOf('confidential')
    const wrong = { client, proof: oauth.ClientSecretBasic('wrong') }
    const challenge = (thrown: unknown) => {
      assert.ok(thrown instanceof oauth.WWWAuthenticateChallengeError, String(thrown))
      assert.deepEqual(
        [thrown.status, thrown.cause.map(({ scheme, parameters }) => [scheme, parameters.realm])],
        [401, [['basic', 'oauth2']]],
      )
      return true
    }
    await assert.rejects(refresh(wrong, 'any'), challenge)
    await assert.rejects(refresh({ client, proof: oauth.None() }, 'any'), challenge)
    await assert.rejects(revoke(wrong, 'any'), challenge)
  })
}
