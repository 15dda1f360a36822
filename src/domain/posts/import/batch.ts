import { NO_PASSWORD } from '../../../identity/users/password.ts'
import { type AddedUser, addUsers } from '../../../identity/users/queries.ts'
import { IDS_PER_MS, type IdSource, idAt, MAX_NODE } from '../../../platform/common/ids.ts'
import { emit } from '../../../platform/events/log.ts'
import { type Store, type Transaction, UniqueViolation } from '../../../platform/storage/store.ts'
import { type Entities, entitiesWith, type ReadEntities } from '../../../platform/text/entities.ts'
import { countHours } from '../../analytics/count.ts'
import { countPast, referenceCounts } from '../../analytics/past.ts'
import type { ContextAnnotation, Dictionary } from '../../annotations/dictionary.ts'
import { withPreviews } from '../../link-previews/previews.ts'
import { idIn, keyOf as mediaKeyOf } from '../../media/media.ts'
import { type PastMedium, showPastMedia } from '../../media/uses.ts'
import { POSTS_OF_AN_EVENT, postsImported } from '../events.ts'
import { isCounted, NO_APP, rowOfFormerPost } from '../insert.ts'
import { languageOf, readNotes } from '../language.ts'
import { mentionsOf } from '../mentions.ts'
import { addMentions, addPollOptions, addPolls, addPosts } from '../queries.ts'
import { type RepostVocabulary, repostText } from '../repost-text.ts'
import type { PollOptionRow, PollRow, PostRow } from '../tables.ts'
import type { ImportClaim } from './claim.ts'
import { BadLine, type ImportedPost } from './imported-post.ts'
import {
  addImportedCounts,
  authorsOfImport,
  countPostsOfMany,
  countReferencesOfMany,
  type ImportProgress,
  postsReferredTo,
  type ReferredPost,
  repostsAmong,
  takenPostIds,
} from './queries.ts'
import type { ImportedPostCountRow } from './tables.ts'

/** A post with its position in the import. */
export interface NumberedPost {
  line: number
  post: ImportedPost
}

export interface ImportBatchOptions {
  store: Store
  ids: IdSource
  /** Finds names and topics in texts. */
  dictionary: Dictionary
  claim: ImportClaim
  /** Of the texts of reposts. */
  vocabulary: RepostVocabulary
  /** Creates missing authors. */
  createAuthors: boolean
  /** Reports why a line was omitted. */
  report(line: number, reason: string): void
}

/** A post, with the results of the expensive analysis of its text. */
interface PreparedPost extends NumberedPost {
  lang: string
  entities: ReadEntities
  contexts: readonly ContextAnnotation[]
}

/** Two processes may create the same author at the same time. */
const MAX_ATTEMPTS = 3

/**
 * Writes posts, with everything derived from them and the progress, in one transaction. In
 * `progress`, the counts are those before the posts, and the positions those after them. Resolves
 * to the new progress.
 */
export async function writeBatch(
  batch: readonly NumberedPost[],
  progress: ImportProgress,
  parts: ImportBatchOptions,
): Promise<ImportProgress> {
  const prepared = await Promise.all(batch.map((one) => prepare(one, parts.dictionary)))
  for (let attempt = 1; ; attempt++) {
    try {
      const { moved, reasons } = await parts.store.write((tx) => write(tx, prepared, progress, parts))
      for (const { line, reason } of reasons) parts.report(line, reason)
      return moved
    } catch (error) {
      if (!(error instanceof UniqueViolation) || attempt === MAX_ATTEMPTS) throw error
    }
  }
}

async function prepare(numbered: NumberedPost, dictionary: Dictionary): Promise<PreparedPost> {
  const { text, lang } = numbered.post
  return { ...numbered, lang: lang ?? (await languageOf(text)), ...readNotes(text, dictionary) }
}

