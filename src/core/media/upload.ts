import type { Static, TObject } from 'typebox'
import { Type } from 'typebox'
import type { UploadDependencies } from './dependencies.ts'
import { endpoint } from './endpoint.ts'
import { invalid } from '../../http/errors.ts'
import { apiError } from '../../protocols/catalogue.ts'
import { empty, json } from '../../http/reply-kinds.ts'
import { choice, component, id, ids, longNumber, text } from '../../http/schema.ts'
import type { MediaRow } from '../../storage/tables.ts'
import type { Category } from '../../media/media.ts'
import { CATEGORIES, RULES } from '../../media/media.ts'
import { appendSegment, finalizeUpload, openUpload, uploadWhole } from '../../media/uploads.ts'

const MB = 1024 * 1024
/** A GIF, with the multipart overhead. */
const MAX_MULTIPART_BYTES = 16 * MB
/** An image of 5 MB in Base64. */
const MAX_BASE64_LENGTH = 7_000_000
/** The same with its signs escaped. */
const MAX_FORM_BYTES = 8 * MB
const MAX_SEGMENTS = 1000
/** How clients write categories on this path. */
const WORDS = [
  ...['post_image', 'post_gif', 'post_video', 'amplify_video'],
  ...['PostImage', 'PostGif', 'PostVideo', 'AmplifyVideo'],
  ...CATEGORIES,
]

const parameters = {
  command: Type.Optional(
    choice(
      ['INIT', 'APPEND', 'FINALIZE'],
      'The step of an upload in segments; absent when the file is sent in one request.',
      'UploadCommand',
    ),
  ),
  media_data: Type.Optional(
    Type.String({
      maxLength: MAX_BASE64_LENGTH,
      description:
        'The file or segment in Base64. A multipart body can hold the bytes as the file `media` instead.',
    }),
  ),
  media: Type.Optional(
    Type.String({
      maxLength: MAX_BASE64_LENGTH,
      description:
        'The same as `media_data`, as older clients call it. In a multipart body: the file, as bytes.',
    }),
  ),
  media_category: Type.Optional(
    choice(WORDS, 'Category; derived from the file when absent.', 'UploadCategory'),
  ),
  media_type: Type.Optional(text(1, 100, 'With `INIT`: the type of the file.')),
  total_bytes: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: RULES.POST_VIDEO.maxBytes,
      description: 'With `INIT`: the size of the file in bytes.',
    }),
  ),
  media_id: Type.Optional(id('With `APPEND` and `FINALIZE`: the upload.')),
  segment_index: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_SEGMENTS - 1,
      description:
        'With `APPEND`: the index of the segment, from 0. A segment that is sent again replaces the earlier one.',
    }),
  ),
  additional_owners: Type.Optional(ids(id('A user.'), 'Other users who may use the medium.', 100)),
}

type Given = Static<TObject<typeof parameters>>

const closed = { additionalProperties: false }

export const MediaReply = component(
  'MediaUpload',
  Type.Object(
    {
      media_id: longNumber('The medium.'),
      media_id_string: id('The id of the media file as a string, for clients without 64-bit integers.'),
      media_key: Type.String({ description: 'Its key in the advertising API.' }),
      size: Type.Optional(Type.Integer({ description: 'Size in bytes.' })),
      expires_after_secs: Type.Optional(
        Type.Integer({ description: 'Seconds until an unused upload is deleted.' }),
      ),
      image: Type.Optional(
        Type.Object({ image_type: Type.String(), w: Type.Integer(), h: Type.Integer() }, closed),
      ),
      video: Type.Optional(Type.Object({ video_type: Type.String() }, closed)),
      processing_info: Type.Optional(
        Type.Object(
          {
            state: choice(['pending', 'in_progress', 'succeeded', 'failed'], 'State of processing.'),
            check_after_secs: Type.Optional(Type.Integer()),
            progress_percent: Type.Optional(Type.Integer()),
            error: Type.Optional(
              Type.Object({ code: Type.Integer(), name: Type.String(), message: Type.String() }, closed),
            ),
          },
          closed,
        ),
      ),
    },
    closed,
  ),
)

