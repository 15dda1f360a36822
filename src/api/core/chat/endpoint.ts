import { type TProperties, Type } from 'typebox'
import { acceptingMessages } from '../../../domain/direct-messages/acceptance.ts'
import type { ChatDependencies } from '../../../domain/chat/chats.ts'
import { CHAT_OR_RECIPIENT_ID, chatNamed, type NamedChat } from '../../../domain/chat/ids.ts'
import { lockChat, memberOf, publicKeysOf } from '../../../domain/chat/queries.ts'
import type { ChatConversationRow, ChatMemberRow, ChatPublicKeyRow } from '../../../domain/chat/tables.ts'
import type { PlazaTerms } from '../../../identity/auth/endpoint.ts'
import { profilesByIds } from '../../../identity/users/queries.ts'
import { endpointsOf } from '../../../platform/http/endpoint.ts'
import { component } from '../../../platform/http/schema.ts'
import { apiError } from '../../../platform/protocols/catalogue.ts'
import { protocolOf } from '../../../platform/protocols/protocols.ts'
import type { Store, Transaction } from '../../../platform/storage/store.ts'
import type { UploadDependencies } from '../media/endpoint.ts'

/** What handlers of encrypted chats receive. */
export interface ChatApiDependencies extends ChatDependencies, UploadDependencies {
  readonly store: Store
}

/** Declares an endpoint of encrypted chats. */
export const endpoint = endpointsOf<PlazaTerms<ChatApiDependencies>>(protocolOf)

export const closed = { additionalProperties: false }

export const SOURCE = 'Core reference, 09 part A'
export const READ_SCOPES = ['dm.read', 'post.read', 'users.read'] as const
export const WRITE_SCOPES = ['dm.write', 'post.read', 'users.read'] as const
export const LIMITS = { user: '300/15m' } as const

/** What calls that write a conversation share. */
export const writing = {
  host: 'core',
  method: 'POST',
  source: SOURCE,
  auth: ['user'],
  scopes: WRITE_SCOPES,
  limits: LIMITS,
} as const

export const chatId = Type.String({
  pattern: CHAT_OR_RECIPIENT_ID,
  description: 'The conversation, or the other user of a conversation of two.',
})
export const PAIR_ID = '2244994945-6253282'
export const GROUP_ID = 'g1900000000000000060'

/** A reply with one object. */
export const dataReply = (name: string, members: TProperties) =>
  Type.Object({ data: component(name, Type.Unsafe<object>(Type.Object(members, closed))) }, closed)

/** The conversation that a caller names. Rejects those of two other users. */
export function named(id: string, caller: string): NamedChat {
  const found = chatNamed(id, caller)
  if (!found) throw apiError('not in conversation')
  return found
}

export interface OwnChat {
  readonly chat: ChatConversationRow
  readonly member: ChatMemberRow
}

/**
 * Locks a conversation of the caller. One of other users is rejected like one that does not exist.
 */
export async function requireMember(tx: Transaction, id: string, caller: string): Promise<OwnChat> {
  const chat = await tx.first(lockChat, { id })
  const member = chat && (await tx.first(memberOf, { id, user: caller }))
  if (!member) throw apiError('not in conversation')
  return { chat, member }
}

/** Of some users, those who do not exist, or who accept no messages from the caller. */
export async function closedTo(
  tx: Pick<Transaction, 'all'>,
  caller: string,
  ids: readonly string[],
): Promise<string[]> {
  const others = ids.filter((id) => id !== caller)
  if (others.length === 0) return []
  const rows = await tx.all(profilesByIds, { ids: JSON.stringify(others) })
  const accepting = await acceptingMessages(tx, caller, rows)
  return others.filter((id) => !accepting.has(id))
}

/** The public keys of a user with a version. */
export const keyOf = async (
  tx: Pick<Transaction, 'all'>,
  user: string,
  version: string,
): Promise<ChatPublicKeyRow | undefined> =>
  (await tx.all(publicKeysOf, { user })).find((row) => row.version === version)
