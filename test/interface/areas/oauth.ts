import assert from 'node:assert/strict'
import { Browser } from '../support/browser.ts'
import type { Area, Exchange } from '../support/exchange.ts'
import {
  badAuthentication,
  expiredToken,
  legacy,
  noAccess,
  notAuthenticated,
  notVerified,
} from '../support/legacy.ts'
import { capture, classicTime, id64, keep, like, number } from '../support/match.ts'

const FORM = 'application/x-www-form-urlencoded; charset=utf-8'
const TEXT = 'text/plain; charset=utf-8'
const PAGE = 'text/html; charset=utf-8'
const VISITOR = { screen_name: 'visitor', password: 'interface-suite-visitor' }
const CALLBACK = 'https://app.example.com/callback'
/** The picture of a user without one. */
const picture = like(/^https?:\/\/[^/]+\/media\/[0-9a-f]{64}\.png$/)

const requestToken = (row: Omit<Exchange, 'send'>): Exchange => ({
  send: 'POST {base_url}/oauth/request_token',
  as: 'client',
  ...row,
})

const newRequestToken = (it: string, callback = CALLBACK): Exchange =>
  requestToken({
    it,
    form: { oauth_callback: callback },
    status: 200,
    reply: capture(
      /^oauth_token=(?<request_token>\w{32})&oauth_token_secret=(?<request_secret>\w{40,})&oauth_callback_confirmed=true$/,
    ),
    type: FORM,
    limit: 180,
  })

const exchange = (row: Omit<Exchange, 'send'>): Exchange => ({
  send: 'POST {base_url}/oauth/access_token',
  as: 'pending',
  ...row,
})

/** Source: interface, "OAuth endpoints"; core reference, 01 section 3. */
const requestTokens: readonly (Exchange | Area['rows'][number])[] = [
  newRequestToken('an app asks for a request token'),
  newRequestToken('oob asks for a pin', 'oob'),
  newRequestToken('the callback may have a query of its own', `${CALLBACK}?state=1`),
  requestToken({
    it: 'the callback may stand in the header',
    protocol: { oauth_callback: CALLBACK },
    status: 200,
    reply: like(/^oauth_token=\w+&oauth_token_secret=\w+&oauth_callback_confirmed=true$/),
    type: FORM,
  }),
  requestToken({
    it: 'a client may send GET',
    send: 'GET {base_url}/oauth/request_token',
    query: { oauth_callback: CALLBACK },
    status: 200,
    reply: like(/^oauth_token=\w+&oauth_token_secret=\w+&oauth_callback_confirmed=true$/),
    type: FORM,
  } as Exchange),
  requestToken({
    it: 'the callback may stand in the query',
    query: { oauth_callback: CALLBACK },
    status: 200,
    reply: like(/^oauth_token=\w+&oauth_token_secret=\w+&oauth_callback_confirmed=true$/),
    type: FORM,
  }),
  requestToken({
    it: '38: the callback is missing',
    status: 400,
    reply: legacy(38, 'oauth_callback parameter is missing.'),
  }),
  requestToken({
    it: '44: an access type that does not exist',
    form: { oauth_callback: CALLBACK, svc_auth_access_type: 'admin' },
    status: 400,
    reply: legacy(44, 'svc_auth_access_type parameter [admin] is not one of [read, write].'),
  }),
  requestToken({
    it: '415: the callback is not registered',
    form: { oauth_callback: `${CALLBACK}/` },
    status: 403,
    reply: legacy(
      415,
      'Callback URL not approved for this client application. Approved callback URLs can be adjusted in your application settings',
    ),
  }),
  requestToken({
    it: '415: the callback is not a URL',
    form: { oauth_callback: 'not a url' },
    status: 403,
    reply: legacy(415, 'The client application failed validation: Not a valid callback URL format.'),
  }),
  requestToken({
    it: '417: a desktop app has no callback',
    as: 'desktop client',
    form: { oauth_callback: CALLBACK },
    status: 401,
    reply: legacy(417, "Desktop applications only support the oauth_callback value 'oob'"),
  }),
  requestToken({
    it: '220: a user needs no request token',
    as: 'user',
    form: { oauth_callback: CALLBACK },
    status: 403,
    reply: noAccess,
  }),
  requestToken({
    it: '215: no one signed',
    as: 'anonymous',
    form: { oauth_callback: CALLBACK },
    status: 400,
    reply: badAuthentication,
  }),
]

