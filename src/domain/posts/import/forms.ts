import { compareIds } from '../../../platform/common/ids.ts'
import { JsonScan } from '../../../platform/common/json-scan.ts'
import type { Vocabulary } from '../../../platform/http/vocabulary.ts'
import { GIVEN_WORDS } from './given.ts'
import { BadLine, type ImportedPost, MEMBERS, objectOf, readPost, UnknownForm } from './imported-post.ts'

// The formats of posts: one post of the API, a page with `includes`, a post with its objects in it,
// and the classic form, also as in an archive.

/** How to read a file. */
export interface ImportReadOptions {
  /** The names of members. Neutral names are read too. */
  vocabulary: Vocabulary
  /** The username of the author of posts that name none. */
  author?: string | undefined
}

type JsonObject = Record<string, unknown>

/** The members that are read, besides those of a post. */
const NAMES = [
  ...MEMBERS,
  ...GIVEN_WORDS,
  ...['data', 'includes', 'posts', 'users', 'author', 'user', 'screen_name', 'id_str', 'full_text', 'post'],
  ...['repost_count', 'reply_count', 'like_count', 'quote_count', 'bookmark_count', 'impression_count'],
  ...[
    'favorite_count',
    'in_reply_to_status_id_str',
    'quoted_status_id_str',
    'reposted_status',
    'quoted_status',
  ],
  ...[
    'extended_entities',
    'extended_post',
    'media',
    'type',
    'replied_to',
    'quoted',
    'reposted',
    'coordinates',
  ],
]
/** Members of posts are at most this deep in a line. */
const MAX_DEPTH = 10
/** The limits of a line, far above those of any page of posts. They bound its memory and stack. */
const LIMITS = { maxDepth: 100, maxValues: 500_000, maxTextBytes: Number.POSITIVE_INFINITY }

/** Reads lines of a file, or other values in it. The places must be ready (`locationsReady`). */
export function postReader(
  { vocabulary, author }: ImportReadOptions,
  clock: { now(): number },
): (text: string) => (ImportedPost | BadLine)[] {
  const neutral = neutralNames(vocabulary, NAMES)
  return (text) =>
    readOrReject(() =>
      formOf(inNeutral(parsed(text), neutral), author).flatMap((given) =>
        readOrReject(() => [readPost(given, clock.now())]),
      ),
    )
}

function readOrReject(read: () => (ImportedPost | BadLine)[]): (ImportedPost | BadLine)[] {
  try {
    return read()
  } catch (error) {
    if (error instanceof BadLine) return [error]
    throw error
  }
}

function parsed(text: string): unknown {
  const scan = new JsonScan(LIMITS)
  const bytes = Buffer.from(text)
  scan.take(bytes, 0, bytes.length)
  if (scan.exceeded === 'depth')
    throw new UnknownForm(`it is nested more than ${LIMITS.maxDepth} levels deep`)
  if (scan.exceeded === 'values') throw new UnknownForm(`it has more than ${LIMITS.maxValues} values`)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UnknownForm(`it is not JSON: ${(error as Error).message}`)
  }
}

/** Neutral names by those of a vocabulary. */
export const neutralNames = (vocabulary: Vocabulary, names: readonly string[]): ReadonlyMap<string, string> =>
  new Map(
    vocabulary.neutral
      ? []
      : names.flatMap((name) =>
          vocabulary.spellings(name).map((spelling): [string, string] => [spelling, name]),
        ),
  )

/** A value with neutral names of members and of the types of references. */
export function inNeutral(value: unknown, names: ReadonlyMap<string, string>, depth = 0): unknown {
  if (names.size === 0 || depth > MAX_DEPTH) return value
  if (Array.isArray(value)) return value.map((element) => inNeutral(element, names, depth + 1))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const name = names.get(key) ?? key
      const isType = name === 'type' && typeof member === 'string'
      return [name, isType ? (names.get(member) ?? member) : inNeutral(member, names, depth + 1)]
    }),
  )
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const objectsIn = (value: unknown): JsonObject[] => (Array.isArray(value) ? value : [value]).filter(isObject)

/** The posts of a value as the API shows them, each after those that it refers to. */
function formOf(value: unknown, author: string | undefined): JsonObject[] {
  if (!isObject(value)) throw new UnknownForm(objectFault(value))
  if (isObject(value.post)) return formOf(value.post, author)
  if ('data' in value || 'includes' in value) return pageOf(value).map((post) => withAuthor(post, author))
  const posts = isClassic(value) ? classicOf(value) : nestedOf(value)
  return posts.map((post) => withAuthor(post, author))
}

