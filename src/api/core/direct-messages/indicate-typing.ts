import { Type } from 'typebox'
import { pairId } from '../../../domain/direct-messages/conversation.ts'
import { typingIndicated } from '../../../domain/direct-messages/events.ts'
import { emit } from '../../../platform/events/log.ts'
import { empty } from '../../../platform/http/reply-kinds.ts'
import { id } from '../../../platform/http/schema.ts'
import { actionEndpoint } from '../actions.ts'
import { requireOtherUser } from './other.ts'

/** POST /1.1/direct_messages/indicate_typing.json: the caller is typing to another user. */
export const indicateTyping = actionEndpoint({
  id: 'indicateTyping',
  host: 'core',
  method: 'POST',
  path: '/1.1/direct_messages/indicate_typing.json',
  summary: 'Indicate that the user is typing',
  description: 'Shows another user that the user is typing a message to them. Only the event is stored.',
  source: 'Events',
  auth: ['user'],
  scopes: ['dm.write', 'post.read', 'users.read'],
  limits: { user: '1000/15m' },
  form: { recipient_id: id('The other user.') },
  status: 204,
  replyKind: 'empty',
  reply: Type.Object({}),
  errors: ['cannot message user', 'other user suspended', 'user unknown'],
  async handle({ principal: { userId }, form: { recipient_id } }, { store }) {
    await store.write(async (tx) => {
      await requireOtherUser(tx, userId, recipient_id, 'recipient_id')
      const conversation_id = pairId(userId, recipient_id)
      await emit(tx, typingIndicated, { conversation_id, sender_id: userId, recipient_id })
    })
    return empty()
  },
})
