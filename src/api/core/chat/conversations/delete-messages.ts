import { Type } from 'typebox'
import { json } from '../../../../platform/http/reply-kinds.ts'
import { MAX_BODY_BYTES } from '../body.ts'
import { chatId, dataReply, endpoint, named, PAIR_ID, requireMember, writing } from '../endpoint.ts'

import { DeletionBody, remove } from './deletion.ts'
/** POST /2/chat/conversations/{id}/messages/delete: deletes encrypted messages. */
export const deleteChatMessages = endpoint({
  ...writing,
  id: 'deleteChatMessages',
  path: '/2/chat/conversations/{id}/messages/delete',
  summary: 'Delete encrypted messages',
  description:
    'Deletes messages: for all members, those that the user sent, or any in a group of which the user is an admin; or only for the user. Messages that are gone already are passed over.',
  params: { id: chatId },
  maxBodyBytes: MAX_BODY_BYTES,
  body: DeletionBody,
  reply: dataReply('DeletedChatMessages', { deleted: Type.Boolean({ description: 'Always true.' }) }),
  errors: ['not in conversation', 'not own chat message', 'not chat medium owner'],
  example: {
    params: { id: PAIR_ID },
    body: {
      sequence_ids: ['1900000000000000070'],
      delete_message_action: 'delete_for_self',
      action_signatures: [],
    },
    reply: { data: { deleted: true } },
  },
  async handle({ principal: { userId }, params, body }, context) {
    const { id: chatKey } = named(params.id, userId)
    await context.store.write(async (tx) => {
      const own = await requireMember(tx, chatKey, userId)
      await remove(tx, body, own, context)
    })
    return json({ data: { deleted: true } })
  },
})
