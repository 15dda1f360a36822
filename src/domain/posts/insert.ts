import { hash } from 'node:crypto'
import { countPost, usersByScreenNames } from '../../identity/users/queries.ts'
import type { TimeSource } from '../../platform/common/clock.ts'
import { FIRST_ID, type IdSource } from '../../platform/common/ids.ts'
import { emit } from '../../platform/events/log.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import { type Entities, entitiesWith, type ReadEntities, readEntities } from '../../platform/text/entities.ts'
import type { ContextAnnotation, Dictionary } from '../annotations/dictionary.ts'
import { withPreviews } from '../link-previews/previews.ts'
import { postEdited, postPublished } from './events.ts'
import { entitiesWithGiven, type GivenPost } from './given.ts'
import { analyseText, type TextAnalysis } from './language.ts'
import { mentionsOf } from './mentions.ts'
import { addMentions, addPost, nullcastRepost, samePost } from './queries.ts'
import { type RepostVocabulary, repostText } from './repost-text.ts'
import type { PostRow } from './tables.ts'
import { visibilityClass } from './visibility.ts'

/** The app of posts that no app published: imported and generated ones. */
export const NO_APP = '0'

/** Who may reply to a post. */
export type ReplySettings = 'everyone' | 'following' | 'mentionedUsers' | 'subscribers' | 'verified'

export interface NewPost {
  environment: string
  authorId: string
  /** Normalised and validated (see `textFault`). */
  text: string
  /** Shown only by advertisements. */
  nullcast: boolean
  replySettings: ReplySettings
  appId: string
  /** The user who writes in the author's name; null for the author. */
  contributorId: string | null
  /** The keys of the media that it shows. */
  mediaKeys?: readonly string[]
  cardUri?: string | null
  /** The post that it replies to. */
  inReplyTo?: Pick<PostRow, 'id' | 'author_id' | 'conversation_id'>
  quotedPostId?: string | null
  placeId?: string | null
  /** Where exactly it was written: longitude and latitude, in degrees. */
  coordinates?: readonly [number, number] | null
  pollId?: string | null
  /** The answers of its poll. */
  pollOptions?: readonly string[] | undefined
  /** The newest version, which it replaces. The first version must be locked. */
  previous?: PostRow
  communityId?: string | null
  shareWithFollowers?: boolean
  paidPartnership?: boolean
  madeWithAi?: boolean
  superFollowersOnly?: boolean
  directMessageDeepLink?: string | null
  /** The article that it publishes, as its row contains it. */
  article?: string
  taggedUserIds?: readonly string[]
  /** Whether media or links may be sensitive. */
  sensitive?: boolean
  /** What the operator says of it. */
  given?: GivenPost | undefined
}

interface InsertPostOptions {
  clock: TimeSource
  ids: IdSource
  /** The analysis of the text, made before the transaction. Any other text is analysed in it. */
  analysis?: TextAnalysis | undefined
}

/** What writers of posts need. */
export interface PostWriting extends InsertPostOptions {
  /** Finds names and topics in texts. */
  dictionary: Dictionary
}

export interface InsertRepostOptions extends InsertPostOptions {
  readonly naming: { readonly vocabulary: RepostVocabulary }
}

const HOUR_MS = 3_600_000
/** How long an author cannot publish the same text again. */
const DUPLICATE_MS = 24 * HOUR_MS
/** Posts can be edited up to five times within an hour (reference: edit). */
const EDITABLE_MS = HOUR_MS
const EDITS = 5

/**
 * Whether the author published the same text within a day, other than in the post that a new
 * version replaces. The row of the author must be locked.
 */
export async function isDuplicate(
  tx: Transaction,
  {
    authorId,
    environment,
    previous,
    ...content
  }: Pick<NewPost, 'authorId' | 'environment' | 'previous'> & PostContent,
  { clock }: Pick<InsertPostOptions, 'clock'>,
): Promise<boolean> {
  const found = await tx.first(samePost, {
    author: authorId,
    environment,
    fingerprint: fingerprintOf(content),
    after: clock.now() - DUPLICATE_MS,
    replaced: previous?.first_version_id ?? FIRST_ID,
  })
  return found !== undefined
}

type PostContent = Pick<
  NewPost,
  'text' | 'mediaKeys' | 'cardUri' | 'inReplyTo' | 'quotedPostId' | 'pollOptions'
>

/**
 * Texts that differ only in white space are equal. Posts with different attachments or references
 * are different.
 */
function fingerprintOf({ text, mediaKeys = [], cardUri = null, ...content }: PostContent): string {
  const { inReplyTo, quotedPostId = null, pollOptions } = content
  const attachments = mediaKeys.length > 0 || cardUri !== null ? JSON.stringify([mediaKeys, cardUri]) : ''
  const references =
    inReplyTo || quotedPostId !== null || pollOptions
      ? JSON.stringify([inReplyTo?.id, quotedPostId, pollOptions])
      : ''
  return hash(
    'sha256',
    `${text.replace(/(?:[^\S ]|\s{2})\s*/g, ' ')}${attachments}${references}`,
    'base64url',
  )
}

