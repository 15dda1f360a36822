import { lookup, once, readTable } from '../../platform/common/lookup.ts'
import { base36Id } from './ids.ts'

export interface NetworkOperatorOption {
  country_code: string
  targeting_type: 'NETWORK_OPERATOR'
  name: string
  targeting_value: string
}

/** By country, then by name. */
export const networkOperators = once((): readonly NetworkOperatorOption[] =>
  ['network-operators.tsv', 'more-network-operators.tsv']
    .flatMap((name) => readTable(new URL(name, import.meta.url)))
    .flatMap(([country = '', ...names]) => names.map((name) => operator(country, name)))
    .sort((a, b) =>
      a.country_code < b.country_code ? -1 : a.country_code > b.country_code ? 1 : byName(a, b),
    ),
)

export const networkOperatorByValue = lookup(networkOperators, (option) => option.targeting_value)

function byName(a: NetworkOperatorOption, b: NetworkOperatorOption): number {
  return a.name.localeCompare(b.name, 'en')
}

function operator(country: string, name: string): NetworkOperatorOption {
  return {
    country_code: country,
    targeting_type: 'NETWORK_OPERATOR',
    name,
    targeting_value: base36Id(`network-operator:${country}/${name}`, 5),
  }
}
