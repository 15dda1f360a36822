import { Type } from 'typebox'
import { json } from '../../../platform/http/reply-kinds.ts'
import { theUser } from '../../../workbench/create/find-user.ts'
import { react } from '../../../workbench/create/reactions.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { EXAMPLE, PATH, ReactionObject } from './reaction.ts'

/** PUT /admin/v1/users/{user}/posts/{post_id}/{reaction}: likes, bookmarks or reposts a post. */
export const beginReaction = dataEndpoint({
  ...ADMIN,
  id: 'beginReaction',
  method: 'PUT',
  path: '/admin/v1/users/{user}/posts/{post_id}/{reaction}',
  summary: 'Like, bookmark or repost a post',
  description:
    'Makes a user like, bookmark or repost a post, as the user would, now. Repeating it changes nothing. A repost stands for its original.',
  params: PATH,
  reply: Type.Object({ data: ReactionObject }, { additionalProperties: false }),
  errors: [...ADMIN.errors, 'not found'],
  example: {
    params: { user: 'ann', reaction: 'likes', post_id: EXAMPLE.post_id },
    reply: { data: EXAMPLE },
  },
  async handle({ params: { user: who, reaction, post_id } }, { store, ...parts }) {
    const data = await store.write(async (tx) => {
      const user = await theUser(tx, who)
      const repost_id = await react(tx, reaction, { user, postId: post_id }, parts)
      return { user_id: user.id, post_id, ...(repost_id !== undefined && { repost_id }) }
    })
    return json({ data })
  },
})
