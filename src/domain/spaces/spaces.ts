import { type IdSource, LAST_ID, nextBase36 } from '../../platform/common/ids.ts'
import { emit } from '../../platform/events/log.ts'
import { enqueue } from '../../platform/queue/enqueue.ts'
import { again, DONE, type Outcome, taskType } from '../../platform/queue/task.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import { postsByIds } from '../posts/queries.ts'
import { wordsOf } from '../query-language/tokenize.ts'
import { spaceEnded, spaceStarted } from './events.ts'
import {
  addBuyer,
  addSpace,
  addSpaceWords,
  changeSpace,
  currentSpaces,
  lockSpace,
  olderPostsOfSpace,
  removeSpace,
  removeSpaceWords,
  sharePost,
} from './queries.ts'
import { stateAt } from './state.ts'
import type { SpaceRow } from './tables.ts'
import { type GivenTopic, topicIdsOf } from './topics.ts'

/** Announces that a space starts or ends, when its time has come. */
export const announceSpace = taskType<{ space: string; creator: string }>('announce space', {
  owner: ({ creator }) => creator,
  subject: ({ space }) => space,
})

export const MAX_TITLE = 70
/** Maximum number of hosts besides the creator, and of users in each other list. */
export const MAX_COHOSTS = 2
export const MAX_SPEAKERS = 10
export const MAX_INVITED = 100
/** Maximum number of live and scheduled spaces of one user. */
export const MAX_CURRENT = 10
/** Maximum number of posts that can be shared in a space. */
const MAX_SHARED = 100

/** Why a space cannot be made or changed, in a sentence. */
export class SpaceProblem extends Error {
  override readonly name = 'SpaceProblem'
  readonly kind: 'missing space' | 'missing post' | 'conflict'

  constructor(kind: SpaceProblem['kind'], sentence: string) {
    super(sentence)
    this.kind = kind
  }
}

export interface NewSpace {
  creatorId: string
  title: string
  lang: string | null
  cohostIds: readonly string[]
  speakerIds: readonly string[]
  invitedIds: readonly string[]
  topics?: readonly GivenTopic[] | undefined
  subscriberCount?: number | undefined
  /** Whether tickets are sold. */
  isTicketed?: boolean
  /** Epoch milliseconds; defaults to now. */
  startsAt: number | undefined
  /** The duration; if undefined, it lasts until it is ended. */
  lastsMs: number | undefined
}

/** Creates a space that starts now or later. */
export async function createSpace(
  tx: Transaction,
  space: NewSpace,
  { ids }: { ids: IdSource },
): Promise<SpaceRow> {
  const { creatorId, title } = space
  const current = await tx.all(currentSpaces, { creator: creatorId, limit: MAX_CURRENT })
  if (current.length === MAX_CURRENT)
    throw new SpaceProblem('conflict', `The user has ${MAX_CURRENT} live and scheduled spaces already.`)
  const row = await rowOf(tx, space, nextBase36(ids))
  await tx.run(addSpace, row)
  await tx.run(addSpaceWords, { id: row.id, words: JSON.stringify(wordsOfTitle(title)) })
  return announceAndWait(tx, row)
}

/** Adds a space that has begun, and may have ended, without the events. */
export async function addUnannouncedSpace(
  tx: Transaction,
  space: NewSpace & { startsAt: number },
  { ids }: { ids: IdSource },
): Promise<SpaceRow> {
  const row = await rowOf(tx, space, nextBase36(ids))
  const isOver = stateAt(row, tx.now) === 'ended'
  const added = { ...row, announced: 1, over: Number(isOver) }
  await tx.run(addSpace, added)
  if (!isOver) await tx.run(addSpaceWords, { id: row.id, words: JSON.stringify(wordsOfTitle(space.title)) })
  return added
}

/** The words by which searches find a space until it ends. */
export const wordsOfTitle = (title: string): string[] => [...new Set(wordsOf(title))]

async function rowOf(tx: Transaction, space: NewSpace, id: string): Promise<SpaceRow> {
  const { now } = tx
  const startsAt = space.startsAt ?? now
  return {
    id,
    creator_id: space.creatorId,
    title: space.title,
    lang: space.lang,
    host_ids: JSON.stringify([...new Set([space.creatorId, ...space.cohostIds])]),
    speaker_ids: JSON.stringify(space.speakerIds),
    invited_user_ids: JSON.stringify(space.invitedIds),
    topic_ids: JSON.stringify(await topicIdsOf(tx, space.topics)),
    subscriber_count: space.subscriberCount ?? 0,
    ticketed: Number(space.isTicketed ?? false),
    scheduled_start: space.startsAt ?? null,
    starts_at: startsAt,
    ends_at: space.lastsMs === undefined ? null : startsAt + space.lastsMs,
    announced: 0,
    over: 0,
    created_at: now,
    updated_at: now,
  }
}

