import * as ads from '../support/ads.ts'
import type { Area, Exchange } from '../support/exchange.ts'
import * as old from '../support/legacy.ts'
import { legacy } from '../support/legacy.ts'
import { id64, including, like, string } from '../support/match.ts'
import * as problem from '../support/problems.ts'

/** A rejected request, and the error in each part of the interface. */
interface Rejected {
  it: string
  request: Pick<Exchange, 'as' | 'protocol' | 'headers'>
  legacy: [status: number, reply: unknown]
  core: [status: number, reply: unknown]
  ads: [status: number, reply: unknown]
}

const flaw = (it: string, protocol: Exchange['protocol'], answer: readonly [number, unknown]): Rejected => ({
  it,
  request: { protocol: protocol ?? {} },
  legacy: [...answer],
  core: [401, problem.unauthorized],
  ads: [401, ads.unauthorized()],
})

const BAD = [400, old.badAuthentication] as const
const WRONG = [401, old.notAuthenticated] as const
const LONG_AGO = '1000000000'

const suspended = (app: boolean) =>
  app
    ? legacy(416, 'Invalid / suspended application')
    : legacy(64, 'Your account is suspended and is not permitted to access this feature')

const notEnrolled = (host: string) => ({
  title: 'Client Forbidden',
  detail: 'The app must be enrolled before it may use this endpoint.',
  type: `${host}/2/problems/client-forbidden`,
  reason: 'client-not-enrolled',
  client_id: id64,
})

/**
 * Sources: interface, Authentication; core reference, 01 section 2.4, in the order of its table.
 */
const rejected: readonly Rejected[] = [
  {
    it: 'no credentials',
    request: { as: 'anonymous' },
    legacy: [400, old.badAuthentication],
    core: [401, problem.unauthorized],
    ads: [401, ads.unauthorized()],
  },
  {
    it: 'a header that cannot be read',
    request: { as: 'anonymous', headers: { authorization: 'OAuth oauth_nonce' } },
    legacy: [400, old.badAuthentication],
    core: [401, problem.unauthorized],
    ads: [401, ads.unauthorized()],
  },
  {
    it: 'a scheme that no one knows',
    request: { as: 'anonymous', headers: { authorization: 'Digest abc' } },
    legacy: [400, old.badAuthentication],
    core: [
      403,
      problem.unsupportedAuthentication('Unknown', 'OAuth 2.0 Application-Only, OAuth 1.0a User Context'),
    ],
    ads: [401, ads.unauthorized()],
  },
  flaw('PLAINTEXT', { oauth_signature_method: 'PLAINTEXT' }, BAD),
  flaw('HMAC-SHA256', { oauth_signature_method: 'HMAC-SHA256' }, BAD),
  flaw('RSA-SHA1', { oauth_signature_method: 'RSA-SHA1' }, BAD),
  flaw('version 2.0', { oauth_version: '2.0' }, BAD),
  flaw('no nonce', { oauth_nonce: undefined }, BAD),
  flaw('a nonce that is not ASCII', { oauth_nonce: 'nönce' }, BAD),
  flaw('no timestamp', { oauth_timestamp: undefined }, BAD),
  flaw('a timestamp that is no number', { oauth_timestamp: 'now' }, BAD),
  flaw('no consumer key', { oauth_consumer_key: undefined }, BAD),
  flaw('an unknown consumer key', { oauth_consumer_key: 'nobody' }, WRONG),
  {
    it: 'a suspended app',
    request: { as: 'suspended client' },
    legacy: [401, suspended(true)],
    core: [401, { ...problem.unauthorized, ...suspended(true) }],
    ads: [401, ads.unauthorized()],
  },
  flaw('an old timestamp', { oauth_timestamp: LONG_AGO }, [401, legacy(135, 'Timestamp out of bounds.')]),
  {
    it: 'an unknown token',
    request: { protocol: { oauth_token: 'nobody' } },
    legacy: [401, old.expiredToken],
    core: [401, problem.revoked],
    ads: [401, ads.unauthorized()],
  },
  flaw('a wrong signature', { oauth_signature: 'bm8=' }, WRONG),
  {
    it: 'a suspended user',
    request: { as: 'suspended user' },
    legacy: [403, suspended(false)],
    core: [
      403,
      {
        ...problem.forbidden('Your account is suspended and is not permitted to access this feature'),
        ...suspended(false),
      },
    ],
    ads: [403, ads.errors({}, ads.error('CURRENT_USER_SUSPENDED', 'The current user is suspended'))],
  },
  {
    it: 'the app alone, where a user is needed',
    request: { as: 'client' },
    legacy: [403, old.noAccess],
    core: [
      403,
      problem.unsupportedAuthentication('Unknown', 'OAuth 2.0 Application-Only, OAuth 1.0a User Context'),
    ],
    ads: [
      403,
      ads.errors(
        {},
        ads.error('UNAUTHORIZED_CLIENT_APPLICATION', 'Sign this request with OAuth 1.0a as a user'),
      ),
    ],
  },
]