/** Publishes a post of an existing user. */
export async function insertPost(tx: Transaction, post: NewPost, parts: PostWriting): Promise<PostRow> {
  const row = await previewOf(tx, post, parts)
  await add(tx, row, post.previous)
  if (isCounted(row)) await tx.run(countPost, { author: post.authorId, by: 1 })
  return row
}

/** Whether the author's profile counts the post. It does not count a new version. */
export const isCounted = (row: Pick<PostRow, 'id' | 'environment' | 'nullcast' | 'first_version_id'>) =>
  row.nullcast === 0 && row.environment === 'production' && row.id === row.first_version_id

/** A post, as if it were published now. */
export async function previewOf(
  store: Pick<Transaction, 'all'>,
  post: NewPost,
  parts: PostWriting,
): Promise<PostRow> {
  const { text } = post
  const { lang, entities, contexts } =
    parts.analysis?.text === text ? parts.analysis : await analyseText(text, parts.dictionary)
  const row = rowOf(post, newIdentity(parts), {
    text,
    fingerprint: fingerprintOf(post),
    lang,
    entities: await withUsers(store, entities),
    contexts,
  })
  const [previewed = row] = await withPreviews(store, [row])
  return previewed
}

const newIdentity = ({ clock, ids }: InsertPostOptions): PostIdentity => ({ id: ids.next(), at: clock.now() })

/** The row of a past post, with the analysis of its text. */
export const rowOfFormerPost = (
  post: NewPost,
  identity: PostIdentity,
  found: Pick<PostTextFields, 'lang' | 'entities' | 'contexts'>,
): PostRow => rowOf(post, identity, { text: post.text, fingerprint: fingerprintOf(post), ...found })

/** The row of a post whose language is known and whose text has no tags, mentions or links. */
export function rowOfPlainPost(post: NewPost & { lang: string }, parts: InsertPostOptions): PostRow {
  const { text, lang } = post
  const entities = { hashtags: [], cashtags: [], mentions: [], urls: [] }
  const read = { text, fingerprint: fingerprintOf(post), lang, entities, contexts: [] }
  return rowOf(post, newIdentity(parts), read)
}

/**
 * The repost with which an advertiser promotes a post of another user who permits it. Only
 * advertisements show it. There is one for each post and advertiser, created at its first use.
 */
export async function nullcastRepostOf(
  tx: Transaction,
  original: PostRow,
  { screenName, ...by }: Reposter & { screenName: string },
  parts: InsertRepostOptions,
): Promise<PostRow> {
  const known = await tx.first(nullcastRepost, { author: by.authorId, post: original.id })
  if (known) return known
  const row = repostRow(original, { ...by, screenName, nullcast: true }, parts)
  await add(tx, row)
  return row
}

/** A user's repost, which the profile counts. The row of the user must be locked. */
export async function insertRepost(
  tx: Transaction,
  original: PostRow,
  by: Reposter & { screenName: string },
  parts: InsertRepostOptions,
): Promise<PostRow> {
  const row = repostRow(original, { ...by, nullcast: false }, parts)
  await add(tx, row)
  await tx.run(countPost, { author: by.authorId, by: 1 })
  return row
}

type Reposter = Pick<NewPost, 'authorId' | 'appId' | 'contributorId'>

/** The row of a repost. `screenName` is that of the author of the original. */
export function repostRow(
  original: PostRow,
  { screenName, ...by }: Reposter & { screenName: string; nullcast: boolean },
  parts: InsertRepostOptions,
): PostRow {
  const { environment, lang, possibly_sensitive, context_annotations } = original
  const author = { id: original.author_id, screenName }
  const { text, entities } = repostText(
    { text: original.text, entities: JSON.parse(original.entities) as Entities, author },
    parts.naming.vocabulary,
  )
  const read = { text, fingerprint: fingerprintOf({ text }), lang, entities, contexts: [] }
  return {
    ...rowOf({ ...by, environment, replySettings: 'everyone' }, newIdentity(parts), read),
    reposted_post_id: original.id,
    reposted_user_id: original.author_id,
    possibly_sensitive,
    context_annotations,
  }
}

async function add(tx: Transaction, row: PostRow, previous?: PostRow): Promise<void> {
  await tx.run(addPost, row)
  await addMentions(tx, mentionsOf(row))
  const data = eventOf(row)
  if (previous) await emit(tx, postEdited, { ...data, previous_post_id: previous.id })
  else await emit(tx, postPublished, data)
}

