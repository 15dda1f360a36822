import { Type } from 'typebox'
import type { Dictionary } from '../../domain/annotations/dictionary.ts'
import { communityOfPost, type PostingFault } from '../../domain/communities/posting.ts'
import type { MediaKind } from '../../domain/media/inspect/inspected.ts'
import { canShow, isMadeFor, kindIn } from '../../domain/media/media.ts'
import { lockMediaMany, mediaByIds } from '../../domain/media/queries.ts'
import type { MediaRow } from '../../domain/media/tables.ts'
import { showInPost } from '../../domain/media/uses.ts'
import { countReferences } from '../../domain/posts/counts.ts'
import { postsImported } from '../../domain/posts/events.ts'
import { GIVEN_MEMBERS, type GivenPost, type Withheld } from '../../domain/posts/given.ts'
import { takenPostIds } from '../../domain/posts/import/queries.ts'
import {
  insertPost,
  isCounted,
  type NewPost,
  NO_APP,
  previewOf,
  type ReplySettings,
} from '../../domain/posts/insert.ts'
import { analyseText, type TextAnalysis } from '../../domain/posts/language.ts'
import { mentionsOf } from '../../domain/posts/mentions.ts'
import { insertPoll } from '../../domain/posts/poll-object.ts'
import {
  addMentions,
  addPost,
  lockPost,
  postExists,
  postsSeenBy,
  type SeenPostRow,
} from '../../domain/posts/queries.ts'
import { deleteVersions } from '../../domain/posts/remove.ts'
import { changeGiven, type GivenChanges } from '../../domain/posts/standing.ts'
import type { PostRow } from '../../domain/posts/tables.ts'
import { isTooLong, MAX_LENGTH, normalised, textFault } from '../../domain/posts/weight.ts'
import { isLocation, locationsReady } from '../../domain/reference-data/locations.ts'
import { countPost, lockAuthor } from '../../identity/users/queries.ts'
import type { ProfileRow } from '../../identity/users/tables.ts'
import type { TimeSource } from '../../platform/common/clock.ts'
import { IDS_PER_MS, type IdSource, idAt, MAX_NODE } from '../../platform/common/ids.ts'
import { isoTime } from '../../platform/common/time.ts'
import { isBlank } from '../../platform/common/visible.ts'
import { emit } from '../../platform/events/log.ts'
import { choice, id, text } from '../../platform/http/schema.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import { appIn } from './apps.ts'
import { userIn } from './find-user.ts'
import { pastTime, timeIn } from './times.ts'
import { NotThere, WrongValue } from './wrong.ts'

const REPLY_SETTINGS = ['everyone', 'following', 'mentionedUsers', 'subscribers', 'verified'] as const

/** Members of a new post. All but the author are optional. */
export const POST_MEMBERS = {
  text: text(0, MAX_LENGTH, 'Text, of any weight.'),
  created_at: pastTime('When the post was published'),
  in_reply_to_post_id: id('The post that it replies to.'),
  quote_post_id: id('The post that it quotes.'),
  community_id: id('The community to post in, of which the author is a member.'),
  share_with_followers: Type.Boolean({
    description: 'Whether followers see a post of a community too; false by default.',
  }),
  media_ids: Type.Array(id('A medium that the author uploaded.'), {
    minItems: 1,
    maxItems: 4,
    uniqueItems: true,
    description: 'Up to 4 images, or 1 GIF, or 1 video.',
  }),
  poll: Type.Object(
    {
      options: Type.Array(text(1, 25, 'An answer.'), { minItems: 2, maxItems: 4, uniqueItems: true }),
      duration_minutes: Type.Integer({ minimum: 5, maximum: 10_080 }),
    },
    { additionalProperties: false, description: 'A question with two to four answers.' },
  ),
  place_id: Type.String({ pattern: '^[0-9a-f]{16}$', description: 'A place.' }),
  reply_settings: choice([...REPLY_SETTINGS], 'Who may reply; everyone by default.'),
  lang: Type.String({
    pattern: '^[a-z]{2,3}(-[A-Za-z]{2,8})?$',
    description: 'Language; found in the text by default.',
  }),
  possibly_sensitive: Type.Boolean({ description: 'Whether media or links may be sensitive.' }),
  app_id: id('The app that published it; none by default.'),
  ...GIVEN_MEMBERS,
}

