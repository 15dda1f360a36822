import { currencyByCode } from '../../../domain/reference-data/currencies.ts'

/** An amount of money in the smallest unit of its currency. */
export interface Price {
  currency: string
  amount: number
}

const FORM = /^(\d{1,15})(?:\.(\d{1,6}))? ([A-Z]{3})$/

/**
 * Parses a price: a number with `.` as the decimal point, one space, and an ISO 4217 code, with no
 * more decimals than the currency has, apart from trailing zeros. Returns the rest of a sentence if
 * it is invalid: `must be …`.
 */
export function readPrice(text: string): Price | string {
  const parts = FORM.exec(text)
  if (!parts) return 'must be a number, one space and an ISO 4217 code, for example "20.00 USD"'
  const [, whole = '', written = '', code = ''] = parts
  const fraction = written.replace(/0+$/, '')
  const currency = currencyByCode(code)
  if (!currency) return `must have the ISO 4217 code of a currency, which ${code} is not`
  if (fraction.length > currency.decimals) return `must have at most ${currency.decimals} decimals in ${code}`
  const amount = Number(whole + fraction.padEnd(currency.decimals, '0'))
  return Number.isSafeInteger(amount) ? { currency: code, amount } : 'is too large'
}
