import { Type } from 'typebox'
import { unlike } from '../../../../domain/posts/engagement.ts'
import { countForDay } from '../../../../platform/http/steps/count-day.ts'
import { undoEndpoint } from '../reaction.ts'

/** DELETE /2/users/{id}/likes/{post_id}. */
export const unlikePost = undoEndpoint({
  id: 'unlikePost',
  segment: 'likes',
  parameter: 'post_id',
  summary: 'Unlike a post',
  description: 'Removes the like from a post. Repeating the call changes nothing.',
  scopes: ['post.read', 'users.read', 'like.write'],
  limits: { user: '50/15m', 'user-24hour': '1000/24h' },
  steps: [countForDay],
  data: { name: 'Unliked', members: { liked: Type.Boolean() }, example: { liked: false } },
  async change(reaction) {
    await unlike(reaction)
    return { liked: false }
  },
})
