import type { Clock } from '../../platform/common/clock.ts'
import type { IdSource } from '../../platform/common/ids.ts'
import { emit } from '../../platform/events/log.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import type { MediaRow } from '../media/tables.ts'
import { accountOfUser, useMedia } from '../media/uses.ts'
import { entitiesOf } from '../posts/insert.ts'
import type { DmEventType } from './conversation.ts'
import { pairId } from './conversation.ts'
import { messageCreated, participantsJoined, participantsLeft } from './events.ts'
import { linkedPosts } from './links.ts'
import {
  addEvent,
  addParticipants,
  deliverEvent,
  lockConversation,
  markWrote,
  openConversation,
  removeParticipant,
} from './queries.ts'
import type { DmEventRow } from './tables.ts'

export interface Parts {
  readonly clock: Clock
  readonly ids: IdSource
}

/** The user who acts, and the app. */
export interface Actor {
  readonly userId: string
  readonly appId: string
}

export interface Message {
  /** Normalised and validated. May be empty if there is a medium. */
  readonly text: string
  /** Locked, and validated to be usable by the sender. */
  readonly medium: MediaRow | undefined
}

/** Locks the conversation of two users, and creates it first if necessary. Resolves to its id. */
export async function openPair(tx: Transaction, actor: Actor, other: string): Promise<string> {
  const id = pairId(actor.userId, other)
  await open(tx, { id, actor, isGroup: false, participants: [actor.userId, other] })
  return id
}

/** Creates a group with its first event. Resolves to its id. */
export async function openGroup(
  tx: Transaction,
  actor: Actor,
  others: readonly string[],
  parts: Parts,
): Promise<string> {
  const row = await addGroup(tx, actor, others, parts)
  await emit(tx, participantsJoined, saidOf(row))
  return row.conversation_id
}

/** Creates a group with its first row, which has no event. */
export async function addGroup(
  tx: Transaction,
  actor: Actor,
  others: readonly string[],
  parts: Parts,
): Promise<DmEventRow> {
  const id = parts.ids.next()
  await open(tx, { id, actor, isGroup: true, participants: [actor.userId, ...others] })
  return addJoining(tx, { conversation: id, actor, participants: others }, parts)
}

interface Opening {
  id: string
  actor: Actor
  isGroup: boolean
  participants: readonly string[]
}

async function open(tx: Transaction, { id, actor, isGroup, participants }: Opening): Promise<void> {
  const creator_id = actor.userId
  const begun = await tx.run(openConversation, {
    id,
    creator_id,
    is_group: Number(isGroup),
    created_at: tx.now,
  })
  await tx.first(lockConversation, { id })
  if (begun > 0) await tx.run(addParticipants, { id, ids: JSON.stringify(participants), now: tx.now })
}

interface Change {
  /** Locked. */
  conversation: string
  actor: Actor
}

/** Sends a message to all current participants of a conversation. */
export async function sendMessage(
  tx: Transaction,
  change: Change & { message: Message },
  parts: Parts,
): Promise<DmEventRow> {
  const row = await addMessage(tx, change, parts)
  await emit(tx, messageCreated, { ...saidOf(row), app_id: row.app_id })
  return row
}

/** Sends a message without its event. */
export async function addMessage(
  tx: Transaction,
  { conversation, actor, message }: Change & { message: Message },
  parts: Parts,
): Promise<DmEventRow> {
  const { text, medium } = message
  const entities = await entitiesOf(tx, text)
  const row = await happen(
    tx,
    {
      ...emptyEvent(conversation, actor, 'MessageCreate'),
      text,
      entities: JSON.stringify(entities),
      post_ids: JSON.stringify(await linkedPosts(tx, entities, actor.userId)),
      media_keys: JSON.stringify(medium ? [medium.media_key] : []),
    },
    parts,
  )
  await tx.run(markWrote, { id: conversation, user: actor.userId })
  if (medium) {
    const holder = { account: accountOfUser(actor.userId), table: 'dm_events', id: row.id }
    const forgotten = await useMedia(holder, [medium.id], { tx, now: tx.now })
    if (forgotten.length > 0) throw new Error('the medium of a message was not locked')
  }
  return row
}

/** Adds users to a group. They see only what happens from now on. */
export async function join(
  tx: Transaction,
  change: Change & { participants: readonly string[] },
  parts: Parts,
): Promise<DmEventRow> {
  const row = await addJoining(tx, change, parts)
  await emit(tx, participantsJoined, saidOf(row))
  return row
}

async function addJoining(
  tx: Transaction,
  { conversation, actor, participants }: Change & { participants: readonly string[] },
  parts: Parts,
): Promise<DmEventRow> {
  const participant_ids = JSON.stringify(participants)
  await tx.run(addParticipants, { id: conversation, ids: participant_ids, now: tx.now })
  const event = { ...emptyEvent(conversation, actor, 'ParticipantsJoin'), participant_ids }
  return happen(tx, event, parts)
}

/** Removes a user from a group. This is the last event that they see of it. */
export async function leave(tx: Transaction, change: Change, parts: Parts): Promise<DmEventRow> {
  const row = await addLeaving(tx, change, parts)
  await emit(tx, participantsLeft, saidOf(row))
  return row
}

/** Removes a user from a group, without the event. */
export async function addLeaving(
  tx: Transaction,
  { conversation, actor }: Change,
  parts: Parts,
): Promise<DmEventRow> {
  const participant_ids = JSON.stringify([actor.userId])
  const event = { ...emptyEvent(conversation, actor, 'ParticipantsLeave'), participant_ids }
  const row = await happen(tx, event, parts)
  await tx.run(removeParticipant, { id: conversation, user: actor.userId })
  return row
}

const NO_ENTITIES = JSON.stringify({ hashtags: [], cashtags: [], mentions: [], urls: [] })

const emptyEvent = (conversation_id: string, { userId, appId }: Actor, event_type: DmEventType) => ({
  conversation_id,
  event_type,
  sender_id: userId,
  text: '',
  entities: NO_ENTITIES,
  media_keys: '[]',
  post_ids: '[]',
  participant_ids: '[]',
  app_id: appId,
})

/** The id is created while the conversation is locked, so that ids grow in the order of its events. */
async function happen(
  tx: Transaction,
  event: Omit<DmEventRow, 'id' | 'created_at'>,
  { clock, ids }: Parts,
): Promise<DmEventRow> {
  const row: DmEventRow = { ...event, id: ids.next(), created_at: clock.now() }
  await tx.run(addEvent, row)
  await tx.run(deliverEvent, { id: row.id, conversation: row.conversation_id, type: row.event_type })
  return row
}

const saidOf = ({ id, conversation_id, sender_id }: DmEventRow) => ({
  event_id: id,
  conversation_id,
  sender_id,
})
