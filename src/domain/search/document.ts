import { Slices } from '../../platform/common/slices.ts'
import type { Entities } from '../../platform/text/entities.ts'
import { kindIn } from '../media/media.ts'
import { pointOf } from '../posts/geo.ts'
import { languageOfPosts } from '../query-language/languages.ts'
import { foldAccents, foldCase, wordParts, wordsOf } from '../query-language/tokenize.ts'
import type { Location } from '../reference-data/locations.ts'
import { boxOfLocation, locationById, locationsReady } from '../reference-data/locations.ts'
import { countryOfProfile } from './country.ts'
import type { PostChange } from './derived.ts'
import type { SearchChange, SearchDocument } from './index/search-index.ts'
import type { IndexedRow } from './queries.ts'

/** Words as the index compares them: without case and accents. */
const foldedWords = (text: string) => wordsOf(text).map(foldAccents)

/** The same of a long text. */
async function foldedWordsIn(text: string, links: Entities['urls'], slices: Slices): Promise<string[]> {
  const words: string[] = []
  for (const part of wordParts(text, links)) {
    for (const word of part) words.push(foldAccents(word))
    if (slices.isOver) await slices.next()
  }
  return words
}

/** Joins words into one term. The words of a text contain no underscore. */
export const wordsTerm = (words: readonly string[]) => words.join('_')

const numbersOf = ({ like_count, reply_count, repost_count }: IndexedRow) => ({
  likes: like_count,
  replies: reply_count,
  reposts: repost_count,
})

/**
 * What changes in the index with posts. Those whose place and author name no country are from the
 * default one.
 */
export async function searchChangesOf(
  changes: readonly PostChange[],
  defaultCountry: string,
): Promise<SearchChange[]> {
  if (changes.some((change) => change.kind === 'put' && change.row.place_id !== null)) await locationsReady()
  const slices = new Slices()
  const made: SearchChange[] = []
  for (const change of changes) {
    if (change.kind === 'remove') made.push(change)
    else if (change.kind === 'put')
      made.push({ kind: 'put', document: await documentOf(change.row, defaultCountry, slices) })
    else made.push({ kind: change.kind, id: change.row.id, numbers: numbersOf(change.row) })
    if (slices.isOver) await slices.next()
  }
  return made
}

/**
 * The terms by which a post is found (reference: query language, operators). A repost has no words
 * and no place of its own.
 */
async function documentOf(row: IndexedRow, defaultCountry: string, slices: Slices): Promise<SearchDocument> {
  const isRepost = row.reposted_post_id !== null
  const entities = JSON.parse(row.entities) as Entities
  const place = isRepost || row.place_id === null ? undefined : locationById(row.place_id)
  const point = isRepost ? undefined : pointOf(row)
  // The point of a post is more precise than its place.
  const area = point ? boxOfPoint(point) : place && boxOfLocation(place)
  const words = isRepost ? [] : await foldedWordsIn(row.text, entities.urls, slices)
  const links: string[][] = []
  for (const { expanded_url } of entities.urls) {
    links.push(foldedWords(expanded_url))
    if (slices.isOver) await slices.next()
  }
  return {
    id: row.id,
    words,
    links,
    terms: [
      ...new Set([
        ...relationTerms(row),
        ...entityTerms(entities),
        ...mediaTerms(row, entities),
        ...(place ? placeTerms(place) : []),
        ...(place || point ? ['has:geo'] : []),
        ...(isRepost || row.nullcast === 1
          ? []
          : [countedIn(place?.countryCode ?? countryOfProfile(row.author_location) ?? defaultCountry)]),
      ]),
    ],
    numbers: numbersOf(row),
    ...(area && { area }),
  }
}

/**
 * The country whose keyword insights count a post: of its place, otherwise the country that the
 * profile of its author names. Reposts have no words of their own, and posts for advertisements
 * only are not public.
 */
export const countedIn = (country: string) => `counted_in:${country.toLowerCase()}`

const boxOfPoint = ([longitude, latitude]: readonly [number, number]) => ({
  west: longitude,
  south: latitude,
  east: longitude,
  north: latitude,
})

function relationTerms(row: IndexedRow): string[] {
  const named = (kind: string, value: string | null) => (value === null ? [] : [`${kind}:${value}`])
  const is = (what: string, holds: boolean) => (holds ? [`is:${what}`] : [])
  return [
    `from:${row.author_id}`,
    `conversation:${row.conversation_id}`,
    `lang:${languageOfPosts(row.lang.toLowerCase())}`,
    ...named('to', row.in_reply_to_user_id),
    ...named('reply_to', row.in_reply_to_post_id),
    ...named('quote_of', row.quoted_post_id),
    ...named('repost_of', row.reposted_post_id),
    ...named('reposts_of_user', row.reposted_author_id),
    ...is('reply', row.in_reply_to_post_id !== null),
    ...is('quote', row.quoted_post_id !== null),
    ...is('repost', row.reposted_post_id !== null),
    ...is('nullcast', row.nullcast === 1),
    ...is('verified', row.author_verified === 1),
  ]
}

const has = (what: string, list: readonly unknown[]) => (list.length > 0 ? [`has:${what}`] : [])

const entityTerms = ({ hashtags, cashtags, mentions }: Entities): string[] => [
  ...hashtags.map(({ tag }) => `hashtag:${foldAccents(foldCase(tag))}`),
  ...cashtags.map(({ tag }) => `cashtag:${foldCase(tag)}`),
  ...mentions.map(({ username }) => `mention:${foldCase(username)}`),
  ...has('hashtags', hashtags),
  ...has('cashtags', cashtags),
  ...has('mentions', mentions),
]

function mediaTerms({ media_keys }: IndexedRow, { urls }: Entities): string[] {
  const keys = JSON.parse(media_keys) as string[]
  const kinds = keys.map(kindIn)
  return [
    ...has('media', keys),
    ...has('links', [...keys, ...urls]),
    ...has(
      'images',
      kinds.filter((kind) => kind === 'IMAGE'),
    ),
    ...has(
      'video_link',
      kinds.filter((kind) => kind === 'VIDEO'),
    ),
  ]
}

const placeTerms = ({ id, name, countryCode }: Location): string[] => [
  `place:${id}`,
  `place_name:${wordsTerm(foldedWords(name.split(',')[0] ?? ''))}`,
  `place_name:${wordsTerm(foldedWords(name))}`,
  `country:${countryCode.toLowerCase()}`,
]
