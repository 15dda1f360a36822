import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { adHocQuery } from '../../src/app/tables.ts'
import { createApp, type NewApp } from '../../src/identity/apps/apps.ts'
import { lockAccess } from '../../src/identity/apps/queries.ts'
import { setSuspended } from '../../src/identity/apps/suspension.ts'
import { basicHeader } from '../../src/identity/auth/basic.ts'
import { createAccessToken, endAccessToken } from '../../src/identity/tokens/access-tokens.ts'
import { endUserGrants } from '../../src/identity/tokens/user-tokens.ts'
import { readEvents } from '../../src/platform/events/log.ts'
import { isAwaited } from '../support/awaited.ts'
import { Client } from '../support/client.ts'
import { type Opened, type Stage, stages } from '../support/stages.ts'
import { until } from '../support/until.ts'
import {
  asClient,
  bearing,
  CHALLENGE,
  consent,
  exchangeOf,
  pageOf,
  REDIRECT,
  refreshOf,
  type Tokens,
  tokensFor,
  VERIFIER,
} from '../support/user-tokens.ts'
import { demoUser, hiddenFields, textOf, Visitor } from '../support/visitor.ts'

const BAD_CODE = {
  error: 'invalid_request',
  error_description: 'Value passed for the authorization code was invalid.',
}
const BAD_TOKEN = { error: 'invalid_request', error_description: 'Value passed for the token was invalid.' }

for (const stage of stages) describe(`OAuth 2.0 on ${stage.name}`, { skip: stage.skip }, () => journey(stage))

