import type { Area, Exchange } from '../support/exchange.ts'
import { Matcher } from '../support/match.ts'
import * as problem from '../support/problems.ts'

const demo = { id: '{user}', name: 'Demo Developer', username: 'demo' }
const advertiser = { id: '{advertiser}', name: 'Demo Advertiser', username: 'advertiser' }
/** There may be none. */
const trends = new Matcher(
  'trends, or their number, 0',
  (value) => 'data' in Object(value) || JSON.stringify(value) === '{"meta":{"result_count":0}}',
)
const ONLY_USERS = problem.unsupportedAuthentication('OAuth 2.0 Application-Only', problem.USERS)

/** What a successful reply reports about a user who does not exist. */
const missing = (parameter: string) => ({
  title: 'Not Found Error',
  type: '{problem_base}/2/problems/resource-not-found',
  detail: `Could not find user with ${parameter}: [456].`,
  value: '456',
  parameter,
  resource_id: '456',
  resource_type: 'user',
})

const notOwn = (parameter: string) =>
  problem.invalidRequest([
    { [parameter]: ['{advertiser}'] },
    `The \`${parameter}\` path parameter value [{advertiser}] must be the same as the authenticating user [{user}]`,
  ])

/** A relation of one user to another: begun twice, ended twice, with every error of these calls. */
const relation = (segment: string, began: object, ended: object): Exchange[] => [
  {
    it: `${segment} begins`,
    send: `POST /2/users/{user}/${segment}`,
    json: { target_user_id: '{advertiser}' },
    status: 200,
    reply: { data: began },
    limit: 50,
  },
  {
    it: `${segment} may be repeated`,
    send: `POST /2/users/{user}/${segment}`,
    json: { target_user_id: '{advertiser}' },
    status: 200,
    reply: { data: began },
  },
  {
    it: `${segment} has a list`,
    send: `GET /2/users/{user}/${segment}`,
    query: { max_results: '1' },
    status: 200,
    reply: { data: [advertiser], meta: { result_count: 1 } },
    limit: 15,
  },
  {
    it: `${segment} ends`,
    send: `DELETE /2/users/{user}/${segment}/{advertiser}`,
    status: 200,
    reply: { data: ended },
    limit: 50,
  },
  {
    it: `${segment} may be ended again`,
    send: `DELETE /2/users/{user}/${segment}/{advertiser}`,
    status: 200,
    reply: { data: ended },
  },
  {
    it: `${segment}: a user who does not exist`,
    send: `POST /2/users/{user}/${segment}`,
    json: { target_user_id: '456' },
    status: 200,
    reply: { errors: [missing('target_user_id')] },
  },
  {
    it: `${segment}: a user who does not exist, at the end`,
    send: `DELETE /2/users/{user}/${segment}/456`,
    status: 200,
    reply: { errors: [missing('target_user_id')] },
  },
  {
    it: `${segment} is not for oneself`,
    send: `POST /2/users/{user}/${segment}`,
    json: { target_user_id: '{user}' },
    status: 400,
    reply: problem.invalidRequest([{ target_user_id: ['{user}'] }, 'You cannot do this to yourself.']),
  },
  {
    it: `${segment} of another user cannot be changed`,
    send: `POST /2/users/{advertiser}/${segment}`,
    json: { target_user_id: '{user}' },
    status: 400,
    reply: notOwn('id'),
  },
  {
    it: `${segment} of another user cannot be ended`,
    send: `DELETE /2/users/{advertiser}/${segment}/{user}`,
    status: 400,
    reply: notOwn('source_user_id'),
  },
  {
    it: `${segment}: an app that may only read`,
    send: `POST /2/users/{advertiser}/${segment}`,
    json: { target_user_id: '{user}' },
    as: 'reading user',
    status: 403,
    reply: problem.permissions,
  },
  {
    it: `${segment}: a bearer token has no user`,
    send: `POST /2/users/{user}/${segment}`,
    json: { target_user_id: '{advertiser}' },
    as: 'app',
    status: 403,
    reply: ONLY_USERS,
  },
]

/** A list that only its user reads. */
const ownList = (segment: string): Exchange[] => [
  {
    it: `${segment}: the list of another user`,
    send: `GET /2/users/{advertiser}/${segment}`,
    status: 400,
    reply: notOwn('id'),
  },
  {
    it: `${segment}: a bearer reads no such list`,
    send: `GET /2/users/{user}/${segment}`,
    as: 'app',
    status: 403,
    reply: problem.unsupportedAuthentication('OAuth 2.0 Application-Only', problem.USERS),
  },
]

