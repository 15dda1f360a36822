import { checkRecipients } from '../../../domain/direct-messages/acceptance.ts'
import { otherParticipant } from '../../../domain/direct-messages/conversation.ts'
import { lockConversation, participantsOf } from '../../../domain/direct-messages/queries.ts'
import type { ApiError } from '../../../platform/http/errors.ts'
import type { Message } from '../../../platform/http/message.ts'
import { msg } from '../../../platform/http/message.ts'
import { apiError } from '../../../platform/protocols/catalogue.ts'
import type { Transaction } from '../../../platform/storage/store.ts'

/** Users named by a parameter, and the error for an invalid one. */
interface RecipientList {
  ids: readonly string[]
  wrong(value: string, sentence: Message): ApiError
}

/**
 * Rejects users to whom the caller cannot send messages: the caller, users who do not exist, and users who do not
 * accept them.
 */
export async function requireRecipients(
  tx: Transaction,
  caller: string,
  { ids, wrong }: RecipientList,
): Promise<void> {
  if (ids.includes(caller)) throw wrong(caller, msg`You cannot message yourself.`)
  const { unknown, closed } = await checkRecipients(tx, caller, ids)
  const [missing] = unknown
  if (missing !== undefined) throw wrong(missing, msg`There is no user with the id ${missing}.`)
  if (closed.length > 0) throw apiError('cannot message user', `closed to the sender: ${closed.join(', ')}`)
}

/**
 * Locks a group of the user, and resolves to the ids of all participants. A group of other users is rejected like one
 * that does not exist, and like a conversation of two.
 */
export async function requireGroup(tx: Transaction, id: string, userId: string): Promise<string[]> {
  const found = await tx.first(lockConversation, { id })
  const rows = found?.is_group === 1 ? await tx.all(participantsOf, { id }) : []
  const ids = rows.map((row) => row.user_id)
  if (!ids.includes(userId)) throw apiError('not in conversation')
  return ids
}

/** The other user of a conversation of two; undefined for the id of a group. Rejects conversations of other users. */
export function otherIn(id: string, userId: string): string | undefined {
  if (!id.includes('-')) return undefined
  const other = otherParticipant(id, userId)
  if (other === undefined) throw apiError('not in conversation')
  return other
}
