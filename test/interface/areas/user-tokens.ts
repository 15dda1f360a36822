import assert from 'node:assert/strict'
import { Browser } from '../support/browser.ts'
import type { Area, Exchange } from '../support/exchange.ts'
import { png } from '../support/files.ts'
import { id64, keep, like, number } from '../support/match.ts'
import { forbidden, unauthorized, unsupportedAuthentication } from '../support/problems.ts'
import type { World } from '../support/world.ts'

const PAGE = 'text/html; charset=utf-8'
const JSON_TYPE = 'application/json; charset=utf-8'
const VISITOR = { screen_name: 'visitor', password: 'interface-suite-visitor' }
const REDIRECT = 'https://app.example.com/callback'
/** The example of RFC 7636, appendix B. */
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

const ASKED = {
  response_type: 'code',
  client_id: '{client_id}',
  redirect_uri: REDIRECT,
  scope: 'users.read post.read media.write offline.access',
  state: 'some state',
  code_challenge: CHALLENGE,
  code_challenge_method: 'S256',
}

const authorize = (row: Omit<Exchange, 'send' | 'type'>): Exchange => ({
  send: 'GET {base_url}/2/oauth2/authorize',
  as: 'client secret',
  query: ASKED,
  type: PAGE,
  ...row,
})

const token = (row: Omit<Exchange, 'send'>): Exchange => ({
  send: 'POST {base_url}/2/oauth2/token',
  as: 'client secret',
  type: JSON_TYPE,
  ...row,
})

const revoke = (row: Omit<Exchange, 'send'>): Exchange => ({
  send: 'POST {base_url}/2/oauth2/revoke',
  as: 'client secret',
  type: JSON_TYPE,
  ...row,
})

const exchanged = {
  grant_type: 'authorization_code',
  code: '{code}',
  redirect_uri: REDIRECT,
  code_verifier: VERIFIER,
}

const error = (name: string, error_description: string) => ({ error: name, error_description })
const invalid = (what: string) => error('invalid_request', `Value passed for the ${what}`)
const missing = (name: string) => error('invalid_request', `Missing required parameter [${name}].`)

const tokens = (names: { access: string; refresh: string }) => ({
  token_type: 'bearer',
  expires_in: 7200,
  access_token: keep(names.access, like(/^\w+$/)),
  scope: 'users.read post.read media.write offline.access',
  refresh_token: keep(names.refresh, like(/^\w+$/)),
})

/** The query of the page, with what the suite knows. */
const pageFor = ({ variables }: World) =>
  `{base_url}/2/oauth2/authorize?${new URLSearchParams({ ...ASKED, client_id: String(variables.client_id) })}`

/** Source: core reference, 01 section 5.1. */
const pages: Area['rows'] = [
  authorize({ it: 'a page signs the user in', status: 200, reply: like(/name="password"/), limit: 180 }),
  authorize({
    it: 'the web path is the same page',
    send: 'GET {base_url}/i/oauth2/authorize',
    status: 200,
    reply: like(/name="password"/),
  } as Exchange),
  authorize({
    it: 'no client id',
    query: { redirect_uri: REDIRECT },
    status: 400,
    reply: like(/client_id is missing or wrong/),
  }),
  authorize({
    it: 'an unknown client is an error to the user',
    query: { ...ASKED, client_id: 'nobody' },
    status: 401,
    reply: like(/<h1>This app is not known<\/h1>/),
    has: { location: null },
  }),
  authorize({
    it: 'so is a redirect that is not registered',
    query: { ...ASKED, redirect_uri: `${REDIRECT}/` },
    status: 403,
    reply: like(/You were not sent there\./),
    has: { location: null },
  }),
  authorize({
    it: 'an unknown scope is an error to the app',
    query: { ...ASKED, scope: 'admin' },
    status: 302,
    reply: '',
    has: {
      location: like(
        /^https:\/\/app\.example\.com\/callback\?state=some%20state&error=invalid_scope&error_description=/,
      ),
    },
  }),
  authorize({
    it: 'and so is a request without a challenge',
    query: { ...ASKED, code_challenge: '' },
    status: 302,
    reply: '',
    has: {
      location: like(
        /error=invalid_request&error_description=Missing%20required%20parameter%20%5Bcode_challenge%5D/,
      ),
    },
  }),
  {
    it: 'the user sees the scopes as sentences; cancelling leads back with access_denied',
    needs: 'pending',
    async run(world) {
      const browser = new Browser(world)
      world.variables.scope_browser = browser
      const page = await browser.signIn(pageFor(world), VISITOR)
      assert.match(page.text, /See the posts that you can see/)
      const { status, headers } = await browser.press(page, 'cancel')
      assert.equal(status, 302)
      assert.match(headers.location ?? '', /\/callback\?state=some%20state&error=access_denied$/)
    },
  },
  approval('code'),
]

