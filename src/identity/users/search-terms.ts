import type { RankedTerm } from '../../platform/storage/ranked-terms.ts'
import type { ProfileRow } from './tables.ts'

// Users are found by the beginnings of words: of the username, of the name, and of the
// description. Each beginning of some lengths is a row, with the rank of the user among all who
// have it, so that a page of results is one range of an index, however many users are found.

/** What search terms are derived from. */
export type SearchableUser = Pick<
  ProfileRow,
  'id' | 'screen_name_key' | 'name' | 'description' | 'followers_count'
>

/** Characters of the beginnings of usernames and words of names. None is longer than a username. */
const NAME_LENGTHS = [1, 2, 3, 4, 6, 8, 11, 15]
/** Descriptions have many words, so that fewer of their beginnings are stored. */
const DESCRIPTION_LENGTHS = [4, 8]
/** The shortest beginning of a longer word of a description by which it is found. */
const MIN_DESCRIPTION_LENGTH = 4
/** Words of a description by which a user is found: the first ones. */
const MAX_DESCRIPTION_WORDS = 40
/** Words of a name by which a user is found: the first ones. */
const MAX_NAME_WORDS = 10
/** Characters of a name or description that are read. */
const MAX_CHARACTERS = 1_000

/** Where a word of the query begins a word of a user, the best place first. */
export type SearchPlace = 'username' | 'name' | 'description'

/** The number of steps of a place: more than there are classes of numbers of followers. */
const STEP = 128
const PLACE_RANKS: Readonly<Record<SearchPlace, number>> = {
  username: 2 * STEP,
  name: STEP,
  description: 0,
}
/** The rank of the user whose username is the query. */
export const EXACT_RANK = 3 * STEP
/** The lowest rank of a match in a name. */
export const LOWEST_NAME_RANK = STEP

/**
 * Numbers of followers fall into classes, each 1.4 times as large as the last, so that most follows
 * change no rank.
 */
export const followersClass = (followers: number): number =>
  Math.floor(2 * Math.log2(Math.max(followers, 0) + 1))

export const rankOf = (place: SearchPlace, { followers_count }: SearchableUser): number =>
  PLACE_RANKS[place] + followersClass(followers_count)

const MARKS = /\p{M}+/gu
const APOSTROPHES = /['’]/g
const WORDS = /[a-z0-9_]+/g

/** Words in lower case, without accents and apostrophes. Queries have only these characters. */
export const searchWordsOf = (text: string): string[] =>
  text
    .slice(0, MAX_CHARACTERS)
    .normalize('NFKD')
    .replace(MARKS, '')
    .replace(APOSTROPHES, '')
    .toLowerCase()
    .match(WORDS) ?? []

/** The words of a user, by place. Those of a name include the parts of the username. */
function wordsOfUser({ screen_name_key, name, description }: SearchableUser) {
  const parts = screen_name_key.split('_').filter((part) => part !== '' && part !== screen_name_key)
  return {
    username: [screen_name_key],
    name: [...parts, ...searchWordsOf(name).slice(0, MAX_NAME_WORDS)],
    description: searchWordsOf(description).slice(0, MAX_DESCRIPTION_WORDS),
  }
}

const beginnings = (word: string, lengths: readonly number[]): string[] =>
  lengths.flatMap((length) => (word.length >= length ? word.slice(0, length) : []))

/** Short words of a description are found as a whole. */
const beginningsInDescription = (word: string): string[] =>
  word.length < MIN_DESCRIPTION_LENGTH ? [word] : beginnings(word, DESCRIPTION_LENGTHS)

/** The beginnings of the words of a user: by where they occur, then by followers. */
export function searchTermsOf(user: SearchableUser): RankedTerm[] {
  const words = wordsOfUser(user)
  const terms = (place: SearchPlace, of: (word: string) => string[]): RankedTerm[] =>
    [...new Set(words[place].flatMap(of))].map((term) => ({ term, rank: rankOf(place, user) }))
  return [
    ...terms('username', (word) => beginnings(word, NAME_LENGTHS)),
    ...terms('name', (word) => beginnings(word, NAME_LENGTHS)),
    ...terms('description', beginningsInDescription),
  ]
}

/** The stored terms under which all users are found whose words begin with a word of a query. */
export const storedTermsFor = (word: string) => ({
  inNames: beginnings(word, NAME_LENGTHS).at(-1) ?? '',
  inDescriptions: beginningsInDescription(word).at(-1) ?? '',
})

/** The best place where a user has a word that begins with a word of a query. */
export function placeOf(user: SearchableUser, word: string): SearchPlace | undefined {
  const words = wordsOfUser(user)
  if (words.username.some((own) => own.startsWith(word))) return 'username'
  if (words.name.some((own) => own.startsWith(word))) return 'name'
  const isFound = (own: string) =>
    own === word || (word.length >= MIN_DESCRIPTION_LENGTH && own.startsWith(word))
  return words.description.some(isFound) ? 'description' : undefined
}