/** Where a 401 says how to sign in. */
const challenge = (status: number, schemes: string) =>
  status === 401 ? { has: { 'www-authenticate': schemes } } : {}

const rowsOf = ({ it, request, legacy, core, ads }: Rejected): Exchange[] => {
  const row = { it, ...request }
  const both = 'Bearer realm="{base_url}", OAuth realm="{base_url}"'
  return [
    {
      ...row,
      send: 'GET {base_url}/1.1/account/verify_credentials.json',
      status: legacy[0],
      reply: legacy[1],
      ...challenge(legacy[0], 'OAuth realm="{base_url}"'),
    },
    {
      ...row,
      send: 'GET {base_url}/2/webhooks',
      status: core[0],
      reply: core[1],
      ...challenge(core[0], both),
    },
    {
      ...row,
      send: 'GET {ads_url}/12/accounts',
      status: ads[0],
      reply: ads[1],
      ...challenge(ads[0], 'OAuth realm="{ads_url}"'),
    },
  ]
}

const nonce = { oauth_nonce: '{run}', oauth_timestamp: '{now}' }

export const authentication: Area = {
  name: 'authentication',
  base: '{base_url}',
  as: 'user',
  rows: [
    ...rejected.flatMap(rowsOf),
    {
      it: 'a nonce is good',
      send: 'GET {ads_url}/12/iab_categories',
      protocol: nonce,
      query: { count: '1' },
      status: 200,
      reply: {
        request: { params: { count: 1 } },
        next_cursor: string,
        data: [{ id: 'IAB1', parent_id: null, name: 'Arts & Entertainment' }],
      },
    },
    {
      it: 'once',
      send: 'GET {ads_url}/12/iab_categories',
      protocol: nonce,
      query: { count: '1' },
      status: 401,
      reply: ads.unauthorized(),
    },
    {
      it: 'a bearer where a user is needed',
      send: 'GET {base_url}/1.1/account/verify_credentials.json',
      as: 'app',
      status: 403,
      reply: old.noAccess,
    },
    {
      it: 'a bearer on the advertising API',
      send: 'GET {ads_url}/12/accounts',
      as: 'app',
      status: 403,
      reply: ads.errors(
        {},
        ads.error('UNAUTHORIZED_CLIENT_APPLICATION', 'Sign this request with OAuth 1.0a as a user'),
      ),
    },
    {
      it: 'a suspended app gets no bearer',
      send: 'POST {base_url}/oauth2/token',
      as: 'suspended basic',
      form: { grant_type: 'client_credentials' },
      status: 401,
      reply: suspended(true),
      has: { 'www-authenticate': 'Basic realm="{base_url}"' },
    },
    {
      it: 'an app that may only read changes nothing under /1.1/',
      send: 'POST {base_url}/1.1/media/upload.json',
      as: 'reading user',
      form: { media_data: 'AAAA' },
      status: 403,
      reply: legacy(261, 'Application cannot perform write actions.'),
    },
    {
      it: 'nor on the advertising API',
      send: 'POST {ads_sandbox_url}/12/accounts',
      as: 'reading user',
      status: 403,
      reply: ads.errors({}, ads.error('READONLY_CLIENT_APPLICATION', 'The app has read-only access')),
    },
    {
      it: 'a user who lets an app only read that may write',
      send: 'POST {ads_sandbox_url}/12/accounts',
      as: 'narrow user',
      status: 403,
      reply: ads.errors(
        {},
        ads.error('INSUFFICIENT_USER_AUTHORIZED_PERMISSION', 'The user granted the app read access only'),
      ),
    },
    {
      it: 'the core API has one error for both',
      send: 'POST {base_url}/2/posts',
      as: 'narrow user',
      json: { text: 'x' },
      status: 403,
      reply: problem.permissions,
    },
    {
      it: 'an app that is not enrolled',
      send: 'GET {base_url}/2/users/me',
      as: 'unenrolled user',
      status: 403,
      reply: notEnrolled('{base_url}'),
    },
    {
      it: 'learns where it can be, where the operator says so',
      send: 'GET {capped_url}/2/users/me',
      as: 'capped unenrolled user',
      status: 403,
      reply: {
        ...notEnrolled('{capped_url}'),
        registration_url: 'https://developer.example.com/enroll',
      },
    },
    {
      it: 'an app that is not enrolled has OAuth all the same',
      send: 'POST {base_url}/oauth2/token',
      as: 'unenrolled basic',
      form: { grant_type: 'client_credentials' },
      status: 200,
      reply: { token_type: 'bearer', access_token: like(/^A{21}/) },
    },
    {
      it: 'x-access-level tells the level of the token',
      send: 'GET {ads_url}/12/line_items/placements',
      as: 'reading user',
      status: 200,
      reply: {
        request: { params: {} },
        data: including({
          product_type: 'PROMOTED_ACCOUNT',
          placements: [['ALL_ON_SERVICE'], ['SERVICE_TIMELINE']],
        }),
      },
      has: { 'x-access-level': 'read' },
    },
  ],
}
