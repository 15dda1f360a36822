import { type Message, msg, word } from '../../platform/http/message.ts'
import { apiError, type Cause } from '../../platform/protocols/catalogue.ts'
import type { FileKind, InspectedFile } from './inspect/inspected.ts'
import { CATEGORY_OF, type FileCategory, RULES } from './media.ts'

const MB = 1024 * 1024
export const MAX_SEGMENT_BYTES = 5 * MB
/** Maximum size of a file in one request, whatever its category allows: it is held in memory. */
export const MAX_WHOLE_BYTES = 15 * MB

/** An error of an upload, with the parameter that caused it. */
interface UploadFault {
  name: string
  /** Undefined for a file. */
  value?: string | undefined
  why: Message
}

export function uploadError(cause: Cause, { name, value, why }: UploadFault) {
  const fault = { kind: 'rule', explanation: why } as const
  return apiError(cause, { violations: [{ place: 'form', name, value, fault }] })
}

/**
 * The category of an inspected file. Rejects a file that is not supported, or does not belong to
 * its category.
 */
export function categoryFor(
  found: InspectedFile | undefined,
  requested: FileCategory | undefined,
  parameter: Omit<UploadFault, 'why'> = { name: 'media' },
): FileCategory {
  if (!found)
    throw uploadError('media not readable', {
      ...parameter,
      why: msg`The file is not a complete image, GIF or video, and not subtitles.`,
    })
  const category = requested ?? CATEGORY_OF[found.kind]
  if (!isOf(found, category)) {
    const why = msg`The file is ${NOUNS[found.kind]}, which ${inWords(category)} does not hold.`
    throw uploadError('media not readable', { ...parameter, why })
  }
  return category
}

const NOUNS: Readonly<Record<FileKind, string>> = {
  IMAGE: 'an image',
  GIF: 'a GIF',
  VIDEO: 'a video',
  SUBTITLES: 'subtitles',
}

/** A category as callers write it. */
const inWords = (category: FileCategory) => word(category.toLowerCase())

/** A category of images also holds GIFs, and shows them as images. */
export const isOf = (found: InspectedFile | undefined, category: FileCategory) =>
  found !== undefined && (found.kind === RULES[category].kind || isImageOf(found.kind, category))

const isImageOf = (kind: FileKind, category: FileCategory) =>
  kind === 'GIF' && RULES[category].kind === 'IMAGE'

/** The category that a MIME type implies; undefined for types such as `text/plain`. */
function impliedBy(contentType: string): FileCategory | undefined {
  if (contentType === 'image/gif') return 'POST_GIF'
  if (contentType.startsWith('image/')) return 'POST_IMAGE'
  if (contentType.startsWith('video/')) return 'POST_VIDEO'
  return contentType === 'text/vtt' || contentType === 'text/srt' ? 'SUBTITLES' : undefined
}

/** The category of an upload for which only a MIME type was sent. */
export function categoryOfType(contentType: string): FileCategory {
  const category = impliedBy(contentType)
  if (category) return category
  const why = msg`${contentType} is not a type of a medium: send media_category as well.`
  throw uploadError('media not readable', { name: 'media_type', value: contentType, why })
}

/**
 * Throws if the MIME type implies another kind of file than the category. Most types imply none.
 * Any type of image stands for all of them: clients often announce an image with the wrong type.
 */
export function rejectOtherType(category: FileCategory, contentType = ''): void {
  const implied = impliedBy(contentType)
  if (implied === undefined || formOf(implied) === formOf(category)) return
  const why = msg`${contentType} is not a type of ${inWords(category)}.`
  throw uploadError('media not readable', { name: 'media_type', value: contentType, why })
}

const formOf = (category: FileCategory) => {
  const { kind } = RULES[category]
  return kind === 'GIF' ? 'IMAGE' : kind
}

/** The possible kinds of a file that is sent in one request, by its first bytes. */
export function categoryOfHead(content: Buffer): FileCategory {
  if (content.toString('latin1', 4, 8) === 'ftyp') return 'POST_VIDEO'
  return content.toString('latin1', 0, 4) === 'GIF8' ? 'POST_GIF' : 'POST_IMAGE'
}

/** `whole`: the bound of a file that is sent in one request. */
export function rejectLarge(category: FileCategory, bytes: number, whole?: number): void {
  const { maxBytes } = RULES[category]
  const most = Math.min(maxBytes, whole ?? maxBytes)
  if (bytes <= most) return
  const sent = whole === undefined ? { name: 'total_bytes', value: String(bytes) } : { name: 'media' }
  const rest = most < maxBytes ? msg` in one request` : msg``
  const why = msg`${inWords(category)} holds files of up to ${most} bytes${rest}, this one has ${bytes}.`
  throw uploadError('media too large', { ...sent, why })
}
