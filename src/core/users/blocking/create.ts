import { Type } from 'typebox'
import { block } from '../../../relations/relations.ts'
import { beginEndpoint } from '../relation.ts'

/** POST /2/users/{id}/blocking. */
export const blockUser = beginEndpoint({
  id: 'blockUser',
  segment: 'blocking',
  summary: 'Block a user',
  description:
    'Blocks a user. Neither follows the other from then on; the blocked user cannot follow, reply, or see posts of the user, whose mentions show nothing of the blocked one. Repeating the call changes nothing.',
  scopes: ['post.read', 'users.read', 'block.write'],
  data: { name: 'Blocked', members: { blocking: Type.Boolean() }, example: { blocking: true } },
  async change(pair) {
    await block(pair)
    return { blocking: true }
  },
})
