import { Type } from 'typebox'
import { unfollow } from '../../../../identity/relations/relations.ts'
import { endEndpoint } from '../relation.ts'

/** DELETE /2/users/{source_user_id}/following/{target_user_id}. */
export const unfollowUser = endEndpoint({
  id: 'unfollowUser',
  segment: 'following',
  summary: 'Unfollow a user',
  description: 'Ends a follow, or withdraws a follow request. Repeating the call changes nothing.',
  scopes: ['post.read', 'users.read', 'follow.write'],
  data: { name: 'Unfollowed', members: { following: Type.Boolean() }, example: { following: false } },
  async change(pair) {
    await unfollow(pair)
    return { following: false }
  },
})
