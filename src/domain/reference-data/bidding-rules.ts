import { lookup, once } from '../../platform/common/lookup.ts'
import { currencies } from './currencies.ts'

/** Amounts are in micros of the currency: one unit is 1,000,000, whatever its decimals. */
export interface BiddingRule {
  currency: string
  minimum_cpe_bid_local_micro: number
  maximum_cpe_bid_local_micro: number
  /**
   * Every bid and budget is a multiple of this: the smallest coin that the currency's decimals
   * allow.
   */
  minimum_denomination: number
}

const MICROS_PER_UNIT = 1_000_000
/** The documented bounds for US dollars: one cent and 1,000 dollars. */
const MIN_BID_MICROS = 10_000
const MAX_BID_MICROS = 1_000_000_000

export const biddingRules = once((): readonly BiddingRule[] =>
  currencies().map(({ code, decimals, unitsPerDollar }) => ({
    currency: code,
    minimum_cpe_bid_local_micro: MIN_BID_MICROS * unitsPerDollar,
    maximum_cpe_bid_local_micro: MAX_BID_MICROS * unitsPerDollar,
    minimum_denomination: MICROS_PER_UNIT / 10 ** decimals,
  })),
)

export const biddingRuleByCurrency = lookup(biddingRules, (rule) => rule.currency)
