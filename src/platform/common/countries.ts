import { displayNames } from './display-names.ts'
import { readTable } from './lookup.ts'

/**
 * The countries and territories of ISO 3166-1 alpha-2: the 249 codes that are officially assigned.
 */
export const countryCodes: readonly string[] = readTable(new URL('countries.tsv', import.meta.url)).flat()

const codes = new Set(countryCodes)
const nameOf = displayNames('region')

/** Whether `code` is an assigned code, in capitals. */
export function isCountry(code: string): boolean {
  return codes.has(code)
}

/** The name of a country in the language `lang`, a BCP 47 tag. */
export function countryName(code: string, lang = 'en'): string {
  return isCountry(code) ? nameOf(code, lang) : code
}
