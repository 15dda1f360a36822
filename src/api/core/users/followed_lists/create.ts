import { Type } from 'typebox'
import { followList as follow } from '../../../../domain/lists/lists.ts'
import { beginListRelation } from '../list-relation.ts'

/** POST /2/users/{id}/followed_lists. */
export const followList = beginListRelation({
  id: 'followList',
  segment: 'followed_lists',
  summary: 'Follow a list',
  description:
    'Follows a list. Repeating the call changes nothing. A list that does not exist, or is a private list of another user, is reported in `errors` with status 200.',
  data: { name: 'FollowedList', members: { following: Type.Boolean() }, example: { following: true } },
  async change(tx, subject, parts) {
    await follow(tx, subject, parts)
    return { following: true }
  },
})
