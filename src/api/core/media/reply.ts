import { type Static, Type } from 'typebox'
import { isExpired, kindIn, mayUse, mediaByKeys, wrongDuration } from '../../../domain/media/media.ts'
import type { MediaRow } from '../../../domain/media/tables.ts'
import { isShownTo, postExists, postsSeenBy } from '../../../domain/posts/queries.ts'
import type { Clock } from '../../../platform/common/clock.ts'
import { choice, component, id, longNumber } from '../../../platform/http/schema.ts'
import type { Store } from '../../../platform/storage/store.ts'
import type { UploadDependencies } from './endpoint.ts'

// How both APIs show an upload to its sender.

const closed = { additionalProperties: false }

const state = choice(
  ['pending', 'in_progress', 'succeeded', 'failed'],
  'State of processing.',
  'ProcessingState',
)
const processingError = component(
  'ProcessingError',
  Type.Object({ code: Type.Integer(), name: Type.String(), message: Type.String() }, closed),
)
const processing = component(
  'Processing',
  Type.Object(
    {
      state,
      check_after_secs: Type.Optional(Type.Integer({ description: 'Seconds to wait before asking again.' })),
      progress_percent: Type.Optional(Type.Integer({ description: 'Progress in percent.' })),
      error: Type.Optional(processingError),
    },
    closed,
  ),
)
const image = component(
  'UploadedImage',
  Type.Object({ image_type: Type.String(), w: Type.Integer(), h: Type.Integer() }, closed),
)
const video = component('UploadedVideo', Type.Object({ video_type: Type.String() }, closed))

const members = {
  media_key: Type.String({ description: 'Its key, which posts and the advertising API show.' }),
  size: Type.Optional(Type.Integer({ description: 'Size in bytes.' })),
  expires_after_secs: Type.Optional(
    Type.Integer({ description: 'Seconds until an unused upload is deleted.' }),
  ),
  image: Type.Optional(image),
  video: Type.Optional(video),
  processing_info: Type.Optional(processing),
}

const commonMembers = Type.Object(members, closed)

/** An upload in the format of 1.1. */
export const ClassicUpload = component(
  'MediaUpload',
  Type.Object(
    {
      media_id: longNumber('The medium.'),
      media_id_string: id('The id of the media file as a string, for clients without 64-bit integers.'),
      ...members,
    },
    closed,
  ),
)

/** An upload in the format of version 2. */
export const UploadReply = Type.Object(
  { data: component('UploadedMedium', Type.Object({ id: id('The medium.'), ...members }, closed)) },
  closed,
)

type ReplyContext = Pick<UploadDependencies, 'clock'>

export const classicReplyOf = (row: MediaRow, context: ReplyContext): Static<typeof ClassicUpload> => ({
  media_id: row.id,
  media_id_string: row.id,
  ...membersOf(row, context),
})

export const uploadReplyOf = (row: MediaRow, context: ReplyContext): Static<typeof UploadReply> => ({
  data: { id: row.id, ...membersOf(row, context) },
})

function membersOf(row: MediaRow, { clock }: ReplyContext): Static<typeof commonMembers> {
  const { hash, content_type: type } = row
  const left = row.expires_at === null ? undefined : Math.max(0, row.expires_at - clock.now())
  return {
    media_key: row.media_key,
    ...(hash !== null && { size: row.bytes }),
    ...(left !== undefined && { expires_after_secs: Math.floor(left / 1000) }),
    ...(type?.startsWith('image/') && { image: { image_type: type, w: row.width ?? 0, h: row.height ?? 0 } }),
    ...(type?.startsWith('video/') && { video: { video_type: type } }),
    ...(hash !== null && isProcessed(row) && { processing_info: progressOf(row) }),
  }
}

const isProcessed = ({ category }: MediaRow) => category !== 'POST_IMAGE' && category !== 'SUBTITLES'

const CHECK_AFTER_SECONDS = 1

function progressOf(row: MediaRow): Static<typeof processing> {
  switch (row.state) {
    case 'READY':
      return { state: 'succeeded', progress_percent: 100 }
    case 'FAILED':
      return {
        state: 'failed',
        progress_percent: 100,
        error: faultOf(row),
      }
    default:
      return { state: 'pending', check_after_secs: CHECK_AFTER_SECONDS }
  }
}

/** The codes and names are those that published clients report. */
function faultOf(row: MediaRow): Static<typeof processingError> {
  const message = wrongDuration(row)
  if (message !== undefined) return { code: 3, name: 'UnsupportedMedia', message }
  return { code: 1, name: 'InvalidMedia', message: 'The file could not be read.' }
}

/**
 * The keys of media that are hidden from a caller. Users see media that were uploaded by or for
 * them; everyone else sees a medium if they see the oldest post that shows it.
 */
export async function hiddenMedia(
  keys: readonly string[],
  userId: string | undefined,
  { store, clock }: { store: Pick<Store, 'all'>; clock: Pick<Clock, 'now'> },
): Promise<ReadonlySet<string>> {
  const rows = (await mediaByKeys(store, keys)).filter((row) => row !== undefined)
  const now = clock.now()
  const others = rows.filter((row) => userId === undefined || !mayUse(row, userId, now))
  const ids = [...new Set(others.flatMap(({ source_post_id }) => source_post_id ?? []))]
  const posts =
    ids.length === 0 ? [] : await store.all(postsSeenBy, { ids: JSON.stringify(ids), viewer: userId ?? '' })
  const seen = new Set(
    posts.filter((post) => postExists(post) && isShownTo(post, userId)).map(({ id }) => id),
  )
  const isPosted = ({ source_post_id: post }: MediaRow) => post !== null && seen.has(post)
  const isHidden = (row: MediaRow) =>
    row.hash === null ||
    isExpired(row, now) ||
    kindIn(row.media_key) === undefined ||
    (others.includes(row) && !isPosted(row))
  return new Set(rows.filter(isHidden).map(({ media_key }) => media_key))
}
