import { Type } from 'typebox'
import { undoRepost as undo } from '../../../../domain/posts/engagement.ts'
import { undoEndpoint } from '../reaction.ts'

/** DELETE /2/users/{id}/reposts/{source_post_id}. */
export const undoRepost = undoEndpoint({
  id: 'undoRepost',
  segment: 'reposts',
  parameter: 'source_post_id',
  summary: 'Undo a repost',
  description: 'Deletes the repost that the user made of a post. Repeating the call changes nothing.',
  scopes: ['post.read', 'post.write', 'users.read'],
  limits: { user: '50/15m' },
  data: { name: 'RepostUndone', members: { reposted: Type.Boolean() }, example: { reposted: false } },
  async change(reaction) {
    await undo(reaction)
    return { reposted: false }
  },
})
