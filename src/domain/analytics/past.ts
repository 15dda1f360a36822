import type { Transaction } from '../../platform/storage/store.ts'
import type { PostRow } from '../posts/tables.ts'
import { countHours, type PostCount } from './count.ts'
import { type CountedPostMetric, hourOf } from './metrics.ts'

/** How what posts of the past began with is spread: hours after the post, with shares of it. */
const SPREAD = [
  [0, 0.45],
  [1, 0.25],
  [3, 0.15],
  [8, 0.1],
  [24, 0.05],
] as const
/** Smaller amounts are not divided. */
const LEAST_SPREAD = 20

const COLUMNS = {
  repost_count: 'reposts',
  reply_count: 'replies',
  like_count: 'likes',
  quote_count: 'quote_posts',
  bookmark_count: 'bookmarks',
  impression_count: 'impressions',
} as const satisfies Partial<Record<keyof PostRow, CountedPostMetric>>

/**
 * Counts what imported and generated posts begin with, in the hours after each, and none in the
 * future.
 */
export async function countPast(tx: Transaction, posts: readonly PostRow[]): Promise<void> {
  await countHours(
    tx,
    posts.flatMap((row) =>
      Object.entries(COLUMNS).flatMap(([column, metric]) =>
        [...spread(row[column as keyof typeof COLUMNS], hourOf(row.created_at), hourOf(tx.now))].map(
          ([hour, amount]) => ({ id: row.id, hour, metric, amount }),
        ),
      ),
    ),
  )
}

function* spread(total: number, first: number, last: number): Generator<[hour: number, amount: number]> {
  let left = total
  if (total >= LEAST_SPREAD)
    for (const [after, share] of SPREAD.slice(1)) {
      const amount = Math.floor(total * share)
      if (first + after > last || amount === 0) continue
      left -= amount
      yield [first + after, amount]
    }
  if (left > 0) yield [first, left]
}

const REFERENCES = {
  in_reply_to_post_id: 'replies',
  quoted_post_id: 'quote_posts',
  reposted_post_id: 'reposts',
} as const satisfies Partial<Record<keyof PostRow, CountedPostMetric>>

/** What posts do to those that they refer to, in the hours of their times. */
export const referenceCounts = (posts: readonly PostRow[]): PostCount[] =>
  posts.flatMap((row) =>
    Object.entries(REFERENCES).flatMap(([column, metric]) => {
      const id = row[column as keyof typeof REFERENCES]
      return id === null ? [] : [{ id, hour: hourOf(row.created_at), metric, amount: 1 }]
    }),
  )
