import { languageOfPosts } from './languages.ts'
import type { MatchablePost, MatchableText, MatchableUser } from './matchable-post.ts'
import { addressWordsIn, descriptionWordsIn, profileWordsOf, titleWordsIn } from './prepared-texts.ts'
import type { Condition } from './query.ts'
import { foldCase, wordsOf } from './tokenize.ts'

/** Kinds of terms. A post has many terms; rules are indexed under them. */
export const TERM_KINDS = [
  'word',
  'pair',
  'hashtag',
  'cashtag',
  'mention',
  'author',
  'affiliation',
  'addressee',
  'addressee affiliate',
  'repost of',
  'replied post',
  'reposted post',
  'conversation',
  'address word',
  'title word',
  'description word',
  'biography word',
  'name word',
  'location word',
  'context',
  'entity',
  'place',
  'country',
  'source',
  'language',
  'property',
] as const
export type TermKind = (typeof TERM_KINDS)[number]

export interface Term {
  readonly kind: TermKind
  readonly key: string
}

/** A term that every post has. */
export const EVERY_POST: Term = { kind: 'property', key: 'post' }

/** The terms that a post has if it matches a condition. `exact`: no other post has them. */
export interface RequiredTerms {
  readonly terms: readonly [Term, ...Term[]]
  readonly exact: boolean
  /** The condition is exactly that the post has these in sequence. */
  readonly inOrder?: readonly Term[]
}

const oneTerm = (kind: TermKind, key: string, exact = true): RequiredTerms => ({
  terms: [{ kind, key }],
  exact,
})
const property = (key: string, exact = true) => oneTerm('property', key, exact)

/** Consecutive words: all of them are necessary, and a single word is sufficient. */
function words(kind: TermKind, all: readonly string[]): RequiredTerms {
  const [first = '', ...rest] = all
  const terms = [{ kind, key: first }, ...rest.map((key) => ({ kind, key }))] as const
  return { terms, exact: rest.length === 0 }
}

/** Two adjacent words of a text. Terms of other kinds contain no line feed. */
export const pairOf = (first: string, second: string) => `${first}\n${second}`
export const wordsInPair = (key: string) => key.split('\n') as [string, string]

/** Adjacent words of the text: two of them are a term of their own. */
function phrase(all: readonly string[]): RequiredTerms {
  const each = all.map((key): Term => ({ kind: 'word', key }))
  const [first, ...rest] = all
    .slice(1)
    .map((word, at): Term => ({ kind: 'pair', key: pairOf(all[at] as string, word) }))
  if (!first) return words('word', all)
  return rest.length === 0
    ? { terms: [first], exact: true }
    : { terms: [first, ...rest], exact: false, inOrder: each }
}

/** The terms by which posts that match a condition of a rule are found. */
export function neededTerms(condition: Condition): RequiredTerms {
  switch (condition.operator) {
    case 'keyword':
    case 'phrase':
      return phrase(condition.words)
    case 'proximity':
      return { ...words('word', condition.words), exact: false }
    case 'hashtag':
    case 'cashtag':
    case 'mention':
      return oneTerm(condition.operator, condition.name)
    case 'from':
      return oneTerm('author', condition.name)
    case 'from_affiliate_of':
      return oneTerm('affiliation', condition.name)
    case 'to':
      return oneTerm('addressee', condition.name)
    case 'to_affiliate_of':
      return oneTerm('addressee affiliate', condition.name)
    case 'reposts_of':
      return oneTerm('repost of', condition.name)
    case 'in_reply_to_post_id':
      return oneTerm('replied post', condition.text)
    case 'reposts_of_post_id':
      return oneTerm('reposted post', condition.text)
    case 'conversation_id':
      return oneTerm('conversation', condition.text)
    case 'url':
      return words('address word', condition.words)
    case 'url_title':
      return words('title word', condition.words)
    case 'url_description':
      return words('description word', condition.words)
    case 'url_contains':
      return property('address', false)
    case 'bio':
      return words('biography word', condition.words)
    case 'bio_name':
      return words('name word', condition.words)
    case 'bio_location':
      return words('location word', condition.words)
    case 'context':
      return oneTerm('context', `${condition.domain}.${condition.entity}`)
    case 'entity':
      return oneTerm('entity', condition.words.join(' '))
    case 'source':
      return oneTerm('source', condition.words.join(' '))
    case 'place':
      // The id of a place is not a word of its name.
      return property('geo', false)
    case 'place_country':
      return oneTerm('country', condition.text)
    case 'point_radius':
    case 'bounding_box':
      return property('geo', false)
    case 'lang':
      return oneTerm('language', languageOfPosts(condition.text))
    case 'is':
      return property(`is ${condition.text}`)
    case 'has':
      return property(condition.text)
    default:
      return { terms: [EVERY_POST], exact: false }
  }
}

