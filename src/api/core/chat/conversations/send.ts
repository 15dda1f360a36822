import { Type } from 'typebox'
import { addEvent, announceMessage } from '../../../../domain/chat/chats.ts'
import type { NamedChat } from '../../../../domain/chat/ids.ts'
import { messageDetail } from '../../../../domain/chat/message-event.ts'
import { chatEventSent, lockChat, memberOf } from '../../../../domain/chat/queries.ts'
import type { ChatConversationRow, ChatEventRow } from '../../../../domain/chat/tables.ts'
import { compareIds } from '../../../../platform/common/ids.ts'
import { msg } from '../../../../platform/http/message.ts'
import { json } from '../../../../platform/http/reply-kinds.ts'
import { apiError } from '../../../../platform/protocols/catalogue.ts'
import type { Transaction } from '../../../../platform/storage/store.ts'
import { wrong } from '../../posts/wrong.ts'
import { messageId } from '../body.ts'
import {
  type ChatApiDependencies,
  chatId,
  closedTo,
  dataReply,
  endpoint,
  named,
  PAIR_ID,
  writing,
} from '../endpoint.ts'
import { MAX_EVENT_LENGTH, MAX_MESSAGE_BODY_BYTES, type NewMessage, readMessage } from '../message.ts'

/** POST /2/chat/conversations/{id}/messages: an encrypted message. */
export const sendChatMessage = endpoint({
  ...writing,
  id: 'sendChatMessage',
  path: '/2/chat/conversations/{id}/messages',
  summary: 'Send an encrypted message',
  description:
    'Sends a message, encrypted with the newest key of the conversation, to its members. The reply is the event that they receive. A message with a `message_id` that the user has sent to the conversation already is not sent again: the reply is the event of the first one.',
  params: { id: chatId },
  maxBodyBytes: MAX_MESSAGE_BODY_BYTES,
  body: Type.Object({
    message_id: messageId,
    encoded_message_create_event: Type.String({
      minLength: 1,
      maxLength: MAX_EVENT_LENGTH,
      description: 'Base64 of the message, in the binary protocol.',
    }),
    encoded_message_event_signature: Type.Optional(
      Type.String({ maxLength: MAX_EVENT_LENGTH, description: 'Base64 of its signature, likewise.' }),
    ),
    conversation_token: Type.Optional(
      Type.String({ maxLength: MAX_EVENT_LENGTH, description: 'The token of an event. Not needed.' }),
    ),
  }),
  status: 201,
  reply: dataReply('SentChatMessage', {
    encoded_message_event: Type.String({ description: 'Base64 of the event.' }),
  }),
  errors: ['not in conversation', 'cannot message user', 'chat key not newest'],
  example: {
    params: { id: PAIR_ID },
    body: { message_id: '3f6a1e1c-7a54-4c0f-9a39-2f0f4d0e8b11', encoded_message_create_event: 'CwBkAAAA' },
    reply: { data: { encoded_message_event: 'CwABAAAAATEA' } },
  },
  async handle({ principal: { userId, app }, params, body }, context) {
    const chat = named(params.id, userId)
    const row = await context.store.write(async (tx) => {
      const locked = await lockOwn(tx, chat, userId)
      const messageKey = { id: chat.id, message: body.message_id, sender: userId }
      const sent = await tx.first(chatEventSent, messageKey)
      if (sent?.kind === 'message') return sent
      if (sent) throw wrong('message_id', body.message_id, msg`You have used this id for something else.`)
      const message = await readMessage(tx, body, { userId, chatId: chat.id })
      const added = await addMessage(tx, locked, { message, messageId: body.message_id, userId }, context)
      await announceMessage(tx, added, app.id)
      return added
    })
    return json({ data: { encoded_message_event: row.encoded_event } })
  },
})

/** Locks a conversation to which the caller may send. */
async function lockOwn(tx: Transaction, { id, other }: NamedChat, userId: string) {
  const chat = await tx.first(lockChat, { id })
  const member = chat && (await tx.first(memberOf, { id, user: userId }))
  if (other === undefined && !member) throw apiError('not in conversation')
  if (!chat || !member)
    throw wrong('encoded_message_create_event', '', msg`The conversation has no key: add one first.`)
  if (other !== undefined && (await closedTo(tx, userId, [other])).length > 0)
    throw apiError('cannot message user', `closed to the sender: ${other}`)
  return chat
}

interface Sending {
  message: NewMessage
  messageId: string
  userId: string
}

async function addMessage(
  tx: Transaction,
  chat: ChatConversationRow,
  { message: { create, bytes, signature }, messageId: messageKey, userId }: Sending,
  context: ChatApiDependencies,
): Promise<ChatEventRow> {
  const { keyVersion, ttlMs } = create
  if (compareIds(keyVersion, chat.key_version) < 0)
    throw apiError('chat key not newest', `the newest version is ${chat.key_version}`)
  if (compareIds(keyVersion, chat.key_version) > 0)
    throw wrong(
      'encoded_message_create_event',
      keyVersion,
      msg`The conversation has no key with this version.`,
    )
  const ttls = [chat.ttl_msec, ttlMs].filter((one) => typeof one === 'number' && one > 0) as number[]
  const { row } = await addEvent(
    tx,
    chat,
    {
      ...{ kind: 'message', messageId: messageKey, senderId: userId, signature },
      ...{ detail: messageDetail(bytes), keyVersion },
      expiresAt: ttls.length === 0 ? null : context.clock.now() + Math.min(...ttls),
    },
    context,
  )
  return row
}
