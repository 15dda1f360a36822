import { Type } from 'typebox'
import { addEvent } from '../../../../domain/chat/chats.ts'
import { readDetail } from '../../../../domain/chat/message-event.ts'
import { chatEventsSeenBy, markMemberRead } from '../../../../domain/chat/queries.ts'
import { msg } from '../../../../platform/http/message.ts'
import { json } from '../../../../platform/http/reply-kinds.ts'
import { id } from '../../../../platform/http/schema.ts'
import { wrong } from '../../posts/wrong.ts'
import { requireNumber } from '../body.ts'
import { chatId, dataReply, endpoint, named, PAIR_ID, requireMember, writing } from '../endpoint.ts'

const NAME = 'seen_until_sequence_id'

/** POST /2/chat/conversations/{id}/read: the caller has read a conversation up to an event. */
export const markChatRead = endpoint({
  ...writing,
  id: 'markChatRead',
  path: '/2/chat/conversations/{id}/read',
  summary: 'Mark an encrypted conversation as read',
  description:
    'Records that the user has read a conversation up to an event. Only the user gets an event of it, for their other devices; none if they had read further.',
  params: { id: chatId },
  body: Type.Object({ [NAME]: id('The event up to which the user has read.') }),
  reply: dataReply('MarkedChatRead', { success: Type.Boolean({ description: 'Always true.' }) }),
  errors: ['not in conversation'],
  example: {
    params: { id: PAIR_ID },
    body: { [NAME]: '1900000000000000070' },
    reply: { data: { success: true } },
  },
  async handle({ principal: { userId: user }, params, body }, context) {
    const { id: chatKey } = named(params.id, user)
    const event = requireNumber(NAME, body[NAME] ?? '')
    await context.store.write(async (tx) => {
      const { chat } = await requireMember(tx, chatKey, user)
      const [seen] = await tx.all(chatEventsSeenBy, { ids: JSON.stringify([event]), viewer: user, now: 0 })
      if (seen?.conversation_id !== chatKey)
        throw wrong(NAME, event, msg`The conversation has no event ${event}.`)
      if ((await tx.run(markMemberRead, { id: chatKey, user, event })) === 0) return
      const detail = readDetail(event, tx.now)
      const read = {
        kind: 'read',
        messageId: `read:${event}`,
        senderId: user,
        detail,
        onlyFor: user,
      } as const
      await addEvent(tx, chat, read, context)
    })
    return json({ data: { success: true } })
  },
})
