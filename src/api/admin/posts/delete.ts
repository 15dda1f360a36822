import { Type } from 'typebox'
import { json } from '../../../platform/http/reply-kinds.ts'
import { removePost } from '../../../workbench/create/posts.ts'
import { Deleted } from '../../core/deleted.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { EXAMPLE, postId } from './post.ts'

/** DELETE /admin/v1/posts/{post_id}: deletes a post. */
export const deleteAnyPost = dataEndpoint({
  ...ADMIN,
  id: 'deleteAnyPost',
  method: 'DELETE',
  path: '/admin/v1/posts/{post_id}',
  summary: 'Delete a post',
  description: 'Deletes a post with all its versions, as its author would.',
  params: { post_id: postId },
  reply: Type.Object({ data: Deleted }, { additionalProperties: false }),
  errors: [...ADMIN.errors, 'not found'],
  example: { params: { post_id: EXAMPLE.id }, reply: { data: { deleted: true } } },
  async handle({ params: { post_id } }, { store }) {
    await store.write((tx) => removePost(tx, post_id))
    return json({ data: { deleted: true } })
  },
})
