import { lookup } from './lookup.ts'

export interface Currency {
  /** ISO 4217. */
  code: string
  /** The number of digits after the decimal point. */
  decimals: 0 | 2 | 3
}

const NO_DECIMALS = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'
const THREE_DECIMALS = 'BHD IQD JOD KWD LYD OMR TND'
/** VEF has been withdrawn from the standard, but is documented for this API. */
const TWO_DECIMALS =
  'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP ' +
  'CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES ' +
  'KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK ' +
  'NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB ' +
  'TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VEF VES WST XCD XCG YER ZAR ZMW ZWG'

/** Currencies for payments: the active codes of ISO 4217 without funds, metals and units of account. */
export const currencies: readonly Currency[] = [
  ...of(TWO_DECIMALS, 2),
  ...of(NO_DECIMALS, 0),
  ...of(THREE_DECIMALS, 3),
].sort((a, b) => (a.code < b.code ? -1 : 1))

export const currencyByCode = lookup(
  () => currencies,
  (currency) => currency.code,
)

export function isCurrency(code: string): boolean {
  return currencyByCode(code) !== undefined
}

function of(codes: string, decimals: Currency['decimals']): Currency[] {
  return codes.split(' ').map((code) => ({ code, decimals }))
}