/** POST /1.1/media/upload.json: the way that client libraries upload media. */
export const uploadMedia = endpoint({
  id: 'uploadMedia',
  host: 'core',
  method: 'POST',
  path: '/1.1/media/upload.json',
  aliases: ['/1.1/media/upload'],
  summary: 'Upload an image, GIF or video',
  description:
    'Images up to 5 MB and GIFs up to 15 MB can be sent in one request. Videos up to 512 MB, and optionally images and GIFs, are sent in segments of up to 5 MB: `INIT` (202), `APPEND` for each segment (204), `FINALIZE` (201). A medium that is not used within a day is deleted.',
  source: 'Creatives (reference: media library)',
  auth: ['user'],
  scopes: ['media.write'],
  limits: { user: '615/15m' },
  form: parameters,
  maxBodyBytes: MAX_FORM_BYTES,
  multipart: { maxBytes: MAX_MULTIPART_BYTES, file: 'media' },
  reply: MediaReply,
  otherStatuses: {
    201: 'With `FINALIZE`: the medium, or the progress of its processing.',
    202: 'With `INIT`: the upload, ready for its segments.',
    204: 'With `APPEND`: the segment was stored.',
  },
  errors: [
    'media not readable',
    'media too large',
    'media quota exceeded',
    'media not found',
    'media segments wrong',
  ],
  example: {
    reply: {
      media_id: '1900000000000000000',
      media_id_string: '1900000000000000000',
      media_key: '3_1900000000000000000',
      size: 11065,
      expires_after_secs: 86_400,
      image: { image_type: 'image/jpeg', w: 800, h: 320 },
    },
  },
  async handle({ principal, form, files }, context) {
    const need = needer(context)
    const content = () => contentOf(form, files, need)
    const at = { userId: principal.userId, context }
    switch (form.command) {
      case 'INIT':
        return json(replyOf(await openUpload(initOf(form, need), at), context), 202)
      case 'APPEND': {
        const place = { mediaId: need(form, 'media_id'), index: need(form, 'segment_index') }
        await appendSegment(place, content(), at)
        return empty()
      }
      case 'FINALIZE':
        return json(replyOf(await finalizeUpload(need(form, 'media_id'), at), context), 201)
      default:
        return json(replyOf(await uploadWhole({ ...ownersOf(form), content: content() }, at), context))
    }
  },
})

type Need = ReturnType<typeof needer>

/** What a step needs and was not sent is named. */
const needer =
  ({ naming }: Pick<UploadDependencies, 'naming'>) =>
  <Name extends keyof Given>(form: Given, name: Name): NonNullable<Given[Name]> => {
    const value = form[name]
    if (value === undefined)
      throw invalid({
        place: 'form',
        name: naming.vocabulary.name(name),
        value: undefined,
        fault: { kind: 'missing' },
      })
    return value as NonNullable<Given[Name]>
  }

/** The bytes of a file or segment, from whichever place they were sent in. */
function contentOf(form: Given, files: readonly { name: string; content: Buffer }[], need: Need): Buffer {
  const file = files.find(({ name }) => name === 'media' || name === 'media_data')
  const content = file?.content ?? Buffer.from(form.media ?? need(form, 'media_data'), 'base64')
  if (content.length === 0) throw apiError('media not readable', 'nothing was sent')
  return content
}

/** `post_image`, `PostImage` and `POST_IMAGE` are one. */
function categoryIn({ media_category: word }: Given): Category | undefined {
  const letters = word?.replace('_', '').toUpperCase()
  return CATEGORIES.find((one) => one.replace('_', '') === letters)
}

const ownersOf = (form: Given) => ({ category: categoryIn(form), owners: form.additional_owners ?? [] })

const initOf = (form: Given, need: Need) => ({
  ...ownersOf(form),
  bytes: need(form, 'total_bytes'),
  contentType: need(form, 'media_type'),
})

const CHECK_AFTER_SECONDS = 1

/** An upload as it is returned to its sender. */
export function replyOf(
  row: MediaRow,
  { clock }: Pick<UploadDependencies, 'clock'>,
): Static<typeof MediaReply> {
  const { id: mediaId, state, hash, content_type: type } = row
  const left = row.expires_at === null ? undefined : Math.max(0, row.expires_at - clock.now())
  const isPicture = type?.startsWith('image/')
  return {
    media_id: mediaId,
    media_id_string: mediaId,
    media_key: row.media_key,
    ...(hash !== null && { size: row.bytes }),
    ...(left !== undefined && { expires_after_secs: Math.floor(left / 1000) }),
    ...(type !== null && isPicture && { image: { image_type: type, w: row.width ?? 0, h: row.height ?? 0 } }),
    ...(type !== null && !isPicture && { video: { video_type: type } }),
    ...(row.category !== 'POST_IMAGE' && hash !== null && { processing_info: progressOf(state) }),
  }
}

function progressOf(state: string): NonNullable<Static<typeof MediaReply>['processing_info']> {
  switch (state) {
    case 'READY':
      return { state: 'succeeded', progress_percent: 100 }
    case 'FAILED':
      return {
        state: 'failed',
        error: { code: 1, name: 'InvalidMedia', message: 'The file could not be read.' },
      }
    default:
      return { state: 'pending', check_after_secs: CHECK_AFTER_SECONDS }
  }
}
