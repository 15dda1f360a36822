import { type Static, type TObject, Type } from 'typebox'
import { CATEGORIES, type FileCategory, type MediaPurpose, RULES } from '../../../domain/media/media.ts'
import { MAX_WHOLE_BYTES, uploadError } from '../../../domain/media/upload-rules.ts'
import type { UploadOptions } from '../../../domain/media/uploads.ts'
import { decodeBase64 } from '../../../platform/common/base64.ts'
import { Slices } from '../../../platform/common/slices.ts'
import { invalid } from '../../../platform/http/errors.ts'
import type { FilePart } from '../../../platform/http/input/multipart.ts'
import { msg } from '../../../platform/http/message.ts'
import { choice, id, ids, standard, text } from '../../../platform/http/schema.ts'
import type { UploadDependencies } from './endpoint.ts'

// The parameters of uploads that both APIs accept.

const MB = 1024 * 1024
/** In addition to the file: names and boundaries. */
const MULTIPART_OVERHEAD_BYTES = MB
/** An image or segment in Base64, with its special characters escaped. */
export const MAX_FORM_BYTES = 8 * 1024 * 1024
export const MAX_MULTIPART_BYTES = MAX_WHOLE_BYTES + MULTIPART_OVERHEAD_BYTES
/** Three bytes become four characters. */
export const base64Length = (bytes: number) => Math.ceil(bytes / 3) * 4
const MAX_SEGMENTS = 1000

/** The spellings of categories. Those of direct messages hold the same files as those of posts. */
const WORDS = [
  ...['post_image', 'post_gif', 'post_video', 'amplify_video', 'dm_image', 'dm_gif', 'dm_video'],
  ...['PostImage', 'PostGif', 'PostVideo', 'AmplifyVideo', 'DmImage', 'DmGif', 'DmVideo'],
  ...CATEGORIES,
  ...['subtitles', 'Subtitles', 'SUBTITLES'],
]

/** `bytes`: the maximum size of the file. */
export const base64 = (bytes: number, description: string) =>
  Type.Optional(Type.String({ contentEncoding: 'base64', maxLength: base64Length(bytes), description }))

/** The properties of a new upload. */
export const newUpload = {
  media_category: Type.Optional(
    choice(WORDS, 'Category; derived from the file or its type when absent.', 'UploadCategory'),
  ),
  additional_owners: Type.Optional(ids(id('A user.'), 'Other users who may use the medium.', 100)),
  shared: Type.Optional(Type.Boolean({ description: 'Whether several direct messages may show it.' })),
}

export const mediaType = Type.Optional(text(1, 100, 'Type of the file, such as `video/mp4`.'))

export const totalBytes = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: RULES.POST_VIDEO.maxBytes,
    description: 'Size of the file in bytes.',
  }),
)

export const segmentIndex = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: MAX_SEGMENTS - 1,
    description: 'Index of the segment, from 0. A segment that is sent again replaces the earlier one.',
  }),
)

export const command = Type.Optional(
  choice(
    ['INIT', 'APPEND', 'FINALIZE'],
    'The step of an upload in segments; absent when the file is sent in one request.',
    'UploadCommand',
  ),
)

type UploadForm = Partial<
  Static<TObject<typeof newUpload>> & {
    media: string
    media_data: string
    media_type: string
    total_bytes: number
  }
>

/** Returns the parameters that a step needs, or reports the missing ones. */
export const requireParameter =
  ({ naming }: Pick<UploadDependencies, 'naming'>) =>
  <Form extends object, Name extends keyof Form & string>(
    form: Form,
    name: Name,
  ): NonNullable<Form[Name]> => {
    const value = form[name]
    if (value !== undefined && value !== null) return value
    const missing = { place: 'form', name: naming.vocabulary.name(name), value: undefined } as const
    throw invalid({ ...missing, fault: { kind: 'missing' } })
  }

export type RequireParameter = ReturnType<typeof requireParameter>

/**
 * The bytes of a file or segment, from whichever parameter contains them. `name` is that of the
 * parameter.
 */
export async function contentOf(
  form: Pick<UploadForm, 'media' | 'media_data'>,
  files: readonly FilePart[],
  name: 'media' | 'media_data',
  need: RequireParameter,
): Promise<Buffer> {
  const file = files.find((file) => file.name === 'media' || file.name === 'media_data')
  const content =
    file && file.contentEncoding === undefined
      ? file.content
      : await decoded(file?.content ?? Buffer.from(form.media ?? form.media_data ?? need(form, name)))
  if (content.length === 0) throw uploadError('media not readable', { name, why: msg`The file is empty.` })
  return content
}

async function decoded(text: Buffer): Promise<Buffer> {
  const content = await decodeBase64(text, new Slices())
  if (content) return content
  throw uploadError('media not readable', { name: 'media', why: msg`The file is not in Base64.` })
}

/** `post_image`, `dm_image`, `PostImage` and `POST_IMAGE` are the same category. */
function categoryIn(word: string | undefined): FileCategory | undefined {
  const letters = word?.replace('_', '').toUpperCase().replace(/^DM/, 'POST')
  return ([...CATEGORIES, 'SUBTITLES'] as const).find((category) => category.replace('_', '') === letters)
}

function useIn(word: string | undefined): MediaPurpose | undefined {
  if (word === undefined) return undefined
  return word.toLowerCase().startsWith('dm') ? 'messages' : 'posts'
}

export const uploadInputOf = (form: UploadForm): UploadOptions => ({
  category: categoryIn(form.media_category),
  madeFor: useIn(form.media_category),
  owners: form.additional_owners ?? [],
  shared: form.shared ?? false,
})

/** The announcement of an upload. Without a category, its type decides. */
export function announcedOf(form: UploadForm, need: RequireParameter) {
  const bytes = need(form, 'total_bytes')
  const contentType = form.media_category === undefined ? need(form, 'media_type') : (form.media_type ?? '')
  return { ...uploadInputOf(form), bytes, contentType }
}

/** The types of files that can be uploaded, with other names that clients use. */
const TYPES = [
  'image/jpeg',
  'image/jpg',
  'image/pjpeg',
  'image/png',
  'image/webp',
  'image/bmp',
  'image/gif',
  'video/mp4',
  'video/quicktime',
  'text/srt',
  'text/vtt',
]

export const knownType = standard(choice(TYPES, 'Type of the file.', 'UploadType'))