export interface NewPostValues extends GivenPost {
  /** Id or screen name. */
  author: string
  text?: string | undefined
  /** RFC 3339, or a distance from now such as `-2h`. */
  created_at?: string | undefined
  in_reply_to_post_id?: string | undefined
  quote_post_id?: string | undefined
  community_id?: string | undefined
  share_with_followers?: boolean | undefined
  media_ids?: readonly string[] | undefined
  poll?: { options: readonly string[]; duration_minutes: number } | undefined
  place_id?: string | undefined
  reply_settings?: ReplySettings | undefined
  lang?: string | undefined
  possibly_sensitive?: boolean | undefined
  app_id?: string | undefined
}

/** A post with the analysis of its text, ready for a transaction. */
export interface PreparedPost {
  readonly values: NewPostValues
  readonly analysis: TextAnalysis
  /** Epoch milliseconds; undefined for a post that is published now. */
  readonly at: number | undefined
}

export interface PostParts {
  /** Finds names and topics in texts. */
  readonly dictionary: Dictionary
  readonly clock: TimeSource
  readonly ids: IdSource
}

/**
 * Checks what does not need the database, and reads the text, which takes a while.
 * @throws WrongValue
 */
export async function prepareNewPost(
  values: NewPostValues,
  { clock, dictionary }: Pick<PostParts, 'clock' | 'dictionary'>,
): Promise<PreparedPost> {
  const now = clock.now()
  const normalizedText = checkedText(values)
  checkTogether(values)
  const { place_id, created_at } = values
  if (place_id !== undefined) {
    await locationsReady()
    if (!isLocation(place_id)) throw new WrongValue('place_id', place_id, `There is no place ${place_id}.`)
  }
  const found = await analyseText(normalizedText, dictionary)
  return {
    values,
    analysis: { ...found, lang: values.lang ?? found.lang },
    at: created_at === undefined ? undefined : timeIn('created_at', created_at, { now, latest: now }),
  }
}

function checkedText({ text = '' }: NewPostValues): string {
  const normalizedText = normalised(text)
  if (textFault(normalizedText) === 'unreadable')
    throw new WrongValue('text', text, 'The text contains characters that cannot be stored.')
  if (isTooLong(normalizedText))
    throw new WrongValue('text', text, `The text may have ${MAX_LENGTH} characters.`)
  return normalizedText
}

/** A post shows one of these at most. */
const EXCLUSIVE = ['quote_post_id', 'poll', 'media_ids'] as const

function checkTogether(values: NewPostValues): void {
  const present = EXCLUSIVE.filter((name) => values[name] !== undefined)
  const [first, second] = present
  if (values.share_with_followers === true && values.community_id === undefined)
    throw new WrongValue('share_with_followers', true, '`share_with_followers` needs `community_id`.')
  if (second !== undefined)
    throw new WrongValue(second, values[second], `A post has one of ${present.join(', ')}, not several.`)
  if (first === undefined && normalised(values.text ?? '') === '')
    throw new WrongValue('text', values.text ?? '', 'A post needs text, a quoted post, media or a poll.')
  const blank = values.poll?.options.find(isBlank)
  if (blank !== undefined)
    throw new WrongValue('poll.options', blank, 'Each answer of a poll needs a visible character.')
}

/**
 * Publishes a post of a user. A post without a time is published now: streams and webhooks send it.
 * One with a time is a past post, as imports write it: it is in timelines and searches, and nothing
 * sends it.
 * @throws WrongValue
 */
