import type { Area, DocumentNumber, SearchExpression } from './search-index.ts'
import { SearchTooComplex } from './search-index.ts'

/** What the inverted index answers. */
export type Lookup =
  | Extract<SearchExpression, { kind: 'term' | 'words' }>
  | { readonly kind: 'not'; readonly not: Lookup }
  | { readonly kind: 'all'; readonly of: readonly Lookup[] }
  | { readonly kind: 'any'; readonly of: readonly Lookup[] }

/** A comparison with columns of a document, or its negation. */
export type Filter = { readonly negated: boolean } & (
  | { readonly kind: 'at least'; readonly number: DocumentNumber; readonly value: number }
  | { readonly kind: 'inside'; readonly area: Area }
  | { readonly kind: 'near'; readonly longitude: number; readonly latitude: number; readonly km: number }
)

/** One way to match: what the inverted index answers, and the other conditions. */
export interface Branch {
  readonly lookup: Lookup
  readonly filters: readonly Filter[]
}

const EVERYTHING: Lookup = { kind: 'all', of: [] }

/** No one writes a query with more alternatives by hand. */
const MAX_BRANCHES = 64

/**
 * Splits an expression into branches, one of which must match. Groups without filters stay whole, and branches that
 * match nothing are omitted.
 *
 * @throws SearchTooComplex There are more than 64: groups of alternatives with filters, joined by AND.
 */
export const branchesOf = (expression: SearchExpression): readonly Branch[] =>
  allBranchesOf(expression).filter(({ lookup }) => !isNothing(lookup))

/** Whether the inverted index finds the candidates of a branch. Otherwise, every document is a candidate. */
export const isAnchored = ({ lookup }: Branch): boolean =>
  conjunctsOf(lookup).some(({ kind }) => kind !== 'not')

function isNothing(lookup: Lookup): boolean {
  if (lookup.kind === 'any') return lookup.of.every(isNothing)
  return lookup.kind === 'all' && lookup.of.some(isNothing)
}

function allBranchesOf(expression: SearchExpression): readonly Branch[] {
  const lookup = lookupOf(expression)
  if (lookup) return [{ lookup, filters: [] }]
  switch (expression.kind) {
    case 'any':
      return atMost(expression.of.flatMap(allBranchesOf))
    case 'all':
      return expression.of.reduce<readonly Branch[]>(
        (before, one) => {
          const branches = allBranchesOf(one)
          return atMost(before.flatMap((first) => branches.map((second) => both(first, second))))
        },
        [{ lookup: EVERYTHING, filters: [] }],
      )
    case 'not':
      return isFilter(expression.not)
        ? [{ lookup: EVERYTHING, filters: [{ ...expression.not, negated: true }] }]
        : allBranchesOf(opposite(expression.not))
    case 'term':
    case 'words':
      throw new Error('a term is answered by the inverted index')
    default:
      return [{ lookup: EVERYTHING, filters: [{ ...expression, negated: false }] }]
  }
}

const FILTERS: readonly SearchExpression['kind'][] = ['at least', 'inside', 'near']

const isFilter = (
  expression: SearchExpression,
): expression is Extract<SearchExpression, { kind: 'at least' | 'inside' | 'near' }> =>
  FILTERS.includes(expression.kind)

function atMost(branches: readonly Branch[]): readonly Branch[] {
  if (branches.length > MAX_BRANCHES)
    throw new SearchTooComplex(`The query has more than ${MAX_BRANCHES} alternatives with counts or places.`)
  return branches
}

const both = (first: Branch, second: Branch): Branch => ({
  lookup: { kind: 'all', of: [...conjunctsOf(first.lookup), ...conjunctsOf(second.lookup)] },
  filters: [...first.filters, ...second.filters],
})

/** Lookups that must all match. */
export const conjunctsOf = (lookup: Lookup): readonly Lookup[] =>
  lookup.kind === 'all' ? lookup.of.flatMap(conjunctsOf) : [lookup]

/** The same as a lookup, if the inverted index answers all of it. */
function lookupOf(expression: SearchExpression): Lookup | undefined {
  switch (expression.kind) {
    case 'term':
    case 'words':
      return expression
    case 'not': {
      const not = lookupOf(expression.not)
      return not && { kind: 'not', not }
    }
    case 'all':
    case 'any': {
      const of = expression.of.map(lookupOf)
      return of.every((one) => one !== undefined) ? { kind: expression.kind, of } : undefined
    }
    default:
      return undefined
  }
}

/** The negation of an expression that contains a filter. */
function opposite(expression: SearchExpression): SearchExpression {
  switch (expression.kind) {
    case 'not':
      return expression.not
    case 'all':
      return { kind: 'any', of: expression.of.map((not) => ({ kind: 'not', not })) }
    case 'any':
      return { kind: 'all', of: expression.of.map((not) => ({ kind: 'not', not })) }
    default:
      return { kind: 'not', not: expression }
  }
}
