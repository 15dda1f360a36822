import { cellsByHour, clickId, clickTime, countClicks } from '../../../domain/ad-delivery/clicks.ts'
import { earliestRow } from '../../../domain/ad-delivery/ledger.ts'
import { firstOfPromotion, ledgerBy } from '../../../domain/ad-delivery/queries.ts'
import { DAY_MS, HOUR_MS } from '../../../domain/ad-delivery/time-zone.ts'
import type { Store } from '../../../platform/storage/store.ts'

/** A click on a link or on the app of what is promoted. */
interface PromotedClick {
  readonly click_id: string
  readonly clicked_at: number
  /** Its place among the clicks: later ones are greater. */
  readonly place: ClickPlace
}

export interface ClickPlace {
  /** Hours since the epoch. */
  readonly hour: number
  readonly index: number
}

interface ClickSearch {
  readonly account: string
  readonly promotion: string
  /** Clicks before this one. */
  readonly before: ClickPlace
  readonly limit: number
}

/** Days of the ledger that are read at once. */
const DAYS_AT_ONCE = 31

/** The clicks on links and on the app of a promoted post or a media creative, newest first. */
export async function clicksBefore(
  { account, promotion, before, limit }: ClickSearch,
  store: Pick<Store, 'all' | 'first'>,
): Promise<PromotedClick[]> {
  const first = await store.first(firstOfPromotion, { account, promotion })
  const clicks: PromotedClick[] = []
  let untilMs = (before.hour + 1) * HOUR_MS
  while (first && untilMs > first.from_time && clicks.length < limit) {
    const fromMs = untilMs - DAYS_AT_ONCE * DAY_MS
    const ids = JSON.stringify([promotion])
    const rows = await store.all(ledgerBy.promotion_id, {
      ...{ account, ids, after: earliestRow(fromMs), before: untilMs },
    })
    const hours = [...cellsByHour(rows, { fromMs, untilMs })].reverse()
    for (const [hour, cells] of hours) {
      const end = Math.min(countClicks(cells), hour === before.hour ? before.index : Number.POSITIVE_INFINITY)
      for (let index = end - 1; index >= 0 && clicks.length < limit; index--)
        clicks.push({
          click_id: clickId({ promotion, hour, index }),
          clicked_at: clickTime(cells, index) ?? 0,
          place: { hour, index },
        })
    }
    untilMs = fromMs
  }
  return clicks
}
