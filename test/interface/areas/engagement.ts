import type { Area, Exchange } from '../support/exchange.ts'
import { id64, keep } from '../support/match.ts'
import * as problem from '../support/problems.ts'

const demo = { id: '{user}', name: 'Demo Developer', username: 'demo' }
const post = { id: '{liked_post}', text: 'to like, {run}', edit_history_post_ids: ['{liked_post}'] }
const repost = {
  id: '{repost}',
  text: 'RP @advertiser: to like, {run}',
  edit_history_post_ids: ['{repost}'],
}
const ONLY_USERS = problem.unsupportedAuthentication('OAuth 2.0 Application-Only', problem.USERS)

/** What a successful reply reports about a post that does not exist. */
const missing = (parameter: string) => ({
  title: 'Not Found Error',
  type: '{problem_base}/2/problems/resource-not-found',
  detail: `Could not find post with ${parameter}: [456].`,
  value: '456',
  parameter,
  resource_id: '456',
  resource_type: 'post',
})

/** The same of a bookmark folder. */
const NO_FOLDER = {
  detail: 'Could not find bookmark_folder with folder_id: [456].',
  resource_type: 'bookmark_folder',
}

const notOwn = problem.invalidRequest([
  { id: ['{advertiser}'] },
  'The `id` path parameter value [{advertiser}] must be the same as the authenticating user [{user}]',
])

interface Kind {
  segment: string
  parameter: 'post_id' | 'source_post_id'
  began: object
  ended: object
  /** While it is in effect. */
  lists: Exchange[]
}

/** An action on a post and its reversal, each twice, with every error of these calls. */
const reaction = ({ segment, parameter, began, ended, lists }: Kind): Exchange[] => {
  const begin = { send: `POST /2/users/{user}/${segment}`, json: { post_id: '{liked_post}' } }
  const end = { send: `DELETE /2/users/{user}/${segment}/{liked_post}` }
  const foreign = { send: `POST /2/users/{advertiser}/${segment}`, json: begin.json }
  return [
    { it: `${segment} begin`, ...begin, status: 200, reply: { data: began }, limit: 50 },
    { it: `${segment} may be repeated`, ...begin, status: 200, reply: { data: began } },
    ...lists,
    { it: `${segment} end`, ...end, status: 200, reply: { data: ended }, limit: 50 },
    { it: `${segment} may be ended again`, ...end, status: 200, reply: { data: ended } },
    {
      it: `${segment}: a post that there is not`,
      ...begin,
      json: { post_id: '456' },
      status: 200,
      reply: { errors: [missing('post_id')] },
    },
    {
      it: `${segment}: a post that there is not, at the end`,
      send: `DELETE /2/users/{user}/${segment}/456`,
      status: 200,
      reply: { errors: [missing(parameter)] },
    },
    { it: `${segment} of somebody else`, ...foreign, status: 400, reply: notOwn },
    {
      it: `${segment} of another user, at the end`,
      send: `DELETE /2/users/{advertiser}/${segment}/{liked_post}`,
      status: 400,
      reply: notOwn,
    },
    {
      it: `${segment}: an app that may only read`,
      ...foreign,
      as: 'reading user',
      status: 403,
      reply: problem.permissions,
    },
    { it: `${segment}: a bearer is nobody`, ...begin, as: 'app', status: 403, reply: ONLY_USERS },
  ]
}

/** A list of a post. */
const list = (segment: string, data: object): Exchange => ({
  it: `${segment} of a post`,
  send: `GET /2/posts/{liked_post}/${segment}`,
  as: 'app',
  status: 200,
  reply: { data: [data], meta: { result_count: 1 } },
  limit: 75,
})

