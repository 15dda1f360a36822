import type { AdsError } from '../../kit/ads-codes.ts'
import { wrongParameter } from '../../kit/ads-codes.ts'

/** What a post can carry beside its text, as a caller names it. */
export interface Attachments {
  card_uri?: string
  media_keys?: readonly string[]
  video_cta?: string
  video_cta_value?: string
  video_description?: string
  video_title?: string
}

const MAX_IMAGES = 4

/** The kind of a medium, which the first part of its key tells (reference: identifiers). */
const KINDS: Readonly<Record<string, 'image' | 'video' | 'GIF'>> = {
  3: 'image',
  7: 'video',
  13: 'video',
  16: 'GIF',
}

const kindOf = (key: string) => KINDS[key.split('_')[0] ?? '']

/** What is wrong with the attachments of a post. */
export function wrongAttachments(given: Attachments): AdsError[] {
  const keys = given.media_keys ?? []
  return [...wrongVideo(given, keys), ...wrongMix(keys), ...unknown(given, keys)]
}

const VIDEO_PARAMETERS = ['video_cta', 'video_cta_value', 'video_description', 'video_title'] as const

/** Words about a video need one; a call to action needs its address, and the other way round. */
function wrongVideo(given: Attachments, keys: readonly string[]): AdsError[] {
  const sent = VIDEO_PARAMETERS.filter((name) => given[name] !== undefined)
  const errors: AdsError[] = []
  if (sent.includes('video_cta') !== sent.includes('video_cta_value'))
    errors.push({
      code: 'INCLUSIVE_PARAMETERS',
      message: 'video_cta and video_cta_value are inclusive parameters',
      parameter: sent.includes('video_cta') ? 'video_cta_value' : 'video_cta',
    })
  if (!keys.some((key) => kindOf(key) === 'video'))
    for (const name of sent) errors.push(wrongParameter(name, `setting ${name} needs a video in media_keys`))
  return errors
}

/** Up to four images, or one GIF, or one video (interface, `media_keys`). */
function wrongMix(keys: readonly string[]): AdsError[] {
  const kinds = new Set(keys.map(kindOf))
  const most = kinds.has('image') ? MAX_IMAGES : 1
  if (kinds.size <= 1 && keys.length <= most) return []
  return [wrongParameter('media_keys', 'A post has up to 4 images, or 1 GIF, or 1 video', 'INVALID_MEDIA')]
}

/** No account has media or cards yet, so none is known. */
function unknown({ card_uri }: Attachments, keys: readonly string[]): AdsError[] {
  return [
    ...keys.map((key) => wrongParameter('media_keys', `Media ${key} was not found`, 'MEDIA_NOT_FOUND')),
    ...(card_uri === undefined
      ? []
      : [wrongParameter('card_uri', `Card ${card_uri} was not found`, 'CARD_NOT_FOUND')]),
  ]
}
