import { Type } from 'typebox'
import { json } from '../../../platform/http/reply-kinds.ts'
import { theUser } from '../../../workbench/create/find-user.ts'
import { takeBack } from '../../../workbench/create/reactions.ts'
import { Deleted } from '../../core/deleted.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { EXAMPLE, PATH } from './reaction.ts'

/** DELETE /admin/v1/users/{user}/posts/{post_id}/{reaction}: takes a reaction back. */
export const endReaction = dataEndpoint({
  ...ADMIN,
  id: 'endReaction',
  method: 'DELETE',
  path: '/admin/v1/users/{user}/posts/{post_id}/{reaction}',
  summary: 'Take back a like, a bookmark or a repost',
  description: 'Takes a reaction of a user back. Repeating it changes nothing.',
  params: PATH,
  reply: Type.Object({ data: Deleted }, { additionalProperties: false }),
  errors: [...ADMIN.errors, 'not found'],
  example: {
    params: { user: 'ann', reaction: 'likes', post_id: EXAMPLE.post_id },
    reply: { data: { deleted: true } },
  },
  async handle({ params: { user: who, reaction, post_id } }, { store }) {
    await store.write(async (tx) => {
      const user = await theUser(tx, who)
      await takeBack(tx, reaction, { user, postId: post_id })
    })
    return json({ data: { deleted: true } })
  },
})
