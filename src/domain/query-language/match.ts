import { languageOfPosts } from './languages.ts'
import type { MatchablePost, MatchableText, MatchableUser } from './matchable-post.ts'
import { hasPiece, hasRun } from './pieces.ts'
import {
  addressesIn,
  addressWordsIn,
  descriptionWordsIn,
  foldedText,
  positionsIn,
  profileWordsOf,
  titleWordsIn,
} from './prepared-texts.ts'
import { type Condition, clausesOf, isSearch, isTextual, type Node, type Point, type Query } from './query.ts'
import { foldAccents, foldCase, wordsOf } from './tokenize.ts'
import { milesBetween, milesOf } from './values.ts'

// Matches one query against one post, literally as in the reference. Faster implementations must
// agree with it.

const DEFAULT_SIMILARITY = 0.3

/** Whether a post matches a query. */
export function matches(query: Query, post: MatchablePost): boolean {
  if (post.repostOf && findsNoReposts(query)) return false
  return nodeHolds(query.root, post, matchContextOf(query))
}

/** Whether a query of search or counts omits reposts, because it looks for words. */
export const findsNoReposts = ({ use, root }: Pick<Query, 'use' | 'root'>): boolean =>
  isSearch(use) && [...clausesOf(root)].some(({ condition }) => isTextual(condition))

/** The properties of a query that affect the meaning of its conditions. */
export interface MatchContext {
  readonly isSearch: boolean
  /** How similar a post must be to the text of `embedding:`. */
  readonly similarity: number
}

export function matchContextOf({ use, root }: Pick<Query, 'use' | 'root'>): MatchContext {
  const thresholds = [...clausesOf(root)].flatMap(({ condition }) =>
    condition.operator === 'embedding_threshold' ? [condition.number] : [],
  )
  return { isSearch: isSearch(use), similarity: thresholds[0] ?? DEFAULT_SIMILARITY }
}

function nodeHolds(node: Node, post: MatchablePost, circumstances: MatchContext): boolean {
  if (node.kind === 'clause') return holds(node.condition, post, circumstances) !== node.negated
  return node.kind === 'and'
    ? node.nodes.every((child) => nodeHolds(child, post, circumstances))
    : node.nodes.some((child) => nodeHolds(child, post, circumstances))
}

/** Whether a post matches a condition. */
export function holds(condition: Condition, post: MatchablePost, circumstances: MatchContext): boolean {
  const { isSearch: inSearch } = circumstances
  switch (condition.operator) {
    case 'keyword':
    case 'phrase':
      return inText(post, inSearch, ({ words }) => hasWords(words, condition.words, inSearch))
    case 'proximity':
      return inText(post, inSearch, (text) => areNear(text, condition.words, condition.within))
    case 'hashtag':
      return inText(post, inSearch, ({ hashtags }) =>
        comparable(hashtags.map(foldCase), inSearch).includes(condition.name),
      )
    case 'cashtag':
      return inText(post, inSearch, ({ cashtags }) => cashtags.map(foldCase).includes(condition.name))
    case 'mention':
      return inText(post, inSearch, ({ mentions }) => mentions.map(foldCase).includes(condition.name))
    case 'from':
      return isUser(post.author, condition.name)
    case 'to':
      return isUser(post.addressee, condition.name)
    case 'from_affiliate_of':
      return isAffiliate(post.author, condition.name)
    case 'to_affiliate_of':
      return isAffiliate(post.addressee, condition.name)
    case 'reposts_of':
      return isUser(post.repostOf?.author, condition.name)
    case 'in_reply_to_post_id':
      return post.repliesTo?.id === condition.text
    case 'reposts_of_post_id':
      return post.repostOf?.id === condition.text
    case 'quotes_of_post_id':
      return post.quotes?.id === condition.text
    case 'conversation_id':
      return post.conversationId === condition.text
    case 'list':
      return post.author.lists?.includes(condition.text) ?? false
    case 'url':
      return inText(post, inSearch, (text) => hasWords(addressWordsIn(text), condition.words, inSearch))
    case 'url_title':
      return inText(post, inSearch, (text) => hasWords(titleWordsIn(text), condition.words, inSearch))
    case 'url_description':
      return inText(post, inSearch, (text) => hasWords(descriptionWordsIn(text), condition.words, inSearch))
    case 'url_contains':
      return inText(post, inSearch, (text) => hasPiece(addressesIn(text).folded, foldCase(condition.text)))
    case 'contains':
      return inText(post, inSearch, (text) => hasPiece(foldedText(text).folded, foldCase(condition.text)))
    case 'bio':
      return hasWords(profileWordsOf(post.author).description, condition.words, inSearch)
    case 'bio_name':
      return hasWords(profileWordsOf(post.author).name, condition.words, inSearch)
    case 'bio_location':
      return hasWords(profileWordsOf(post.author).location, condition.words, inSearch)
    case 'context':
      return post.contexts.some(
        ({ domain, entity }) =>
          (condition.domain === '*' || condition.domain === domain) &&
          (condition.entity === '*' || condition.entity === entity),
      )
    case 'entity':
      return post.entities.some((entity) => isSame(entity, condition.words, inSearch))
    case 'source':
      return [post.source.name, post.source.address].some((text) => isSame(text, condition.words, inSearch))
    case 'lang':
      return languageOfPosts(post.lang.toLowerCase()) === languageOfPosts(condition.text)
    case 'is':
      return is(post, condition.text)
    case 'has':
      return has(post, condition.text)
    case 'place':
    case 'place_country':
    case 'point_radius':
    case 'bounding_box':
      return !post.repostOf && isLocated(condition, post, inSearch)
    case 'sample':
      return shareOf(post.id) < condition.number
    case 'min_likes':
      return post.likeCount >= condition.number
    case 'min_replies':
      return post.replyCount >= condition.number
    case 'min_reposts':
      return post.repostCount >= condition.number
    case 'min_followers':
      return post.author.followersCount >= condition.number
    case 'followers_count':
      return isBetween(post.author.followersCount, condition)
    case 'following_count':
      return isBetween(post.author.followingCount, condition)
    case 'posts_count':
      return isBetween(post.author.postsCount, condition)
    case 'listed_count':
      return isBetween(post.author.listedCount, condition)
    case 'embedding':
      return (post.similarityTo?.(condition.text) ?? -1) >= circumstances.similarity
    case 'embedding_threshold':
      return true
    default:
      return condition satisfies never
  }
}