/** Receives the terms of a post. */
export interface TermSink {
  /** Whether terms of this kind are used. Others need not be generated. */
  wants(kind: TermKind): boolean
  add(kind: TermKind, key: string): void
  /** The words of a text, in their order. */
  addText(words: readonly string[]): void
}

/** Passes all terms of a post to a sink, some more than once. */
export function addTerms(post: MatchablePost, sink: TermSink): void {
  addTextTerms(post, sink)
  if (post.quotes) addTextTerms(post.quotes, sink)
  addAuthorTerms(post, sink)
  addReferenceTerms(post, sink)
  addProperties(post, sink)
  addPlaceTerms(post, sink)
  sink.add('language', languageOfPosts(post.lang.toLowerCase()))
  if (sink.wants('context')) {
    for (const { domain, entity } of post.contexts) {
      sink.add('context', `${domain}.${entity}`)
      sink.add('context', `${domain}.*`)
      sink.add('context', `*.${entity}`)
    }
  }
  if (sink.wants('entity')) for (const entity of post.entities) sink.add('entity', wordsOf(entity).join(' '))
  if (sink.wants('source')) {
    sink.add('source', wordsOf(post.source.name).join(' '))
    sink.add('source', wordsOf(post.source.address).join(' '))
  }
}

function addTextTerms(text: MatchableText, sink: TermSink): void {
  const { words: all, hashtags, cashtags, mentions, links } = text
  sink.addText(all)
  if (sink.wants('hashtag')) for (const tag of hashtags) sink.add('hashtag', foldCase(tag))
  if (sink.wants('cashtag')) for (const tag of cashtags) sink.add('cashtag', foldCase(tag))
  if (sink.wants('mention')) for (const name of mentions) sink.add('mention', foldCase(name))
  if (links.length === 0) return
  sink.add('property', 'address')
  addWords('address word', () => addressWordsIn(text), sink)
  addWords('title word', () => titleWordsIn(text), sink)
  addWords('description word', () => descriptionWordsIn(text), sink)
}

function addWords(kind: TermKind, read: () => readonly string[], sink: TermSink): void {
  if (sink.wants(kind)) for (const word of read()) sink.add(kind, word)
}

function addUser(kind: TermKind, { id, username }: MatchableUser, sink: TermSink): void {
  if (!sink.wants(kind)) return
  sink.add(kind, id)
  sink.add(kind, username.toLowerCase())
}

function addAuthorTerms({ author }: MatchablePost, sink: TermSink): void {
  addUser('author', author, sink)
  for (const account of author.affiliations ?? []) addUser('affiliation', account, sink)
  addWords('biography word', () => profileWordsOf(author).description, sink)
  addWords('name word', () => profileWordsOf(author).name, sink)
  addWords('location word', () => profileWordsOf(author).location, sink)
}

function addReferenceTerms(
  { conversationId, repliesTo, addressee, repostOf }: MatchablePost,
  sink: TermSink,
): void {
  sink.add('conversation', conversationId)
  if (repliesTo) sink.add('replied post', repliesTo.id)
  if (addressee) {
    addUser('addressee', addressee, sink)
    for (const account of addressee.affiliations ?? []) addUser('addressee affiliate', account, sink)
  }
  if (repostOf) {
    addUser('repost of', repostOf.author, sink)
    sink.add('reposted post', repostOf.id)
  }
}

function addProperties(post: MatchablePost, sink: TermSink): void {
  const { media } = post
  const add = (key: string, isSo: boolean) => isSo && sink.add('property', key)
  add(EVERY_POST.key, true)
  add('is repost', post.repostOf !== undefined)
  add('is reply', post.repliesTo !== undefined)
  add('is quote', post.quotes !== undefined)
  add('is verified', post.author.verified)
  add('is nullcast', post.nullcast)
  add('hashtags', post.hashtags.length > 0)
  add('cashtags', post.cashtags.length > 0)
  add('mentions', post.mentions.length > 0)
  add('links', post.links.length > 0 || media.length > 0)
  add('media', media.length > 0)
  add('images', media.includes('photo'))
  add('video_link', media.includes('video'))
  add('lang', post.lang !== 'und')
}

function addPlaceTerms({ repostOf, point, place }: MatchablePost, sink: TermSink): void {
  if (repostOf || (point === undefined && place === undefined)) return
  sink.add('property', 'geo')
  if (place) sink.add('country', place.countryCode.toUpperCase())
}
