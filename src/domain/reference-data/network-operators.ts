import { base36Id } from './ids.ts'
import { lookup, once, readTable } from './lookup.ts'

export interface NetworkOperatorOption {
  country_code: string
  targeting_type: 'NETWORK_OPERATOR'
  name: string
  targeting_value: string
}

/** Operators of the United States in the documented samples, with their ids. */
const documented: Readonly<Record<string, string>> = {
  Advantage: '2l',
  Aeris: '1b',
  Airadigm: '2t',
  'Airlink PCS': '14',
  Airpeak: '1i',
}
/** Operators of the United States that the source does not list. */
const added = [
  'C Spire',
  'Cellcom',
  'Consumer Cellular',
  'Google Fi',
  'GCI',
  'Union Wireless',
  'Visible',
  'Viaero',
]

/** By country, then by name. */
export const networkOperators = once((): readonly NetworkOperatorOption[] =>
  readTable('network-operators.tsv')
    .flatMap(([country = '', ...names]) => {
      const all = country === 'US' ? [...names, ...Object.keys(documented), ...added] : names
      return all.map((name) => operator(country, name))
    })
    .sort((a, b) =>
      a.country_code < b.country_code ? -1 : a.country_code > b.country_code ? 1 : byName(a, b),
    ),
)

export const networkOperatorByValue = lookup(networkOperators, (option) => option.targeting_value)

function byName(a: NetworkOperatorOption, b: NetworkOperatorOption): number {
  return a.name.localeCompare(b.name, 'en')
}

function operator(country: string, name: string): NetworkOperatorOption {
  const known = country === 'US' ? documented[name] : undefined
  return {
    country_code: country,
    targeting_type: 'NETWORK_OPERATOR',
    name,
    targeting_value: known ?? base36Id(`network-operator:${country}/${name}`, 5),
  }
}
