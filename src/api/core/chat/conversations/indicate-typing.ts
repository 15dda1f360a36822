import { Type } from 'typebox'
import { json } from '../../../../platform/http/reply-kinds.ts'
import { chatId, dataReply, endpoint, named, PAIR_ID, requireMember, writing } from '../endpoint.ts'

/** POST /2/chat/conversations/{id}/typing: the caller is writing. Nothing is stored. */
export const indicateChatTyping = endpoint({
  ...writing,
  id: 'indicateChatTyping',
  path: '/2/chat/conversations/{id}/typing',
  summary: 'Say that you are typing in an encrypted conversation',
  description: 'Accepts the call from members of the conversation. There is no event of it.',
  limits: { user: '900/15m' },
  params: { id: chatId },
  reply: dataReply('IndicatedChatTyping', { success: Type.Boolean({ description: 'Always true.' }) }),
  errors: ['not in conversation'],
  example: { params: { id: PAIR_ID }, reply: { data: { success: true } } },
  async handle({ principal: { userId }, params }, { store }) {
    const { id } = named(params.id, userId)
    await store.write((tx) => requireMember(tx, id, userId))
    return json({ data: { success: true } })
  },
})
