import { Type } from 'typebox'
import { putMute, removeMessage } from '../../../../../domain/broadcasts/chat/queries.ts'
import { profilesByIds } from '../../../../../identity/users/queries.ts'
import { boundOf } from '../../../../../platform/common/ids.ts'
import { msg } from '../../../../../platform/http/message.ts'
import { closedComponent } from '../../../../../platform/http/schema.ts'
import { notFoundProblem } from '../../../../../platform/protocols/problem/resource.ts'
import type { Transaction } from '../../../../../platform/storage/store.ts'
import { actionEndpoint, actionReply } from '../../../actions.ts'
import { wrong } from '../../../posts/wrong.ts'
import { namedUser, USER } from '../../../users/subject.ts'
import {
  BROADCAST,
  broadcastId,
  changeChat,
  LIMITS,
  SOURCE,
  unknownMessage,
  WRITE_SCOPES,
} from '../../subject.ts'

const positive = (description: string) => Type.String({ pattern: '^[1-9][0-9]{0,18}$', description })

/** POST /2/broadcasts/{id}/chat/mutes: a user who may no longer write. */
export const muteBroadcastChatUser = actionEndpoint({
  id: 'muteBroadcastChatUser',
  host: 'core',
  method: 'POST',
  path: '/2/broadcasts/{id}/chat/mutes',
  summary: 'Mute a user in the chats of your broadcasts',
  description:
    'Prevents a user from writing in the chats of all broadcasts of the user who calls, until a time or for good. Repeating it changes the time. The broadcast must be running. With `message_id`, that message is deleted too. What does not exist is reported in `errors` with status 200; then nothing changes.',
  source: SOURCE,
  auth: ['user'],
  scopes: WRITE_SCOPES,
  limits: LIMITS,
  params: { id: broadcastId },
  body: closedComponent('MuteBroadcastChatUserBody', {
    user_id: positive('The user.'),
    end_at_ms: Type.Optional(positive('When the mute ends, in milliseconds; never by default.')),
    message_id: Type.Optional(positive('A message that is deleted.')),
  }),
  reply: actionReply('MutedBroadcastUser', { muted: Type.Boolean() }),
  errors: ['not broadcast owner', 'broadcast not running'],
  example: {
    params: { id: BROADCAST.id },
    body: { user_id: USER.id },
    reply: { data: { muted: true } },
  },
  handle: ({ principal: { userId }, params: { id }, body }, dependencies) =>
    changeChat({ id, userId, isOwners: true }, dependencies, async (tx) => {
      const { user_id, message_id } = body
      const ends_at = endOf(body.end_at_ms, tx.now)
      if (user_id === userId) throw wrong('user_id', user_id, msg`You cannot mute yourself.`)
      if (!(await isThere(tx, user_id)))
        return { errors: [notFoundProblem(namedUser('user_id', user_id), dependencies.naming)] }
      const message = message_id && boundOf(message_id)
      if (message && (await tx.run(removeMessage, { broadcast: id, message })) === 0)
        return { errors: [unknownMessage('message_id', message_id, dependencies.naming)] }
      await tx.run(putMute, { owner_id: userId, user_id, ends_at })
      return { data: { muted: true } }
    }),
})

const isThere = async (tx: Transaction, user: string) =>
  (await tx.all(profilesByIds, { ids: JSON.stringify([user]) })).length > 0

function endOf(text: string | undefined, now: number): number | null {
  if (text === undefined) return null
  const end = Math.min(Number(text), Number.MAX_SAFE_INTEGER)
  if (end <= now) throw wrong('end_at_ms', text, msg`The mute must end in the future.`)
  return end
}
