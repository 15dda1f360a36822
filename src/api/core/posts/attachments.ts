import type { MediaKind } from '../../../domain/media/inspect/inspected.ts'
import { canShow, isMadeFor, kindIn } from '../../../domain/media/media.ts'
import { lockMediaMany, mediaByIds } from '../../../domain/media/queries.ts'
import type { MediaRow } from '../../../domain/media/tables.ts'
import type { ReplySettings } from '../../../domain/posts/insert.ts'
import type { PostRow } from '../../../domain/posts/tables.ts'
import { normalised } from '../../../domain/posts/weight.ts'
import { isLocation, locationsReady } from '../../../domain/reference-data/locations.ts'
import { profilesByIds } from '../../../identity/users/queries.ts'
import { isBlank } from '../../../platform/common/visible.ts'
import { type Message, msg, word, words } from '../../../platform/http/message.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import type { CreatePostBody } from './body.ts'
import { wrong } from './wrong.ts'

/** A value of the body as errors show it: objects as JSON. */
const shownValue = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/** A post shows one of these at most. */
const EXCLUSIVE = ['card_uri', 'quote_post_id', 'poll', 'media', 'direct_message_deep_link'] as const

/** Rejects mutually exclusive attachments, and members that require another one. */
export function checkTogether(body: CompletePostBody): void {
  const present = EXCLUSIVE.filter((name) => body[name] !== undefined)
  const [, second] = present
  if (second !== undefined)
    throw wrong(second, shownValue(body[second]), msg`You can only provide one of ${words(present)}.`)
  if (body.share_with_followers === true && body.community_id === undefined)
    throw wrong('share_with_followers', 'true', msg`share_with_followers needs community_id.`)
  if (body.edit_options && body.poll)
    throw wrong('poll', shownValue(body.poll), msg`A new version of a post cannot have a poll.`)
  const blank = body.poll?.options.find(isBlank)
  if (blank !== undefined)
    throw wrong('poll.options', blank, msg`Each answer of a poll needs a visible character.`)
  if (normalised(body.text ?? '') === '' && present.length === 0)
    throw wrong('text', body.text ?? '', msg`A post needs text or an attachment.`)
}

const MAX_IMAGES = 4

/** The media of a post, in order, and the preview image of its video or GIF. */
interface AttachedMedia {
  media: readonly MediaRow[]
  preview?: MediaRow | undefined
}

/** Media for direct messages are not public. */
const isShowable = (row: MediaRow, userId: string, now: number) =>
  canShow(row, userId, now) && isMadeFor(row, 'posts')

/** Reads and locks the media of a post, so that they are not deleted before they are used. */
export async function readMedia(
  tx: Transaction,
  body: CompletePostBody,
  userId: string,
): Promise<AttachedMedia> {
  if (!body.media) return { media: [] }
  const { media_ids: mediaIds, preview_media_id: previewId } = body.media
  // Locked at once, so that two posts with the same media do not wait for each other.
  const ids = JSON.stringify(previewId === undefined ? mediaIds : [...mediaIds, previewId])
  await tx.all(lockMediaMany, { ids })
  const known = new Map((await tx.all(mediaByIds, { ids })).map((row) => [row.id, row]))
  const media = mediaIds.flatMap((id) => known.get(id) ?? [])
  const kinds = new Set(media.map((row) => kindIn(row.media_key)))
  const most = kinds.has('IMAGE') ? MAX_IMAGES : 1
  if (media.length < mediaIds.length || !media.every((row) => isShowable(row, userId, tx.now)))
    throw wrong('media.media_ids', mediaIds.join(','), msg`Your media IDs are invalid.`)
  if (kinds.size > 1 || media.length > most)
    throw wrong('media.media_ids', mediaIds.join(','), msg`A post has up to 4 images, or 1 GIF, or 1 video.`)
  checkAboutVideo(body.media, kinds)
  if (previewId === undefined) return { media }
  return { media, preview: previewOf(media, { previewId, image: known.get(previewId), userId, now: tx.now }) }
}

interface NamedPreview {
  previewId: string
  image: MediaRow | undefined
  userId: string
  now: number
}

/**
 * The preview image of a video or GIF. Only the owner of the medium can choose it, because every
 * post with the medium shows it.
 */
