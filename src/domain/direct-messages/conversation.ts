import { compareIds } from '../../platform/common/ids.ts'

/** The id of the conversation of two users: the smaller id first, as numbers. */
export const pairId = (userA: string, userB: string): string =>
  compareIds(userA, userB) < 0 ? `${userA}-${userB}` : `${userB}-${userA}`

/** The id of a conversation of two users, or of a group. */
export const CONVERSATION_ID = '^([0-9]{1,19}-[0-9]{1,19}|[0-9]{1,19})$'

/** Maximum number of users in a group, including its creator. */
export const MAX_PARTICIPANTS = 50

/** The kinds of events that lists show. */
export const EVENT_TYPES = ['MessageCreate', 'ParticipantsJoin', 'ParticipantsLeave'] as const
export type DmEventType = (typeof EVENT_TYPES)[number]

/** The other user of a conversation of two; undefined when this user is not in it. */
export function otherParticipant(conversationId: string, userId: string): string | undefined {
  const [first = '', second] = conversationId.split('-')
  if (second === undefined || pairId(first, second) !== conversationId) return undefined
  return userId === first ? second : userId === second ? first : undefined
}
