import type { Static } from 'typebox'
import { msg, word } from '../../../platform/http/message.ts'
import { choice, closedComponent, text } from '../../../platform/http/schema.ts'
import { type AdsError, wrongParameter } from '../../../platform/protocols/ads/codes.ts'
import { readPrice } from './price.ts'
import { MAX_INVENTORY } from './product-fields.ts'
import type { Comparison } from './queries.ts'

/** The type of each attribute, which operators compare. */
const ATTRIBUTES = {
  price: 'money',
  product_type: 'text',
  google_product_category: 'text',
  sale_price: 'money',
  inventory: 'number',
  custom_label_0: 'text',
  custom_label_1: 'text',
  custom_label_2: 'text',
  custom_label_3: 'text',
  custom_label_4: 'text',
} as const

type Attribute = keyof typeof ATTRIBUTES

/** The operators for each type. Money and numbers are compared by value, text without case. */
const OPERATORS = {
  GREATER_THAN: { amount: 'above' },
  EQUAL_TO: { amount: 'equal', text: 'equal' },
  LESS_THAN: { amount: 'below' },
  MATCH: { amount: 'equal', text: 'equal' },
  NOT_CONTAINS: { text: 'lacks' },
  CONTAINS: { text: 'contains' },
} as const satisfies Record<string, Partial<Record<'amount' | 'text', Comparison['operator']>>>

type Operator = keyof typeof OPERATORS

export const MAX_FILTERS = 30
/** Longer texts would make searching slow. */
export const MAX_FILTER_TEXT = 255

/** What a filter matches (interface, Product catalogs). */
export const Filter = closedComponent('ProductFilter', {
  attribute: choice(Object.keys(ATTRIBUTES) as Attribute[], 'Attribute of the product.', 'ProductAttribute'),
  operator: choice(Object.keys(OPERATORS) as Operator[], 'Operator of the comparison.', 'ProductOperator'),
  value: text(
    1,
    MAX_FILTER_TEXT,
    'Value to compare with: a price, an integer for `inventory`, otherwise text, which is not case-sensitive.',
  ),
})

export type FilterValue = Static<typeof Filter>

/**
 * The cost of a text search in addition to the length of its text, in bytes, because the product's
 * text is scanned too.
 */
const SEARCH = 60

/** Text as filters compare it. */
export const folded = (value: string) => value.normalize('NFC').toLowerCase()

/** The comparison of a filter with its arguments, or its error. */
function read({ attribute, operator, value }: FilterValue) {
  const kind = ATTRIBUTES[attribute]
  const means: Partial<Record<'amount' | 'text', Comparison['operator']>> = OPERATORS[operator]
  const compared = means[kind === 'text' ? 'text' : 'amount']
  if (compared === undefined) return msg`${word(operator)} does not compare ${word(attribute)}`
  const comparison = (column: string, money = false) =>
    ({ column, operator: compared, money }) satisfies Comparison
  if (kind === 'text') return { comparison: comparison(`${attribute}_key`), v: folded(value) }
  if (kind === 'money') {
    const price = readPrice(value)
    if (typeof price === 'string') return msg`the value for ${word(attribute)} ${price}`
    return { comparison: comparison(`${attribute}_amount`, true), v: price.amount, c: price.currency }
  }
  const count = Number(value)
  if (!/^\d{1,10}$/.test(value) || count > MAX_INVENTORY)
    return msg`the value for ${word(attribute)} must be a whole number from 0 to ${MAX_INVENTORY}`
  return { comparison: comparison(attribute), v: count }
}

/** The errors of filters, one for each invalid filter. */
export const wrongFilters = (filters: readonly FilterValue[]): AdsError[] =>
  filters.flatMap((filter, index) => {
    const result = read(filter)
    return 'fixed' in result
      ? [wrongParameter('filters', msg`Filter ${index + 1} of filters: ${result}`)]
      : []
  })

/**
 * Filters as a query compares them: all of them must match. Duplicates are compared once.
 * `searching` is the cost of examining one product: a text is compared at every position, so it
 * grows with the lengths of both.
 */
export function comparisonsOf(filters: readonly FilterValue[]) {
  const comparisons: Comparison[] = []
  const args: Record<string, string | number> = {}
  const seen = new Set<string>()
  let searching = 0
  for (const filter of filters) {
    const result = read(filter)
    if ('fixed' in result) throw new Error('a stored filter cannot be read')
    const same = JSON.stringify(result)
    if (seen.has(same)) continue
    seen.add(same)
    const index = comparisons.push(result.comparison) - 1
    args[`v${index}`] = result.v
    if ('c' in result) args[`c${index}`] = result.c
    const { operator } = result.comparison
    if (operator === 'contains' || operator === 'lacks')
      searching += SEARCH + Buffer.byteLength(String(result.v))
  }
  return { comparisons, args, searching }
}