function previewOf([medium]: readonly MediaRow[], { previewId, image, userId, now }: NamedPreview): MediaRow {
  const wrongPreview = (why: Message) => wrong('media.preview_media_id', previewId, why)
  if (!medium || kindIn(medium.media_key) === 'IMAGE')
    throw wrongPreview(msg`preview_media_id needs a video or GIF in media_ids.`)
  if (medium.owner_id !== userId)
    throw wrongPreview(msg`Only the user who uploaded a video or GIF can choose its preview image.`)
  if (!image || !isShowable(image, userId, now)) throw wrongPreview(msg`Your preview media ID is invalid.`)
  if (kindIn(image.media_key) !== 'IMAGE') throw wrongPreview(msg`The preview of a video or GIF is an image.`)
  return image
}

const ABOUT_VIDEO = ['title', 'description', 'embeddable', 'call_to_actions'] as const
const STORES = ['app_store_id', 'ipad_app_store_id', 'play_store_id'] as const
const CALLS = ['app_install', 'visit_site', 'watch_now'] as const

/** Rejects video metadata without a video, and empty calls to action. */
function checkAboutVideo(
  media: NonNullable<CompletePostBody['media']>,
  kinds: ReadonlySet<MediaKind | undefined>,
): void {
  const member = ABOUT_VIDEO.find((name) => media[name] !== undefined)
  if (member !== undefined && !kinds.has('VIDEO')) {
    throw wrong(
      `media.${member}`,
      shownValue(media[member]),
      msg`${word(member)} needs a video in media_ids.`,
    )
  }
  const { call_to_actions: calls } = media
  if (calls && CALLS.every((name) => calls[name] === undefined))
    throw wrong('media.call_to_actions', '{}', msg`call_to_actions needs one of ${words(CALLS)}.`)
  const app = calls?.app_install
  if (app && STORES.every((name) => app[name] === undefined))
    throw wrong('media.call_to_actions.app_install', '{}', msg`app_install needs one of ${words(STORES)}.`)
}

/** Rejects users who do not exist. */
export async function checkUsers(
  tx: Transaction,
  { name, ids, noun }: { name: string; ids: readonly string[] | undefined; noun: string },
): Promise<void> {
  if (ids === undefined || ids.length === 0) return
  const found = await tx.all(profilesByIds, { ids: JSON.stringify(ids) })
  if (found.length < ids.length) throw wrong(name, ids.join(','), msg`Your ${noun} user IDs are invalid.`)
}

/** Rejects a place that does not exist. */
export async function checkPlace({ geo }: CompletePostBody): Promise<void> {
  if (!geo) return
  await locationsReady()
  if (!isLocation(geo.place_id)) throw wrong('geo.place_id', geo.place_id, msg`Your place ID is invalid.`)
}

/** The body of a new post, or of a new version with the members that it keeps. */
export type CompletePostBody = Omit<CreatePostBody, 'reply_settings'> & { reply_settings?: ReplySettings }

const SHARED_MEMBERS = [
  'community_id',
  'share_with_followers',
  'for_super_followers_only',
  'nullcast',
  'quote_post_id',
  'reply_settings',
] as const satisfies (keyof CompletePostBody)[]

/** The members that all versions of a post share, as in a body. */
const sharedMembersOf = (row: PostRow): Pick<CompletePostBody, (typeof SHARED_MEMBERS)[number]> => ({
  ...(row.community_id !== null && { community_id: row.community_id }),
  share_with_followers: row.share_with_followers === 1,
  for_super_followers_only: row.super_followers_only === 1,
  nullcast: row.nullcast === 1,
  ...(row.quoted_post_id !== null && { quote_post_id: row.quoted_post_id }),
  reply_settings: row.reply_settings as ReplySettings,
})

/**
 * The body of a new version with the members of the previous version that it keeps. Rejects members
 * that would change these.
 */
export function bodyOfNewVersion(body: CreatePostBody, previous: PostRow): CompletePostBody {
  const stored = sharedMembersOf(previous)
  for (const name of SHARED_MEMBERS) rejectOther(name, body[name], stored[name])
  const target = previous.in_reply_to_post_id ?? undefined
  rejectOther('in_reply_to_post_id', body.reply?.in_reply_to_post_id, target, 'reply.')
  return { ...body, ...stored }
}

/** Members that equal the stored ones are accepted: clients send posts back as they were. */
function rejectOther<Value extends string | boolean | undefined>(
  name: string,
  value: Value,
  stored: Value,
  prefix = '',
): void {
  if (value !== undefined && value !== stored)
    throw wrong(`${prefix}${name}`, String(value), msg`A new version of a post cannot change ${word(name)}.`)
}
