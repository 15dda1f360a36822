import { pairId } from '../direct-messages/conversation.ts'

/** The id of a conversation in a path: of two users, of the other user alone, or of a group. */
export const CHAT_OR_RECIPIENT_ID = '^([0-9]{1,19}|[0-9]{1,19}-[0-9]{1,19}|g[0-9]{1,19})$'
/** The same, as events and replies about media write it: with a colon. */
export const CHAT_ID_WITH_COLON = '^([0-9]{1,19}[-:][0-9]{1,19}|[0-9]{1,19}|g[0-9]{1,19})$'

const PAIR = /^([0-9]{1,19})[-:]([0-9]{1,19})$/

/** Maximum number of members of a group. */
export const MAX_MEMBERS = 1_000

/** The id of a conversation as events, signatures and replies about media contain it. */
export const withColon = (id: string): string => id.replace('-', ':')

export const isGroupId = (id: string): boolean => id.startsWith('g')

/** A conversation that a caller names. */
export interface NamedChat {
  readonly id: string
  /** The other user of a conversation of two; undefined for a group. */
  readonly other: string | undefined
}

/** The conversation with an id; undefined if it is one of two other users. */
export function chatNamed(id: string, caller: string): NamedChat | undefined {
  if (isGroupId(id)) return { id, other: undefined }
  const [, first, second] = PAIR.exec(id) ?? [undefined, caller, id]
  if (first !== caller && second !== caller) return undefined
  const other = (first === caller ? second : first) as string
  return { id: pairOf(caller, other), other }
}

/** A user may have a conversation with themselves. */
export const pairOf = (userA: string, userB: string): string =>
  userA === userB ? `${userA}-${userB}` : pairId(userA, userB)
