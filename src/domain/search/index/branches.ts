import {
  type DocumentNumber,
  MAX_PLACES,
  type SearchArea,
  type SearchExpression,
  SearchTooComplex,
} from './search-index.ts'

/** What the inverted index answers. */
export type BranchLookup =
  | Extract<SearchExpression, { kind: 'term' | 'words' }>
  | { readonly kind: 'not'; readonly not: BranchLookup }
  | { readonly kind: 'all'; readonly of: readonly BranchLookup[] }
  | { readonly kind: 'any'; readonly of: readonly BranchLookup[] }

/** A comparison with columns of a document, or its negation. */
export type BranchFilter = { readonly negated: boolean } & (
  | { readonly kind: 'at least'; readonly number: DocumentNumber; readonly value: number }
  | { readonly kind: 'inside'; readonly area: SearchArea }
  | { readonly kind: 'near'; readonly longitude: number; readonly latitude: number; readonly km: number }
)

/** One way to match: what the inverted index answers, and the other conditions. */
export interface SearchBranch {
  readonly lookup: BranchLookup
  readonly filters: readonly BranchFilter[]
}

const EVERYTHING: BranchLookup = { kind: 'all', of: [] }
const NOTHING: BranchLookup = { kind: 'any', of: [] }

/** No one writes a query with more alternatives by hand. */
const MAX_BRANCHES = 64
/** Levels of groups and negations. The parser of FTS5 has a stack of limited size. */
const MAX_LEVELS = 30

/**
 * Splits an expression into branches, one of which must match. Groups without filters stay whole,
 * and branches that match nothing are omitted.
 *
 * @throws SearchTooComplex There are more than 64 branches: groups of alternatives with filters,
 *   joined by AND. Or groups are nested more than 30 levels deep.
 */
export function branchesOf(expression: SearchExpression): readonly SearchBranch[] {
  if (levelsOf(expression) > MAX_LEVELS)
    throw new SearchTooComplex(`The query has groups that are nested more than ${MAX_LEVELS} levels deep.`)
  return allBranchesOf(expression).filter(({ lookup }) => !isNothing(lookup))
}

function levelsOf(expression: SearchExpression): number {
  if (expression.kind === 'not') return 1 + levelsOf(expression.not)
  if (expression.kind !== 'all' && expression.kind !== 'any') return 0
  return 1 + expression.of.reduce((most, operand) => Math.max(most, levelsOf(operand)), 0)
}

/** Whether the inverted index finds the candidates of a lookup. Otherwise, all documents are. */
export const isAnchored = (lookup: BranchLookup): boolean =>
  conjunctsOf(lookup).some(({ kind }) => kind !== 'not')

function isNothing(lookup: BranchLookup): boolean {
  if (lookup.kind === 'any') return lookup.of.every(isNothing)
  return lookup.kind === 'all' && lookup.of.some(isNothing)
}

function allBranchesOf(expression: SearchExpression): readonly SearchBranch[] {
  const lookup = lookupOf(expression)
  if (lookup) return [{ lookup, filters: [] }]
  switch (expression.kind) {
    case 'any':
      return atMost(expression.of.flatMap(allBranchesOf))
    case 'all':
      return expression.of.reduce<readonly SearchBranch[]>(
        (before, operand) => {
          const branches = allBranchesOf(operand)
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

function atMost(branches: readonly SearchBranch[]): readonly SearchBranch[] {
  if (branches.length > MAX_BRANCHES)
    throw new SearchTooComplex(`The query has more than ${MAX_BRANCHES} alternatives with counts or places.`)
  return branches
}

const both = (first: SearchBranch, second: SearchBranch): SearchBranch => ({
  lookup: { kind: 'all', of: [...conjunctsOf(first.lookup), ...conjunctsOf(second.lookup)] },
  filters: [...first.filters, ...second.filters],
})

/**
 * The number of words in the phrases of a lookup. The index compares the places of each of them in
 * every candidate.
 */
export function phraseWordsOf(lookup: BranchLookup): number {
  switch (lookup.kind) {
    case 'term':
      return 0
    case 'words':
      return lookup.words.length > 1 ? lookup.words.length : 0
    case 'not':
      return phraseWordsOf(lookup.not)
    default:
      return lookup.of.reduce((sum, operand) => sum + phraseWordsOf(operand), 0)
  }
}

/**
 * Matches whatever a lookup matches, without comparing the places of words: the candidates of its
 * phrases.
 */
export function withoutPhrases(lookup: BranchLookup): BranchLookup {
  switch (lookup.kind) {
    case 'term':
      return lookup
    case 'words': {
      const { of, words } = lookup
      return { kind: 'all', of: [...new Set(words)].map((word) => ({ kind: 'words', of, words: [word] })) }
    }
    case 'not':
      return phraseWordsOf(lookup.not) > 0 ? EVERYTHING : lookup
    default:
      return { kind: lookup.kind, of: lookup.of.map(withoutPhrases) }
  }
}

interface SharedCandidates {
  candidates: number
  branches: readonly SearchBranch[]
}

/**
 * How many candidates a branch may read if all branches share them: at least one, so that every
 * search makes progress. A candidate counts once for each word of the phrases.
 */
export const shareOf = ({ lookup }: SearchBranch, { candidates, branches }: SharedCandidates): number =>
  Math.max(1, Math.floor(candidates / branches.length / Math.max(1, phraseWordsOf(lookup))))

/** Lookups that must all match. */
export const conjunctsOf = (lookup: BranchLookup): readonly BranchLookup[] =>
  lookup.kind === 'all' ? lookup.of.flatMap(conjunctsOf) : [lookup]

/** Whether a phrase has a word more often than the index knows places of it. */
function isTooOften(words: readonly string[]): boolean {
  if (words.length <= MAX_PLACES) return false
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return Math.max(...counts.values()) > MAX_PLACES
}

/** The same as a lookup, if the inverted index answers all of it. */
function lookupOf(expression: SearchExpression): BranchLookup | undefined {
  switch (expression.kind) {
    case 'term':
      return expression
    case 'words':
      return isTooOften(expression.words) ? NOTHING : expression
    case 'not': {
      const not = lookupOf(expression.not)
      return not && { kind: 'not', not }
    }
    case 'all':
    case 'any': {
      const of = expression.of.map(lookupOf)
      return of.every((operand) => operand !== undefined) ? { kind: expression.kind, of } : undefined
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
