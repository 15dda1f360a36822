import type { Store } from '../../platform/storage/store.ts'
import { cellsIn, earliestRow } from './ledger.ts'
import { DELIVERED, type DeliveredMetric } from './metrics.ts'
import { ledgerOfPosts } from './queries.ts'

/** What was delivered of a post in a period of at most an hour, by all advertisers together. */
export interface PromotedPeriod {
  /** Epoch milliseconds. */
  readonly fromMs: number
  readonly counts: Readonly<Record<DeliveredMetric, number>>
}

/**
 * What was delivered of some posts as advertisements, in periods that begin within a window, in
 * their order. Posts that were not are missing.
 */
export async function promotedPeriods(
  store: Pick<Store, 'all'>,
  postIds: readonly string[],
  window: { readonly fromMs: number; readonly untilMs: number },
): Promise<Map<string, PromotedPeriod[]>> {
  const { fromMs, untilMs } = window
  const ids = JSON.stringify(postIds)
  const rows = await store.all(ledgerOfPosts, { ids, after: earliestRow(fromMs), before: untilMs })
  const periods = new Map<string, PromotedPeriod[]>()
  for (const row of rows) {
    const id = row.post_id ?? ''
    const cells = cellsIn(row, window).map((cell) => ({
      fromMs: cell.fromMs,
      counts: Object.fromEntries(DELIVERED.map((name, at) => [name, cell.counts[at] ?? 0])) as Record<
        DeliveredMetric,
        number
      >,
    }))
    periods.set(id, [...(periods.get(id) ?? []), ...cells])
  }
  for (const list of periods.values()) list.sort((one, other) => one.fromMs - other.fromMs)
  return periods
}
