import { compareIds } from '../../platform/common/ids.ts'

/** The id of the conversation of two users: the smaller id first, as numbers. */
export const pairId = (one: string, other: string): string =>
  compareIds(one, other) < 0 ? `${one}-${other}` : `${other}-${one}`

/** The id of a conversation of two users, or of a group. */
export const CONVERSATION_ID = '^([0-9]{1,19}-[0-9]{1,19}|[0-9]{1,19})$'

/** Maximum number of users in a group, including its creator. */
export const MAX_PARTICIPANTS = 50

/** The kinds of events that lists show. */
export const EVENT_TYPES = ['MessageCreate', 'ParticipantsJoin', 'ParticipantsLeave'] as const
export type DmEventType = (typeof EVENT_TYPES)[number]

/** The other user of a conversation of two; undefined when this user is not in it. */
export function otherOf(conversationId: string, userId: string): string | undefined {
  const [one = '', other] = conversationId.split('-')
  if (other === undefined || pairId(one, other) !== conversationId) return undefined
  return userId === one ? other : userId === other ? one : undefined
}
