import { Type } from 'typebox'
import { mute } from '../../../../identity/relations/relations.ts'
import { beginEndpoint } from '../relation.ts'

/** POST /2/users/{id}/muting. */
export const muteUser = beginEndpoint({
  id: 'muteUser',
  segment: 'muting',
  summary: 'Mute a user',
  description:
    'Mutes a user, without notifying them: their posts no longer appear in the home timeline. Repeating the call changes nothing.',
  scopes: ['post.read', 'users.read', 'mute.write'],
  data: { name: 'Muted', members: { muting: Type.Boolean() }, example: { muting: true } },
  async change(pair) {
    await mute(pair)
    return { muting: true }
  },
})
