import { Type } from 'typebox'
import { removeMute } from '../../../../../domain/broadcasts/chat/queries.ts'
import { profilesByIds } from '../../../../../identity/users/queries.ts'
import { notFoundProblem } from '../../../../../platform/protocols/problem/resource.ts'
import { actionEndpoint, actionReply } from '../../../actions.ts'
import { namedUser, USER } from '../../../users/subject.ts'
import { BROADCAST, broadcastId, changeChat, LIMITS, SOURCE, WRITE_SCOPES } from '../../subject.ts'

/** DELETE /2/broadcasts/{id}/chat/mutes/{user_id}: a user who may write again. */
export const unmuteBroadcastChatUser = actionEndpoint({
  id: 'unmuteBroadcastChatUser',
  host: 'core',
  method: 'DELETE',
  path: '/2/broadcasts/{id}/chat/mutes/{user_id}',
  summary: 'Unmute a user in the chats of your broadcasts',
  description:
    'Lets a user write again in the chats of all broadcasts of the user who calls. Repeating it changes nothing. The broadcast must be running. What does not exist is reported in `errors` with status 200.',
  source: SOURCE,
  auth: ['user'],
  scopes: WRITE_SCOPES,
  limits: LIMITS,
  params: {
    id: broadcastId,
    user_id: Type.String({ pattern: '^[1-9][0-9]{0,18}$', description: 'The user.' }),
  },
  reply: actionReply('UnmutedBroadcastUser', { muted: Type.Boolean({ description: 'Always false.' }) }),
  errors: ['not broadcast owner', 'broadcast not running'],
  example: { params: { id: BROADCAST.id, user_id: USER.id }, reply: { data: { muted: false } } },
  handle: ({ principal: { userId }, params: { id, user_id } }, dependencies) =>
    changeChat({ id, userId, isOwners: true }, dependencies, async (tx) => {
      const found = await tx.all(profilesByIds, { ids: JSON.stringify([user_id]) })
      if (found.length === 0)
        return { errors: [notFoundProblem(namedUser('user_id', user_id), dependencies.naming)] }
      await tx.run(removeMute, { owner: userId, user: user_id })
      return { data: { muted: false } }
    }),
})
