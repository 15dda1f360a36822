import type { Store } from '../../platform/storage/store.ts'
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

/**
 * What advertisements added to the metrics of posts, by the hour. No post is delivered as an
 * advertisement yet, so that none has any.
 */
export async function promotedHours(
  _store: Pick<Store, 'all'>,
  _window: PromotedArgs,
): Promise<readonly PromotedHour[]> {
  return []
}

const ALL_HOURS = { from: 0, until: Number.MAX_SAFE_INTEGER }

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
