import type { Transaction } from '../../platform/storage/store.ts'
import { lockPosts } from '../posts/import/queries.ts'
import { type CountedPostMetric, hourOf, type MediaMetric, TOTALED } from './metrics.ts'
import {
  addImpressions,
  addMediaHours,
  addMediaTotals,
  addPostHours,
  addPostTotals,
  type CountRow,
} from './queries.ts'

/** An amount of a post, named by any version of it. */
export interface PostCount extends CountRow {
  readonly metric: CountedPostMetric
}

export interface MediaCount extends CountRow {
  readonly metric: MediaMetric
}

const TOTALED_NAMES: ReadonlySet<string> = new Set(TOTALED)

/**
 * Counts what the columns of posts count too, in the hours in which it happens: in the transaction
 * that changes the columns.
 */
export async function countHours(tx: Transaction, rows: readonly PostCount[]): Promise<void> {
  if (rows.length > 0) await tx.run(addPostHours, { rows: JSON.stringify(rows) })
}

/** The same for one action on a post, now. */
export const countAction = (tx: Transaction, id: string, metric: CountedPostMetric) =>
  countHours(tx, [{ id, hour: hourOf(tx.now), metric, amount: 1 }])

/** Counts views, clicks and follows of posts. Deleted posts are skipped. */
export async function countOnPosts(tx: Transaction, rows: readonly PostCount[]): Promise<void> {
  if (rows.length === 0) return
  await tx.all(lockPosts, { ids: JSON.stringify([...new Set(rows.map(({ id }) => id))]) })
  const all = JSON.stringify(rows)
  await tx.run(addPostHours, { rows: all })
  await tx.run(addImpressions, { rows: all })
  const totaled = rows.filter(({ metric }) => TOTALED_NAMES.has(metric))
  if (totaled.length > 0) await tx.run(addPostTotals, { rows: JSON.stringify(totaled) })
}

/** Counts views of videos. */
export async function countOnMedia(tx: Transaction, rows: readonly MediaCount[]): Promise<void> {
  if (rows.length === 0) return
  const all = JSON.stringify(rows)
  await tx.run(addMediaTotals, { rows: all })
  await tx.run(addMediaHours, { rows: all })
}
