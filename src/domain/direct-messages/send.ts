import { profilesByIds } from '../../identity/users/queries.ts'
import type { Clock } from '../../platform/common/clock.ts'
import type { IdSource } from '../../platform/common/ids.ts'
import { emit } from '../../platform/events/log.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import type { Entities } from '../../platform/text/entities.ts'
import type { MediaRow } from '../media/tables.ts'
import { accountOfUser, useMedia } from '../media/uses.ts'
import { entitiesOf } from '../posts/insert.ts'
import { postInLink } from '../posts/post-links.ts'
import { isShownTo, postsSeenBy } from '../posts/queries.ts'
import { type DmEventType, pairId } from './conversation.ts'
import { messageCreated, participantsJoined, participantsLeft } from './events.ts'
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

export interface MessageDependencies {
  readonly clock: Clock
  readonly ids: IdSource
}

/** The user who acts, and the app. */
export interface MessageActor {
  readonly userId: string
  readonly appId: string
}

export interface NewMessage {
  /** Normalised and validated. May be empty if there is a medium. */
  readonly text: string
  /** Locked, and validated to be usable by the sender. */
  readonly medium: MediaRow | undefined
}

/** Locks the conversation of two users, and creates it first if necessary. Resolves to its id. */
export async function openPair(tx: Transaction, actor: MessageActor, recipient: string): Promise<string> {
  const id = pairId(actor.userId, recipient)
  await open(tx, { id, actor, isGroup: false, participants: [actor.userId, recipient] })
  return id
}

/** Creates a group with its first event. Resolves to its id. */
export async function openGroup(
  tx: Transaction,
  actor: MessageActor,
  others: readonly string[],
  parts: MessageDependencies,
): Promise<string> {
  const row = await addGroup(tx, actor, others, parts)
  await emit(tx, participantsJoined, eventDataOf(row))
  return row.conversation_id
}

/** Creates a group with its first row, which has no event. */
export async function addGroup(
  tx: Transaction,
  actor: MessageActor,
  others: readonly string[],
  parts: MessageDependencies,
): Promise<DmEventRow> {
  const id = parts.ids.next()
  await open(tx, { id, actor, isGroup: true, participants: [actor.userId, ...others] })
  return addJoining(tx, { conversation: id, actor, participants: others }, parts)
}

interface NewGroup {
  id: string
  actor: MessageActor
  isGroup: boolean
  participants: readonly string[]
}

async function open(tx: Transaction, { id, actor, isGroup, participants }: NewGroup): Promise<void> {
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

interface ParticipantChange {
  /** Locked. */
  conversation: string
  actor: MessageActor
}

/** Sends a message to all current participants of a conversation. */
export async function sendMessage(
  tx: Transaction,
  change: ParticipantChange & { message: NewMessage },
  parts: MessageDependencies,
): Promise<DmEventRow> {
  const row = await addMessage(tx, change, parts)
  await emit(tx, messageCreated, { ...eventDataOf(row), app_id: row.app_id })
  return row
}

/** Sends a message without its event. */
export async function addMessage(
  tx: Transaction,
  { conversation, actor, message }: ParticipantChange & { message: NewMessage },
  parts: MessageDependencies,
): Promise<DmEventRow> {
  const { text, medium } = message
  const entities = await entitiesOf(tx, text)
  const row = await addConversationEvent(
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
  change: ParticipantChange & { participants: readonly string[] },
  parts: MessageDependencies,
): Promise<DmEventRow> {
  const row = await addJoining(tx, change, parts)
  await emit(tx, participantsJoined, eventDataOf(row))
  return row
}

async function addJoining(
  tx: Transaction,
  { conversation, actor, participants }: ParticipantChange & { participants: readonly string[] },
  parts: MessageDependencies,
): Promise<DmEventRow> {
  const participant_ids = JSON.stringify(participants)
  await tx.run(addParticipants, { id: conversation, ids: participant_ids, now: tx.now })
  const event = { ...emptyEvent(conversation, actor, 'ParticipantsJoin'), participant_ids }
  return addConversationEvent(tx, event, parts)
}

/** Removes a user from a group. This is the last event that they see of it. */
export async function leave(
  tx: Transaction,
  change: ParticipantChange,
  parts: MessageDependencies,
): Promise<DmEventRow> {
  const row = await addLeaving(tx, change, parts)
  await emit(tx, participantsLeft, eventDataOf(row))
  return row
}

/** Removes a user from a group, without the event. */
export async function addLeaving(
  tx: Transaction,
  { conversation, actor }: ParticipantChange,
  parts: MessageDependencies,
): Promise<DmEventRow> {
  const participant_ids = JSON.stringify([actor.userId])
  const event = { ...emptyEvent(conversation, actor, 'ParticipantsLeave'), participant_ids }
  const row = await addConversationEvent(tx, event, parts)
  await tx.run(removeParticipant, { id: conversation, user: actor.userId })
  return row
}

const NO_ENTITIES = JSON.stringify({ hashtags: [], cashtags: [], mentions: [], urls: [] })

const emptyEvent = (conversation_id: string, { userId, appId }: MessageActor, event_type: DmEventType) => ({
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

/**
 * The id is created while the conversation is locked, so that ids grow in the order of its events.
 */
async function addConversationEvent(
  tx: Transaction,
  event: Omit<DmEventRow, 'id' | 'created_at'>,
  { clock, ids }: MessageDependencies,
): Promise<DmEventRow> {
  const row: DmEventRow = { ...event, id: ids.next(), created_at: clock.now() }
  await tx.run(addEvent, row)
  await tx.run(deliverEvent, { id: row.id, conversation: row.conversation_id, type: row.event_type })
  return row
}

const eventDataOf = ({ id, conversation_id, sender_id }: DmEventRow) => ({
  event_id: id,
  conversation_id,
  sender_id,
})

/** Maximum number of links to posts that are looked up; the others remain plain links. */
const MAX_LINKS = 10

/**
 * The posts that a text links to: the sender must see the post, and the path must contain the
 * screen name of its author.
 */
export async function linkedPosts(tx: Transaction, { urls }: Entities, sender: string): Promise<string[]> {
  const named = urls.flatMap(({ expanded_url }) => postInLink(expanded_url) ?? []).slice(0, MAX_LINKS)
  if (named.length === 0) return []
  const ids = JSON.stringify([...new Set(named.map(({ id }) => id))])
  const posts = (await tx.all(postsSeenBy, { ids, viewer: sender })).filter(
    (row) => row.deleted === 0 && isShownTo(row, sender),
  )
  const authors = await tx.all(profilesByIds, { ids: JSON.stringify(posts.map((row) => row.author_id)) })
  const names = new Map(authors.map((row) => [row.id, row.screen_name_key]))
  const nameOf = new Map(posts.map((row) => [row.id, names.get(row.author_id)]))
  return [...new Set(named.filter(({ id, name }) => nameOf.get(id) === name).map(({ id }) => id))]
}
