import type { MediaKind } from '../../../domain/media/inspect/inspected.ts'
import { idIn, rulesOf } from '../../../domain/media/media.ts'
import { lockMediaMany } from '../../../domain/media/queries.ts'
import { postOfCard } from '../../../domain/posts/queries.ts'
import { fixed, msg } from '../../../platform/http/message.ts'
import { type AdsError, wrongParameter } from '../../../platform/protocols/ads/codes.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import type { WriteContext } from '../entity/types.ts'
import { inLibrary, notShowable } from '../media/library.ts'
import type { LibraryMedium } from '../media/queries.ts'
import { releaseMedia, unknownMedium } from '../media/uses.ts'

/** The requirements for an image or video. */
interface Picture {
  /** Width divided by height; one of these, with a tolerance of one percent. */
  ratios: readonly number[]
  minWidth?: number
  /** Content types; by default, all of its kind. */
  types?: readonly string[]
  maxBytes?: number
  maxMs?: number
}

/** The media that a place accepts: some kinds, each with requirements. */
export type AcceptedMedia = Readonly<Partial<Record<MediaKind, Picture>>>

const WIDE = 1.91
const SQUARE = 1
const SCREEN = 16 / 9
const BANNER = 5 / 2
const MIN_WIDTH = 800
const MAX_IMAGE_BYTES = 3 * 1024 * 1024
const MAX_VIDEO_MS = 600_000
const RATIO_TOLERANCE = 0.01

const image = {
  minWidth: MIN_WIDTH,
  maxBytes: MAX_IMAGE_BYTES,
  types: ['image/bmp', 'image/jpeg', 'image/png'],
}

/** The places of media in cards (reference: media specifications). */
export const IN_CARD: AcceptedMedia = {
  IMAGE: { ...image, ratios: [SQUARE, WIDE] },
  VIDEO: { ratios: [SCREEN, SQUARE], maxMs: MAX_VIDEO_MS },
}
export const IN_POLL: AcceptedMedia = {
  IMAGE: { ...image, ratios: [WIDE] },
  VIDEO: { ratios: [SCREEN], maxMs: MAX_VIDEO_MS },
}
export const WIDE_IMAGE: AcceptedMedia = { IMAGE: { ...image, ratios: [WIDE] } }
export const BANNER_IMAGE: AcceptedMedia = { IMAGE: { ...image, ratios: [BANNER] } }
export const SCREEN_VIDEO: AcceptedMedia = { VIDEO: { ratios: [SCREEN], maxMs: MAX_VIDEO_MS } }
export const ANY_IMAGE: AcceptedMedia = { IMAGE: { ratios: [] } }
export const ANY_VIDEO: AcceptedMedia = { VIDEO: { ratios: [] } }

/** A medium that a request names. */
export interface MediaReference {
  /** Where the request named it. */
  parameter: string
  key: string
  takes: AcceptedMedia
}

/** Media from the library of an account by key, locked by the transaction, and their errors. */
export async function namedMedia(
  tx: Transaction,
  accountId: string,
  references: readonly MediaReference[],
): Promise<{ media: Map<string, LibraryMedium>; errors: AdsError[] }> {
  if (references.length === 0) return { media: new Map(), errors: [] }
  const keys = references.map(({ key }) => key)
  // They are locked, so that they are not deleted before they are used.
  await tx.all(lockMediaMany, { ids: JSON.stringify([...new Set(keys.map(idIn))]) })
  const media = await inLibrary(tx, accountId, keys)
  const errors = references.flatMap((reference) => {
    const medium = media.get(reference.key)
    const error = medium ? wrongMedium(medium, reference) : unknownMedium(reference.key, reference.parameter)
    return error ? [error] : []
  })
  return { media, errors }
}

/** The media of a deleted card are kept as long as a post shows it. */
export async function releaseCardMedia(
  { table, id, uri }: { table: string; id: string; uri: string },
  work: WriteContext,
): Promise<void> {
  if (await work.tx.first(postOfCard, { uri })) return
  await releaseMedia({ table, id }, work)
}

function wrongMedium(medium: LibraryMedium, { key, parameter, takes }: MediaReference): AdsError | undefined {
  const { kind } = rulesOf(medium)
  const picture = takes[kind]
  const wrong = (why: string) =>
    wrongParameter(
      parameter,
      msg`Media ${key} cannot be used here: ${fixed(why)}`,
      kind === 'IMAGE' && picture ? 'INVALID_IMAGE' : 'INVALID_MEDIA',
    )
  const fault = notShowable(medium)
  if (fault !== undefined) return wrong(fault)
  if (!picture) return wrong(`it is no ${Object.keys(takes).join(' or ')}`)
  const why = wrongPicture(medium, picture)
  return why === undefined ? undefined : wrong(why)
}

function wrongPicture(
  { width, height, bytes, duration_ms, content_type: type }: LibraryMedium,
  { ratios, minWidth = 0, types, maxBytes = Infinity, maxMs = Infinity }: Picture,
): string | undefined {
  const ratio = (width ?? 0) / (height ?? 1)
  if (types && !types.includes(type ?? '')) return `it is ${type}, not ${types.join(' or ')}`
  if ((width ?? 0) < minWidth) return `it is less than ${minWidth} pixels wide`
  if (
    ratios.length > 0 &&
    !ratios.some((acceptedRatio) => Math.abs(ratio / acceptedRatio - 1) <= RATIO_TOLERANCE)
  )
    return `its ratio is not ${ratios.map(shownRatio).join(' or ')}`
  if (bytes > maxBytes) return `it is larger than ${maxBytes} bytes`
  if ((duration_ms ?? 0) > maxMs) return `it is longer than ${maxMs / 60_000} minutes`
  return undefined
}

const shownRatio = (ratio: number) => (ratio === SCREEN ? '16:9' : ratio === BANNER ? '5:2' : `${ratio}:1`)