function journey(stage: Stage) {
  let opened: Opened
  let client: Client
  let user: ReturnType<typeof demoUser>
  before(async () => {
    opened = await stage.open({ rateLimits: 'off' })
    client = new Client(opened.plaza)
    user = demoUser(opened.plaza, 'demo')
  })
  after(async () => {
    await client?.close()
    await opened?.close()
  })
  // The tries to sign in of one address are limited for a while.
  beforeEach(() => opened.plaza.clock.advance(16 * 60_000))

  const newApp = (more: Partial<NewApp> = {}) =>
    opened.plaza.context.store.write((tx) =>
      createApp(
        tx,
        {
          name: 'Paper Boat',
          website: 'https://app.example.com/',
          ownerUserId: user.id,
          callbacks: [REDIRECT],
          permission: 'read-write',
          kind: 'web',
          signIn: false,
          ...more,
        },
        opened.plaza.context,
      ),
    )

  const me = async (token: string) => (await client.send('GET', '/2/users/me', bearing(token))).status

  const eventsOf = async (appId: string) => {
    const events = await readEvents(opened.plaza.context.store, { after: 0, limit: 10_000 })
    return events
      .filter(({ data }) => data.app_id === appId)
      .map(({ kind, data }) => (data.oauth === undefined ? kind : `${kind} ${data.oauth}`))
  }

  test('a user allows scopes; the app acts within them, and renews its tokens', async () => {
    const app = await newApp()
    const visitor = new Visitor(client)
    const answer = await consent(client, pageOf(app), user, visitor)
    assert.deepEqual([...answer.keys()], ['state', 'code'])
    assert.equal(answer.get('state'), 'a state')

    const page = await visitor.get(pageOf(app))
    assert.match(textOf(page), /See the posts that you can see, also those of protected accounts/)
    assert.match(textOf(page), /Keep this access until you end it/)
    assert.match(textOf(page), /will not be able to Publish, repost and delete posts for you/)

    const reply = await asClient(client, app, exchangeOf(answer.get('code') ?? ''))
    assert.equal(reply.status, 200, reply.text)
    const { access_token, refresh_token, ...rest } = reply.json as Tokens
    assert.deepEqual(rest, {
      token_type: 'bearer',
      expires_in: 7200,
      scope: 'post.read users.read offline.access',
    })
    const own = await client.send('GET', '/2/users/me', bearing(access_token))
    assert.deepEqual(own.json, { data: { id: user.id, name: user.name, username: 'demo' } })
    const posted = await client.send('POST', '/2/posts', { ...bearing(access_token), json: { text: 'no' } })
    assert.deepEqual(
      [posted.status, posted.json],
      [403, { title: 'Forbidden', type: 'about:blank', status: 403, detail: 'Forbidden' }],
    )
    const { core } = opened.plaza.urls
    assert.equal(
      posted.headers['www-authenticate'],
      `Bearer realm="${core}", error="insufficient_scope", scope="post.read post.write users.read"`,
    )

    opened.plaza.clock.advance(7200_000)
    const expired = await client.send('GET', '/2/users/me', bearing(access_token))
    assert.equal(expired.status, 401)
    assert.equal(
      expired.headers['www-authenticate'],
      `OAuth realm="${core}", Bearer realm="${core}", error="invalid_token"`,
    )
    const renewed = await asClient(client, app, refreshOf(refresh_token))
    assert.equal(renewed.status, 200, renewed.text)
    const next = renewed.json as Tokens
    assert.notEqual(next.refresh_token, refresh_token)
    assert.equal(await me(next.access_token), 200)
    assert.deepEqual(await eventsOf(app.id), ['access.granted 2.0'])
  })

  test('a refresh token that comes again ends all tokens of its grant, and no other', async () => {
    const app = await newApp()
    const other = await tokensFor(client, app, user)
    const first = await tokensFor(client, app, user)
    const second = (await asClient(client, app, refreshOf(first.refresh_token))).json as Tokens
    assert.deepEqual([await me(first.access_token), await me(second.access_token)], [200, 200])
    const again = await asClient(client, app, refreshOf(first.refresh_token))
    assert.deepEqual([again.status, again.json], [400, BAD_TOKEN])
    assert.deepEqual([await me(first.access_token), await me(second.access_token)], [401, 401])
    assert.deepEqual((await asClient(client, app, refreshOf(second.refresh_token))).json, BAD_TOKEN)
    assert.equal(await me(other.access_token), 200)
    assert.deepEqual(await eventsOf(app.id), [
      'access.granted 2.0',
      'access.granted 2.0',
      'access.revoked 2.0',
    ])
  })

  test('two writers with one refresh token: one is served at most, and then nothing is left', async () => {
    const app = await newApp()
    const { refresh_token } = await tokensFor(client, app, user)
    const both = await Promise.all([1, 2].map(() => asClient(client, app, refreshOf(refresh_token))))
    const served = both.flatMap(({ status, json }) => (status === 200 ? [json as Tokens] : []))
    assert.equal(served.length, 1)
    assert.equal(await me(served[0]?.access_token ?? ''), 401)
    assert.deepEqual(await eventsOf(app.id), ['access.granted 2.0', 'access.revoked 2.0', 'app.revoked'])
  })

  // On SQLite, one transaction writes at a time.
  if (stage.shared)
    test('a refresh takes its turn with what ends the access', async () => {
      const app = await newApp()
      const { access_token, refresh_token } = await tokensFor(client, app, user)
      const access = { userId: user.id, appId: app.id }
      let refreshed: ReturnType<typeof asClient> | undefined
      await opened.plaza.context.store.write(async (tx) => {
        await tx.run(lockAccess, access)
        let isOver = false
        refreshed = asClient(client, app, refreshOf(refresh_token)).finally(() => {
          isOver = true
        })
        await until(
          'the refresh waits or is over',
          async () => isOver || isAwaited(opened.plaza, 'app_access'),
        )
        await endUserGrants(tx, access)
      })
      assert.deepEqual((await refreshed)?.json, BAD_TOKEN)
      assert.equal(await me(access_token), 401)
    })

  test('a code is exchanged once: what it gave ends when it comes again', async () => {
    const app = await newApp()
    const code = (await consent(client, pageOf(app), user)).get('code') ?? ''
    const { access_token } = (await asClient(client, app, exchangeOf(code))).json as Tokens
    assert.equal(await me(access_token), 200)
    const again = await asClient(client, app, exchangeOf(code))
    assert.deepEqual([again.status, again.json], [400, BAD_CODE])
    assert.equal(await me(access_token), 401)

    const next = (await consent(client, pageOf(app), user)).get('code') ?? ''
    const both = await Promise.all([1, 2].map(() => asClient(client, app, exchangeOf(next))))
    for (const { status, json } of both)
      if (status === 200) assert.equal(await me((json as Tokens).access_token), 401)
    assert.equal(both.filter(({ status }) => status === 200).length, 1)
  })

  test('a code fits its client, redirect and verifier only, for 30 seconds', async () => {
    const app = await newApp({ callbacks: [REDIRECT, 'https://app.example.com/other'] })
    const thief = await newApp()
    const code = (await consent(client, pageOf(app), user)).get('code') ?? ''
    const tries = [
      [thief, {}, BAD_CODE],
      [app, { code: `${code.slice(0, -1)}_` }, BAD_CODE],
      [
        app,
        { redirect_uri: 'https://app.example.com/other' },
        {
          error: 'invalid_request',
          error_description:
            'Value passed for the redirect uri did not match the uri of the authorization code.',
        },
      ],
      ...['x'.repeat(43), CHALLENGE].map(
        (code_verifier) =>
          [
            app,
            { code_verifier },
            {
              error: 'invalid_request',
              error_description: 'Value passed for the code verifier did not match the code challenge.',
            },
          ] as const,
      ),
      [app, { code_verifier: '' }, missing('code_verifier')],
      [app, { redirect_uri: '' }, missing('redirect_uri')],
      [app, { code: '' }, missing('code')],
      [app, { grant_type: '' }, missing('grant_type')],
      [
        app,
        { grant_type: 'password' },
        {
          error: 'unsupported_grant_type',
          error_description:
            'Value passed for the grant type was neither authorization_code nor refresh_token.',
        },
      ],
    ] as const
    for (const [who, more, expected] of tries) {
      const reply = await asClient(client, who, exchangeOf(code, more as Record<string, string>))
      assert.deepEqual([reply.status, reply.json], [400, expected])
    }
    // None of that used the code up.
    assert.equal((await asClient(client, app, exchangeOf(code))).status, 200)

    const late = (await consent(client, pageOf(app), user)).get('code') ?? ''
    opened.plaza.clock.advance(30_000)
    assert.deepEqual((await asClient(client, app, exchangeOf(late))).json, BAD_CODE)
  })

  test('clients prove what they are', async () => {
    const app = await newApp()
    const open = await newApp({ clientType: 'public' })
    const form = refreshOf('unknown')
    const basic = (id = '', secret = '') => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
    const unauthorized = {
      error: 'unauthorized_client',
      error_description: 'Missing valid authorization header',
    }
    const unknown = {
      error: 'invalid_client',
      error_description: 'Value passed for the client id or secret was invalid.',
    }
    for (const [headers, more, status, expected] of [
      [{}, {}, 400, missing('client_id')],
      [{}, { client_id: app.clientId ?? '' }, 401, unauthorized],
      [{ authorization: 'Bearer x' }, {}, 401, unauthorized],
      [{ authorization: basic(app.clientId, 'wrong') }, {}, 401, unknown],
      [{ authorization: basic('nobody', 'wrong') }, {}, 401, unknown],
      [{ authorization: basic(`${app.clientId}\0`, app.clientSecret) }, {}, 401, unauthorized],
      [{ authorization: basic(`${app.clientId}%00`, app.clientSecret) }, {}, 401, unauthorized],
      [{ authorization: basic(open.clientId, 'any') }, {}, 401, unknown],
      [{}, { client_id: 'nobody' }, 401, unknown],
      [{}, { client_id: app.consumerKey }, 401, unknown],
      [
        { authorization: basic(app.clientId, app.clientSecret) },
        { client_id: open.clientId ?? '' },
        400,
        {
          error: 'invalid_request',
          error_description: 'Value passed for the client id did not match the authorization header.',
        },
      ],
      [{}, { client_id: open.clientId ?? '' }, 400, BAD_TOKEN],
    ] as const) {
      const reply = await client.send('POST', '/2/oauth2/token', { headers, form: { ...form, ...more } })
      assert.deepEqual([reply.status, reply.json], [status, expected])
      assert.equal(reply.headers['www-authenticate'], status === 401 ? 'Basic realm="oauth2"' : undefined)
    }
    // Addresses are logged, so the query counts only for clients that send no body at all.
    const token = `/2/oauth2/token?${new URLSearchParams(form)}`
    const beside = await client.send('POST', token, { form: { client_id: open.clientId ?? '' } })
    assert.deepEqual(beside.json, missing('grant_type'))
    const inQuery = await client.send('POST', `${token}&client_id=${open.clientId}`, { form: {} })
    assert.deepEqual([inQuery.status, inQuery.json], [400, BAD_TOKEN])
    const { access_token } = await tokensFor(client, open, user)
    assert.equal(await me(access_token), 200)
  })

  test('the token endpoint follows RFC 6749 for caches, content types and public clients', async () => {
    const open = await newApp({ clientType: 'public' })
    const { refresh_token } = await tokensFor(client, open, user)
    const headers = { authorization: basicHeader(open.clientId ?? '', '') }
    const renewed = await client.send('POST', '/2/oauth2/token', { headers, form: refreshOf(refresh_token) })
    assert.equal(renewed.status, 200, renewed.text)
    assert.deepEqual(
      [renewed.headers['cache-control'], renewed.headers.pragma],
      ['no-cache, no-store, max-age=0', 'no-cache'],
    )
    for (const path of ['/2/oauth2/token', '/2/oauth2/revoke']) {
      const body = Buffer.from('grant_type=refresh_token')
      const plain = await client.send('POST', path, { body, headers: { 'content-type': 'text/plain' } })
      assert.deepEqual(
        [plain.status, plain.headers.pragma, plain.json],
        [
          400,
          'no-cache',
          {
            error: 'invalid_request',
            error_description: 'The content type of the body is not supported.',
          },
        ],
      )
    }
    const { consumerKey, consumerSecret } = await newApp()
    const bearer = await client.send('POST', '/oauth2/token', {
      headers: { authorization: basicHeader(consumerKey, consumerSecret) },
      form: { grant_type: 'client_credentials' },
    })
    assert.deepEqual([bearer.status, bearer.headers.pragma], [200, 'no-cache'])
  })

  test('tokens are revoked one by one, or with their grant', async () => {
    const app = await newApp()
    const other = await newApp()
    const first = await tokensFor(client, app, user)
    const revoke = (token: string, who = app) => asClient(client, who, { token }, '/2/oauth2/revoke')
    assert.deepEqual((await revoke(first.access_token, other)).json, BAD_TOKEN)
    assert.equal(await me(first.access_token), 200)
    assert.deepEqual((await revoke(first.access_token)).json, { revoked: true })
    assert.equal(await me(first.access_token), 401)
    const second = (await asClient(client, app, refreshOf(first.refresh_token))).json as Tokens
    assert.deepEqual((await revoke(second.refresh_token)).json, { revoked: true })
    assert.equal(await me(second.access_token), 401)
    assert.deepEqual((await revoke(second.refresh_token)).json, { revoked: true })
    assert.deepEqual((await revoke('')).json, missing('token'))
    assert.deepEqual(await eventsOf(app.id), ['access.granted 2.0', 'access.revoked 2.0', 'app.revoked'])

    const short = await tokensFor(client, app, user, { scope: 'users.read post.read' })
    assert.equal(short.refresh_token, undefined)
    await revoke(short.access_token)
    assert.equal((await eventsOf(app.id)).at(-1), 'app.revoked')
  })

  test('the browser is sent only to what the app registered', async () => {
    const app = await newApp()
    for (const redirect_uri of [
      `${REDIRECT}/`,
      `${REDIRECT}2`,
      `${REDIRECT}?next=https://evil.example`,
      `${REDIRECT}#fragment`,
      'https://app.example.com:443/callback',
      'https://app.example.com:8443/callback',
      'https://APP.example.com/callback',
      'https://app.example.com/Callback',
      'https://app.example.com/x/../callback',
      'https://app.example.com/%63allback',
      'https://app.example.com@evil.example/callback',
      'https://user@app.example.com/callback',
      'https://app.example.com.evil.example/callback',
      'http://app.example.com/callback',
      '//app.example.com/callback',
      `${REDIRECT}\r\nset-cookie: a=b`,
      ' ',
    ]) {
      const reply = await new Visitor(client).get(pageOf(app, { redirect_uri }))
      assert.deepEqual([reply.status, reply.headers.location], [403, undefined], redirect_uri)
      assert.match(textOf(reply), /You were not sent there\./)
    }
    for (const client_id of ['nobody', app.consumerKey]) {
      const reply = await new Visitor(client).get(pageOf(app, { client_id }))
      assert.deepEqual([reply.status, reply.headers.location], [401, undefined])
    }
    const twice = await new Visitor(client).get(`${pageOf(app)}&redirect_uri=https://evil.example`)
    assert.deepEqual([twice.status, twice.headers.location], [400, undefined])
  })

  test('an app is called back with what is wrong with its request', async () => {
    const app = await newApp()
    const challenge = 'Value passed for code_challenge must be 43 to 128 unreserved characters.'
    for (const [more, error, description] of [
      [{ response_type: undefined }, 'invalid_request', 'Missing required parameter [response_type].'],
      [
        { response_type: 'token' },
        'unsupported_response_type',
        'Value passed for response_type must be code.',
      ],
      [{ state: undefined }, 'invalid_request', 'Missing required parameter [state].'],
      [
        { state: 's'.repeat(501) },
        'invalid_request',
        'Value passed for state is longer than 500 characters.',
      ],
      [{ code_challenge: undefined }, 'invalid_request', 'Missing required parameter [code_challenge].'],
      [{ code_challenge: 'short' }, 'invalid_request', challenge],
      [{ code_challenge: `${'c'.repeat(43)}+` }, 'invalid_request', challenge],
      [
        { code_challenge_method: 'none' },
        'invalid_request',
        'Value passed for code_challenge_method must be one of [S256, plain].',
      ],
      [{ scope: undefined }, 'invalid_request', 'Missing required parameter [scope].'],
      [{ scope: 'post.read admin"' }, 'invalid_scope', 'Value passed for scope is unknown: [admin?].'],
    ] as const) {
      const reply = await new Visitor(client).get(pageOf(app, more))
      assert.equal(reply.status, 302, reply.text)
      const { origin, pathname, searchParams } = new URL(reply.headers.location ?? '')
      assert.equal(origin + pathname, REDIRECT)
      const state = 'state' in more ? null : 'a state'
      assert.deepEqual(
        ['error', 'error_description', 'state', 'iss'].map((name) => searchParams.get(name)),
        [error, description, state, null],
      )
    }
    const cancelled = await new Visitor(client).answer(pageOf(app), user, 'cancel')
    const answer = new URL(cancelled.headers.location ?? '').searchParams
    assert.deepEqual(
      [...answer],
      [
        ['state', 'a state'],
        ['error', 'access_denied'],
      ],
    )
  })

  test('a verifier equal to its challenge works with the method `plain`', async () => {
    const app = await newApp()
    const plain = { code_challenge: VERIFIER, code_challenge_method: 'plain' }
    assert.equal((await tokensFor(client, app, user, plain)).token_type, 'bearer')
  })

  test('a native app is called back on any port, or by its own scheme', async () => {
    const app = await newApp({
      clientType: 'native',
      callbacks: ['http://127.0.0.1/callback', 'com.example.boat://'],
    })
    const ask = (redirect_uri: string) =>
      new Visitor(client).answer(pageOf(app, { redirect_uri }), user, 'approve')
    const local = await ask('http://127.0.0.1:49152/callback')
    assert.match(
      local.headers.location ?? '',
      /^http:\/\/127\.0\.0\.1:49152\/callback\?state=a%20state&code=/,
    )
    const own = await ask('com.example.boat://back')
    assert.match(own.headers.location ?? '', /^com\.example\.boat:\/\/back\?state=/)
    for (const other of [
      'http://127.0.0.1:1/other',
      'http://localhost:1/callback',
      'http://127.0.0.2:1/callback',
    ])
      assert.equal((await new Visitor(client).get(pageOf(app, { redirect_uri: other }))).status, 403)
    const strict = await newApp({ clientType: 'public', callbacks: ['http://127.0.0.1/callback'] })
    const page = pageOf(strict, { redirect_uri: 'http://127.0.0.1:49152/callback' })
    assert.equal((await new Visitor(client).get(page)).status, 403)
  })

  test('forms count in the browser that they were shown to, as they were shown', async () => {
    const app = await newApp()
    const visitor = new Visitor(client)
    await visitor.answer(pageOf(app), user, 'cancel')
    const page = await visitor.get(pageOf(app))
    const fields = hiddenFields(page.text)
    const request = fields.request ?? ''
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    for (const [form, headers] of [
      [{ request: request.replace('users.read', 'dm.read') }, { cookie }],
      [{ form_token: 'guessed' }, { cookie }],
      [{}, {}],
      [{}, { cookie, origin: 'https://evil.example' }],
      [{}, { cookie, 'sec-fetch-site': 'cross-site' }],
    ] as const) {
      const sent = { request, form_token: fields.form_token ?? '', decision: 'approve', ...form }
      const reply = await client.send('POST', '/2/oauth2/authorize', {
        form: sent,
        headers: headers as Record<string, string>,
      })
      assert.deepEqual([reply.status, reply.headers.location], [403, undefined])
    }
  })

  test('a suspension rejects the tokens at once, until it ends', async () => {
    const app = await newApp()
    const { store } = opened.plaza.context
    const tokens = await tokensFor(client, app, user)
    const suspend = (kind: 'user' | 'app', suspended: boolean) =>
      store.write((tx) => setSuspended(tx, { kind, id: kind === 'app' ? app.id : user.id, suspended }))
    await suspend('app', true)
    assert.equal(await me(tokens.access_token), 401)
    assert.deepEqual((await asClient(client, app, refreshOf(tokens.refresh_token))).json, {
      error: 'invalid_client',
      error_description: 'Invalid / suspended application',
    })
    await suspend('app', false)
    await suspend('user', true)
    assert.equal(await me(tokens.access_token), 403)
    assert.deepEqual((await asClient(client, app, refreshOf(tokens.refresh_token))).json, BAD_TOKEN)
    await suspend('user', false)
    assert.equal(await me(tokens.access_token), 200)
    assert.equal((await asClient(client, app, refreshOf(tokens.refresh_token))).status, 200)
  })

  test('the end of the last access is reported once, however many end together', async () => {
    const app = await newApp()
    const { context } = opened.plaza
    const at = { appId: app.id, userId: user.id }
    for (let round = 0; round < 3; round++) {
      await context.store.write((tx) => createAccessToken(tx, { ...at, access: 'read' }, context))
      const { refresh_token } = await tokensFor(client, app, user)
      await Promise.all([
        context.store.write((tx) => endAccessToken(tx, at)),
        asClient(client, app, { token: refresh_token }, '/2/oauth2/revoke'),
        asClient(client, app, { token: refresh_token }, '/2/oauth2/revoke'),
      ])
      const told = await eventsOf(app.id)
      assert.equal(told.filter((kind) => kind === 'app.revoked').length, round + 1)
      assert.equal(told.at(-1), 'app.revoked')
      assert.equal(told.filter((kind) => kind.startsWith('access.revoked')).length, 2 * (round + 1))
    }
  })

  test('users see the app among those with access, and end it', async () => {
    const app = await newApp({ name: 'Paper Crane' })
    const tokens = await tokensFor(client, app, user)
    const underWay = (await consent(client, pageOf(app), user)).get('code') ?? ''
    const visitor = new Visitor(client)
    await visitor.answer(pageOf(app), user, 'cancel')
    const page = await visitor.get('/oauth/apps')
    assert.match(textOf(page), /Paper Crane .* Keep this access until you end it/)
    const { form_token = '' } = hiddenFields(page.text)
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const form = { form_token, decision: 'revoke', app_id: app.id }
    const done = await client.send('POST', '/oauth/apps', { form, headers: { cookie } })
    assert.doesNotMatch(textOf(done), /Paper Crane/)
    assert.equal(await me(tokens.access_token), 401)
    assert.deepEqual((await asClient(client, app, refreshOf(tokens.refresh_token))).json, BAD_TOKEN)
    assert.deepEqual((await asClient(client, app, exchangeOf(underWay))).json, BAD_CODE)
  })

  test('expired rows are removed', async () => {
    const app = await newApp()
    const { context, tasks, clock } = opened.plaza
    const kept = await tokensFor(client, app, user)
    await tokensFor(client, app, user, { scope: 'post.read' })
    clock.advance(7200_000)
    await tasks.runDue('remove expired sign-ins')
    const rows = await context.store.all(allGrants, { appId: app.id })
    assert.deepEqual(
      rows.map(({ scopes }) => scopes),
      ['post.read users.read offline.access'],
    )
    assert.equal((await asClient(client, app, refreshOf(kept.refresh_token))).status, 200)
  })
}

const allGrants = adHocQuery<{ appId: string }, { scopes: string }>('grantsOfApp', (db, at) =>
  db.selectFrom('oauth2_grants').select('scopes').where('app_id', '=', at.appId),
)

const missing = (name: string) => ({
  error: 'invalid_request',
  error_description: `Missing required parameter [${name}].`,
})