function approval(name: string): Area['rows'][number] {
  return {
    it: 'allowing leads back with a code',
    needs: 'pending',
    async run(world) {
      const browser = world.variables.scope_browser as Browser
      const { headers } = await browser.press(await browser.get(pageFor(world)), 'approve')
      const { searchParams } = new URL(headers.location ?? '')
      assert.deepEqual([...searchParams.keys()], ['state', 'code'])
      world.variables[name] = searchParams.get('code')
    },
  }
}

/** Source: core reference, 01 sections 5.2 to 5.4. */
const exchanges: Area['rows'] = [
  token({ it: 'no grant type', form: {}, status: 400, reply: missing('grant_type') }),
  token({
    it: 'without a body, the parameters may stand in the query',
    query: {
      grant_type: 'authorization_code',
      code: 'nothing',
      redirect_uri: REDIRECT,
      code_verifier: VERIFIER,
    },
    status: 400,
    reply: invalid('authorization code was invalid.'),
  }),
  token({
    it: 'beside a body, the query is ignored',
    query: { grant_type: 'refresh_token', refresh_token: 'nothing' },
    form: { refresh_token: 'nothing' },
    status: 400,
    reply: missing('grant_type'),
  }),
  token({
    it: 'no client',
    as: 'anonymous',
    form: exchanged,
    status: 400,
    reply: missing('client_id'),
  }),
  token({
    it: 'another grant type',
    form: { grant_type: 'password' },
    status: 400,
    reply: error(
      'unsupported_grant_type',
      'Value passed for the grant type was neither authorization_code nor refresh_token.',
    ),
  }),
  token({
    it: 'a confidential client sends its secret',
    as: 'anonymous',
    form: { ...exchanged, client_id: '{client_id}' },
    status: 401,
    reply: error('unauthorized_client', 'Missing valid authorization header'),
    has: { 'www-authenticate': 'Basic realm="oauth2"' },
  }),
  token({
    it: 'an unknown client',
    as: 'anonymous',
    form: { ...exchanged, client_id: 'nobody' },
    status: 401,
    reply: error('invalid_client', 'Value passed for the client id or secret was invalid.'),
  }),
  token({
    it: 'another client id beside the header',
    form: { ...exchanged, client_id: 'nobody' },
    status: 400,
    reply: invalid('client id did not match the authorization header.'),
  }),
  token({
    it: 'no verifier',
    form: { grant_type: 'authorization_code', code: '{code}', redirect_uri: REDIRECT },
    status: 400,
    reply: missing('code_verifier'),
  }),
  token({
    it: 'an unknown code',
    form: { ...exchanged, code: 'nothing' },
    status: 400,
    reply: invalid('authorization code was invalid.'),
  }),
  token({
    it: 'another redirect',
    form: { ...exchanged, redirect_uri: 'http://127.0.0.1:3000/callback' },
    status: 400,
    reply: invalid('redirect uri did not match the uri of the authorization code.'),
  }),
  token({
    it: 'another verifier',
    form: { ...exchanged, code_verifier: CHALLENGE },
    status: 400,
    reply: invalid('code verifier did not match the code challenge.'),
  }),
  token({
    it: 'a code becomes tokens',
    form: exchanged,
    status: 200,
    reply: tokens({ access: 'user_token', refresh: 'refresh_token' }),
    limit: 1500,
  }),
  {
    it: 'which belong to the user',
    send: 'GET {base_url}/2/users/me',
    as: 'user token',
    status: 200,
    reply: { data: { id: '{visitor}', name: 'A visitor', username: 'visitor' } },
    limit: 75,
    has: { 'x-access-level': null },
  },
  {
    it: 'a scope that was not granted',
    send: 'POST {base_url}/2/posts',
    as: 'user token',
    json: { text: 'Not allowed' },
    status: 403,
    reply: forbidden('Forbidden'),
    has: {
      'www-authenticate': like(
        /^Bearer realm="[^"]+", error="insufficient_scope", scope="[^"]*post\.write[^"]*"$/,
      ),
    },
  },
  {
    it: 'media.write uploads, at the older path too',
    send: 'POST {base_url}/1.1/media/upload.json',
    as: 'user token',
    form: { media_data: png(4, 4).toString('base64') },
    status: 200,
    reply: {
      media_id: number,
      media_id_string: keep('token_medium', id64),
      media_key: like(/^3_[0-9]+$/),
      size: number,
      expires_after_secs: number,
      image: { image_type: 'image/png', w: 4, h: 4 },
    },
  },
  {
    it: 'and describes what it uploaded',
    send: 'POST {base_url}/1.1/media/metadata/create.json',
    as: 'user token',
    json: { media_id: '{token_medium}', alt_text: { text: 'A square' } },
    status: 204,
  },
  {
    it: 'an endpoint without scopes takes no such token',
    send: 'GET {base_url}/2/posts/counts/all',
    as: 'user token',
    query: { query: 'cat' },
    status: 403,
    reply: unsupportedAuthentication('OAuth 2.0 User Context', 'OAuth 2.0 Application-Only'),
  },
  token({
    it: 'a refresh token becomes the next tokens',
    form: { grant_type: 'refresh_token', refresh_token: '{refresh_token}' },
    status: 200,
    reply: tokens({ access: 'next_token', refresh: 'next_refresh' }),
  }),
  token({
    it: 'and works once: all tokens end when it comes again',
    form: { grant_type: 'refresh_token', refresh_token: '{refresh_token}' },
    status: 400,
    reply: invalid('token was invalid.'),
  }),
  {
    it: 'then the access token is rejected',
    send: 'GET {base_url}/2/users/me',
    as: 'user token',
    status: 401,
    reply: { ...unauthorized, errors: [{ code: 89, message: 'Invalid or expired token.' }] },
  },
  revoke({
    it: 'a token that ended is revoked without an error',
    form: { token: '{next_token}' },
    status: 200,
    reply: { revoked: true },
    limit: 1500,
  }),
  revoke({ it: 'no token', form: {}, status: 400, reply: missing('token') }),
  revoke({
    it: 'without a body, the token may stand in the query',
    query: { token: '{next_token}' },
    status: 200,
    reply: { revoked: true },
  }),
  approval('code'),
  token({
    it: 'a user may allow again',
    form: exchanged,
    status: 200,
    reply: tokens({ access: 'user_token', refresh: 'refresh_token' }),
  }),
  token({
    it: 'a code works once',
    form: exchanged,
    status: 400,
    reply: invalid('authorization code was invalid.'),
  }),
  {
    it: 'when it comes again, what it gave ends',
    send: 'GET {base_url}/2/users/me',
    as: 'user token',
    status: 401,
    reply: { ...unauthorized, errors: [{ code: 89, message: 'Invalid or expired token.' }] },
  },
]

const metadata: Exchange = {
  it: 'client libraries configure themselves (RFC 8414)',
  send: 'GET {base_url}/.well-known/oauth-authorization-server',
  as: 'anonymous',
  status: 200,
  reply: {
    issuer: '{base_url}',
    authorization_endpoint: '{base_url}/2/oauth2/authorize',
    token_endpoint: '{base_url}/2/oauth2/token',
    revocation_endpoint: '{base_url}/2/oauth2/revoke',
    scopes_supported: (
      'post.read post.write post.moderate.write users.read users.email follow.read follow.write offline.access ' +
      'space.read mute.read mute.write like.read like.write list.read list.write block.read block.write ' +
      'bookmark.read bookmark.write dm.read dm.write media.write timeline.read broadcast.read broadcast.write ' +
      'follows.read follows.write'
    ).split(' '),
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'none'],
    revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'none'],
    code_challenge_methods_supported: ['S256', 'plain'],
  },
  limit: 180,
}

/** Source: core reference, 01 section 5. */
export const userTokens: Area = {
  name: 'OAuth 2.0 user tokens',
  base: '',
  as: 'client secret',
  rows: [metadata, ...pages, ...exchanges],
}
