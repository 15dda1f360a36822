import { Type } from 'typebox'
import { pairId } from '../../../domain/direct-messages/conversation.ts'
import { messagesRead } from '../../../domain/direct-messages/events.ts'
import { eventsSeenBy, lockConversation, markRead } from '../../../domain/direct-messages/queries.ts'
import { emit } from '../../../platform/events/log.ts'
import { msg } from '../../../platform/http/message.ts'
import { empty } from '../../../platform/http/reply-kinds.ts'
import { id } from '../../../platform/http/schema.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import { actionEndpoint } from '../actions.ts'
import { wrongIn } from './other.ts'

/** POST /1.1/direct_messages/mark_read.json: the caller has read the messages of another user. */
export const markMessagesRead = actionEndpoint({
  id: 'markMessagesRead',
  host: 'core',
  method: 'POST',
  path: '/1.1/direct_messages/mark_read.json',
  summary: 'Mark messages as read',
  description:
    'Shows another user that the user has read their messages up to the given one. Marking an older message afterwards changes nothing.',
  source: 'Events',
  auth: ['user'],
  scopes: ['dm.write', 'post.read', 'users.read'],
  limits: { user: '1000/15m' },
  form: {
    last_read_event_id: id('The newest message that was read.'),
    recipient_id: id('Who sent it.'),
  },
  status: 204,
  replyKind: 'empty',
  reply: Type.Object({}),
  async handle({ principal: { userId }, form }, { store }) {
    await store.write((tx) => mark(tx, userId, form))
    return empty()
  },
})

async function mark(
  tx: Transaction,
  userId: string,
  { last_read_event_id: event, recipient_id: sender }: { last_read_event_id: string; recipient_id: string },
): Promise<void> {
  const row = await tx.first(eventsSeenBy, { ids: JSON.stringify([event]), viewer: userId })
  const conversation_id = pairId(userId, sender)
  if (row?.conversation_id !== conversation_id || row.sender_id !== sender)
    throw wrongIn('last_read_event_id')(event, msg`There is no message ${event} from ${sender}.`)
  await tx.first(lockConversation, { id: conversation_id })
  const moved = await tx.run(markRead, { id: conversation_id, user: userId, event })
  const read = { conversation_id, sender_id: userId, recipient_id: sender, last_read_event_id: event }
  if (moved > 0) await emit(tx, messagesRead, read)
}