/** Sources: core reference, 00 sections 3.3, 6.2 and 7, and the paths of client libraries. */
export const engagement: Area = {
  name: 'engagement with posts',
  base: '{base_url}',
  as: 'user',
  rows: [
    {
      it: 'a post, for the rows below; posts of a day are limited too',
      send: 'POST /2/posts',
      as: 'advertiser',
      json: { text: 'to like, {run}' },
      status: 201,
      reply: { data: { ...post, id: keep('liked_post', id64), edit_history_post_ids: [id64] } },
      has: {
        'x-user-limit-24hour-limit': '2400',
        'x-user-limit-24hour-remaining': id64,
        'x-user-limit-24hour-reset': id64,
        'x-app-limit-24hour-limit': '10000',
        'x-app-limit-24hour-remaining': id64,
        'x-app-limit-24hour-reset': id64,
      },
    },
    ...reaction({
      segment: 'likes',
      parameter: 'post_id',
      began: { liked: true },
      ended: { liked: false },
      lists: [
        list('liking_users', demo),
        {
          it: 'what a user likes',
          send: 'GET /2/users/{user}/liked_posts',
          query: { max_results: '5' },
          status: 200,
          reply: { data: [post], meta: { result_count: 1 } },
          limit: 75,
        },
        {
          it: 'a page of likes has at least five posts',
          send: 'GET /2/users/{user}/liked_posts',
          query: { max_results: '4' },
          status: 400,
          reply: problem.invalidRequest([
            { max_results: ['4'] },
            'The `max_results` query parameter value [4] is not between 5 and 100',
          ]),
        },
        {
          it: 'likes of a day are limited',
          send: 'POST /2/users/{user}/likes',
          json: { post_id: '{liked_post}' },
          status: 200,
          reply: { data: { liked: true } },
          has: { 'x-user-limit-24hour-limit': '1000' },
        },
      ],
    }),
    ...reaction({
      segment: 'reposts',
      parameter: 'source_post_id',
      began: { id: keep('repost', id64), reposted: true },
      ended: { reposted: false },
      lists: [
        list('reposted_by', demo),
        list('reposts', repost),
        {
          it: 'who wrote the original lists the reposts of all own posts',
          send: 'GET /2/users/reposts_of_me',
          as: 'advertiser',
          query: { 'post.fields': 'referenced_posts', max_results: '1' },
          status: 200,
          reply: {
            data: [{ ...repost, referenced_posts: [{ type: 'reposted', id: '{liked_post}' }] }],
            meta: { result_count: 1 },
          },
          limit: 75,
        },
        {
          it: 'own reposts are not reposts of own posts',
          send: 'GET /2/users/reposts_of_me',
          status: 200,
          reply: { meta: { result_count: 0 } },
          limit: 75,
        },
        {
          it: 'reposts of own posts need a user',
          send: 'GET /2/users/reposts_of_me',
          as: 'app',
          status: 403,
          reply: ONLY_USERS,
        },
      ],
    }),
    ...reaction({
      segment: 'bookmarks',
      parameter: 'post_id',
      began: { bookmarked: true },
      ended: { bookmarked: false },
      lists: [
        {
          it: 'bookmarks have a list',
          send: 'GET /2/users/{user}/bookmarks',
          status: 200,
          reply: { data: [post], meta: { result_count: 1 } },
          limit: 180,
        },
        {
          it: 'a folder for bookmarks',
          send: 'POST /2/users/{user}/bookmarks/folders',
          json: { name: 'To read' },
          status: 201,
          reply: { data: { id: keep('folder', id64), name: 'To read' } },
          limit: 50,
        },
        {
          it: 'folders have a list',
          send: 'GET /2/users/{user}/bookmarks/folders',
          status: 200,
          reply: { data: [{ id: '{folder}', name: 'To read' }], meta: { result_count: 1 } },
          limit: 50,
        },
        {
          it: 'a bookmark in a folder',
          send: 'POST /2/users/{user}/bookmarks',
          json: { post_id: '{liked_post}', folder_id: '{folder}' },
          status: 200,
          reply: { data: { bookmarked: true } },
        },
        {
          it: 'the ids of the posts of a folder',
          send: 'GET /2/users/{user}/bookmarks/folders/{folder}',
          status: 200,
          reply: { data: [{ id: '{liked_post}' }], meta: { result_count: 1 } },
          limit: 50,
        },
        {
          it: 'a folder that there is not',
          send: 'GET /2/users/{user}/bookmarks/folders/456',
          status: 200,
          reply: { errors: [{ ...missing('folder_id'), ...NO_FOLDER }] },
        },
        {
          it: 'a long name of a folder',
          send: 'POST /2/users/{user}/bookmarks/folders',
          json: { name: 'x'.repeat(26) },
          status: 400,
          reply: problem.invalidRequest([
            { name: ['x'.repeat(26)] },
            '$.name: must be between 1 and 25 long',
          ]),
        },
        {
          it: 'folders of another user',
          send: 'GET /2/users/{advertiser}/bookmarks/folders',
          status: 400,
          reply: notOwn,
        },
        {
          it: 'bookmarks of another user',
          send: 'GET /2/users/{advertiser}/bookmarks',
          status: 400,
          reply: notOwn,
        },
      ],
    }),
    {
      it: 'a quote',
      send: 'POST /2/posts',
      json: { text: 'quoting, {run}', quote_post_id: '{liked_post}' },
      status: 201,
      reply: {
        data: { id: keep('quote', id64), text: 'quoting, {run}', edit_history_post_ids: [id64] },
      },
    },
    list('quote_posts', { id: '{quote}', text: 'quoting, {run}', edit_history_post_ids: ['{quote}'] }),
    {
      it: 'what there is not has no list',
      send: 'GET /2/posts/456/liking_users',
      status: 200,
      reply: { errors: [missing('id')] },
    },
    {
      it: 'a reply',
      send: 'POST /2/posts',
      json: { text: 'replying, {run}', reply: { in_reply_to_post_id: '{liked_post}' } },
      status: 201,
      reply: {
        data: { id: keep('hidden_reply', id64), text: 'replying, {run}', edit_history_post_ids: [id64] },
      },
    },
    {
      it: 'the author of the conversation hides it',
      send: 'PUT /2/posts/{hidden_reply}/hidden',
      as: 'advertiser',
      json: { hidden: true },
      status: 200,
      reply: { data: { hidden: true } },
      limit: 50,
    },
    {
      it: 'and no one else',
      send: 'PUT /2/posts/{hidden_reply}/hidden',
      json: { hidden: false },
      status: 403,
      reply: problem.forbidden(
        'You are not authorized to hide replies in this conversation: only its author can.',
      ),
    },
  ],
}
