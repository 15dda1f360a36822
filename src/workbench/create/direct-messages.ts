import { Type } from 'typebox'
import { checkRecipients } from '../../domain/direct-messages/acceptance.ts'
import {
  CONVERSATION_ID,
  MAX_PARTICIPANTS,
  otherParticipant,
} from '../../domain/direct-messages/conversation.ts'
import { lockConversation, participantsOf } from '../../domain/direct-messages/queries.ts'
import { addGroup, addMessage, openGroup, openPair, sendMessage } from '../../domain/direct-messages/send.ts'
import type { DmEventRow } from '../../domain/direct-messages/tables.ts'
import { NO_APP } from '../../domain/posts/insert.ts'
import { normalised, textFault } from '../../domain/posts/weight.ts'
import type { ProfileRow } from '../../identity/users/tables.ts'
import type { Clock } from '../../platform/common/clock.ts'
import { IDS_PER_MS, type IdSource, idAt, MAX_NODE } from '../../platform/common/ids.ts'
import type { RandomSource } from '../../platform/common/random.ts'
import { isoTime } from '../../platform/common/time.ts'
import { text } from '../../platform/http/schema.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import { lengthOf } from '../../platform/text/entities.ts'
import { USER_NAME, userIn } from './find-user.ts'
import { pastTime, timeIn } from './times.ts'
import { WrongValue } from './wrong.ts'

const MAX_TEXT = 10_000

/** Members of a new direct message. */
export const MESSAGE_MEMBERS = {
  text: text(1, MAX_TEXT, 'Up to 10,000 characters.'),
  to: Type.Array(Type.String({ pattern: USER_NAME }), {
    minItems: 1,
    maxItems: MAX_PARTICIPANTS - 1,
    uniqueItems: true,
    description:
      'Ids or screen names. With one, the message goes to the conversation of the two users; with several, to a new group.',
  }),
  conversation_id: Type.String({
    pattern: CONVERSATION_ID,
    description: 'A conversation of the sender, instead of `to`.',
  }),
  created_at: pastTime('When the message was sent'),
}

export interface NewMessageValues {
  /** Id or screen name of the sender. */
  from: string
  text: string
  to?: readonly string[] | undefined
  conversation_id?: string | undefined
  /** RFC 3339, or a distance from now such as `-2h`. */
  created_at?: string | undefined
}

export interface MessageParts {
  readonly clock: Clock
  readonly ids: IdSource
  readonly random: RandomSource
}

/**
 * Sends a direct message as a user, whom the recipients must accept messages from. A message
 * without a time is sent now: its recipients' webhooks and streams get it. One with a time is a
 * past message, which nothing sends.
 * @throws WrongValue
 */
export async function addNewMessage(
  tx: Transaction,
  values: NewMessageValues,
  parts: MessageParts,
): Promise<DmEventRow> {
  const message = { text: checkedText(values.text), medium: undefined }
  const sender = await userIn(tx, 'from', values.from)
  const actor = { userId: sender.id, appId: NO_APP }
  const now = parts.clock.now()
  const at =
    values.created_at === undefined
      ? undefined
      : timeIn('created_at', values.created_at, { now, latest: now })
  const timed = at === undefined ? parts : partsAt(at, parts)
  const conversation = await conversationOf(tx, values, { sender, isPast: at !== undefined, parts: timed })
  const change = { conversation, actor, message }
  return at === undefined ? sendMessage(tx, change, timed) : addMessage(tx, change, timed)
}

function checkedText(given: string): string {
  const normalizedText = normalised(given)
  if (textFault(normalizedText) === 'unreadable')
    throw new WrongValue('text', given, 'The text contains characters that cannot be stored.')
  if (normalizedText === '') throw new WrongValue('text', given, 'A message needs text.')
  if (lengthOf(normalizedText) > MAX_TEXT)
    throw new WrongValue('text', given, `The text of a message has up to ${MAX_TEXT} characters.`)
  return normalizedText
}

/** Ids and times of the past. Two messages of one millisecond rarely get the same id. */
function partsAt(timeMs: number, { random, clock }: MessageParts): Omit<MessageParts, 'random'> {
  let sequence = random.bytes(2).readUInt16BE()
  return {
    clock: { ...clock, now: () => timeMs },
    ids: { next: () => idAt(timeMs, MAX_NODE, sequence++ % IDS_PER_MS) },
  }
}

interface Conversing {
  sender: ProfileRow
  isPast: boolean
  parts: Omit<MessageParts, 'random'>
}

/** The conversation that the message goes to, locked. It is opened if it is new. */
async function conversationOf(
  tx: Transaction,
  { to, conversation_id: given }: NewMessageValues,
  { sender, isPast, parts }: Conversing,
): Promise<string> {
  if ((to === undefined) === (given === undefined))
    throw new WrongValue('to', to ?? '', 'A message needs either `to` or `conversation_id`.')
  const actor = { userId: sender.id, appId: NO_APP }
  if (given !== undefined) {
    const other = otherParticipant(given, sender.id)
    if (other === undefined) return groupOf(tx, given, sender)
    await requireAccepting(tx, sender, [await userIn(tx, 'conversation_id', other)])
    return openPair(tx, actor, other)
  }
  const users = []
  for (const who of to ?? []) users.push(await userIn(tx, 'to', who))
  await requireAccepting(tx, sender, users)
  const [first, ...more] = users
  if (first && more.length === 0) return openPair(tx, actor, first.id)
  const others = users.map((user) => user.id)
  return isPast
    ? (await addGroup(tx, actor, others, parts)).conversation_id
    : openGroup(tx, actor, others, parts)
}

async function groupOf(tx: Transaction, id: string, sender: ProfileRow): Promise<string> {
  const found = await tx.first(lockConversation, { id })
  const members = found?.is_group === 1 ? await tx.all(participantsOf, { id }) : []
  if (members.some(({ user_id }) => user_id === sender.id)) return id
  throw new WrongValue('conversation_id', id, `@${sender.screen_name} is in no conversation ${id}.`)
}

async function requireAccepting(
  tx: Transaction,
  sender: ProfileRow,
  users: readonly ProfileRow[],
): Promise<void> {
  if (users.some(({ id }) => id === sender.id))
    throw new WrongValue('to', sender.screen_name, 'Users cannot send messages to themselves.')
  const { closed } = await checkRecipients(
    tx,
    sender.id,
    users.map(({ id }) => id),
  )
  const rejecting = users.find(({ id }) => closed.includes(id))
  if (rejecting)
    throw new WrongValue(
      'to',
      rejecting.screen_name,
      `@${rejecting.screen_name} accepts no messages from @${sender.screen_name}.`,
    )
}

/** A direct message as replies show it. */
export const presentMessage = (row: DmEventRow) => ({
  id: row.id,
  conversation_id: row.conversation_id,
  sender_id: row.sender_id,
  text: row.text,
  created_at: isoTime(row.created_at),
})
