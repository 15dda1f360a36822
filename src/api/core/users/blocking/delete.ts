import { Type } from 'typebox'
import { unblock } from '../../../../identity/relations/relations.ts'
import { endEndpoint } from '../relation.ts'

/** DELETE /2/users/{source_user_id}/blocking/{target_user_id}. */
export const unblockUser = endEndpoint({
  id: 'unblockUser',
  segment: 'blocking',
  summary: 'Unblock a user',
  description:
    'Ends a block. Follows that the block ended are not restored. Repeating the call changes nothing.',
  scopes: ['post.read', 'users.read', 'block.write'],
  data: { name: 'Unblocked', members: { blocking: Type.Boolean() }, example: { blocking: false } },
  async change(pair) {
    await unblock(pair)
    return { blocking: false }
  },
})