export async function addNewPost(
  tx: Transaction,
  { values, analysis, at }: PreparedPost,
  parts: PostParts,
): Promise<PostRow> {
  const author = await userIn(tx, 'author', values.author)
  await tx.first(lockAuthor, { id: author.id })
  const app = values.app_id === undefined ? undefined : await appIn(tx, 'app_id', values.app_id)
  const replied = await referred(tx, 'in_reply_to_post_id', values.in_reply_to_post_id, author.id)
  const quoted = await referred(tx, 'quote_post_id', values.quote_post_id, author.id)
  const communityId = await communityIn(tx, values.community_id, { target: replied, author })
  const media = await readMedia(tx, values.media_ids, author.id)
  const { poll } = values
  const pollId = poll
    ? await insertPoll(
        tx,
        { options: poll.options, durationMinutes: poll.duration_minutes },
        { ids: parts.ids, openedAt: at },
      )
    : null
  const post: NewPost = {
    environment: 'production',
    authorId: author.id,
    text: analysis.text,
    nullcast: false,
    replySettings: values.reply_settings ?? 'everyone',
    appId: app?.id ?? NO_APP,
    contributorId: null,
    mediaKeys: media.map((medium) => medium.media_key),
    ...(replied && { inReplyTo: replied }),
    quotedPostId: quoted?.id ?? null,
    communityId,
    shareWithFollowers: values.share_with_followers ?? false,
    pollId,
    pollOptions: poll?.options,
    placeId: values.place_id ?? null,
    sensitive: values.possibly_sensitive ?? false,
    given: values,
  }
  const row =
    at === undefined
      ? await insertPost(tx, post, { ...parts, analysis })
      : await insertPast(tx, post, { at, analysis, dictionary: parts.dictionary })
  await showInPost(tx, row, media)
  await countReferences(tx, row, 1)
  return row
}

/** The community of a post. */
async function communityIn(
  tx: Transaction,
  given: string | undefined,
  { target, author }: { target: PostRow | undefined; author: ProfileRow },
): Promise<string | null> {
  const found = await communityOfPost(tx, { given, target, authorId: author.id })
  if ('id' in found) return found.id
  const member = given === undefined ? 'in_reply_to_post_id' : 'community_id'
  const why: Readonly<Record<PostingFault, string>> = {
    'no community': `There is no community ${given}.`,
    'other community': 'A reply belongs to the community of the post that it replies to.',
    'not a member': `@${author.screen_name} is no member of the community.`,
  }
  throw new WrongValue(member, given ?? target?.id, why[found.fault])
}

/** The id of the import to which events say that past posts belong. */
const IMPORT_ID = 'admin'

async function insertPast(
  tx: Transaction,
  post: NewPost,
  { at, ...reading }: { at: number; analysis: TextAnalysis; dictionary: Dictionary },
): Promise<PostRow> {
  const postId = await freeId(tx, at)
  const row = await previewOf(tx, post, {
    clock: { now: () => at },
    ids: { next: () => postId },
    ...reading,
  })
  await tx.run(addPost, row)
  await addMentions(tx, mentionsOf(row))
  if (isCounted(row)) await tx.run(countPost, { author: post.authorId, by: 1 })
  await emit(tx, postsImported, { import_id: IMPORT_ID, count: 1, post_ids: row.id })
  return row
}

/** An id of a millisecond, or of the next one with a free id. */
async function freeId(tx: Transaction, timeMs: number): Promise<string> {
  for (let at = timeMs; ; at++) {
    const range = { first: idAt(at, MAX_NODE, 0), last: idAt(at, MAX_NODE, IDS_PER_MS - 1) }
    const rows = await tx.all(takenPostIds, { ranges: JSON.stringify([range]) })
    const taken = new Set(rows.map((row) => row.id))
    for (let n = 0; n < IDS_PER_MS; n++) {
      const free = idAt(at, MAX_NODE, n)
      if (!taken.has(free)) return free
    }
  }
}

