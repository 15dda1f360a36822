import { Type } from 'typebox'
import { removeMessage } from '../../../../domain/broadcasts/chat/queries.ts'
import { boundOf } from '../../../../platform/common/ids.ts'
import { actionEndpoint, actionReply } from '../../actions.ts'
import {
  BROADCAST,
  broadcastId,
  changeChat,
  LIMITS,
  SOURCE,
  unknownMessage,
  WRITE_SCOPES,
} from '../subject.ts'
import { MESSAGE, messageId } from './message.ts'

/** DELETE /2/broadcasts/{id}/chat/{message_id}: a message in a chat of the caller. */
export const deleteBroadcastChatMessage = actionEndpoint({
  id: 'deleteBroadcastChatMessage',
  host: 'core',
  method: 'DELETE',
  path: '/2/broadcasts/{id}/chat/{message_id}',
  summary: 'Delete a message in the chat of a broadcast',
  description:
    'Deletes a message in the chat of a running broadcast of the user. A broadcast or message that does not exist is reported in `errors` with status 200.',
  source: SOURCE,
  auth: ['user'],
  scopes: WRITE_SCOPES,
  limits: LIMITS,
  params: { id: broadcastId, message_id: messageId },
  reply: actionReply('DeletedBroadcastMessage', { deleted: Type.Boolean() }),
  errors: ['not broadcast owner', 'broadcast not running'],
  example: {
    params: { id: BROADCAST.id, message_id: MESSAGE.id },
    reply: { data: { deleted: true } },
  },
  handle: ({ principal: { userId }, params: { id, message_id } }, dependencies) =>
    changeChat({ id, userId, isOwners: true }, dependencies, async (tx) =>
      (await tx.run(removeMessage, { broadcast: id, message: boundOf(message_id) })) > 0
        ? { data: { deleted: true } }
        : { errors: [unknownMessage('message_id', message_id, dependencies.naming)] },
    ),
})
