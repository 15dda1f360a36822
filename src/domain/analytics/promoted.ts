import type { Store, Transaction } from '../../platform/storage/store.ts'
import { AT } from '../ad-delivery/metrics.ts'
import { promotedPeriods } from '../ad-delivery/promoted-posts.ts'
import { type Figures, HOUR_MS, hourOf } from './metrics.ts'
import { addPostTotals, type BucketRow, postTotalsOf } from './queries.ts'

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
 * What advertisements added to the metrics of posts, by the hour: from the ledger of deliveries.
 * `postIds` are first versions.
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

/** In the totals of posts, names of promoted metrics begin with this. */
const PROMOTED = 'promoted_'

/**
 * Adds to the sums of posts, named by any version, what advertisements added to their metrics:
 * counts in the order of the ledger.
 */
export async function addPromoted(
  tx: Transaction,
  delivered: ReadonlyMap<string, readonly number[]>,
): Promise<void> {
  const all = [...delivered].flatMap(([id, counts]) =>
    METRICS.map((metric) => ({ id, hour: 0, metric: PROMOTED + metric, amount: counts[AT[metric]] ?? 0 })),
  )
  const rows = all.filter(({ amount }) => amount > 0)
  if (rows.length > 0) await tx.run(addPostTotals, { rows: JSON.stringify(rows) })
}

/** Sums over the life of a post. */
export interface PostSums {
  /** Of the metrics that no column of the post counts. */
  readonly own: Figures
  /** What advertisements added; undefined for a post that was never delivered as one. */
  readonly promoted: Figures | undefined
}

/** The sums of some posts, by their first versions. */
export async function sumsOf(
  store: Pick<Store, 'all'>,
  ids: readonly string[],
): Promise<(id: string) => PostSums> {
  const own = new Map<string, Map<string, number>>()
  const promoted = new Map<string, Map<string, number>>()
  for (const { id, metric, amount } of await store.all(postTotalsOf, { ids: JSON.stringify(ids) })) {
    const isPromoted = metric.startsWith(PROMOTED)
    const sums = isPromoted ? promoted : own
    const figures = sums.get(id) ?? new Map<string, number>()
    sums.set(id, figures)
    figures.set(isPromoted ? metric.slice(PROMOTED.length) : metric, Number(amount))
  }
  return (id) => ({ own: own.get(id) ?? new Map(), promoted: promoted.get(id) })
}
