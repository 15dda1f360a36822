import { shareInSpace } from '../../../domain/spaces/spaces.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { closedComponent, closedObject } from '../../../platform/http/schema.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { EXAMPLE as POST, postId } from '../posts/post.ts'
import { changed, EXAMPLE, spaceId } from './space.ts'

const SharedPost = closedComponent('SharedPost', { space_id: spaceId, post_id: postId })

/** PUT /admin/v1/spaces/{space_id}/posts/{post_id}: shares a post in a space. */
export const shareAnyPost = dataEndpoint({
  ...ADMIN,
  id: 'sharePostInSpace',
  method: 'PUT',
  path: '/admin/v1/spaces/{space_id}/posts/{post_id}',
  summary: 'Share a post in a space',
  description: 'Shares a post in a space: up to 100 posts. Repeating it changes nothing.',
  params: { space_id: spaceId, post_id: postId },
  reply: closedObject({ data: SharedPost }),
  errors: [...ADMIN.errors, 'not found', 'conflict'],
  example: {
    params: { space_id: EXAMPLE.id, post_id: POST.id },
    reply: { data: { space_id: EXAMPLE.id, post_id: POST.id } },
  },
  async handle({ params: { space_id, post_id } }, { store }) {
    await changed(
      store.write((tx) => shareInSpace(tx, space_id, post_id)),
      post_id,
    )
    return json({ data: { space_id, post_id } })
  },
})