/** A post that a member names. A repost stands for its original. */
async function referred(
  tx: Transaction,
  member: string,
  postId: string | undefined,
  viewer: string,
): Promise<SeenPostRow | undefined> {
  if (postId === undefined) return undefined
  const row = await existing(tx, postId, viewer)
  const original = row?.reposted_post_id ? await existing(tx, row.reposted_post_id, viewer) : row
  if (!original) throw new WrongValue(member, postId, `There is no post ${postId}.`)
  return original
}

async function existing(
  tx: Pick<Transaction, 'first'>,
  postId: string,
  viewer = '',
): Promise<SeenPostRow | undefined> {
  const row = await tx.first(postsSeenBy, { ids: JSON.stringify([postId]), viewer })
  return row && postExists(row) ? row : undefined
}

const MAX_IMAGES = 4

/** Reads and locks the media of a post, so that they are not deleted before they are used. */
async function readMedia(
  tx: Transaction,
  mediaIds: readonly string[] | undefined,
  userId: string,
): Promise<readonly MediaRow[]> {
  if (mediaIds === undefined) return []
  const ids = JSON.stringify(mediaIds)
  await tx.all(lockMediaMany, { ids })
  const known = new Map((await tx.all(mediaByIds, { ids })).map((row) => [row.id, row]))
  const media = mediaIds.map((mediaId) => {
    const row = known.get(mediaId)
    if (!row || !canShow(row, userId, tx.now) || !isMadeFor(row, 'posts'))
      throw new WrongValue(
        'media_ids',
        mediaId,
        `The author cannot show the medium ${mediaId}: it does not exist, belongs to another user, or is not processed.`,
      )
    return row
  })
  const kinds = new Set<MediaKind | undefined>(media.map((row) => kindIn(row.media_key)))
  if (kinds.size > 1 || media.length > (kinds.has('IMAGE') ? MAX_IMAGES : 1))
    throw new WrongValue('media_ids', mediaIds, 'A post has up to 4 images, or 1 GIF, or 1 video.')
  return media
}

/**
 * The post that is read or changed.
 * @throws NotThere
 */
export async function thePost(reader: Pick<Transaction, 'first'>, postId: string): Promise<SeenPostRow> {
  const row = await existing(reader, postId)
  if (!row) throw new NotThere(`There is no post ${postId}.`)
  return row
}

/**
 * Changes what the operator says of a post. Resolves to the post.
 * @throws NotThere
 */
export async function changePost(tx: Transaction, postId: string, given: GivenChanges): Promise<PostRow> {
  await tx.first(lockPost, { id: postId })
  await changeGiven(tx, await thePost(tx, postId), given)
  return thePost(tx, postId)
}

/** Deletes a post with all its versions, as its author would. */
export async function removePost(tx: Transaction, postId: string): Promise<void> {
  const { author_id } = await thePost(tx, postId)
  await tx.first(lockAuthor, { id: author_id })
  await tx.first(lockPost, { id: postId })
  await deleteVersions(tx, await thePost(tx, postId))
}

/** A post as replies show it. */
export const presentPost = (row: PostRow) => ({
  id: row.id,
  author_id: row.author_id,
  text: row.text,
  lang: row.lang,
  conversation_id: row.conversation_id,
  in_reply_to_post_id: row.in_reply_to_post_id,
  quote_post_id: row.quoted_post_id,
  repost_of_post_id: row.reposted_post_id,
  community_id: row.community_id,
  media_keys: JSON.parse(row.media_keys) as string[],
  poll_id: row.poll_id,
  place_id: row.place_id,
  reply_settings: row.reply_settings as ReplySettings,
  possibly_sensitive: row.possibly_sensitive === 1,
  withheld_in: row.withheld === null ? [] : (JSON.parse(row.withheld) as Withheld).country_codes,
  dropped: row.dropped === 1,
  like_count: row.like_count,
  repost_count: row.repost_count,
  reply_count: row.reply_count,
  quote_count: row.quote_count,
  bookmark_count: row.bookmark_count,
  created_at: isoTime(row.created_at),
})
