import { id, ids } from '../../../platform/http/schema.ts'
import { objectEndpoint } from '../objects/endpoint.ts'

const MAX_POSTS = 100

/** GET /2/posts: posts by their ids (core reference, 04 section 1.4). */
export const listPosts = objectEndpoint({
  id: 'listPosts',
  path: '/2/posts',
  summary: 'Get posts by their ids',
  description:
    'Returns up to 100 posts in the order of `ids`. Those that do not exist, or that the caller may not see, are reported in `errors`.',
  source: 'Other core endpoints named in release notes',
  auth: ['app', 'user'],
  limits: { app: '3500/15m', user: '5000/15m' },
  query: { ids: ids(id('A post.'), 'The posts.', MAX_POSTS) },
  returns: { object: 'post', count: 'many' },
  example: {
    data: [{ id: '1900000000000000001', text: 'Hello', edit_history_post_ids: ['1900000000000000001'] }],
  },
  find: ({ query }) => ({ keys: query.ids, parameter: 'ids' }),
})
