import { countOnMedia, countOnPosts } from '../../domain/analytics/count.ts'
import {
  CLICK_METRICS,
  type CountedPostMetric,
  hourOf,
  MEDIA_METRICS,
  type MediaMetric,
} from '../../domain/analytics/metrics.ts'
import { videosAmong } from '../../domain/analytics/queries.ts'
import { idIn } from '../../domain/media/media.ts'
import { postExists, postsSeenBy } from '../../domain/posts/queries.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import { timeIn } from './times.ts'
import { NotThere, WrongValue } from './wrong.ts'

/** What can be added of a post. Reactions are made by users. */
export const ADDED_POST_METRICS = [
  ...CLICK_METRICS,
  'follows',
  'impressions',
  'media_views',
  'unfollows',
] as const satisfies readonly CountedPostMetric[]

/** Amounts by metric, and when they are counted: a time such as in `timeIn`, now by default. */
export interface AddedCounts {
  readonly at?: string | undefined
  readonly metrics: Readonly<Record<string, number | undefined>>
}

const rowsOf = <Metric extends string>(
  id: string,
  { at, metrics }: AddedCounts,
  names: readonly Metric[],
  now: number,
) => {
  const hour = hourOf(at === undefined ? now : timeIn('at', at, { now, latest: now }))
  return names.flatMap((metric) => {
    const amount = metrics[metric] ?? 0
    return amount > 0 ? [{ id, hour, metric, amount }] : []
  })
}

/** Adds views and clicks to a post. */
export async function addPostCounts(tx: Transaction, id: string, counts: AddedCounts): Promise<void> {
  const [row] = await tx.all(postsSeenBy, { ids: JSON.stringify([id]), viewer: '' })
  if (!row || !postExists(row)) throw new NotThere(`There is no post ${id}.`)
  await countOnPosts(tx, rowsOf(row.reposted_post_id ?? row.id, counts, ADDED_POST_METRICS, tx.now))
}

const SHARES = ['playback_start', 'playback25', 'playback50', 'playback75', 'playback_complete'] as const

/** Adds views to a video. No more users reach a share of it than an earlier one. */
export async function addMediaCounts(tx: Transaction, key: string, counts: AddedCounts): Promise<void> {
  const [row] = await tx.all(videosAmong, { ids: JSON.stringify([idIn(key)]) })
  if (!row) throw new NotThere(`There is no video ${key}.`)
  const amountOf = (metric: MediaMetric) => counts.metrics[metric] ?? 0
  for (const [at, share] of SHARES.slice(1).entries()) {
    const before = SHARES[at] as MediaMetric
    if (amountOf(share) > amountOf(before))
      throw new WrongValue(
        `metrics.${share}`,
        amountOf(share),
        `\`metrics.${share}\` must be at most \`metrics.${before}\`, which is ${amountOf(before)}.`,
      )
  }
  await countOnMedia(tx, rowsOf(row.id, counts, MEDIA_METRICS, tx.now))
}