const signIn: Area['rows'] = [
  newRequestToken('a sign-in begins'),
  {
    it: 'authorize shows a page that signs in',
    send: 'GET {base_url}/oauth/authorize',
    as: 'anonymous',
    query: { oauth_token: '{request_token}', screen_name: 'demo' },
    status: 200,
    reply: like(/<!doctype html>.*name="screen_name"[^>]* value="demo"/s),
    type: PAGE,
    limit: 180,
    has: {
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'content-security-policy': like(/^default-src 'none'; .*frame-ancestors 'none'/),
    },
  },
  {
    it: 'the user approves, and the browser goes to the callback with oauth_token and oauth_verifier',
    needs: 'pending',
    async run(world) {
      const browser = new Browser(world)
      const target = '{base_url}/oauth/authorize?oauth_token={request_token}'
      const page = await browser.signIn(target, VISITOR)
      const reply = await browser.press(page, 'approve')
      assert.equal(reply.status, 302)
      const back = new URL(reply.headers.location ?? '')
      assert.equal(back.origin + back.pathname, CALLBACK)
      assert.deepEqual([...back.searchParams.keys()], ['oauth_token', 'oauth_verifier'])
      assert.equal(back.searchParams.get('oauth_token'), world.variables.request_token)
      world.variables.verifier = back.searchParams.get('oauth_verifier')
      world.variables.browser = browser
    },
  },
  exchange({
    it: 'a wrong verifier gives nothing',
    form: { oauth_verifier: 'wrong' },
    status: 401,
    reply: 'Error processing your OAuth request: Invalid oauth_verifier parameter',
    type: TEXT,
  }),
  exchange({
    it: 'nor does none',
    status: 401,
    reply: 'Error processing your OAuth request: Invalid oauth_verifier parameter',
    type: TEXT,
  }),
  exchange({
    it: 'the right one gives an access token',
    form: { oauth_verifier: '{verifier}' },
    status: 200,
    reply: capture(
      /^oauth_token=(?<access_token>[0-9]+-\w+)&oauth_token_secret=(?<access_secret>\w+)&user_id=(?<visitor>[0-9]+)&screen_name=visitor$/,
    ),
    type: FORM,
    limit: 180,
  }),
  exchange({
    it: '89: a request token is good once',
    form: { oauth_verifier: '{verifier}' },
    status: 401,
    reply: expiredToken,
  }),
  {
    it: 'the access token is of the user who approved',
    send: 'GET {base_url}/1.1/account/verify_credentials.json',
    as: 'granted',
    status: 200,
    reply: account({ id_str: '{visitor}', screen_name: 'visitor', name: 'A visitor' }),
    limit: 75,
    has: { 'x-access-level': 'read-write-directmessages' },
  },
  newRequestToken('another sign-in begins'),
  {
    it: 'authenticate leads a user who granted the app before straight back',
    needs: 'pending',
    async run({ variables }) {
      const browser = variables.browser as Browser
      const reply = await browser.get('{base_url}/oauth/authenticate?oauth_token={request_token}')
      assert.equal(reply.status, 302)
      const back = new URL(reply.headers.location ?? '')
      assert.deepEqual([...back.searchParams.keys()], ['oauth_token', 'oauth_verifier'])
      variables.verifier = back.searchParams.get('oauth_verifier')
    },
  },
  exchange({
    it: 'the same user, app and access give the same token, also to a client that sends GET',
    send: 'GET {base_url}/oauth/access_token',
    query: { oauth_verifier: '{verifier}' },
    status: 200,
    reply:
      'oauth_token={access_token}&oauth_token_secret={access_secret}&user_id={visitor}&screen_name=visitor',
    type: FORM,
  } as Exchange),
  newRequestToken('a third sign-in begins'),
  {
    it: 'force_login asks for the password again',
    needs: 'pending',
    async run({ variables }) {
      const browser = variables.browser as Browser
      const reply = await browser.get(
        '{base_url}/oauth/authenticate?oauth_token={request_token}&force_login=true',
      )
      assert.equal(reply.status, 200)
      assert.match(reply.text, /name="password"/)
    },
  },
  {
    it: 'authorize asks a user who granted the app before; denying leads back with denied',
    needs: 'pending',
    async run({ variables }) {
      const browser = variables.browser as Browser
      const page = await browser.get('{base_url}/oauth/authorize?oauth_token={request_token}')
      assert.equal(page.status, 200)
      const reply = await browser.press(page, 'cancel')
      assert.equal(reply.status, 302)
      assert.equal(reply.headers.location, `${CALLBACK}?denied=${variables.request_token}`)
    },
  },
  {
    it: 'a request token that was denied is of no use',
    send: 'GET {base_url}/oauth/authorize',
    as: 'anonymous',
    query: { oauth_token: '{request_token}' },
    status: 401,
    reply: like(/<h1>This link has expired\.<\/h1>/),
    type: PAGE,
  },
  {
    it: 'a page without a request token',
    send: 'GET {base_url}/oauth/authenticate',
    as: 'anonymous',
    status: 400,
    reply: like(/oauth_token is missing or wrong/),
    type: PAGE,
  },
  newRequestToken('a desktop app asks for a pin', 'oob'),
  {
    it: 'authenticate is not for pins',
    send: 'GET {base_url}/oauth/authenticate',
    as: 'anonymous',
    query: { oauth_token: '{request_token}' },
    status: 403,
    reply: like(/<h1>This app signs in differently<\/h1>/),
    type: PAGE,
  },
  {
    it: 'approving shows a pin of seven digits',
    needs: 'pending',
    async run({ variables }) {
      const browser = variables.browser as Browser
      const page = await browser.get('{base_url}/oauth/authorize?oauth_token={request_token}')
      const reply = await browser.press(page, 'approve')
      assert.equal(reply.status, 200)
      const [, pin] = /id="pin">([0-9]{7})</.exec(reply.text) ?? []
      assert.ok(pin, reply.text)
      variables.verifier = pin
    },
  },
  exchange({
    it: 'which gives an access token',
    form: { oauth_verifier: '{verifier}' },
    status: 200,
    reply:
      'oauth_token={access_token}&oauth_token_secret={access_secret}&user_id={visitor}&screen_name=visitor',
    type: FORM,
  }),
  {
    it: 'a page shows the apps with access',
    send: 'GET {base_url}/oauth/apps',
    as: 'anonymous',
    status: 200,
    reply: like(/<!doctype html>/),
    type: PAGE,
    limit: 180,
  },
  {
    it: 'the pages of a sign-in are there for whoever comes',
    send: 'GET {base_url}/oauth/apps',
    as: 'anonymous',
    query: { after: 'abc' },
    status: 400,
    reply: like(/<!doctype html>/),
    type: PAGE,
  },
  newRequestToken('a request token for the page of a sign-in'),
  {
    it: 'authenticate shows a page that signs in',
    send: 'GET {base_url}/oauth/authenticate',
    as: 'anonymous',
    query: { oauth_token: '{request_token}' },
    status: 200,
    reply: like(/name="password"/),
    type: PAGE,
    limit: 180,
  },
  {
    it: 'an access token is invalidated by a request that it signs',
    send: 'POST {base_url}/1.1/oauth/invalidate_token',
    as: 'granted',
    status: 200,
    reply: { access_token: '{access_token}' },
    limit: 450,
  },
  {
    it: '89: then it is rejected',
    send: 'POST {base_url}/1.1/oauth/invalidate_token',
    as: 'granted',
    status: 401,
    reply: expiredToken,
    has: { 'www-authenticate': 'OAuth realm="{base_url}"' },
  },
  {
    it: 'the user approves once more',
    needs: 'pending',
    async run(world) {
      const { variables } = world
      const browser = variables.browser as Browser
      const page = await browser.get('{base_url}/oauth/authorize?oauth_token={request_token}')
      const { headers } = await browser.press(page, 'approve')
      variables.verifier = new URL(headers.location ?? '').searchParams.get('oauth_verifier')
    },
  },
  exchange({
    it: 'another access token',
    form: { oauth_verifier: '{verifier}' },
    status: 200,
    reply: capture(
      /^oauth_token=(?<access_token>[0-9]+-\w+)&oauth_token_secret=(?<access_secret>\w+)&user_id=[0-9]+&screen_name=visitor$/,
    ),
    type: FORM,
  }),
  {
    it: 'the path with .json invalidates too',
    send: 'POST {base_url}/1.1/oauth/invalidate_token.json',
    as: 'granted',
    status: 200,
    reply: { access_token: '{access_token}' },
  },
]

