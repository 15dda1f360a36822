import type { Area } from '../support/exchange.ts'
import { keep, id64, objectTime } from '../support/match.ts'
import * as problem from '../support/problems.ts'

const FIELDS = 'access,created_at,description,id,join_policy,member_count,name'
const watchers = { id: '{community}', name: 'Tide watchers' }

/** What a successful reply reports about a community that does not exist. */
const missing = {
  title: 'Not Found Error',
  type: '{problem_base}/2/problems/resource-not-found',
  detail: 'Could not find community with id: [456].',
  value: '456',
  parameter: 'id',
  resource_id: '456',
  resource_type: 'community',
}

const invalid = (name: string, value: string, message: string) =>
  problem.invalidRequest([{ [name]: [value] }, message])

/** Communities (core reference, 06 section 3). */
export const communities: Area = {
  name: 'communities',
  base: '{base_url}',
  as: 'user',
  rows: [
    {
      it: 'a search for a name, with default fields',
      send: 'GET /2/communities/search',
      query: { query: 'tide watchers' },
      status: 200,
      reply: { data: [{ id: keep('community', id64), name: 'Tide watchers' }], meta: { result_count: 1 } },
      limit: 300,
    },
    {
      it: 'exact names, then words of descriptions, with every field',
      send: 'GET /2/communities/search',
      query: { query: 'gardens', 'community.fields': FIELDS },
      status: 200,
      reply: {
        data: [
          {
            id: id64,
            name: 'Gardens',
            access: 'Closed',
            created_at: objectTime,
            description: 'For neighbors',
            join_policy: 'RestrictedJoinRequestsRequireAdminApproval',
            member_count: 1,
          },
          {
            id: '{community}',
            name: 'Tide watchers',
            access: 'Public',
            created_at: objectTime,
            description: 'Also of gardens by the sea',
            join_policy: 'Open',
            member_count: 2,
          },
        ],
        meta: { result_count: 2 },
      },
    },
    {
      it: 'a search that finds nothing',
      send: 'GET /2/communities/search',
      query: { query: 'wombats' },
      status: 200,
      reply: { meta: { result_count: 0 } },
    },
    {
      it: 'a community',
      send: 'GET /2/communities/{community}',
      as: 'app',
      status: 200,
      reply: { data: watchers },
      limit: 300,
    },
    {
      it: 'a community, for a user',
      send: 'GET /2/communities/{community}',
      query: { 'community.fields': 'member_count' },
      status: 200,
      reply: { data: { ...watchers, member_count: 2 } },
    },
    {
      it: 'a community that does not exist',
      send: 'GET /2/communities/456',
      status: 200,
      reply: { errors: [missing] },
    },
    {
      it: 'an id may be in base64',
      // Community:456
      send: 'GET /2/communities/Q29tbXVuaXR5OjQ1Ng==',
      status: 200,
      reply: { errors: [missing] },
    },
    {
      it: 'an id that is neither',
      send: 'GET /2/communities/Q29tbXVuaXR5OmFiYw==',
      status: 400,
      reply: invalid(
        'id',
        'Q29tbXVuaXR5OmFiYw==',
        'The `id` path parameter value [Q29tbXVuaXR5OmFiYw==] is not valid',
      ),
    },
    {
      it: 'a field that there is not',
      send: 'GET /2/communities/{community}',
      query: { 'community.fields': 'is_private' },
      status: 400,
      reply: invalid(
        'community.fields',
        'is_private',
        `The \`community.fields\` query parameter value [is_private] is not one of [${FIELDS}]`,
      ),
    },
    {
      it: 'a search needs a query',
      send: 'GET /2/communities/search',
      status: 400,
      reply: problem.invalidRequest([{ query: [] }, 'The `query` query parameter can not be empty']),
    },
    {
      it: 'a page has at least 10 communities',
      send: 'GET /2/communities/search',
      query: { query: 'tide', max_results: '9' },
      status: 400,
      reply: invalid(
        'max_results',
        '9',
        'The `max_results` query parameter value [9] is not between 10 and 100',
      ),
    },
    {
      it: 'a bearer token cannot search',
      send: 'GET /2/communities/search',
      as: 'app',
      query: { query: 'tide' },
      status: 403,
      reply: problem.unsupportedAuthentication('OAuth 2.0 Application-Only', problem.USERS),
    },
    {
      it: 'a member posts in the community',
      send: 'POST /2/posts',
      json: { text: 'High water {run}', community_id: '{community}' },
      status: 201,
      reply: {
        data: {
          id: keep('community_post', id64),
          text: 'High water {run}',
          edit_history_post_ids: ['{community_post}'],
        },
      },
    },
    {
      it: 'everyone reads the posts of a public community',
      send: 'GET /2/posts/{community_post}',
      as: 'app',
      query: { 'post.fields': 'community_id' },
      status: 200,
      reply: {
        data: {
          id: '{community_post}',
          text: 'High water {run}',
          edit_history_post_ids: ['{community_post}'],
          community_id: '{community}',
        },
      },
    },
    {
      it: 'only members post in it',
      send: 'POST /2/posts',
      as: 'stranger',
      json: { text: 'Me too {run}', community_id: '{community}' },
      status: 403,
      reply: problem.forbidden('Only members of a community may write posts in it.'),
    },
    {
      it: 'a community to post in must exist',
      send: 'POST /2/posts',
      json: { text: 'Nowhere {run}', community_id: '456' },
      status: 400,
      reply: invalid('community_id', '456', 'Your community ID is invalid.'),
    },
  ],
}
