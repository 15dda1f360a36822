import { addEvent } from '../../../../domain/chat/chats.ts'
import type { NamedChat } from '../../../../domain/chat/ids.ts'
import { messageDetail } from '../../../../domain/chat/message-event.ts'
import { lockChat, memberOf } from '../../../../domain/chat/queries.ts'
import type { ChatConversationRow, ChatEventRow } from '../../../../domain/chat/tables.ts'
import { compareIds } from '../../../../platform/common/ids.ts'
import { msg } from '../../../../platform/http/message.ts'
import { apiError } from '../../../../platform/protocols/catalogue.ts'
import type { Transaction } from '../../../../platform/storage/store.ts'
import { wrong } from '../../posts/wrong.ts'
import { type ChatApiDependencies, closedTo } from '../endpoint.ts'
import type { NewMessage } from '../message.ts'

/** Locks a conversation to which the caller may send. */
export async function lockOwn(tx: Transaction, { id, other }: NamedChat, userId: string) {
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

export async function addMessage(
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
      ...{ detail: messageDetail(bytes), keyVersion: chat.key_version },
      expiresAt: ttls.length === 0 ? null : context.clock.now() + Math.min(...ttls),
    },
    context,
  )
  return row
}
