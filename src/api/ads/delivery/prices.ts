import { bidShare, type ChargedUnit, chargedUnit } from '../../../domain/ad-delivery/metrics.ts'
import { UNLIMITED } from '../../../domain/ad-delivery/purse.ts'
import { biddingRuleByCurrency } from '../../../domain/reference-data/bidding-rules.ts'
import { currencyByCode } from '../../../domain/reference-data/currencies.ts'
import type { Int64 } from '../../../platform/common/int64.ts'
import type { CandidateRow } from './queries.ts'

/** What a line item pays for one unit in an auction. */
export interface Price {
  readonly unit: ChargedUnit['metric']
  /** In millionths of the currency's unit. 0: the bid is too low. */
  readonly amount: number
  /** Auctions that are won, from 0 to 1. */
  readonly winRate: number
}

/** An amount that limits spending. More than this is never spent. */
export const limitOfAmount = (amount: Int64 | null): number | null =>
  amount === null ? null : Number(amount < UNLIMITED ? amount : UNLIMITED)

const MICROS = 1_000_000
/** Impressions are priced by the thousand. */
const THOUSAND = 1_000

/**
 * The price of what a line item is charged for (reference: bids and auction). `AUTO` pays the
 * market price. `MAX` pays one step more than that, at most its bid, and nothing if the bid is
 * lower. `TARGET` pays its bid, and wins fewer auctions if the bid is lower.
 */
export function priceOf(
  { goal, pay_by, bid_strategy, bid_amount_local_micro: amount, currency }: CandidateRow,
  rates: readonly number[],
): Price {
  const unit = chargedUnit(goal, pay_by)
  const market = Math.round(unit.marketDollars * MICROS * (currencyByCode(currency)?.unitsPerDollar ?? 1))
  if (bid_strategy === 'AUTO' || amount === null) return { unit: unit.metric, amount: market, winRate: 1 }
  const bid = Math.floor((limitOfAmount(amount) ?? 0) * bidShare(goal, unit, rates))
  if (bid_strategy === 'TARGET') return { unit: unit.metric, amount: bid, winRate: Math.min(1, bid / market) }
  const coin = biddingRuleByCurrency(currency)?.minimum_denomination ?? 1
  const step = unit.metric === 'impressions' ? Math.ceil(coin / THOUSAND) : coin
  return { unit: unit.metric, amount: bid < market ? 0 : Math.min(bid, market + step), winRate: 1 }
}
