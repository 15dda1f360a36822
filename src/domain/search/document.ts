import { countryCodes, countryName } from '../../platform/common/countries.ts'
import { once } from '../../platform/common/lookup.ts'
import { Slices } from '../../platform/common/slices.ts'
import type { Entities } from '../../platform/text/entities.ts'
import type { ContextAnnotation } from '../annotations/dictionary.ts'
import { kindIn } from '../media/media.ts'
import { pointOf } from '../posts/place-object.ts'
import { languageOfPosts } from '../query-language/languages.ts'
import { foldAccents, foldCase, wordParts, wordsOf } from '../query-language/tokenize.ts'
import {
  boxOfLocation,
  type Location,
  locationById,
  locationsReady,
  regionsByCountry,
} from '../reference-data/locations.ts'
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
  for (const { expanded_url, unwound_url } of entities.urls) {
    links.push(foldedWords(expanded_url))
    if (unwound_url !== undefined && unwound_url !== expanded_url) links.push(foldedWords(unwound_url))
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
        ...noteTerms(row, entities),
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

const noteTerms = ({ context_annotations: json }: IndexedRow, { annotations = [] }: Entities): string[] => [
  ...((json === null ? [] : JSON.parse(json)) as ContextAnnotation[]).map(
    ({ domain, entity }) => `context:${domain.id}.${entity.id}`,
  ),
  ...annotations.flatMap(({ normalized_text: name }) =>
    name === undefined ? [] : [`entity:${wordsTerm(foldedWords(name))}`],
  ),
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

/** Languages in which profiles name countries. */
const LANGUAGES = 'en es pt fr de it nl pl tr ru uk ar he hi id vi th ja ko zh'.split(' ')
/** Names that do not identify one country. */
const ALIASES: Readonly<Record<string, string>> = {
  us: 'US',
  usa: 'US',
  'u.s.': 'US',
  'u.s.a.': 'US',
  america: 'US',
  uk: 'GB',
  'u.k.': 'GB',
  'great britain': 'GB',
  uae: 'AE',
  turkey: 'TR',
}
/** Maximum parts of a location. Further parts are ignored. */
const MAX_PARTS = 4

const fold = (name: string) => foldAccents(foldCase(name))

/** Countries by their names, and by the names of regions that only one country has. */
const countriesByName = once(() => {
  const regions = new Map<string, string | undefined>()
  for (const [country = '', ...entries] of regionsByCountry())
    for (const entry of entries) {
      const name = fold(entry.slice(entry.indexOf(' ') + 1))
      regions.set(name, regions.has(name) ? undefined : country)
    }
  const countries = countryCodes.flatMap((code) =>
    LANGUAGES.map((lang): [string, string] => [fold(countryName(code, lang)), code]),
  )
  return new Map([...regions, ...countries, ...Object.entries(ALIASES)])
})

/** The codes of the states of the United States, as written after the name of a city. */
const states = once(() => {
  const [, ...entries] = regionsByCountry().find(([country]) => country === 'US') ?? []
  return new Set(entries.map((entry) => entry.slice(0, entry.indexOf(' '))))
})

/**
 * The country that the location of a profile names: `Berlin, Germany`, `Deutschland`, `Austin, TX`,
 * `Bavaria`. ISO 3166-1 alpha-2; undefined if it names none. Cities alone are not recognized: most
 * names belong to several.
 */
function countryOfProfile(location: string): string | undefined {
  const parts = location
    .split(/[,/|]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .slice(0, MAX_PARTS)
  if (parts.length > 1 && states().has(parts.at(-1) ?? '')) return 'US'
  const byName = countriesByName()
  return parts.map((part) => byName.get(fold(part))).findLast((code) => code !== undefined)
}