/** Sources: core reference, 00 sections 3.3 and 7, and the paths of client libraries. */
export const relations: Area = {
  name: 'relations of users',
  base: '{base_url}',
  as: 'user',
  rows: [
    ...relation('following', { following: true, pending_follow: false }, { following: false }),
    ...relation('blocking', { blocking: true }, { blocking: false }),
    ...relation('muting', { muting: true }, { muting: false }),
    ...ownList('blocking'),
    ...ownList('muting'),
    {
      it: 'a follow, for the rows below',
      send: 'POST /2/users/{user}/following',
      json: { target_user_id: '{advertiser}' },
      status: 200,
      reply: { data: { following: true, pending_follow: false } },
    },
    {
      it: 'followers are for every app',
      send: 'GET /2/users/{advertiser}/followers',
      as: 'app',
      status: 200,
      reply: { data: [demo], meta: { result_count: 1 } },
      limit: 15,
    },
    {
      it: 'who is no organisation has no affiliates',
      send: 'GET /2/users/{advertiser}/affiliates',
      as: 'app',
      status: 200,
      reply: { meta: { result_count: 0 } },
      limit: 300,
    },
    {
      it: 'trends of the world are for apps',
      send: 'GET /2/trends/by/woeid/1',
      query: { max_trends: '50', 'trend.fields': 'trend_name,post_count' },
      as: 'app',
      status: 200,
      reply: trends,
      limit: 75,
    },
    {
      it: 'trends of a place that does not exist',
      send: 'GET /2/trends/by/woeid/456',
      as: 'app',
      status: 200,
      reply: {
        errors: [
          {
            title: 'Not Found Error',
            type: '{problem_base}/2/problems/resource-not-found',
            detail: 'Could not find place with woeid: [456].',
            value: '456',
            parameter: 'woeid',
            resource_id: '456',
            resource_type: 'place',
          },
        ],
      },
    },
    {
      it: 'more than 50 trends',
      send: 'GET /2/trends/by/woeid/1',
      query: { max_trends: '51' },
      as: 'app',
      status: 400,
      reply: problem.invalidRequest([
        { max_trends: ['51'] },
        'The `max_trends` query parameter value [51] is not between 1 and 50',
      ]),
    },
    {
      it: 'trends for a user with a subscription',
      send: 'GET /2/users/personalized_trends',
      query: { 'personalized_trend.fields': 'category,post_count,trend_name,trending_since' },
      as: 'guarded user',
      status: 200,
      reply: trends,
      limit: 10,
    },
    {
      it: 'trends for a user need a subscription',
      send: 'GET /2/users/personalized_trends',
      status: 403,
      reply: problem.plain(403, 'Forbidden', 'Personalized trends need a subscription.'),
    },
    {
      it: 'users are found by the beginnings of their names',
      send: 'GET /2/users/search',
      query: { query: 'DEM devel' },
      status: 200,
      reply: { data: [demo], meta: { result_count: 1 } },
      limit: 900,
    },
    {
      it: 'apps do not search users',
      send: 'GET /2/users/search',
      query: { query: 'demo' },
      as: 'app',
      status: 403,
      reply: ONLY_USERS,
    },
    {
      it: 'how a user relates to the caller',
      send: 'GET /2/users/{advertiser}',
      query: { 'user.fields': 'connection_status' },
      status: 200,
      reply: { data: { ...advertiser, connection_status: ['following'] } },
    },
    {
      it: 'followers of a user who does not exist',
      send: 'GET /2/users/456/followers',
      status: 200,
      reply: { errors: [missing('id')] },
    },
    {
      it: 'a token that is none',
      send: 'GET /2/users/{advertiser}/followers',
      query: { pagination_token: 'abc' },
      status: 400,
      reply: problem.invalidRequest([
        { pagination_token: ['abc'] },
        'The `pagination_token` query parameter value [abc] is not valid',
      ]),
    },
    {
      it: 'a page has up to 1,000 users',
      send: 'GET /2/users/{advertiser}/followers',
      query: { max_results: '1001' },
      status: 400,
      reply: problem.invalidRequest([
        { max_results: ['1001'] },
        'The `max_results` query parameter value [1001] is not between 1 and 1000',
      ]),
    },
    {
      it: 'a block ends the follow',
      send: 'POST /2/users/{advertiser}/blocking',
      json: { target_user_id: '{user}' },
      as: 'advertiser',
      status: 200,
      reply: { data: { blocking: true } },
    },
    {
      it: 'the blocked user cannot follow',
      send: 'POST /2/users/{user}/following',
      json: { target_user_id: '{advertiser}' },
      status: 403,
      reply: problem.forbidden(
        'You have been blocked from following this account at the request of the user.',
      ),
    },
    {
      it: 'nor can the one who blocks',
      send: 'POST /2/users/{advertiser}/following',
      json: { target_user_id: '{user}' },
      as: 'advertiser',
      status: 403,
      reply: problem.forbidden('You have blocked this account: unblock it before you follow it.'),
    },
    {
      it: 'no one follows anymore',
      send: 'GET /2/users/{advertiser}/followers',
      status: 200,
      reply: { meta: { result_count: 0 } },
    },
    {
      it: 'the block ends, for the areas below',
      send: 'DELETE /2/users/{advertiser}/blocking/{user}',
      as: 'advertiser',
      status: 200,
      reply: { data: { blocking: false } },
    },
  ],
}
