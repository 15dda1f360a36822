import { Type } from 'typebox'
import { block } from '../../../../identity/relations/relations.ts'
import { beginEndpoint } from '../relation.ts'

/** POST /2/users/{id}/blocking. */
export const blockUser = beginEndpoint({
  id: 'blockUser',
  segment: 'blocking',
  summary: 'Block a user',
  description:
    'Blocks a user. Any follow between the two ends. The blocked user cannot follow the user, reply, or see the posts of the user; posts of the blocked user do not appear in the mentions of the user. Repeating the call changes nothing.',
  scopes: ['post.read', 'users.read', 'block.write'],
  data: { name: 'Blocked', members: { blocking: Type.Boolean() }, example: { blocking: true } },
  async change(pair) {
    await block(pair)
    return { blocking: true }
  },
})
