import { inNeutral, neutralNames } from '../../domain/posts/import/forms.ts'
import { compareIds, timeOfId } from '../../platform/common/ids.ts'
import { isoTime } from '../../platform/common/time.ts'
import type { Vocabulary } from '../../platform/http/vocabulary.ts'
import type { RecordedExchange } from '../../workbench/record/compare.ts'
import { seedProblems } from '../seed/seed-file.ts'

type JsonObject = Record<string, unknown>

/** Members of a profile that a seed has too. */
const PROFILE = [
  ...['name', 'description', 'location', 'url', 'profile_image_url', 'profile_banner_url', 'protected'],
  ...['verified_type', 'subscription_type', 'created_at'],
] as const
/** Members of a post that a seed has too. */
const POST = ['text', 'lang', 'reply_settings', 'possibly_sensitive'] as const
const NAMES = [
  ...PROFILE,
  ...POST,
  ...[
    'username',
    'author_id',
    'pinned_post_id',
    'referenced_posts',
    'type',
    'replied_to',
    'quoted',
    'reposted',
  ],
]

const MAX_USERS = 1_000
const MAX_POSTS = 10_000
const MAX_DEPTH = 50
/** Each round removes at least one wrong value. */
const MAX_ROUNDS = 20

/** What a recording shows, as a seed. */
export interface RecordedSeed {
  readonly seed: { readonly users: readonly object[]; readonly posts: readonly object[] }
  /** Posts of authors that the recording does not show. */
  readonly unknownAuthors: number
}

/**
 * The users and posts of the replies of a recording. Posts have the ids of the service as their
 * names in the seed. What a later reply says replaces what an earlier one said. Values that a seed
 * cannot have are left out.
 */
export function seedOfRecording(
  exchanges: readonly RecordedExchange[],
  { vocabulary, now }: { vocabulary: Vocabulary; now: number },
): RecordedSeed {
  const names = neutralNames(vocabulary, NAMES)
  const seen = new RecordedObjects()
  for (const { status, reply } of exchanges)
    if (status < 300) for (const value of valuesIn(reply)) seen.take(inNeutral(value, names))
  const users = seen.users().slice(0, MAX_USERS)
  const nameOf = new Map(users.map(({ id, username }) => [id, String(username)]))
  const written = seen.posts().filter(({ author_id }) => nameOf.has(author_id))
  const seed = {
    users: users.map(userOf),
    posts: postsOf(written.slice(-MAX_POSTS), nameOf, now),
  }
  return { seed: repaired(seed, now), unknownAuthors: seen.posts().length - written.length }
}

/** The JSON of a reply: one value, or one in each line of a stream. */
function valuesIn(reply: string): unknown[] {
  const whole = parsed(reply)
  return whole === undefined ? reply.split('\n').map(parsed) : [whole]
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

interface RecordedPost extends JsonObject {
  id: string
  author_id: string
}

/** The users and posts in values, at any depth, by their ids. */
class RecordedObjects {
  readonly #users = new Map<string, JsonObject & { id: string }>()
  readonly #posts = new Map<string, RecordedPost>()

  take(value: unknown, depth = 0): void {
    if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return
    for (const one of Object.values(value)) this.take(one, depth + 1)
    if (Array.isArray(value)) return
    const { id, username, name, text, author_id, ...more } = value as JsonObject
    if (typeof id !== 'string' || !/^[0-9]{1,19}$/.test(id)) return
    if (typeof username === 'string' && typeof name === 'string')
      this.#users.set(id, { ...this.#users.get(id), ...more, id, username, name })
    if (typeof text === 'string' && typeof author_id === 'string')
      this.#posts.set(id, { ...this.#posts.get(id), ...more, id, text, author_id })
  }

  /** In the order of their ids. Of two with one name, the later: a name can be given again. */
  users() {
    const sorted = [...this.#users.values()].sort((a, b) => compareIds(a.id, b.id))
    return [...new Map(sorted.map((user) => [String(user.username).toLowerCase(), user])).values()]
  }

  posts = () => [...this.#posts.values()].sort((a, b) => compareIds(a.id, b.id))
}

/** Members with a value. */
const picked = (value: JsonObject, names: readonly string[]) =>
  Object.fromEntries(names.flatMap((name) => ((value[name] ?? '') === '' ? [] : [[name, value[name]]])))

const userOf = (user: JsonObject) => ({
  screen_name: user.username,
  can_sign_in: false,
  ...picked(user, PROFILE),
  ...picked({ pinned_post: user.pinned_post_id }, ['pinned_post']),
})

/** Posts in the order of their times, as a seed has them: reposts belong to their originals. */
function postsOf(posts: readonly RecordedPost[], nameOf: ReadonlyMap<string, string>, now: number) {
  const known = new Set(posts.map(({ id }) => id))
  const reposts = new Map<string, string[]>()
  const originals = posts.filter((post) => {
    const original = referenceOf(post, 'reposted')
    const by = nameOf.get(post.author_id)
    if (original === undefined || by === undefined) return true
    reposts.set(original, [...new Set([...(reposts.get(original) ?? []), by])])
    return false
  })
  return originals
    .map((post) => {
      const references = {
        reply_to: referenceOf(post, 'replied_to'),
        quotes: referenceOf(post, 'quoted'),
        reposts: reposts.get(post.id),
      }
      return {
        id: post.id,
        author: nameOf.get(post.author_id),
        created_at: timeOf(post, now),
        ...picked(post, POST),
        ...Object.fromEntries(
          Object.entries(references).filter(
            ([, value]) => value !== undefined && (typeof value !== 'string' || known.has(value)),
          ),
        ),
      }
    })
    .toSorted((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at))
}

/** Replies without the field have the time in the id. */
function timeOf({ id, created_at }: RecordedPost, now: number): string {
  const read = typeof created_at === 'string' ? Date.parse(created_at) : Number.NaN
  return isoTime(Math.min(now, Number.isNaN(read) ? timeOfId(id) : read))
}

function referenceOf({ referenced_posts }: RecordedPost, kind: string): string | undefined {
  if (!Array.isArray(referenced_posts)) return undefined
  const found = (referenced_posts as unknown[]).find(
    (one): one is { type: string; id: string } =>
      typeof one === 'object' && one !== null && 'type' in one && one.type === kind && 'id' in one,
  )
  return found && String(found.id)
}

/** Without these, there is no user or post. */
const ESSENTIAL = new Set(['screen_name', 'name', 'author', 'text', 'id'])

/** The seed without the values that a seed cannot have. */
function repaired(seed: { users: JsonObject[]; posts: JsonObject[] }, now: number) {
  let { users, posts } = seed
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const removed = new Set<JsonObject>()
    for (const { pointer } of seedProblems({ users, posts }, now)) {
      const [, list, index, member] = pointer.split('/')
      const one = (list === 'users' ? users : posts)[Number(index)]
      if (!one) continue
      if (member === undefined || ESSENTIAL.has(member)) removed.add(one)
      else delete one[member]
    }
    users = users.filter((one) => !removed.has(one))
    posts = posts.filter((one) => !removed.has(one))
  }
  return { users, posts }
}