export function account(known: Record<string, unknown>) {
  return {
    id: number,
    location: '',
    description: '',
    url: null,
    entities: { description: { urls: [] } },
    protected: false,
    verified: false,
    followers_count: 0,
    friends_count: 0,
    listed_count: 0,
    favourites_count: 0,
    statuses_count: number,
    created_at: classicTime,
    utc_offset: null,
    time_zone: null,
    geo_enabled: false,
    lang: null,
    contributors_enabled: false,
    is_translator: false,
    profile_image_url: picture,
    profile_image_url_https: picture,
    default_profile: true,
    default_profile_image: true,
    following: false,
    follow_request_sent: false,
    notifications: false,
    suspended: false,
    needs_phone_verification: false,
    ...known,
  }
}

const bearer = (row: Omit<Exchange, 'send'>): Exchange => ({
  send: 'POST {base_url}/oauth2/token',
  as: 'second basic',
  form: { grant_type: 'client_credentials' },
  ...row,
})

const issued = (name: string) =>
  bearer({
    it: 'an app gets its bearer',
    status: 200,
    reply: { token_type: 'bearer', access_token: keep(name, like(/^A{21}[\w%-]+$/)) },
    limit: 450,
  })

const invalidateBearer = (row: Omit<Exchange, 'send'>): Exchange => ({
  send: 'POST {base_url}/oauth2/invalidate_token',
  as: 'second user',
  ...row,
})

