import { Type } from 'typebox'
import { type FollowOutcome, follow } from '../../../../identity/relations/relations.ts'
import { apiError } from '../../../../platform/protocols/catalogue.ts'
import { beginEndpoint } from '../relation.ts'

const REFUSED = {
  'blocked by target': 'follow blocked',
  'target is blocked': 'follow of blocked user',
  'too many': 'too many follows',
} as const satisfies Partial<Record<FollowOutcome, string>>

/** POST /2/users/{id}/following. */
export const followUser = beginEndpoint({
  id: 'followUser',
  segment: 'following',
  summary: 'Follow a user',
  description:
    'Follows a user. A protected user must accept the follow first; until then, `pending_follow` is true. Repeating the call changes nothing. A user who does not exist is reported in `errors` with status 200.',
  scopes: ['post.read', 'users.read', 'follow.write'],
  data: {
    name: 'Followed',
    members: {
      following: Type.Boolean({ description: 'Whether the user now follows the other user.' }),
      pending_follow: Type.Boolean({ description: 'The other user must accept the follow first.' }),
    },
    example: { following: true, pending_follow: false },
  },
  errors: Object.values(REFUSED),
  async change(pair) {
    const followed = await follow(pair)
    if (followed !== 'following' && followed !== 'requested') throw apiError(REFUSED[followed])
    return { following: followed === 'following', pending_follow: followed === 'requested' }
  },
})
