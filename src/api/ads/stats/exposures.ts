import { cellsIn, type DeliveryAbout, earliestRow } from '../../../domain/ad-delivery/ledger.ts'
import { AT } from '../../../domain/ad-delivery/metrics.ts'
import { reachBy, reachEdges } from '../../../domain/ad-delivery/queries.ts'
import { type Exposure, expose } from '../../../domain/ad-delivery/reach.ts'
import { DAY_MS } from '../../../domain/ad-delivery/time-zone.ts'
import type { Store } from '../../../platform/storage/store.ts'
import type { Window } from './window.ts'

/**
 * What each line item of some campaigns or funding instruments delivered, by their ids; apart for
 * shares of an A/B test and for all people.
 */
export async function exposuresOf(
  given: { account: string; ids: string },
  { level, window }: { level: 'campaign_id' | 'funding_instrument_id'; window: Window },
  store: Pick<Store, 'all'>,
): Promise<Map<string, Map<string, Exposure>>> {
  const { fromMs: from, untilMs: until } = window
  const args = { ...given, from, until, after: earliestRow(from), before: until }
  const [whole, edges] = await Promise.all([
    store.all(reachBy[level], args),
    store.all(reachEdges[level], args),
  ])
  const exposures = new Map<string, Map<string, Exposure>>()
  const add = (
    row: { id: string; line_item_id: string; about: string },
    timeMs: number,
    impressions: number,
  ) => {
    const ofId = exposures.get(row.id) ?? new Map<string, Exposure>()
    exposures.set(row.id, ofId)
    const about = JSON.parse(row.about) as DeliveryAbout
    const key = [row.line_item_id, ...(about.share ?? [])].join(' ')
    ofId.set(key, expose(ofId.get(key), { about, timeMs, impressions }))
  }
  for (const row of whole) add(row, row.day * DAY_MS, row.impressions)
  for (const row of edges)
    for (const { fromMs, counts } of cellsIn(row, window)) add(row, fromMs, counts[AT.impressions] ?? 0)
  return exposures
}
