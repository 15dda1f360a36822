import { lookup, once, readTable } from '../../platform/common/lookup.ts'

export interface Currency {
  /** ISO 4217. */
  code: string
  /** The number of digits after the decimal point. */
  decimals: number
  /**
   * The power of ten of its units that is worth about a dollar. These are orders of magnitude, not
   * exchange rates: they keep the bounds of bids usable for currencies with small units.
   */
  unitsPerDollar: number
}

/**
 * Currencies for payments, by code: the active codes of ISO 4217 without funds, metals and units of
 * account, and VEF, which has been withdrawn from the standard, but is documented for this API.
 */
export const currencies = once((): readonly Currency[] =>
  readTable(new URL('currencies.tsv', import.meta.url)).map(([code = '', decimals, unitsPerDollar]) => ({
    code,
    decimals: Number(decimals),
    unitsPerDollar: Number(unitsPerDollar),
  })),
)

export const currencyByCode = lookup(currencies, (currency) => currency.code)

export function isCurrency(code: string): boolean {
  return currencyByCode(code) !== undefined
}
