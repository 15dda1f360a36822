import { addEvent, openLocked } from '../../../../domain/chat/chats.ts'
import { isGroupId, type NamedChat, pairOf, withColon } from '../../../../domain/chat/ids.ts'
import { chatEventSent, membersOfChats } from '../../../../domain/chat/queries.ts'
import type { ChatConversationRow, ChatEventRow } from '../../../../domain/chat/tables.ts'
import { profilesByIds } from '../../../../identity/users/queries.ts'
import { compareIds } from '../../../../platform/common/ids.ts'
import { invalid } from '../../../../platform/http/errors.ts'
import { msg } from '../../../../platform/http/message.ts'
import { apiError } from '../../../../platform/protocols/catalogue.ts'
import type { Transaction } from '../../../../platform/storage/store.ts'
import type { SignedAction } from '../body.ts'
import { type ChatApiDependencies, closedTo, requireMember } from '../endpoint.ts'

/** Locks the conversation of which the key changes. One of two users begins with its first key. */
export async function openFor(
  tx: Transaction,
  { id: chatKey, other }: NamedChat,
  userId: string,
  context: ChatApiDependencies,
): Promise<{ chat: ChatConversationRow; members: string[] }> {
  if (other === undefined || isGroupId(chatKey)) {
    const { chat } = await requireMember(tx, chatKey, userId)
    return { chat, members: await memberIds(tx, chatKey) }
  }
  const known = await tx.all(profilesByIds, { ids: JSON.stringify([other]) })
  const explanation = msg`There is no user with the id ${other}.`
  if (known.length === 0)
    throw invalid({ place: 'path', name: 'id', value: other, fault: { kind: 'rule', explanation } })
  if ((await closedTo(tx, userId, [other])).length > 0)
    throw apiError('cannot message user', `closed to the sender: ${other}`)
  const members = [...new Set([userId, other])]
  const pair = { id: pairOf(userId, other), creatorId: userId, isGroup: false, members, admins: [] }
  return { chat: await openLocked(tx, pair, context), members }
}

export const memberIds = async (tx: Pick<Transaction, 'all'>, chat: string): Promise<string[]> =>
  (await tx.all(membersOfChats, { ids: JSON.stringify([chat]) })).map(({ user_id }) => user_id)

interface NewKey {
  action: SignedAction
  version: string
  userId: string
}

/** Adds a key change. A client that did not receive the reply sends it again. */
export async function addKeyChange(
  tx: Transaction,
  chat: ChatConversationRow,
  { action: { signed, bytes }, version: key, userId }: NewKey,
  context: ChatApiDependencies,
): Promise<ChatEventRow> {
  const message = signed.message_id
  const sent = await tx.first(chatEventSent, { id: chat.id, message, sender: userId })
  if (sent?.kind === 'key' && sent.key_version === key) return sent
  if (compareIds(key, chat.key_version) <= 0)
    throw apiError('chat key not newer', `${withColon(chat.id)} has ${chat.key_version}, not ${key}`)
  const { row } = await addEvent(
    tx,
    chat,
    {
      ...{ kind: 'key', messageId: message, senderId: userId, detail: bytes, keyVersion: key },
      signature: signed.message_event_signature,
    },
    context,
  )
  return row
}