/** Starts a scheduled space now. Its duration stays the same. */
export async function startSpace(tx: Transaction, id: string): Promise<SpaceRow> {
  const row = await requireSpace(tx, id)
  const state = stateAt(row, tx.now)
  if (state !== 'scheduled')
    throw new SpaceProblem('conflict', `The space ${id} is ${state}: only a scheduled one can be started.`)
  const ends_at = row.ends_at === null ? null : tx.now + (row.ends_at - row.starts_at)
  return announceAndWait(tx, { ...row, starts_at: tx.now, ends_at, updated_at: tx.now })
}

/** Ends a live space, or removes a scheduled one. Resolves to its previous state. */
export async function endSpace(tx: Transaction, id: string): Promise<'live' | 'scheduled'> {
  const row = await requireSpace(tx, id)
  const state = stateAt(row, tx.now)
  if (state === 'ended') throw new SpaceProblem('conflict', `The space ${id} has ended already.`)
  if (state === 'scheduled') await tx.run(removeSpace, { id })
  else await announceAndWait(tx, { ...row, ends_at: tx.now, updated_at: tx.now })
  return state
}

/** Ends a space of a deleted user if it is live, and removes it. */
export async function dropSpace(tx: Transaction, id: string): Promise<void> {
  const row = await tx.first(lockSpace, { id })
  if (!row) return
  if (stateAt(row, tx.now) === 'live') await announce(tx, { ...row, ends_at: tx.now, updated_at: tx.now })
  await tx.run(removeSpace, { id })
}

/** Shares a post in a space. */
export async function shareInSpace(tx: Transaction, id: string, postId: string): Promise<void> {
  await requireSpace(tx, id)
  const [post] = await tx.all(postsByIds, { environment: 'production', ids: JSON.stringify([postId]) })
  if (!post) throw new SpaceProblem('missing post', `There is no post ${postId}.`)
  const shared = await tx.all(olderPostsOfSpace, { space: id, id: LAST_ID, limit: MAX_SHARED })
  if (shared.length === MAX_SHARED && !shared.some(({ post_id }) => post_id === postId))
    throw new SpaceProblem('conflict', `${MAX_SHARED} posts have been shared in the space ${id} already.`)
  await tx.run(sharePost, { space: id, post: postId })
}

/** A user buys a ticket. Repeating it changes nothing. */
export async function buyTicket(
  tx: Transaction,
  { id, userId }: { id: string; userId: string },
  { ids }: { ids: IdSource },
): Promise<void> {
  const { ticketed } = await requireSpace(tx, id)
  if (ticketed === 0) throw new SpaceProblem('conflict', `The space ${id} sells no tickets.`)
  await tx.run(addBuyer, { space_id: id, user_id: userId, id: ids.next() })
}

async function requireSpace(tx: Transaction, id: string): Promise<SpaceRow> {
  const row = await tx.first(lockSpace, { id })
  if (!row) throw new SpaceProblem('missing space', `There is no space ${id}.`)
  return row
}

async function announceAndWait(tx: Transaction, row: SpaceRow): Promise<SpaceRow> {
  const announced = await announce(tx, row)
  const next = nextChange(announced)
  if (next !== undefined)
    await enqueue(tx, announceSpace.task({ space: row.id, creator: row.creator_id }, next))
  return announced
}

/**
 * The last step of a task: announces the changes that have become due, and reschedules the task for
 * the remaining ones.
 */
export async function announceDue(tx: Transaction, id: string): Promise<Outcome> {
  const row = await tx.first(lockSpace, { id })
  const next = row && nextChange(await announce(tx, row))
  return next === undefined ? DONE : again(next)
}

/** Writes a changed space with the events that are due by now, each of them once. */
async function announce(tx: Transaction, row: SpaceRow): Promise<SpaceRow> {
  const { id, creator_id } = row
  const state = stateAt(row, tx.now)
  const changed = {
    ...row,
    announced: state === 'scheduled' ? row.announced : 1,
    over: state === 'ended' ? 1 : row.over,
  }
  await tx.run(changeSpace, changed)
  const said = { space_id: id, creator_id }
  if (changed.announced > row.announced) await emit(tx, spaceStarted, said)
  if (changed.over > row.over) {
    await emit(tx, spaceEnded, said)
    await tx.run(removeSpaceWords, { id })
  }
  return changed
}

/** When the next event of a space is due; undefined when there is none. */
function nextChange({ announced, over, starts_at, ends_at }: SpaceRow): number | undefined {
  if (announced === 0) return starts_at
  return over === 1 || ends_at === null ? undefined : ends_at
}