function objectFault(value: unknown): string {
  try {
    objectOf('the line', value)
  } catch (error) {
    return (error as Error).message
  }
  return ''
}

const withAuthor = (given: JsonObject, author: string | undefined): JsonObject =>
  author === undefined || given.author_id !== undefined || given.username !== undefined
    ? given
    : { ...given, username: author }

/** A page: the posts of `includes` and `data`, by their ids, with the names of their authors. */
function pageOf({ data, includes }: JsonObject): JsonObject[] {
  const { posts, users } = isObject(includes) ? includes : {}
  const names = new Map(objectsIn(users).map(({ id, username }) => [id, username]))
  const all = [...(posts === undefined ? [] : objectsIn(posts)), ...objectsIn(data)]
  const byId = new Map(all.map((post) => [post.id ?? post, post]))
  return [...byId.values()]
    .map((post) => withUsername(post, names.get(post.author_id)))
    .sort((a, b) => compareIds(idText(a), idText(b)))
}

/** Invalid ids are rejected later. */
const idText = ({ id }: JsonObject): string => (typeof id === 'string' ? id : '')

/** Names of authors are the same on every platform, their ids are not. */
function withUsername({ author_id, ...post }: JsonObject, username: unknown): JsonObject {
  if (typeof username === 'string') return { ...post, username }
  return author_id === undefined ? post : { ...post, author_id }
}

/** A post, which may hold its author, its place, and the posts that it refers to. */
function nestedOf({ author, ...post }: JsonObject): JsonObject[] {
  const references = Array.isArray(post.referenced_posts) ? objectsIn(post.referenced_posts) : []
  const whole = references.filter(({ text }) => text !== undefined)
  const own = isObject(author) ? withUsername(post, author.username) : post
  if (whole.length === 0) return [own]
  const referenced_posts = references.map(({ type, id }) => ({ type, id }))
  return [
    ...whole.flatMap(({ type: _, ...referenced }) => nestedOf(referenced)),
    { ...own, referenced_posts },
  ]
}

const isClassic = (value: JsonObject) => 'id_str' in value || 'full_text' in value || isObject(value.user)

/** A post in the classic form (advertising reference, 02 section 4), after the posts in it. */
function classicOf(value: JsonObject): JsonObject[] {
  const { user, reposted_status: reposted, quoted_status: quoted, coordinates } = value
  const extended = isObject(value.extended_post) ? value.extended_post : value
  const shown = [value.entities, value.extended_entities].some(
    (entities) => isObject(entities) && Array.isArray(entities.media) && entities.media.length > 0,
  )
  const post = {
    id: value.id_str ?? (Number.isSafeInteger(value.id) ? String(value.id) : value.id),
    text: extended.full_text ?? value.full_text ?? value.text,
    created_at: classicTime(value.created_at),
    lang: value.lang ?? undefined,
    username: isObject(user) ? user.screen_name : undefined,
    possibly_sensitive: value.possibly_sensitive ?? undefined,
    public_metrics: {
      like_count: numberIn(value.favorite_count),
      repost_count: numberIn(value.repost_count),
      reply_count: numberIn(value.reply_count),
      quote_count: numberIn(value.quote_count),
    },
    ...(isObject(coordinates) && { geo: { coordinates } }),
    ...(shown && { attachments: {} }),
    referenced_posts: referencesOf(value),
  }
  const inside = [reposted, quoted].filter(isObject).flatMap(classicOf)
  return [...inside, post]
}

function referencesOf(value: JsonObject): JsonObject[] {
  const idIn = (object: unknown) => (isObject(object) ? object.id_str : undefined)
  const reposted = idIn(value.reposted_status)
  if (reposted !== undefined) return [{ type: 'reposted', id: reposted }]
  const of = (type: string, id: unknown) => (typeof id === 'string' ? [{ type, id }] : [])
  return [
    ...of('replied_to', value.in_reply_to_status_id_str),
    ...of('quoted', value.quoted_status_id_str ?? idIn(value.quoted_status)),
  ]
}

/** Archives hold numbers as text. */
const numberIn = (value: unknown) =>
  typeof value === 'string' && /^[0-9]{1,15}$/.test(value) ? Number(value) : (value ?? undefined)

const CLASSIC_TIME = /^[A-Z][a-z]{2} [A-Z][a-z]{2} \d\d \d\d:\d\d:\d\d \+0000 \d{4}$/

/** `Wed Oct 10 20:19:24 +0000 2018`. */
function classicTime(value: unknown): unknown {
  const time = typeof value === 'string' && CLASSIC_TIME.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(time) ? (value ?? undefined) : new Date(time).toISOString()
}
