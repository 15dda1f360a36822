import { type Currency, currencies } from './currencies.ts'
import { lookup, once } from './lookup.ts'

/** Amounts are in micros of the currency: one unit is 1,000,000, whatever its decimals. */
export interface BiddingRule {
  currency: string
  minimum_cpe_bid_local_micro: number
  maximum_cpe_bid_local_micro: number
  /** Every bid and budget is a multiple of this: the smallest coin that the currency's decimals allow. */
  minimum_denomination: number
}

const MICROS_PER_UNIT = 1_000_000
/** The documented bounds for US dollars: one cent and 1,000 dollars. */
const MIN_BID_MICROS = 10_000
const MAX_BID_MICROS = 1_000_000_000

/**
 * The power of ten of a currency's units that is worth about a dollar. These are orders of magnitude, not exchange
 * rates: they keep the bounds usable for currencies with small units. The default is 1.
 */
const unitsPerDollar: Readonly<Record<number, string>> = {
  10:
    'AFN ALL BTN BWP CUP CZK DOP EGP ERN GMD HNL INR KGS LSL MDL MKD MRU MUR MVR MXN MZN NAD NIO NOK PHP RUB SCR SEK ' +
    'SLE SRD STN SZL THB TJS TRY TWD UAH UYU VEF ZAR ZMW ZWG',
  100:
    'AMD AOA BDT CLP CRC CVE DJF DZD ETB GYD HTG HUF ISK JMD JPY KES KMF KPW KZT LKR LRD NPR PKR RSD SDG SOS VED VES ' +
    'VUV XAF XOF XPF YER',
  1000: 'ARS BIF CDF COP GNF IQD KHR KRW MGA MMK MNT MWK NGN PYG RWF SSP TZS UGX',
  10000: 'IDR IRR LAK LBP SYP UZS VND',
}

export const biddingRules = once((): readonly BiddingRule[] => {
  const scales = new Map(
    Object.entries(unitsPerDollar).flatMap(([scale, codes]) =>
      codes.split(' ').map((code) => [code, Number(scale)] as const),
    ),
  )
  return currencies.map((currency) => ruleOf(currency, scales.get(currency.code) ?? 1))
})

export const biddingRuleByCurrency = lookup(biddingRules, (rule) => rule.currency)

function ruleOf({ code, decimals }: Currency, scale: number): BiddingRule {
  return {
    currency: code,
    minimum_cpe_bid_local_micro: MIN_BID_MICROS * scale,
    maximum_cpe_bid_local_micro: MAX_BID_MICROS * scale,
    minimum_denomination: MICROS_PER_UNIT / 10 ** decimals,
  }
}
