import { Type } from 'typebox'
import { unmute } from '../../../../identity/relations/relations.ts'
import { endEndpoint } from '../relation.ts'

/** DELETE /2/users/{source_user_id}/muting/{target_user_id}. */
export const unmuteUser = endEndpoint({
  id: 'unmuteUser',
  segment: 'muting',
  summary: 'Unmute a user',
  description: 'Ends a mute. Repeating the call changes nothing.',
  scopes: ['post.read', 'users.read', 'mute.write'],
  data: { name: 'Unmuted', members: { muting: Type.Boolean() }, example: { muting: false } },
  async change(pair) {
    await unmute(pair)
    return { muting: false }
  },
})
