import { id } from '../../../platform/http/schema.ts'
import { objectEndpoint } from '../objects/endpoint.ts'

/** GET /2/posts/{id}: one post (core reference, 04 section 1.4). */
export const getPost = objectEndpoint({
  id: 'getPost',
  path: '/2/posts/{id}',
  summary: 'Get a post',
  description:
    'Returns one post. A post that does not exist, or that the caller may not see, is reported in `errors` with status 200. An id of a former version returns that version.',
  source: 'Other core endpoints named in release notes',
  auth: ['app', 'user'],
  limits: { app: '450/15m', user: '900/15m' },
  params: { id: id('The post.') },
  returns: { object: 'post', count: 'one' },
  example: {
    params: { id: '1900000000000000001' },
    data: { id: '1900000000000000001', text: 'Hello', edit_history_post_ids: ['1900000000000000001'] },
  },
  find: ({ params }) => ({ keys: [params.id], parameter: 'id' }),
})
