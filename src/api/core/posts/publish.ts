import { setPoster } from '../../../domain/media/media.ts'
import type { MediaRow } from '../../../domain/media/tables.ts'
import { showInPost } from '../../../domain/media/uses.ts'
import { countReferences } from '../../../domain/posts/counts.ts'
import { insertPost, isDuplicate, type NewPost } from '../../../domain/posts/insert.ts'
import type { TextAnalysis } from '../../../domain/posts/language.ts'
import { insertPoll } from '../../../domain/posts/poll-object.ts'
import { addPostVideo, removeMentions, replaceVersions } from '../../../domain/posts/queries.ts'
import type { PostRow } from '../../../domain/posts/tables.ts'
import {
  isTooLong,
  MAX_LENGTH,
  MAX_WEIGHT,
  normalised,
  textFault,
  weightOf,
} from '../../../domain/posts/weight.ts'
import type { UserCaller } from '../../../identity/auth/principal.ts'
import { lockAuthor, profilesByIds } from '../../../identity/users/queries.ts'
import type { ProfileRow } from '../../../identity/users/tables.ts'
import type { DayCount } from '../../../platform/http/day-limits.ts'
import { ApiError } from '../../../platform/http/errors.ts'
import { msg } from '../../../platform/http/message.ts'
import { apiError } from '../../../platform/protocols/catalogue.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import { type Entities, lengthOf } from '../../../platform/text/entities.ts'
import {
  bodyOfNewVersion,
  type CompletePostBody,
  checkPlace,
  checkTogether,
  checkUsers,
  readMedia,
} from './attachments.ts'
import type { CreatePostBody } from './body.ts'
import { readCommunity, withCommunityDigits } from './community.ts'
import type { PostDependencies } from './endpoint.ts'
import { readAnyTarget, readQuoted, readReplyTarget, readVersions } from './references.ts'
import { wrong } from './wrong.ts'

interface PublishContext extends Pick<PostDependencies, 'clock' | 'dictionary' | 'ids'> {
  tx: Transaction
  /** The posts of the day, with this one. */
  day: DayCount
  caller: UserCaller
  /** What was found in the text of the request. */
  analysis: TextAnalysis | undefined
}

/** Publishes a post with all its consequences. Throws its errors first. */
export async function publish(
  given: CreatePostBody,
  work: PublishContext,
): Promise<{ row: PostRow; versions: string[] }> {
  const { tx, caller, day } = work
  const input = withCommunityDigits(given)
  if (!input.edit_options) checkTogether(input)
  await checkPlace(input)
  const author = await tx.first(lockAuthor, { id: caller.userId })
  if (!author) throw apiError('invalid token', 'the user is gone')
  const replaced = await readVersions(tx, input.edit_options?.previous_post_id, { author, now: tx.now })
  const previous = replaced.at(-1)
  const body: CompletePostBody = previous ? bodyOfNewVersion(input, previous) : input
  if (previous) checkTogether(body)
  const { media, preview } = await readMedia(tx, body, author.id)
  const post = { ...(await newPost(body, { author, media, replaced }, work)), appId: caller.app.id }
  if (await isDuplicate(tx, post, work)) throw apiError('duplicate post')
  if (!day.allowed) throw new ApiError('rate limited', { headers: day.headers })
  const pollId = body.poll ? await insertPoll(tx, pollOf(body.poll), work) : null
  const row = await insertPost(tx, { ...post, pollId }, work)
  await showMedia(row, { about: body.media, media, preview }, work)
  if (replaced.length === 0) await countReferences(tx, row, 1)
  return { row, versions: await replace(tx, row, replaced) }
}

interface PostMedia {
  about: CreatePostBody['media']
  media: readonly MediaRow[]
  preview: MediaRow | undefined
}

/** Keeps the media of a post, and stores its video metadata. */
async function showMedia(
  row: PostRow,
  { about, media, preview }: PostMedia,
  work: PublishContext,
): Promise<void> {
  const { tx } = work
  const [first] = media
  if (!about || !first) return
  await showInPost(tx, row, media)
  const { title, description, embeddable, call_to_actions: calls } = about
  if ([title, description, embeddable, calls].some((value) => value !== undefined))
    await tx.run(addPostVideo, {
      post_id: row.id,
      title: title ?? null,
      description: description ?? null,
      embeddable: embeddable === undefined ? null : Number(embeddable),
      call_to_actions: calls ? JSON.stringify(calls) : null,
    })
  if (preview) await setPoster(tx, first, preview, work)
}

const pollOf = ({ options, duration_minutes }: NonNullable<CreatePostBody['poll']>) => ({
  options,
  durationMinutes: duration_minutes,
})

/** Replaces the former versions by the new one. Resolves to the ids of all versions. */
async function replace(tx: Transaction, row: PostRow, replaced: readonly PostRow[]): Promise<string[]> {
  const versions = [...replaced.map(({ id }) => id), row.id]
  if (replaced.length === 0) return versions
  await tx.run(replaceVersions, {
    first: row.first_version_id,
    newest: row.id,
    versions: JSON.stringify(versions),
  })
  await tx.run(removeMentions, { posts: JSON.stringify(replaced.map(({ id }) => id)) })
  return versions
}

