import type { Store } from '../../platform/storage/store.ts'
import { promotedPeriods } from '../ad-delivery/promoted-posts.ts'
import { HOUR_MS, hourOf } from './metrics.ts'
import type { BucketRow } from './queries.ts'

/** What was counted of posts as advertisements, between two UTC hours (the second is exclusive). */
export interface PromotedArgs {
  readonly postIds: readonly string[]
  readonly from: number
  readonly until: number
}

/** An amount of one hour. */
export interface PromotedHour extends Omit<BucketRow, 'bucket'> {
  readonly hour: number
}

/** Metrics of the ledger that posts count too. */
const METRICS = ['follows', 'impressions', 'likes', 'replies', 'reposts', 'url_clicks'] as const

/**
 * What advertisements added to the metrics of posts, by the hour: from the ledger of deliveries,
 * which names posts as they were promoted. Of an edited post, that must be the first version.
 */
export async function promotedHours(
  store: Pick<Store, 'all'>,
  { postIds, from, until }: PromotedArgs,
): Promise<readonly PromotedHour[]> {
  if (postIds.length === 0) return []
  const window = { fromMs: from * HOUR_MS, untilMs: until * HOUR_MS }
  const periods = await promotedPeriods(store, postIds, window)
  return [...periods].flatMap(([id, list]) =>
    list.flatMap(({ fromMs, counts }) =>
      METRICS.map((metric) => ({ id, hour: hourOf(fromMs), metric, amount: counts[metric] })),
    ),
  )
}

/** Until the year 10,000. */
const ALL_HOURS = { from: 0, until: hourOf(Date.UTC(10_000, 0, 1)) }

/** The sums of what advertisements added. A post that was never promoted has none. */
export async function promotedTotals(
  store: Pick<Store, 'all'>,
  postIds: readonly string[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>> {
  const totals = new Map<string, Map<string, number>>()
  for (const { id, metric, amount } of await promotedHours(store, { postIds, ...ALL_HOURS })) {
    const figures = totals.get(id) ?? new Map<string, number>()
    totals.set(id, figures)
    figures.set(metric, (figures.get(metric) ?? 0) + amount)
  }
  return totals
}