/** Stream rules also match against the quoted post. */
function inText(post: MatchablePost, inSearch: boolean, isSo: (text: MatchableText) => boolean): boolean {
  return isSo(post) || (post.quotes !== undefined && !inSearch && isSo(post.quotes))
}

/** Words in the form in which they are compared: search ignores accents. */
const comparable = (words: readonly string[], inSearch: boolean) =>
  inSearch ? words.map(foldAccents) : words

/** Whether these words are among others in sequence. */
const hasWords = (words: readonly string[], sequence: readonly string[], inSearch: boolean) =>
  hasRun(comparable(words, inSearch), sequence)

/**
 * Whether words occur near each other: in order, with at most `within` other words between them. In
 * another order, each swapped pair counts as two words.
 */
function areNear(text: MatchableText, sequence: readonly string[], within: number): boolean {
  const positions = positionsIn(text)
  const lists = sequence.map((word) => positions.get(word) ?? [])
  if (lists.some((list) => list.length === 0)) return false
  // Where the phrase would begin according to each word: all equal if the words are adjacent and in
  // order. Each of these numbers also says which word it is.
  const size = sequence.length
  const starts = Float64Array.from(
    lists.flatMap((list, index) => list.map((at) => (at - index) * size + index)),
  )
  starts.sort()
  const startAt = (code: number) => Math.floor(code / size)
  const wordAt = (code: number) => code - startAt(code) * size
  // How often each word occurs among those that begin near the current one.
  const counts = new Int32Array(size)
  const count = (code: number, by: number) => {
    const now = (counts[wordAt(code)] as number) + by
    counts[wordAt(code)] = now
    return now
  }
  let missing = size
  let first = 0
  for (const code of starts) {
    for (; startAt(starts[first] as number) < startAt(code) - within; first++)
      if (count(starts[first] as number, -1) === 0) missing++
    if (count(code, 1) === 1) missing--
    if (missing === 0) return true
  }
  return false
}

const isUser = (user: MatchableUser | undefined, name: string) =>
  user !== undefined && (user.id === name || user.username.toLowerCase() === name)

const isAffiliate = (user: MatchableUser | undefined, name: string) =>
  user?.affiliations?.some((affiliation) => isUser(affiliation, name)) ?? false

/** Whether a text has these words and no others. */
function isSame(text: string, sequence: readonly string[], inSearch: boolean): boolean {
  const words = comparable(wordsOf(text), inSearch)
  return words.length === sequence.length && hasRun(words, sequence)
}

function is(post: MatchablePost, what: (Condition & { operator: 'is' })['text']): boolean {
  switch (what) {
    case 'repost':
      return post.repostOf !== undefined
    case 'reply':
      return post.repliesTo !== undefined
    case 'quote':
      return post.quotes !== undefined
    case 'verified':
      return post.author.verified
    case 'nullcast':
      return post.nullcast
    default:
      return what satisfies never
  }
}

function has(post: MatchablePost, what: (Condition & { operator: 'has' })['text']): boolean {
  switch (what) {
    case 'hashtags':
    case 'cashtags':
    case 'mentions':
      return post[what].length > 0
    case 'links':
      return post.links.length > 0 || post.media.length > 0
    case 'media':
      return post.media.length > 0
    case 'images':
      return post.media.includes('photo')
    case 'video_link':
      return post.media.includes('video')
    case 'geo':
      return !post.repostOf && (post.point !== undefined || post.place !== undefined)
    case 'lang':
      return post.lang !== 'und'
    default:
      return what satisfies never
  }
}

type PlaceCondition = Condition & { operator: 'place' | 'place_country' | 'point_radius' | 'bounding_box' }

function isLocated(condition: PlaceCondition, { point, place }: MatchablePost, inSearch: boolean): boolean {
  if (condition.operator === 'place')
    return (
      place !== undefined &&
      (place.id === condition.text.toLowerCase() ||
        isSame(place.name, condition.words, inSearch) ||
        isSame(place.fullName, condition.words, inSearch))
    )
  if (condition.operator === 'place_country') return place?.countryCode.toUpperCase() === condition.text
  const isInside = areaOf(condition)
  if (point) return isInside(point)
  return place !== undefined && place.polygon.length > 0 && place.polygon.every(isInside)
}

function areaOf(
  condition: PlaceCondition & { operator: 'point_radius' | 'bounding_box' },
): (point: Point) => boolean {
  if (condition.operator === 'point_radius') {
    const miles = milesOf(condition.radius, condition.unit)
    return (point) => milesBetween(condition.point, point) <= miles
  }
  const { southWest, northEast } = condition
  return ([longitude, latitude]) =>
    longitude >= southWest[0] &&
    longitude <= northEast[0] &&
    latitude >= southWest[1] &&
    latitude <= northEast[1]
}

const isBetween = (count: number, { min, max = Number.POSITIVE_INFINITY }: { min: number; max?: number }) =>
  count >= min && count <= max

/** A number from 0 to 99 that is always the same for a post. */
function shareOf(id: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193)
  // Mixes the last digits, which differ most, into all bits.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) % 100
}
