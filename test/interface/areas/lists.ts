import type { Caller } from '../support/callers.ts'
import type { Area, Exchange } from '../support/exchange.ts'
import { id64, keep, like, objectTime } from '../support/match.ts'
import * as problem from '../support/problems.ts'

const demo = { id: '{user}', name: 'Demo Developer', username: 'demo' }
const advertiser = { id: '{advertiser}', name: 'Demo Advertiser', username: 'advertiser' }
const ONLY_USERS = problem.unsupportedAuthentication('OAuth 2.0 Application-Only', problem.USERS)

/** What a successful reply reports about a list or a user that the caller does not see. */
const missing = (type: string, parameter: string, value: string) => ({
  title: 'Not Found Error',
  type: '{problem_base}/2/problems/resource-not-found',
  detail: `Could not find ${type} with ${parameter}: [${value}].`,
  value,
  parameter,
  resource_id: value,
  resource_type: type,
})

const notOwn = problem.invalidRequest([
  { id: ['{advertiser}'] },
  'The `id` path parameter value [{advertiser}] must be the same as the authenticating user [{user}]',
])

const FIELDS = 'created_at,description,follower_count,id,member_count,name,owner_id,private'

/** A user-list token: decimal digits of a 64-bit number. */
const decimal = like(/^[0-9]{1,19}$/)
const nothing = { meta: { result_count: 0 } }
const council = { id: '{list}', name: 'Council' }

/** Reads of a list that the caller does not see, as if it did not exist. */
const hidden = (as: Caller): Exchange[] =>
  ['', '/members', '/followers', '/posts'].map((segment) => ({
    it: `a private list does not exist for ${as}: GET ${segment}`,
    send: `GET /2/lists/{secret_list}${segment}`,
    as,
    status: 200,
    reply: { errors: [missing('list', 'id', '{secret_list}')] },
  }))

/** Writes of a list that the caller sees and does not own. */
const foreign: Exchange[] = [
  { send: 'PUT /2/lists/{list}', json: { name: 'Mine' } },
  { send: 'DELETE /2/lists/{list}' },
  { send: 'POST /2/lists/{list}/members', json: { user_id: '{user}' } },
  { send: 'DELETE /2/lists/{list}/members/{user}' },
].map((request) => ({
  ...request,
  it: `only the owner may do it: ${request.send}`,
  as: 'advertiser',
  status: 403,
  reply: problem.forbidden('Only the owner of a list may change it.'),
}))

/** Writes of a list that does not exist. */
const absent: Exchange[] = [
  { send: 'PUT /2/lists/456', json: { name: 'Mine' }, parameter: 'id' },
  { send: 'DELETE /2/lists/456', parameter: 'id' },
  { send: 'POST /2/lists/456/members', json: { user_id: '{user}' }, parameter: 'id' },
  { send: 'DELETE /2/lists/456/members/{user}', parameter: 'id' },
  { send: 'POST /2/users/{user}/followed_lists', json: { list_id: '456' }, parameter: 'list_id' },
  { send: 'DELETE /2/users/{user}/followed_lists/456', parameter: 'list_id' },
  { send: 'POST /2/users/{user}/pinned_lists', json: { list_id: '456' }, parameter: 'list_id' },
  { send: 'DELETE /2/users/{user}/pinned_lists/456', parameter: 'list_id' },
].map(({ parameter, ...request }) => ({
  ...request,
  it: `a list that there is not: ${request.send}`,
  status: 200,
  reply: { errors: [missing('list', parameter, '456')] },
}))

/** Calls for another user, and calls of an app for itself. */
const notOfCaller: Exchange[] = [
  { send: 'POST /2/users/{advertiser}/followed_lists', json: { list_id: '{list}' } },
  { send: 'DELETE /2/users/{advertiser}/followed_lists/{list}' },
  { send: 'POST /2/users/{advertiser}/pinned_lists', json: { list_id: '{list}' } },
  { send: 'DELETE /2/users/{advertiser}/pinned_lists/{list}' },
  { send: 'GET /2/users/{advertiser}/pinned_lists' },
].flatMap((request) => [
  { ...request, it: `not for another user: ${request.send}`, status: 400, reply: notOwn },
  {
    ...request,
    it: `a bearer token has no user: ${request.send}`,
    as: 'app' as const,
    status: 403,
    reply: ONLY_USERS,
  },
])

const wrong = (name: string, value: string, message: string) =>
  problem.invalidRequest([{ [name]: [value] }, `$.${name}: ${message}`])

