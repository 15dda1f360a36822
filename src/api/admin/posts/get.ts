import { Type } from 'typebox'
import { json } from '../../../platform/http/reply-kinds.ts'
import { presentPost, thePost } from '../../../workbench/create/posts.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { AdminPost, EXAMPLE, postId } from './post.ts'

/** GET /admin/v1/posts/{post_id}: a post. */
export const readPost = dataEndpoint({
  ...ADMIN,
  id: 'readPost',
  method: 'GET',
  path: '/admin/v1/posts/{post_id}',
  summary: 'Get a post',
  description: 'Returns a post, also one that only some users see.',
  params: { post_id: postId },
  reply: Type.Object({ data: AdminPost }, { additionalProperties: false }),
  errors: [...ADMIN.errors, 'not found'],
  example: { params: { post_id: EXAMPLE.id }, reply: { data: EXAMPLE } },
  async handle({ params: { post_id } }, { store }) {
    return json({ data: presentPost(await thePost(store, post_id)) })
  },
})