const bearers: Area['rows'] = [
  issued('bearer'),
  bearer({
    it: 'it stays the same until it is invalidated',
    status: 200,
    reply: { token_type: 'bearer', access_token: '{bearer}' },
  }),
  bearer({ it: '99: another grant type', form: { grant_type: 'password' }, status: 403, reply: notVerified }),
  bearer({ it: '99: no grant type', form: {}, status: 403, reply: notVerified }),
  bearer({ it: '99: no credentials', as: 'anonymous', status: 403, reply: notVerified }),
  bearer({
    it: '99: a wrong secret',
    as: 'anonymous',
    headers: { authorization: `Basic ${Buffer.from('nobody:nothing').toString('base64')}` },
    status: 403,
    reply: notVerified,
  }),
  invalidateBearer({
    it: '99: a bearer that is not of the app',
    form: { access_token: 'AAAAAAAAAAAAAAAAAAAAAnothing' },
    status: 403,
    reply: notVerified,
  }),
  invalidateBearer({
    it: 'only the owner of the app invalidates its bearer',
    as: 'advertiser',
    form: { access_token: '{bearer}' },
    status: 403,
    reply: notVerified,
  }),
  invalidateBearer({
    it: 'the owner invalidates the bearer',
    form: { access_token: '{bearer}' },
    status: 200,
    reply: { access_token: '{bearer}' },
    limit: 450,
  }),
  {
    it: '89: then the bearer is rejected',
    send: 'GET {base_url}/1.1/account/verify_credentials.json',
    as: 'anonymous',
    headers: { authorization: 'Bearer {bearer}' },
    status: 401,
    reply: expiredToken,
  },
  issued('next_bearer'),
  {
    it: 'the next bearer is another one',
    needs: 'second basic',
    async run({ variables, callers }) {
      assert.notEqual(variables.next_bearer, variables.bearer)
      const known = callers.get('second app')
      if (known?.scheme === 'bearer') known.token = String(variables.next_bearer)
    },
  },
  invalidateBearer({
    it: 'the key and secret of the app are accepted too',
    as: 'second basic',
    query: { access_token: '{next_bearer}' },
    status: 200,
    reply: { access_token: '{next_bearer}' },
    limit: 450,
  }),
  issued('next_bearer'),
  {
    it: 'the bearer of the second app is renewed for the areas that follow',
    needs: 'second basic',
    async run({ variables, callers }) {
      const known = callers.get('second app')
      if (known?.scheme === 'bearer') known.token = String(variables.next_bearer)
    },
  },
]