/** Lists (core reference, 06 section 1). */
export const lists: Area = {
  name: 'lists',
  base: '{base_url}',
  as: 'user',
  rows: [
    {
      it: 'a list is created',
      send: 'POST /2/lists',
      json: { name: 'Council' },
      status: 201,
      reply: { data: { id: keep('list', id64), name: 'Council' } },
      limit: 300,
    },
    {
      it: 'a private list is created',
      send: 'POST /2/lists',
      json: { name: 'Secret', description: 'For me', private: true },
      status: 201,
      reply: { data: { id: keep('secret_list', id64), name: 'Secret' } },
    },
    {
      it: 'a list needs a name',
      send: 'POST /2/lists',
      json: { description: 'No name' },
      status: 400,
      reply: problem.invalidRequest([{ name: [] }, '$.name: is missing but it is required']),
    },
    {
      it: 'an empty name',
      send: 'POST /2/lists',
      json: { name: '' },
      status: 400,
      reply: wrong('name', '', 'can not be empty'),
    },
    {
      it: 'a long name',
      send: 'PUT /2/lists/{list}',
      json: { name: 'x'.repeat(26) },
      status: 400,
      reply: wrong('name', 'x'.repeat(26), 'must be between 1 and 25 long'),
    },
    {
      it: 'a long description',
      send: 'POST /2/lists',
      json: { name: 'Council', description: 'x'.repeat(101) },
      status: 400,
      reply: wrong('description', 'x'.repeat(101), 'must be between 0 and 100 long'),
    },
    {
      it: 'an unknown member',
      send: 'POST /2/lists',
      json: { name: 'Council', mode: 'private' },
      status: 400,
      reply: wrong('mode', 'private', 'is not one of [name,description,private]'),
    },
    {
      it: 'a bearer token has no user',
      send: 'POST /2/lists',
      json: { name: 'Council' },
      as: 'app',
      status: 403,
      reply: ONLY_USERS,
    },
    {
      it: 'an app that may only read',
      send: 'POST /2/lists',
      json: { name: 'Council' },
      as: 'reading user',
      status: 403,
      reply: problem.permissions,
    },
    {
      it: 'a member is added',
      send: 'POST /2/lists/{list}/members',
      json: { user_id: '{advertiser}' },
      status: 200,
      reply: { data: { is_member: true } },
      limit: 300,
    },
    {
      it: 'a member may be added again',
      send: 'POST /2/lists/{list}/members',
      json: { user_id: '{advertiser}' },
      status: 200,
      reply: { data: { is_member: true } },
    },
    {
      it: 'a member is added to a private list',
      send: 'POST /2/lists/{secret_list}/members',
      json: { user_id: '{advertiser}' },
      status: 200,
      reply: { data: { is_member: true } },
    },
    {
      it: 'a user who does not exist cannot be added',
      send: 'POST /2/lists/{list}/members',
      json: { user_id: '456' },
      status: 200,
      reply: { errors: [missing('user', 'user_id', '456')] },
    },
    {
      it: 'an id that is none',
      send: 'POST /2/lists/{list}/members',
      json: { user_id: 'demo' },
      status: 400,
      reply: wrong('user_id', 'demo', 'is not valid'),
    },
    {
      it: 'by the name of a user, the suite learns an id',
      send: 'GET /2/users/by/username/closed',
      status: 200,
      reply: { data: { id: keep('closed_member', id64), name: 'Who takes no messages', username: 'closed' } },
    },
    {
      it: 'a second member is added',
      send: 'POST /2/lists/{list}/members',
      json: { user_id: '{closed_member}' },
      status: 200,
      reply: { data: { is_member: true } },
    },
    {
      it: 'members, most recent first',
      send: 'GET /2/lists/{list}/members',
      as: 'app',
      query: { max_results: '1' },
      status: 200,
      reply: {
        data: [{ id: '{closed_member}', name: 'Who takes no messages', username: 'closed' }],
        meta: { result_count: 1, next_token: keep('members_next', decimal) },
      },
      limit: 900,
    },
    {
      it: 'the next page of members',
      send: 'GET /2/lists/{list}/members',
      query: { max_results: '1', pagination_token: '{members_next}' },
      status: 200,
      reply: {
        data: [advertiser],
        meta: { result_count: 1, previous_token: keep('members_previous', decimal) },
      },
      limit: 900,
    },
    {
      it: 'the previous page of members',
      send: 'GET /2/lists/{list}/members',
      as: 'stranger',
      query: { max_results: '1', pagination_token: '{members_previous}' },
      status: 200,
      reply: {
        data: [{ id: '{closed_member}', name: 'Who takes no messages', username: 'closed' }],
        meta: { result_count: 1, next_token: '{members_next}' },
      },
    },
    {
      it: 'a token of another form',
      send: 'GET /2/lists/{list}/members',
      query: { pagination_token: 'next' },
      status: 400,
      reply: problem.invalidRequest([
        { pagination_token: ['next'] },
        'The `pagination_token` query parameter value [next] is not valid',
      ]),
    },
    {
      it: 'another user follows the list',
      send: 'POST /2/users/{advertiser}/followed_lists',
      as: 'advertiser',
      json: { list_id: '{list}' },
      status: 200,
      reply: { data: { following: true } },
      limit: 50,
    },
    {
      it: 'the follow may be repeated',
      send: 'POST /2/users/{advertiser}/followed_lists',
      as: 'advertiser',
      json: { list_id: '{list}' },
      status: 200,
      reply: { data: { following: true } },
    },
    {
      it: 'nobody else can follow a private list',
      send: 'POST /2/users/{advertiser}/followed_lists',
      as: 'advertiser',
      json: { list_id: '{secret_list}' },
      status: 200,
      reply: { errors: [missing('list', 'list_id', '{secret_list}')] },
    },
    {
      it: 'followers',
      send: 'GET /2/lists/{list}/followers',
      as: 'app',
      status: 200,
      reply: { data: [advertiser], meta: { result_count: 1 } },
      limit: 180,
    },
    {
      it: 'lists that a user follows',
      send: 'GET /2/users/{advertiser}/followed_lists',
      as: 'app',
      status: 200,
      reply: { data: [council], meta: { result_count: 1 } },
      limit: 15,
    },
    {
      it: 'a list with every field, and its owner',
      send: 'GET /2/lists/{list}',
      as: 'app',
      query: { 'list.fields': FIELDS, expansions: 'owner_id', 'user.fields': 'verified' },
      status: 200,
      reply: {
        data: {
          ...council,
          created_at: objectTime,
          description: '',
          follower_count: 1,
          member_count: 2,
          owner_id: '{user}',
          private: false,
        },
        includes: { users: [{ ...demo, verified: false }] },
      },
      limit: 75,
    },
    {
      it: 'the expansion shows the owner without the field',
      send: 'GET /2/lists/{list}',
      as: 'stranger',
      query: { expansions: 'owner_id' },
      status: 200,
      reply: { data: { ...council, owner_id: '{user}' }, includes: { users: [demo] } },
      limit: 75,
    },
    {
      it: 'a field that there is not',
      send: 'GET /2/lists/{list}',
      query: { 'list.fields': 'mode' },
      status: 400,
      reply: problem.invalidRequest([
        { 'list.fields': ['mode'] },
        `The \`list.fields\` query parameter value [mode] is not one of [${FIELDS}]`,
      ]),
    },
    {
      it: 'a list that there is not',
      send: 'GET /2/lists/456',
      status: 200,
      reply: { errors: [missing('list', 'id', '456')] },
    },
    {
      it: 'an id of a list that is none',
      send: 'GET /2/lists/council',
      status: 400,
      reply: problem.invalidRequest([
        { id: ['council'] },
        'The `id` path parameter value [council] is not valid',
      ]),
    },
    {
      it: 'the owner sees a private list',
      send: 'GET /2/lists/{secret_list}',
      query: { 'list.fields': 'private,description,member_count' },
      status: 200,
      reply: {
        data: { id: '{secret_list}', name: 'Secret', description: 'For me', member_count: 1, private: true },
      },
    },
    ...hidden('app'),
    ...hidden('advertiser'),
    ...foreign,
    ...absent,
    ...notOfCaller,
    {
      it: 'a member posts',
      send: 'POST /2/posts',
      as: 'advertiser',
      json: { text: 'of a member, {run}' },
      status: 201,
      reply: {
        data: {
          id: keep('member_post', id64),
          text: 'of a member, {run}',
          edit_history_post_ids: ['{member_post}'],
        },
      },
    },
    {
      it: 'the posts of members, newest first',
      send: 'GET /2/lists/{list}/posts',
      as: 'app',
      query: { max_results: '1' },
      status: 200,
      reply: {
        data: [{ id: '{member_post}', text: 'of a member, {run}', edit_history_post_ids: ['{member_post}'] }],
        meta: { result_count: 1, next_token: keep('list_posts_next', like(/^[0-9a-z]{27}$/)) },
      },
      limit: 900,
    },
    {
      it: 'the lists of a user, newest first',
      send: 'GET /2/users/{user}/owned_lists',
      query: { max_results: '1' },
      status: 200,
      reply: {
        data: [{ id: '{secret_list}', name: 'Secret' }],
        meta: { result_count: 1, next_token: decimal },
      },
      limit: 15,
    },
    {
      it: 'an app sees only the public ones',
      send: 'GET /2/users/{user}/owned_lists',
      as: 'app',
      status: 200,
      reply: { data: [council], meta: { result_count: 1 } },
      limit: 15,
    },
    {
      it: 'lists of a user who does not exist',
      send: 'GET /2/users/456/owned_lists',
      status: 200,
      reply: { errors: [missing('user', 'id', '456')] },
    },
    {
      it: 'the memberships of a user, with private lists of the caller',
      send: 'GET /2/users/{advertiser}/list_memberships',
      status: 200,
      reply: { data: [{ id: '{secret_list}', name: 'Secret' }, council], meta: { result_count: 2 } },
      limit: 75,
    },
    {
      it: 'the member does not see private lists',
      send: 'GET /2/users/{advertiser}/list_memberships',
      as: 'advertiser',
      status: 200,
      reply: { data: [council], meta: { result_count: 1 } },
      limit: 75,
    },
    {
      it: 'only public lists are counted',
      send: 'GET /2/users/{closed_member}',
      query: { 'user.fields': 'public_metrics' },
      status: 200,
      reply: {
        data: {
          id: '{closed_member}',
          name: 'Who takes no messages',
          username: 'closed',
          public_metrics: {
            followers_count: 0,
            following_count: 0,
            post_count: 0,
            listed_count: 1,
            like_count: 0,
          },
        },
      },
    },
    {
      it: 'a list is pinned',
      send: 'POST /2/users/{user}/pinned_lists',
      json: { list_id: '{secret_list}' },
      status: 200,
      reply: { data: { pinned: true } },
      limit: 50,
    },
    {
      it: 'pinned lists',
      send: 'GET /2/users/{user}/pinned_lists',
      query: { 'list.fields': 'private' },
      status: 200,
      reply: {
        data: [{ id: '{secret_list}', name: 'Secret', private: true }],
        meta: { result_count: 1 },
      },
      limit: 15,
    },
    {
      it: 'a pin ends',
      send: 'DELETE /2/users/{user}/pinned_lists/{secret_list}',
      status: 200,
      reply: { data: { pinned: false } },
      limit: 50,
    },
    {
      it: 'a pin may be ended again',
      send: 'DELETE /2/users/{user}/pinned_lists/{secret_list}',
      status: 200,
      reply: { data: { pinned: false } },
    },
    {
      it: 'nothing is pinned',
      send: 'GET /2/users/{user}/pinned_lists',
      status: 200,
      reply: nothing,
    },
    {
      it: 'a stranger learns the own id',
      send: 'GET /2/users/me',
      as: 'stranger',
      status: 200,
      reply: { data: { id: keep('stranger', id64), name: 'A stranger', username: 'stranger' } },
    },
    {
      it: 'a list that is neither own nor followed cannot be pinned',
      send: 'POST /2/users/{stranger}/pinned_lists',
      as: 'stranger',
      json: { list_id: '{list}' },
      status: 403,
      reply: problem.forbidden('Only lists that you own or follow can be pinned.'),
    },
    {
      it: 'a list changes',
      send: 'PUT /2/lists/{list}',
      json: { description: 'Who decides', private: true },
      status: 200,
      reply: { data: { updated: true } },
      limit: 300,
    },
    {
      it: 'a list that becomes private loses its followers',
      send: 'GET /2/lists/{list}',
      query: { 'list.fields': 'follower_count,private' },
      status: 200,
      reply: { data: { ...council, follower_count: 0, private: true } },
    },
    {
      it: 'and others do not see it',
      send: 'GET /2/users/{advertiser}/followed_lists',
      as: 'advertiser',
      status: 200,
      reply: nothing,
      limit: 15,
    },
    {
      it: 'a follow may be ended again',
      send: 'DELETE /2/users/{user}/followed_lists/{list}',
      status: 200,
      reply: { data: { following: false } },
      limit: 50,
    },
    {
      it: 'a member is removed',
      send: 'DELETE /2/lists/{list}/members/{advertiser}',
      status: 200,
      reply: { data: { is_member: false } },
      limit: 300,
    },
    {
      it: 'a member may be removed again',
      send: 'DELETE /2/lists/{list}/members/{advertiser}',
      status: 200,
      reply: { data: { is_member: false } },
    },
    {
      it: 'a list is deleted',
      send: 'DELETE /2/lists/{list}',
      status: 200,
      reply: { data: { deleted: true } },
      limit: 300,
    },
    {
      it: 'a deleted list does not exist',
      send: 'GET /2/lists/{list}',
      status: 200,
      reply: { errors: [missing('list', 'id', '{list}')] },
    },
    {
      it: 'the other list is deleted',
      send: 'DELETE /2/lists/{secret_list}',
      status: 200,
      reply: { data: { deleted: true } },
    },
    {
      it: 'nothing is left',
      send: 'GET /2/users/{user}/owned_lists',
      status: 200,
      reply: nothing,
    },
  ],
}