async function write(
  tx: Transaction,
  prepared: readonly PreparedPost[],
  progress: ImportProgress,
  { claim, ids, createAuthors, vocabulary }: ImportBatchOptions,
) {
  const facts = await readFacts(tx, prepared, createAuthors ? ids : undefined)
  const made = rowsOf(prepared, facts, { vocabulary, ids })
  const rows = await withPreviews(tx, made.rows)
  const moved = {
    ...progress,
    added: progress.added + rows.length,
    known: progress.known + made.known,
    rejected: progress.rejected + made.reasons.length,
  }
  await claim.move(tx, moved)
  await addUsers(tx, facts.users.made)
  await addPolls(tx, made.polls)
  await addPollOptions(tx, made.options)
  await addPosts(tx, rows)
  await showPastMedia(tx, made.media)
  await addImportedCounts(tx, rows.flatMap(importedCountsOf))
  await addMentions(tx, rows.flatMap(mentionsOf))
  await countPast(tx, rows)
  await count(tx, rows)
  await countHours(tx, referenceCounts(rows))
  await announce(
    tx,
    claim.id,
    rows.map(({ id }) => id),
  )
  return { moved, reasons: made.reasons }
}

/** The counts with which a post begins. No rows stand for them. */
function importedCountsOf(row: PostRow): ImportedPostCountRow[] {
  const { repost_count, reply_count, like_count, quote_count, bookmark_count } = row
  const counts = { repost_count, reply_count, like_count, quote_count, bookmark_count }
  return Object.values(counts).some((count) => count > 0) ? [{ post_id: row.id, ...counts }] : []
}

/** Emits the events from which consumers learn of imported posts. */
export async function announce(tx: Transaction, importId: string, ids: readonly string[]): Promise<void> {
  for (let at = 0; at < ids.length; at += POSTS_OF_AN_EVENT) {
    const postIds = ids.slice(at, at + POSTS_OF_AN_EVENT)
    await emit(tx, postsImported, { import_id: importId, count: postIds.length, post_ids: postIds.join(',') })
  }
}

/** What is stored, of what posts depend on. */
interface BatchFacts {
  users: BatchUsers
  /** By id. Posts of the batch are added. */
  referred: Map<string, ReferredPost>
  taken: Set<string>
  /** Existing reposts: post and author. */
  reposts: Set<string>
}

const pairOf = (post: string, author: string) => `${post} ${author}`
const keyOf = (name: string) => name.toLowerCase()

async function readFacts(
  tx: Transaction,
  prepared: readonly PreparedPost[],
  ids: IdSource | undefined,
): Promise<BatchFacts> {
  const posts = prepared.map(({ post }) => post)
  const users = new BatchUsers(await readUsers(tx, prepared))
  if (ids) users.makeAuthors(posts, ids)
  const referred = posts.flatMap(({ repliesTo, quotes, reposts }) => [repliesTo, quotes, reposts])
  const pairs = posts.flatMap(({ reposts: post, author }) => {
    const by = users.authorOf(author)?.id
    return post === undefined || by === undefined ? [] : [{ post, author: by }]
  })
  const list = (values: readonly (string | undefined)[]) =>
    JSON.stringify([...new Set(values.filter((value) => value !== undefined))])
  const ranges = JSON.stringify(posts.map(rangeOf))
  return {
    users,
    referred: new Map((await tx.all(postsReferredTo, { ids: list(referred) })).map((row) => [row.id, row])),
    taken: new Set((await tx.all(takenPostIds, { ranges })).map(({ id }) => id)),
    reposts: new Set(
      (pairs.length === 0 ? [] : await tx.all(repostsAmong, { pairs: JSON.stringify(pairs) })).map(
        ({ post, author }) => pairOf(post, author),
      ),
    ),
  }
}

/** The id of each post: its own, or a free one of its time. */
const rangeOf = ({ id, createdAt }: ImportedPost) => ({
  first: id ?? idAt(createdAt, MAX_NODE, 0),
  last: id ?? idAt(createdAt, MAX_NODE, IDS_PER_MS - 1),
})

function readUsers(tx: Transaction, prepared: readonly PreparedPost[]) {
  const ids = new Set<string>()
  const keys = new Set<string>()
  for (const { post, entities } of prepared) {
    if ('id' in post.author) ids.add(post.author.id)
    else keys.add(keyOf(post.author.username))
    for (const { username } of entities.mentions) keys.add(keyOf(username))
  }
  return tx.all(authorsOfImport, { ids: JSON.stringify([...ids]), keys: JSON.stringify([...keys]) })
}

type KnownUser = Pick<AddedUser, 'id' | 'screen_name' | 'screen_name_key'>

/** The users of a batch, by id and by name. */
class BatchUsers {
  readonly #byId = new Map<string, KnownUser>()
  readonly #byKey = new Map<string, KnownUser>()
  readonly made: AddedUser[] = []