const whoIsIt: Area['rows'] = [
  {
    it: 'verify_credentials tells whose token it is',
    send: 'GET {base_url}/1.1/account/verify_credentials.json',
    as: 'user',
    status: 200,
    reply: account({ id_str: keep('own_id', id64), screen_name: 'demo', name: 'Demo Developer' }),
    limit: 75,
  },
  {
    it: 'include_entities leaves out, include_email adds',
    send: 'GET {base_url}/1.1/account/verify_credentials.json',
    as: 'user',
    query: { include_entities: 'false', include_email: 'true' },
    status: 200,
    reply: (() => {
      const { entities: _, ...rest } = account({
        id_str: '{user}',
        screen_name: 'demo',
        name: 'Demo Developer',
      })
      return { ...rest, email: null }
    })(),
  },
  {
    it: 'a user by name, in any case, for an app',
    send: 'GET {base_url}/1.1/users/show.json',
    as: 'app',
    query: { screen_name: 'DEMO' },
    status: 200,
    reply: account({ id_str: '{user}', screen_name: 'demo', name: 'Demo Developer' }),
    limit: 900,
  },
  {
    it: 'a user by id, for a user',
    send: 'GET {base_url}/1.1/users/show.json',
    as: 'user',
    query: { user_id: '{user}', screen_name: 'nobody' },
    status: 200,
    reply: account({ id_str: '{user}', screen_name: 'demo', name: 'Demo Developer' }),
    limit: 900,
  },
  {
    it: '38: neither a name nor an id',
    send: 'GET {base_url}/1.1/users/show.json',
    as: 'user',
    status: 400,
    reply: legacy(38, 'screen_name parameter is missing.'),
  },
  {
    it: '50: a user who is not there',
    send: 'GET {base_url}/1.1/users/show.json',
    as: 'user',
    query: { screen_name: 'nobody_at_all' },
    status: 404,
    reply: legacy(50, 'User not found.'),
  },
  {
    it: '44: a value that is neither true nor false',
    send: 'GET {base_url}/1.1/account/verify_credentials.json',
    as: 'user',
    query: { include_email: 'maybe' },
    status: 400,
    reply: legacy(44, 'include_email parameter [maybe] is not one of [true, false].'),
  },
  {
    it: '32: the request token of no one signs nothing',
    send: 'POST {base_url}/oauth/access_token',
    as: 'client',
    protocol: { oauth_token: 'nobody' },
    form: { oauth_verifier: '1' },
    status: 401,
    reply: expiredToken,
  },
  {
    it: '32: a wrong signature',
    send: 'POST {base_url}/oauth/request_token',
    as: 'client',
    protocol: { oauth_signature: 'bm8=' },
    form: { oauth_callback: 'oob' },
    status: 401,
    reply: notAuthenticated,
  },
]

export const oauth: Area = {
  name: 'OAuth',
  base: '{base_url}',
  as: 'client',
  rows: [...requestTokens, ...signIn, ...bearers, ...whoIsIt],
}
