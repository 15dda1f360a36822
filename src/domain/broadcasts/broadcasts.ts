import { lockAuthor } from '../../identity/users/queries.ts'
import { type IdSource, nextBase36 } from '../../platform/common/ids.ts'
import { emit } from '../../platform/events/log.ts'
import { enqueue } from '../../platform/queue/enqueue.ts'
import { again, DONE, type Outcome, taskType } from '../../platform/queue/task.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import { accountOfUser, releaseMediaOfRow, useMedia } from '../media/uses.ts'
import { broadcastEnded, broadcastStarted } from './events.ts'
import { addBroadcast, currentBroadcasts, lockBroadcast, removeBroadcast, setBroadcast } from './queries.ts'
import { isAhead, stateAt } from './state.ts'
import type { BroadcastRow } from './tables.ts'

/** Announces that a broadcast starts or ends, when its time has come. */
export const announceBroadcast = taskType<{ broadcast: string; owner: string }>('announce broadcast', {
  owner: ({ owner }) => owner,
  subject: ({ broadcast }) => broadcast,
})

export const MAX_TITLE = 140
export const MAX_DESCRIPTION = 1_000
export const MAX_LOCALE = 35
/** Maximum number of broadcasts of one user that have not ended. */
export const MAX_CURRENT = 100
/** How far ahead a broadcast can start and end. */
export const MAX_AHEAD_MS = 366 * 86_400_000

interface Ids {
  ids: IdSource
}

/** What the owner says about a broadcast, besides its times. */
export type BroadcastSettings = Pick<
  BroadcastRow,
  | 'title'
  | 'description'
  | 'source_id'
  | 'manual_publish'
  | 'available_for_replay'
  | 'locked'
  | 'chat_option'
  | 'locale'
  | 'telecast_id'
  | 'thumbnail_media_id'
>

export const PLAIN_SETTINGS: BroadcastSettings = {
  ...{ title: '', description: null, source_id: null, manual_publish: 0, available_for_replay: 0, locked: 0 },
  ...{ chat_option: null, locale: null, telecast_id: null, thumbnail_media_id: null },
}

export interface NewBroadcast extends BroadcastSettings {
  user_id: string
  series_id?: string | null
  /** Epoch milliseconds. Absent: it starts now, without a schedule. */
  scheduled?: { start: number; end: number | null } | undefined
  /** Of one without a schedule: now by default. */
  starts_at?: number
  /** Of one without a schedule: until it is ended by default. */
  ends_at?: number | null
}

/** Whether the user may have another one. Locks the user. */
export async function hasRoom(tx: Transaction, user: string): Promise<boolean> {
  await tx.first(lockAuthor, { id: user })
  return (await tx.all(currentBroadcasts, { user, limit: MAX_CURRENT })).length < MAX_CURRENT
}

/**
 * Makes a broadcast. Its medium must be locked, and the user must have room for it. A scheduled one
 * is announced by its task, even if its time has passed.
 */
export async function makeBroadcast(
  tx: Transaction,
  made: NewBroadcast,
  { ids }: Ids,
): Promise<BroadcastRow> {
  const row = rowOf(made, ids, tx.now)
  await tx.run(addBroadcast, row)
  await keepThumbnail(tx, row)
  const announced = made.scheduled ? row : await announce(tx, row)
  await waitFor(tx, announced)
  return announced
}

/** Adds a broadcast of the past, without events. */
export async function addUnannounced(
  tx: Transaction,
  made: NewBroadcast,
  { ids }: Ids,
): Promise<BroadcastRow> {
  const row = rowOf(made, ids, tx.now)
  const over = Number(row.ends_at !== null && row.ends_at <= tx.now)
  const added = { ...row, announced: 1, over }
  await tx.run(addBroadcast, added)
  await waitFor(tx, added)
  return added
}

function rowOf(made: NewBroadcast, ids: IdSource, now: number): BroadcastRow {
  const { scheduled, series_id = null, starts_at = now, ends_at = null, ...settings } = made
  return {
    id: nextBase36(ids),
    ...settings,
    scheduled_id: scheduled ? ids.next() : null,
    scheduled_start: scheduled?.start ?? null,
    scheduled_end: scheduled?.end ?? null,
    starts_at: !scheduled ? starts_at : settings.manual_publish === 1 ? null : scheduled.start,
    ends_at: scheduled ? scheduled.end : ends_at,
    ...{ failed: 0, announced: 0, over: 0, series_id, created_at: now, updated_at: now },
  }
}

/** Writes a changed broadcast, which is locked, and announces what is due. */
export async function changeBroadcast(tx: Transaction, row: BroadcastRow): Promise<BroadcastRow> {
  await keepThumbnail(tx, row)
  const announced = await announce(tx, { ...row, updated_at: tx.now })
  await waitFor(tx, announced)
  return announced
}

/** Removes a broadcast; one that is live ends first. It must be locked. */
export async function dropBroadcast(tx: Transaction, row: BroadcastRow): Promise<void> {
  if (stateAt(row, tx.now) === 'Running') await announce(tx, { ...row, ends_at: tx.now })
  await releaseMediaOfRow(holderOf(row), { tx, now: tx.now })
  await tx.run(removeBroadcast, { id: row.id })
}

const holderOf = ({ id, user_id }: BroadcastRow) => ({
  ...{ account: accountOfUser(user_id), table: 'broadcasts', id },
})

/** A picture that no longer exists is not shown. */
async function keepThumbnail(tx: Transaction, row: BroadcastRow): Promise<void> {
  const media = row.thumbnail_media_id === null ? [] : [row.thumbnail_media_id]
  await useMedia(holderOf(row), media, { tx, now: tx.now })
}

async function waitFor(tx: Transaction, row: BroadcastRow): Promise<void> {
  const next = nextChange(row)
  if (next !== undefined)
    await enqueue(tx, announceBroadcast.task({ broadcast: row.id, owner: row.user_id }, next))
}

/** Called when a broadcast of a series has started or ended. */
export type Continue = (tx: Transaction, row: BroadcastRow) => Promise<void>

/**
 * The last step of a task: announces the changes that have become due, and reschedules the task for
 * the remaining ones.
 */
export async function announceDue(tx: Transaction, id: string, proceed: Continue): Promise<Outcome> {
  const row = await tx.first(lockBroadcast, { id })
  if (!row) return DONE
  const announced = await announce(tx, row)
  if (announced.series_id !== null && !isAhead(announced, tx.now)) await proceed(tx, announced)
  const next = nextChange(announced)
  return next === undefined ? DONE : again(next)
}

/** Writes a broadcast with the events that are due by now, each of them once. */
async function announce(tx: Transaction, row: BroadcastRow): Promise<BroadcastRow> {
  const { id: broadcast_id, user_id: owner_id, starts_at } = row
  const hasStarted = starts_at !== null && starts_at <= tx.now
  const hasEnded = row.ends_at !== null && row.ends_at <= tx.now
  const changed = { ...row, announced: hasStarted ? 1 : row.announced, over: hasEnded ? 1 : row.over }
  await tx.run(setBroadcast, changed)
  const said = { broadcast_id, owner_id }
  if (changed.announced > row.announced) await emit(tx, broadcastStarted, said)
  // One that nobody started ends without a word.
  if (changed.over > row.over && changed.announced === 1) await emit(tx, broadcastEnded, said)
  return changed
}

/** When the next change of a broadcast is due; undefined when there is none. */
function nextChange({ announced, over, starts_at, ends_at }: BroadcastRow): number | undefined {
  if (over === 1) return undefined
  if (announced === 0 && starts_at !== null) return starts_at
  return ends_at ?? undefined
}
