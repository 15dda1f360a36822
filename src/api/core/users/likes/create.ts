import { Type } from 'typebox'
import { like } from '../../../../domain/posts/engagement.ts'
import { countForDay } from '../../../../platform/http/steps/count-day.ts'
import { reactEndpoint } from '../reaction.ts'

/** POST /2/users/{id}/likes. */
export const likePost = reactEndpoint({
  id: 'likePost',
  segment: 'likes',
  parameter: 'post_id',
  summary: 'Like a post',
  description:
    'Likes a post. Liking a repost likes the original. Repeating the call changes nothing. A post that the user may not see is reported in `errors` with status 200.',
  scopes: ['post.read', 'users.read', 'like.write'],
  limits: { user: '50/15m', 'user-24hour': '1000/24h' },
  steps: [countForDay],
  data: { name: 'Liked', members: { liked: Type.Boolean() }, example: { liked: true } },
  async change(reaction) {
    await like(reaction)
    return { liked: true }
  },
})