interface PostReferences {
  author: ProfileRow
  media: readonly MediaRow[]
  /** The versions that it replaces. */
  replaced: readonly PostRow[]
}

async function newPost(
  body: CompletePostBody,
  { author, media, replaced }: PostReferences,
  { tx }: PublishContext,
): Promise<Omit<NewPost, 'appId'>> {
  const { reply } = body
  const previous = replaced.at(-1)
  // What a new version keeps may no longer exist.
  const readTarget = previous ? readAnyTarget : readReplyTarget
  const target = await readTarget(tx, reply?.in_reply_to_post_id, author)
  const quotedId = previous
    ? previous.quoted_post_id
    : (await readQuoted(tx, body.quote_post_id, author.id))?.id
  const communityId = previous
    ? previous.community_id
    : await readCommunity(tx, body.community_id, { target, authorId: author.id })
  await checkUsers(tx, { name: 'media.tagged_user_ids', ids: body.media?.tagged_user_ids, noun: 'tagged' })
  await checkUsers(tx, {
    name: 'reply.exclude_reply_user_ids',
    ids: reply?.exclude_reply_user_ids,
    noun: 'exclude reply',
  })
  const normalizedText = checkedText(body, author)
  const text =
    target && reply?.auto_populate_reply_metadata
      ? await withNames(tx, normalizedText, target, { author, reply })
      : normalizedText
  return {
    environment: 'production',
    authorId: author.id,
    text,
    nullcast: body.nullcast ?? false,
    replySettings: body.reply_settings ?? body.poll?.reply_settings ?? 'everyone',
    contributorId: null,
    mediaKeys: media.map((medium) => medium.media_key),
    cardUri: body.card_uri ?? null,
    ...(previous ? { previous, ...repliesAs(previous) } : target && { inReplyTo: target }),
    quotedPostId: quotedId ?? null,
    pollOptions: body.poll?.options,
    placeId: body.geo?.place_id ?? null,
    communityId,
    shareWithFollowers: body.share_with_followers ?? false,
    superFollowersOnly: body.for_super_followers_only ?? false,
    paidPartnership: body.paid_partnership ?? false,
    madeWithAi: body.made_with_ai ?? false,
    directMessageDeepLink: body.direct_message_deep_link ?? null,
    taggedUserIds: body.media?.tagged_user_ids ?? [],
  }
}

/** A new version keeps what the post replies to. */
const repliesAs = (previous: PostRow): Pick<NewPost, 'inReplyTo'> =>
  previous.in_reply_to_post_id === null || previous.in_reply_to_user_id === null
    ? {}
    : {
        inReplyTo: {
          id: previous.in_reply_to_post_id,
          author_id: previous.in_reply_to_user_id,
          conversation_id: previous.conversation_id,
        },
      }

/** The text as it is stored. */
function checkedText({ text = '' }: CompletePostBody, author: ProfileRow): string {
  const normalizedText = normalised(text)
  const fault = textFault(normalizedText)
  if (fault === 'unreadable') throw wrong('text', text, msg`The text contains invalid characters.`)
  if (fault === 'too long' && !writesLongPosts(author))
    throw wrong('text', text, msg`Your Post text is too long: it may weigh ${MAX_WEIGHT}.`)
  if (isTooLong(normalizedText))
    throw wrong('text', text, msg`Your Post text is too long: it may have ${MAX_LENGTH} characters.`)
  return normalizedText
}

/** Maximum number of users whom a reply names automatically. */
const MAX_NAMES = 50

/** Users with a subscription write long posts. */
const writesLongPosts = ({ subscription_type }: ProfileRow): boolean => subscription_type !== 'None'

/**
 * The text of a reply with names at its beginning: the author of the post, and those that it
 * mentions, except the excluded ones. There are as many names as the text has room for, so that
 * they never make a reply too long.
 */
async function withNames(
  tx: Transaction,
  text: string,
  target: PostRow,
  { author, reply }: { author: ProfileRow; reply: NonNullable<CreatePostBody['reply']> },
): Promise<string> {
  let room = writesLongPosts(author) ? MAX_LENGTH - lengthOf(text) : MAX_WEIGHT - weightOf(text)
  let names = ''
  for (const name of await namesOf(tx, target, [author.id, ...(reply.exclude_reply_user_ids ?? [])])) {
    const nextName = `@${name} `
    room -= nextName.length
    if (room < 0) break
    names += nextName
  }
  return `${names}${text}`.trim()
}

async function namesOf(tx: Transaction, target: PostRow, excluded: readonly string[]): Promise<string[]> {
  const { mentions } = JSON.parse(target.entities) as Entities
  const named = new Set([target.author_id, ...mentions.map(({ id }) => id)]).difference(new Set(excluded))
  const ids = [...named].slice(0, MAX_NAMES)
  const users = new Map(
    (await tx.all(profilesByIds, { ids: JSON.stringify(ids) })).map((profile) => [profile.id, profile]),
  )
  return ids.flatMap((id) => users.get(id)?.screen_name ?? [])
}
