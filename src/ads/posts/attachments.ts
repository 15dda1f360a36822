import { kindIn } from '../../core/media/media.ts'
import { keepMedia, markPosted } from '../../core/media/queries.ts'
import type { AdsError } from '../../kit/ads-codes.ts'
import { wrongParameter } from '../../kit/ads-codes.ts'
import type { MediaRow } from '../../store/tables.ts'
import { hasCard } from '../cards/find.ts'
import type { Work } from '../entity/entity.ts'
import { inLibrary, keepInLibrary, notShowable, unknownMedium, usableMedia } from '../media/library.ts'

/** What a post can carry beside its text, as a caller names it. */
export interface Attachments {
  card_uri?: string | null
  media_keys?: readonly string[]
  video_cta?: string
  video_cta_value?: string
  video_description?: string
  video_title?: string
}

const MAX_IMAGES = 4

/** What is wrong with the attachments of a post, and the media among them. */
export async function readAttachments(
  given: Attachments,
  work: Work,
): Promise<{ media: MediaRow[]; errors: AdsError[] }> {
  const keys = given.media_keys ?? []
  const known = await usableMedia(work, keys)
  const media = keys.flatMap((key) => known.get(key) ?? [])
  const { card_uri: uri } = given
  const hasNoCard = typeof uri === 'string' && !(await hasCard(work.tx, work.scope.accountId, uri))
  const errors = [
    ...wrongVideo(given, keys),
    ...wrongMix(keys),
    ...keys.filter((key) => !known.has(key)).map((key) => unknownMedium(key, 'media_keys')),
    ...wrongMedia(media),
    ...(hasNoCard ? [wrongParameter('card_uri', `Card ${uri} was not found`, 'CARD_NOT_FOUND')] : []),
  ]
  return { media, errors }
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
  if (!keys.some((key) => kindIn(key) === 'VIDEO'))
    for (const name of sent) errors.push(wrongParameter(name, `setting ${name} needs a video in media_keys`))
  return errors
}

const wrong = (message: string) => wrongParameter('media_keys', message, 'INVALID_MEDIA')

/** Up to four images, or one GIF, or one video (interface, `media_keys`). */
function wrongMix(keys: readonly string[]): AdsError[] {
  const kinds = new Set(keys.map(kindIn))
  const most = kinds.has('IMAGE') ? MAX_IMAGES : 1
  if (kinds.size <= 1 && keys.length <= most) return []
  return [wrong('A post has up to 4 images, or 1 GIF, or 1 video')]
}

const wrongMedia = (media: readonly MediaRow[]): AdsError[] =>
  media.flatMap((one) => {
    const fault = notShowable(one)
    return fault === undefined ? [] : [wrong(`Media ${one.media_key} cannot be used: ${fault}`)]
  })

/** Media that a post shows, or is going to show, come into the library of the account. */
export async function takeMedia(
  media: readonly MediaRow[],
  work: Work,
  { posted }: { posted: boolean },
): Promise<void> {
  if (media.length === 0) return
  const { tx, scope } = work
  const held = await inLibrary(
    tx,
    scope.accountId,
    media.map((one) => one.media_key),
  )
  for (const one of media) if (!held.has(one.media_key)) await keepInLibrary(one, {}, work)
  const ids = JSON.stringify(media.map(({ id }) => id))
  await tx.run(posted ? markPosted : keepMedia, { ids })
}
