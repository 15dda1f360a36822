import type { Clock } from '../../platform/common/clock.ts'
import type { IdSource } from '../../platform/common/ids.ts'
import { emit } from '../../platform/events/log.ts'
import type { Sealer } from '../../platform/storage/seal.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import { chatMembersJoined, chatMessageSent } from './events.ts'
import { withColon } from './ids.ts'
import { type ChatSignature, encodeMessageEvent, encodeSignature } from './message-event.ts'
import {
  addChatEvent,
  addMember,
  advanceChat,
  deliverChatEvent,
  hideChatEvent,
  lockChat,
  markMemberWrote,
  openChat,
  removeChatEvents,
  showChatEvent,
  viewerOfChatEvent,
} from './queries.ts'
import { conversationToken } from './signatures.ts'
import type { ChatConversationRow, ChatEventRow } from './tables.ts'

export interface ChatDependencies {
  readonly clock: Clock
  readonly ids: IdSource
  readonly sealer: Pick<Sealer, 'derive'>
}

export type ChatEventKind = 'message' | 'key' | 'group' | 'delete' | 'read'

interface NewChatEvent {
  readonly kind: ChatEventKind
  readonly messageId: string
  readonly senderId: string
  readonly detail: Buffer
  readonly signature?: ChatSignature | undefined
  /** Of a message or a key change. */
  readonly keyVersion?: string
  readonly expiresAt?: number | null
  /** The only user who sees it; all members if undefined. */
  readonly onlyFor?: string
}

/** Before the first event of a conversation. */
const NONE = '0'

export interface NewChat {
  readonly id: string
  readonly creatorId: string
  readonly isGroup: boolean
  readonly members: readonly string[]
  readonly admins: readonly string[]
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly avatarUrl?: string | undefined
  readonly ttlMs?: number | undefined
}

/** Locks a conversation, and creates it first if necessary, with its members. */
export async function openLocked(
  tx: Transaction,
  chat: NewChat,
  { ids }: Pick<ChatDependencies, 'ids'>,
): Promise<ChatConversationRow> {
  const row: ChatConversationRow = {
    id: chat.id,
    creator_id: chat.creatorId,
    is_group: Number(chat.isGroup),
    name: chat.name ?? null,
    description: chat.description ?? null,
    avatar_url: chat.avatarUrl ?? null,
    ttl_msec: chat.ttlMs ?? null,
    ...{ key_version: NONE, key_event_id: NONE, last_event_id: NONE },
    ...{ created_at: tx.now, updated_at: tx.now },
  }
  const begun = await tx.run(openChat, row)
  const locked = await tx.first(lockChat, { id: chat.id })
  if (begun > 0) await addMembers(tx, { id: chat.id, users: chat.members, admins: chat.admins }, { ids })
  return locked ?? row
}

/** Adds users who are no members. They see what happens from now on. */
export async function addMembers(
  tx: Transaction,
  { id, users, admins = [] }: { id: string; users: readonly string[]; admins?: readonly string[] },
  { ids }: Pick<ChatDependencies, 'ids'>,
): Promise<void> {
  for (const user_id of new Set(users))
    await tx.run(addMember, {
      conversation_id: id,
      user_id,
      position: ids.next(),
      is_admin: Number(admins.includes(user_id)),
      wrote: 0,
      read_until: null,
    })
}

/**
 * Adds an event to a locked conversation. Its id is created now, so that ids grow in the order of
 * events. Resolves to the event, and to the conversation as it is then.
 */
export async function addEvent(
  tx: Transaction,
  chat: ChatConversationRow,
  event: NewChatEvent,
  parts: ChatDependencies,
): Promise<{ row: ChatEventRow; chat: ChatConversationRow }> {
  const row = eventRow(chat, event, parts)
  await tx.run(addChatEvent, row)
  const place = { id: row.id, conversation: chat.id, listed: Number(event.kind !== 'key') }
  if (event.onlyFor !== undefined) {
    await tx.run(showChatEvent, { ...place, user: event.onlyFor })
    return { row, chat }
  }
  await tx.run(deliverChatEvent, place)
  await tx.run(markMemberWrote, { id: chat.id, user: event.senderId })
  const key = event.kind === 'key' && { key_version: row.key_version ?? NONE, key_event_id: row.id }
  const advanced = { ...chat, last_event_id: row.id, updated_at: row.created_at, ...key }
  await tx.run(advanceChat, advanced)
  return { row, chat: advanced }
}

function eventRow(
  chat: ChatConversationRow,
  { kind, messageId, senderId, detail, signature, keyVersion, expiresAt }: NewChatEvent,
  { clock, ids, sealer }: ChatDependencies,
): ChatEventRow {
  const [id, created_at] = [ids.next(), clock.now()]
  const previous_id = chat.last_event_id === NONE ? null : chat.last_event_id
  const token = conversationToken(chat.id, sealer)
  const encoded = encodeMessageEvent({
    ...{ sequenceId: id, messageId, senderId, conversationId: withColon(chat.id), token },
    ...{ createdAt: created_at, detail, previousId: previous_id ?? undefined },
    signature: signature && encodeSignature(signature),
  })
  return {
    ...{ id, conversation_id: chat.id, kind, message_id: messageId, sender_id: senderId },
    ...{ key_version: keyVersion ?? null, previous_id, conversation_token: token, created_at },
    encoded_event: encoded.toString('base64'),
    signature: signature ? JSON.stringify(signature) : null,
    expires_at: expiresAt ?? null,
  }
}

const dataOf = ({ id, conversation_id, sender_id }: ChatEventRow) => ({
  ...{ event_id: id, conversation_id, sender_id },
})

export const announceMessage = (tx: Transaction, row: ChatEventRow, app_id: string) =>
  emit(tx, chatMessageSent, { ...dataOf(row), app_id })

export const announceMembers = (tx: Transaction, row: ChatEventRow, users: readonly string[]) =>
  emit(tx, chatMembersJoined, { ...dataOf(row), user_ids: users.join(',') })

/** Removes an event from the view of a user; the event itself when nobody else sees it. */
export async function hideEvent(tx: Transaction, id: string, viewer: string): Promise<void> {
  if ((await tx.run(hideChatEvent, { id, viewer })) === 0) return
  if (!(await tx.first(viewerOfChatEvent, { id })))
    await tx.run(removeChatEvents, { ids: JSON.stringify([id]) })
}
