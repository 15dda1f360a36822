import { Type } from 'typebox'
import { unfollowList as unfollow } from '../../../../domain/lists/lists.ts'
import { endListRelation } from '../list-relation.ts'

/** DELETE /2/users/{id}/followed_lists/{list_id}. */
export const unfollowList = endListRelation({
  id: 'unfollowList',
  segment: 'followed_lists',
  summary: 'Unfollow a list',
  description:
    'Ends the follow of a list, and the pin of a list of another user. Repeating the call changes nothing.',
  data: { name: 'UnfollowedList', members: { following: Type.Boolean() }, example: { following: false } },
  async change(tx, subject) {
    await unfollow(tx, subject)
    return { following: false }
  },
})