/** The data of an event about a post. */
export const eventOf = ({ id, author_id, environment, nullcast }: PostRow) => ({
  post_id: id,
  author_id,
  environment,
  nullcast: nullcast === 1,
})

/** Entities with the mentioned users. */
export const entitiesOf = (store: Pick<Transaction, 'all'>, text: string): Promise<Entities> =>
  withUsers(store, readEntities(text))

async function withUsers(store: Pick<Transaction, 'all'>, read: ReadEntities): Promise<Entities> {
  const keys = [...new Set(read.mentions.map(({ username }) => username.toLowerCase()))]
  const users = keys.length === 0 ? [] : await store.all(usersByScreenNames, { keys: JSON.stringify(keys) })
  return entitiesWith(read, new Map(users.map(({ id, screen_name_key }) => [screen_name_key, id])))
}

/** The id of a post, and its time. */
interface PostIdentity {
  id: string
  at: number
}

interface PostTextFields {
  text: string
  fingerprint: string
  lang: string
  entities: Entities
  contexts: readonly ContextAnnotation[]
}

/** The visibility class of a post that exists. */
export const visibilityOf = (
  row: Pick<PostRow, 'nullcast' | 'in_reply_to_post_id'>,
  { mentions }: Pick<Entities, 'mentions'>,
): number =>
  visibilityClass({
    nullcast: row.nullcast === 1,
    toSomebody: row.in_reply_to_post_id !== null || leadingMention(mentions) !== undefined,
  })

/** The mention with which a text begins. */
const leadingMention = (mentions: Entities['mentions']) => mentions.find(({ start }) => start === 0)

function rowOf(
  post: Omit<NewPost, 'text'>,
  { id, at }: PostIdentity,
  { entities: found, contexts: foundContexts, ...read }: PostTextFields,
): PostRow {
  const entities = post.given ? entitiesWithGiven(found, post.given, read.text) : found
  const contexts = post.given?.context_annotations ?? foundContexts
  return {
    id,
    environment: post.environment,
    author_id: post.authorId,
    visibility: visibilityOf(
      { nullcast: Number(post.nullcast), in_reply_to_post_id: post.inReplyTo?.id ?? null },
      entities,
    ),
    ...read,
    entities: JSON.stringify(entities),
    context_annotations: contexts.length === 0 ? null : JSON.stringify(contexts),
    conversation_id: post.previous?.conversation_id ?? post.inReplyTo?.conversation_id ?? id,
    in_reply_to_post_id: post.inReplyTo?.id ?? null,
    // A post that begins with a name is addressed to that user, even if it replies to no post.
    in_reply_to_user_id: post.inReplyTo?.author_id ?? leadingMention(entities.mentions)?.id ?? null,
    quoted_post_id: post.quotedPostId ?? null,
    reposted_post_id: null,
    reposted_user_id: null,
    first_version_id: post.previous?.first_version_id ?? id,
    edits_remaining: post.previous ? post.previous.edits_remaining - 1 : EDITS,
    editable_until: post.previous?.editable_until ?? at + EDITABLE_MS,
    nullcast: Number(post.nullcast),
    reply_settings: post.replySettings,
    possibly_sensitive: Number(post.sensitive ?? false),
    card_uri: post.cardUri ?? null,
    media_keys: JSON.stringify(post.mediaKeys ?? []),
    app_id: post.appId,
    contributor_id: post.contributorId,
    version_ids: null,
    community_id: post.communityId ?? null,
    share_with_followers: Number(post.shareWithFollowers ?? false),
    paid_partnership: Number(post.paidPartnership ?? false),
    made_with_ai: Number(post.madeWithAi ?? false),
    super_followers_only: Number(post.superFollowersOnly ?? false),
    direct_message_deep_link: post.directMessageDeepLink ?? null,
    place_id: post.placeId ?? null,
    longitude: post.coordinates?.[0] ?? null,
    latitude: post.coordinates?.[1] ?? null,
    poll_id: post.pollId ?? null,
    article: post.article ?? post.previous?.article ?? null,
    tagged_user_ids: JSON.stringify(post.taggedUserIds ?? []),
    ...reactionsOf(post.previous),
    created_at: at,
    deleted: 0,
    hidden: post.previous?.hidden ?? 0,
    withheld: post.given?.withheld ? JSON.stringify(post.given.withheld) : (post.previous?.withheld ?? null),
    dropped: Number(post.given?.dropped ?? post.previous?.dropped ?? 0),
  }
}

/** Reactions belong to the post: a new version has the counts of the version that it replaces. */
const reactionsOf = (previous: PostRow | undefined) => ({
  repost_count: previous?.repost_count ?? 0,
  reply_count: previous?.reply_count ?? 0,
  like_count: previous?.like_count ?? 0,
  quote_count: previous?.quote_count ?? 0,
  bookmark_count: previous?.bookmark_count ?? 0,
  impression_count: previous?.impression_count ?? 0,
})
