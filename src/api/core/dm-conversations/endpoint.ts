import { Type } from 'typebox'
import { checkRecipients } from '../../../domain/direct-messages/acceptance.ts'
import { CONVERSATION_ID, otherParticipant } from '../../../domain/direct-messages/conversation.ts'
import { lockConversation, participantsOf } from '../../../domain/direct-messages/queries.ts'
import type { MessageActor } from '../../../domain/direct-messages/send.ts'
import type { DmEventRow } from '../../../domain/direct-messages/tables.ts'
import type { UserCaller } from '../../../identity/auth/principal.ts'
import type { ApiError } from '../../../platform/http/errors.ts'
import { type Message, msg } from '../../../platform/http/message.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { component, id } from '../../../platform/http/schema.ts'
import { apiError } from '../../../platform/protocols/catalogue.ts'
import type { Transaction } from '../../../platform/storage/store.ts'

const closed = { additionalProperties: false }

export const conversationId = Type.String({ pattern: CONVERSATION_ID, description: 'The conversation.' })

/** The reply of endpoints that create an event. */
export const MadeEvent = Type.Object(
  {
    data: component(
      'MadeDmEvent',
      Type.Object({ dm_conversation_id: conversationId, dm_event_id: id('The event.') }, closed),
      'The created event and its conversation.',
    ),
  },
  closed,
)

export const exampleEvent = {
  data: { dm_conversation_id: '6253282-2244994945', dm_event_id: '1900000000000000050' },
}

export const made = ({ id, conversation_id }: DmEventRow, status: 200 | 201 = 201) =>
  json({ data: { dm_conversation_id: conversation_id, dm_event_id: id } }, status)

export const actorOf = ({ userId, app }: UserCaller): MessageActor => ({ userId, appId: app.id })

/** Users named by a parameter, and the error for an invalid one. */
interface RecipientList {
  ids: readonly string[]
  wrong(value: string, sentence: Message): ApiError
}

/**
 * Rejects users to whom the caller cannot send messages: the caller, users who do not exist, and
 * users who do not accept them.
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
 * Locks a group of the user, and resolves to the ids of all participants. A group of other users is
 * rejected like one that does not exist, and like a conversation of two.
 */
export async function requireGroup(tx: Transaction, id: string, userId: string): Promise<string[]> {
  const found = await tx.first(lockConversation, { id })
  const rows = found?.is_group === 1 ? await tx.all(participantsOf, { id }) : []
  const ids = rows.map((row) => row.user_id)
  if (!ids.includes(userId)) throw apiError('not in conversation')
  return ids
}

/**
 * The other user of a conversation of two; undefined for the id of a group. Rejects conversations
 * of other users.
 */
export function otherIn(id: string, userId: string): string | undefined {
  if (!id.includes('-')) return undefined
  const other = otherParticipant(id, userId)
  if (other === undefined) throw apiError('not in conversation')
  return other
}
