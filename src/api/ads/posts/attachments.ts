import { idIn, kindIn, mediaByKeys } from '../../../domain/media/media.ts'
import { lockMediaMany } from '../../../domain/media/queries.ts'
import type { MediaRow } from '../../../domain/media/tables.ts'
import { type Message, msg, word } from '../../../platform/http/message.ts'
import { type AdsError, wrongParameter } from '../../../platform/protocols/ads/codes.ts'
import { cardKind, showsProducts } from '../cards/kinds.ts'
import type { WriteContext } from '../entity/types.ts'
import { inLibrary, keepInLibrary, notShowable, usableMedia } from '../media/library.ts'
import { unknownMedium } from '../media/uses.ts'

/** The attachments of a post, in the words of the caller. */
export interface Attachments {
  card_uri?: string | null
  /** The card shows products. */
  dynamic_product_ad?: boolean
  media_keys?: readonly string[]
  video_cta?: string | null
  video_cta_value?: string | null
  video_description?: string | null
  video_title?: string | null
}

const MAX_IMAGES = 4

/**
 * The existing attachments of a planned post. They may stay even if the caller could no longer add
 * them.
 */
export type AttachmentKeys = Pick<Attachments, 'card_uri' | 'media_keys'>

interface AttachedMedia {
  media: MediaRow[]
  /** The new ones. */
  newMedia: MediaRow[]
  errors: AdsError[]
}

/** The errors of the attachments of a post, and its media. */
export async function readAttachments(
  attachments: Attachments,
  work: WriteContext,
  existing: AttachmentKeys = {},
): Promise<AttachedMedia> {
  const keys = attachments.media_keys ?? []
  // They are locked, so that they are not deleted before they are used.
  if (keys.length > 0) await work.tx.all(lockMediaMany, { ids: JSON.stringify(keys.map(idIn)) })
  const isNew = (key: string) => !existing.media_keys?.includes(key)
  const usable = await usableMedia(work, keys.filter(isNew))
  const rows = await mediaByKeys(work.tx, keys)
  const media = rows.flatMap((row) =>
    row && (usable.has(row.media_key) || !isNew(row.media_key)) ? [row] : [],
  )
  const known = new Set(media.map((medium) => medium.media_key))
  const { card_uri: uri, dynamic_product_ad: isProductAd } = attachments
  const isNewCard = uri !== existing.card_uri || isProductAd === true
  const errors = [
    ...wrongVideo(attachments, keys),
    ...wrongMix(keys),
    ...keys.filter((key) => !known.has(key)).map((key) => unknownMedium(key, 'media_keys')),
    ...wrongMedia(media),
    ...(isNewCard ? await wrongCard(attachments, work) : []),
  ]
  return { media, newMedia: media.filter((medium) => isNew(medium.media_key)), errors }
}

/**
 * The card must exist. One that shows products needs `dynamic_product_ad`, and vice versa
 * (reference, 08 section 12).
 */
async function wrongCard(
  { card_uri: uri = null, dynamic_product_ad: isProductAd = false }: Attachments,
  { tx, scope }: WriteContext,
): Promise<AdsError[]> {
  const kind = uri === null ? undefined : await cardKind(tx, scope.accountId, uri)
  if (uri !== null && !kind)
    return [wrongParameter('card_uri', msg`Card ${uri} was not found`, 'CARD_NOT_FOUND')]
  const ofProducts = kind !== undefined && showsProducts(kind)
  if (ofProducts === isProductAd) return []
  if (kind && isProductAd)
    return [wrongParameter('card_uri', msg`Card ${uri ?? ''} is not a dynamic product card`)]
  return [
    wrongParameter(
      isProductAd ? 'card_uri' : 'dynamic_product_ad',
      msg`dynamic_product_ad and card_uri of a dynamic product card are inclusive parameters`,
      'INCLUSIVE_PARAMETERS',
    ),
  ]
}

const VIDEO_PARAMETERS = ['video_cta', 'video_cta_value', 'video_description', 'video_title'] as const

/** Video metadata requires a video; a call to action requires its URL, and vice versa. */
function wrongVideo(attachments: Attachments, keys: readonly string[]): AdsError[] {
  const sent = VIDEO_PARAMETERS.filter((name) => (attachments[name] ?? null) !== null)
  const errors: AdsError[] = []
  if (sent.includes('video_cta') !== sent.includes('video_cta_value'))
    errors.push(
      wrongParameter(
        sent.includes('video_cta') ? 'video_cta_value' : 'video_cta',
        msg`video_cta and video_cta_value are inclusive parameters`,
        'INCLUSIVE_PARAMETERS',
      ),
    )
  if (!keys.some((key) => kindIn(key) === 'VIDEO'))
    for (const name of sent)
      errors.push(wrongParameter(name, msg`setting ${word(name)} needs a video in media_keys`))
  return errors
}

const wrong = (message: Message) => wrongParameter('media_keys', message, 'INVALID_MEDIA')

/** Up to four images, or one GIF, or one video (interface, `media_keys`). */
function wrongMix(keys: readonly string[]): AdsError[] {
  const kinds = new Set(keys.map(kindIn))
  const most = kinds.has('IMAGE') ? MAX_IMAGES : 1
  if (kinds.size <= 1 && keys.length <= most) return []
  return [wrong(msg`A post has up to 4 images, or 1 GIF, or 1 video`)]
}

const wrongMedia = (media: readonly MediaRow[]): AdsError[] =>
  media.flatMap((medium) => {
    const fault = notShowable(medium)
    return fault === undefined ? [] : [wrong(msg`Media ${medium.media_key} cannot be used: ${fault}`)]
  })

/** Adds the media of a published or planned post to the library of the account. */
export async function takeMedia(media: readonly MediaRow[], work: WriteContext): Promise<void> {
  const keys = media.map((medium) => medium.media_key)
  const held = await inLibrary(work.tx, work.scope.accountId, keys)
  for (const image of media) if (!held.has(image.media_key)) await keepInLibrary(image, {}, work)
}