  constructor(known: readonly KnownUser[]) {
    for (const user of known) this.add(user)
  }

  add(user: KnownUser): void {
    this.#byId.set(user.id, user)
    this.#byKey.set(user.screen_name_key, user)
  }

  /** The id of the user with a name in lower case. */
  get(key: string): string | undefined {
    return this.#byKey.get(key)?.id
  }

  authorOf(author: ImportedPost['author']): KnownUser | undefined {
    return 'id' in author ? this.#byId.get(author.id) : this.#byKey.get(keyOf(author.username))
  }

  /** Users without a password, who joined at the time of their first post. */
  makeAuthors(posts: readonly ImportedPost[], ids: IdSource): void {
    for (const { author, createdAt } of posts) {
      if ('id' in author || this.#byKey.has(keyOf(author.username))) continue
      const { username } = author
      const user: AddedUser = {
        ...{ id: ids.next(), screen_name: username, screen_name_key: keyOf(username), name: username },
        ...{ password_hash: NO_PASSWORD, suspended: 0, created_at: createdAt },
        ...{ description: '', description_entities: null, location: '' },
        ...{ followers_count: 0, following_count: 0, post_count: 0, listed_count: 0, like_count: 0 },
      }
      this.made.push(user)
      this.add(user)
    }
  }
}

/** The rows of the posts that can be added, in order, and why the others cannot. */
function rowsOf(prepared: readonly PreparedPost[], facts: BatchFacts, parts: RowOptions) {
  const rows: PostRow[] = []
  const polls: PollRow[] = []
  const media: PastMedium[] = []
  const options: PollOptionRow[] = []
  const reasons: { line: number; reason: string }[] = []
  let known = 0
  for (const post of prepared) {
    const { id } = post.post
    if (id !== undefined && facts.taken.has(id)) {
      known++
      continue
    }
    try {
      const { row, author_name } = rowOf(post, facts, parts)
      rows.push(row)
      const poll = pollOf(post.post, row)
      if (poll) {
        polls.push(poll.row)
        options.push(...poll.options)
      }
      media.push(...mediaOf(post.post, row))
      facts.taken.add(row.id)
      facts.referred.set(row.id, { ...row, author_name })
    } catch (error) {
      if (!(error instanceof BadLine)) throw error
      reasons.push({ line: post.line, reason: error.message })
    }
  }
  return { rows, polls, options, media, reasons, known }
}

interface RowOptions {
  readonly vocabulary: RepostVocabulary
  readonly ids: IdSource
}

const MINUTE_MS = 60_000

function pollOf({ poll, createdAt }: ImportedPost, { poll_id: id }: PostRow) {
  if (!poll || id === null) return undefined
  const { durationMinutes: minutes } = poll
  return {
    row: { id, duration_minutes: minutes, ends_at: createdAt + minutes * MINUTE_MS },
    options: poll.options.map((option, index) => ({ poll_id: id, position: index + 1, ...option })),
  }
}

/** The images of a post, with the ids in its row. */
function mediaOf({ images = [] }: ImportedPost, row: PostRow): PastMedium[] {
  const keys = JSON.parse(row.media_keys) as string[]
  return images.map((image, n) => ({ ...image, id: idIn(keys[n] as string), post: row }))
}

function rowOf(
  { post, ...read }: PreparedPost,
  facts: BatchFacts,
  { vocabulary, ids }: RowOptions,
): { row: PostRow; author_name: string } {
  const author = facts.users.authorOf(post.author)
  if (!author)
    throw new BadLine(
      'id' in post.author
        ? `there is no user with the id ${post.author.id}`
        : `there is no user @${post.author.username}`,
    )
  const inReplyTo = referredBy(post.repliesTo, 'replies to', facts)
  const quoted = referredBy(post.quotes, 'quotes', facts)
  const original = repostedBy(post, author, facts)
  const { text, lang, entities, contexts } = original
    ? repostOf(original, vocabulary)
    : { ...read, text: post.text, entities: entitiesWith(read.entities, facts.users) }
  const row = rowOfFormerPost(
    {
      ...{ environment: 'production', authorId: author.id, text, nullcast: false },
      ...{ replySettings: post.replySettings, appId: NO_APP, contributorId: null },
      ...(inReplyTo && { inReplyTo }),
      quotedPostId: quoted?.id ?? null,
      ...(post.poll && { pollId: ids.next(), pollOptions: post.poll.options.map(({ label }) => label) }),
      mediaKeys: (post.images ?? []).map(({ file }) => mediaKeyOf(file.category, ids.next())),
      placeId: post.placeId ?? null,
      coordinates: post.coordinates ?? null,
      cardUri: post.cardUri ?? null,
      communityId: post.communityId ?? null,
      shareWithFollowers: post.isForFollowers ?? false,
      paidPartnership: post.isPaidPartnership ?? false,
      given: post.given,
    },
    { id: post.id ?? freeId(post.createdAt, facts.taken), at: post.createdAt },
    { lang, entities, contexts },
  )
  const own = {
    reposted_post_id: original?.id ?? null,
    reposted_user_id: original?.author_id ?? null,
    possibly_sensitive: original?.possibly_sensitive ?? Number(post.isSensitive),
  }
  return { row: { ...row, ...countsOf(post), ...own }, author_name: author.screen_name }
}

/**
 * Interactions are counted as they are imported. At the end, the counts are raised to those in the
 * line, which may include imported interactions. Nothing in a file can refer to a post without an
 * id.
 */
const countsOf = ({ id, counts }: ImportedPost) =>
  id === undefined ? counts : { ...counts, ...NO_REFERENCES }

function referredBy(
  id: string | undefined,
  what: string,
  { referred }: BatchFacts,
): ReferredPost | undefined {
  if (id === undefined) return undefined
  const found = referred.get(id)
  if (!found) throw new BadLine(`there is no post ${id}, which it ${what}: it must be imported first`)
  return found
}

function repostedBy(
  { reposts }: ImportedPost,
  author: KnownUser,
  facts: BatchFacts,
): ReferredPost | undefined {
  const original = referredBy(reposts, 'reposts', facts)
  if (!original) return undefined
  if (original.reposted_post_id !== null) throw new BadLine(`the post ${original.id} is a repost itself`)
  const pair = pairOf(original.id, author.id)
  if (facts.reposts.has(pair)) throw new BadLine(`@${author.screen_name} has reposted ${original.id} already`)
  facts.reposts.add(pair)
  return original
}

const contextsOf = ({ context_annotations: json }: ReferredPost): readonly ContextAnnotation[] =>
  json === null ? [] : JSON.parse(json)

const repostOf = (original: ReferredPost, vocabulary: RepostVocabulary) => {
  const { author_id: id, author_name: screenName, text, lang, entities } = original
  const reposted = { text, entities: JSON.parse(entities) as Entities, author: { id, screenName } }
  return { ...repostText(reposted, vocabulary), lang, contexts: contextsOf(original) }
}

/** An id of a millisecond, or of the next one with a free id. */
function freeId(timeMs: number, taken: ReadonlySet<string>): string {
  for (let n = 0; ; n++) {
    const id = idAt(timeMs + Math.floor(n / IDS_PER_MS), MAX_NODE, n % IDS_PER_MS)
    if (!taken.has(id)) return id
  }
}

const NO_REFERENCES = { repost_count: 0, reply_count: 0, quote_count: 0 }

/** Counts posts in the posts that they refer to, and in the profiles of their authors. */
async function count(tx: Transaction, rows: readonly PostRow[]): Promise<void> {
  const authors = new Map<string, number>()
  const referred = new Map<string, typeof NO_REFERENCES>()
  const refer = (id: string | null, name: keyof typeof NO_REFERENCES) => {
    if (id === null) return
    const counts = referred.get(id) ?? { ...NO_REFERENCES }
    counts[name]++
    referred.set(id, counts)
  }
  for (const row of rows) {
    if (isCounted(row)) authors.set(row.author_id, (authors.get(row.author_id) ?? 0) + 1)
    refer(row.in_reply_to_post_id, 'reply_count')
    refer(row.quoted_post_id, 'quote_count')
    refer(row.reposted_post_id, 'repost_count')
  }
  const sorted = <Value>(map: Map<string, Value>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1))
  const ofPosts = sorted(referred).map(([id, counts]) => ({ id, ...counts }))
  const ofAuthors = sorted(authors).map(([id, posts]) => ({ id, posts }))
  if (ofPosts.length > 0) await tx.run(countReferencesOfMany, { counts: JSON.stringify(ofPosts) })
  if (ofAuthors.length > 0) await tx.run(countPostsOfMany, { counts: JSON.stringify(ofAuthors) })
}
