import type { RankedTerm } from '../../platform/storage/ranked-terms.ts'
import type { CommunityRow } from './tables.ts'

// Communities are found by their names, by beginnings of their names, and by words of names and
// descriptions. Each is a row, with the rank of the community among all who have it, so that a page
// of results is one range of an index, however many communities are found.

/** What search terms are derived from. */
export type SearchableCommunity = Pick<CommunityRow, 'name' | 'description' | 'member_count'>

/** How a query finds a community, the best first. */
export type SearchPlace = 'exact name' | 'name prefix' | 'name word' | 'description word'

/** The number of steps of a place: more than a community can have members. */
const STEP = 2 ** 40
const PLACE_RANKS: Readonly<Record<SearchPlace, number>> = {
  'exact name': 3 * STEP,
  'name prefix': 2 * STEP,
  'name word': STEP,
  'description word': 0,
}

/** The lowest and the highest rank of some places. */
export const ranksFrom = (worst: SearchPlace, best: SearchPlace) => ({
  from: PLACE_RANKS[worst],
  to: PLACE_RANKS[best] + STEP - 1,
})

/** Whether a rank is of a place. */
export const isRankOf = (rank: number, place: SearchPlace): boolean =>
  Math.floor(rank / STEP) * STEP === PLACE_RANKS[place]

/** Characters of the stored beginnings of names. */
const PREFIX_LENGTHS = [1, 2, 3, 4, 6, 8, 11, 15, 20, 30]
/** Characters of a stored name or word. What is longer is found by its beginning, then compared. */
const MAX_TERM_LENGTH = 60

const MARKS = /\p{M}+/gu
const WORDS = /[\p{L}\p{N}_]+/gu

/** Text in lower case, without accents, and with single blanks between words. */
const foldedOf = (text: string): string =>
  text.normalize('NFKD').replace(MARKS, '').toLowerCase().trim().replace(/\s+/g, ' ')

const wordsOf = (folded: string): string[] => folded.match(WORDS) ?? []

/** The first characters of a text, in code points. */
const beginning = (text: string, length: number): string => [...text].slice(0, length).join('')
const lengthOf = (text: string): number => [...text].length

// The first character says what a term is: words begin with neither.
const nameTerm = (folded: string) => `=${beginning(folded, MAX_TERM_LENGTH)}`
const prefixTerm = (folded: string) => `^${folded}`
const wordTerm = (word: string) => beginning(word, MAX_TERM_LENGTH)

/** What a community is found by: by the place of the term, then by members. */
export function searchTermsOf({ name, description, member_count }: SearchableCommunity): RankedTerm[] {
  const folded = foldedOf(name)
  const prefixes = PREFIX_LENGTHS.filter((length) => length <= lengthOf(folded))
  const inName = new Set(wordsOf(folded).map(wordTerm))
  const inDescription = new Set(wordsOf(foldedOf(description)).map(wordTerm))
  const at = (place: SearchPlace, terms: Iterable<string>): RankedTerm[] =>
    [...terms].map((term) => ({ term, rank: PLACE_RANKS[place] + member_count }))
  return [
    ...at('exact name', [nameTerm(folded)]),
    ...at(
      'name prefix',
      prefixes.map((length) => prefixTerm(beginning(folded, length))),
    ),
    ...at('name word', inName),
    ...at('description word', inDescription.difference(inName)),
  ]
}

/** What a search asks for. */
export interface CommunityQuery {
  readonly folded: string
  readonly words: readonly string[]
  /** The longest word, which has the fewest matches; undefined if there is none. */
  readonly word: string | undefined
}

/** Reads the query of a search. */
export function communityQueryOf(text: string): CommunityQuery {
  const folded = foldedOf(text)
  const words = [...new Set(wordsOf(folded))]
  const [longest] = words.toSorted((a, b) => lengthOf(b) - lengthOf(a))
  return { folded, words, word: longest }
}

/** The stored terms of everything that a query finds; undefined where it finds nothing. */
export function storedTermsFor({ folded, word }: CommunityQuery) {
  const length = PREFIX_LENGTHS.findLast((one) => one <= lengthOf(folded))
  return {
    name: folded === '' ? undefined : nameTerm(folded),
    prefix: length === undefined ? undefined : prefixTerm(beginning(folded, length)),
    word: word === undefined ? undefined : wordTerm(word),
  }
}

/**
 * How a query finds a community: by its whole name, or the beginning of it, or by all words of the
 * query, of which the longest decides the place. Undefined if it does not.
 */
export function placeOf(
  { name, description }: Pick<SearchableCommunity, 'name' | 'description'>,
  { folded, words, word }: CommunityQuery,
): SearchPlace | undefined {
  const ownName = foldedOf(name)
  if (folded !== '' && ownName === folded) return 'exact name'
  if (folded !== '' && ownName.startsWith(folded)) return 'name prefix'
  if (word === undefined) return undefined
  const inName = new Set(wordsOf(ownName))
  const inDescription = new Set(wordsOf(foldedOf(description)))
  if (!words.every((one) => inName.has(one) || inDescription.has(one))) return undefined
  return inName.has(word) ? 'name word' : 'description word'
}
