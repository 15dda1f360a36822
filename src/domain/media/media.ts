import { apiError } from '../../platform/protocols/catalogue.ts'
import type { Claim } from '../../platform/storage/files/files.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import type { MediaDependencies } from './dependencies.ts'
import type { FileKind, MediaKind } from './inspect/inspected.ts'
import { MAX_SUBTITLES_BYTES } from './inspect/subtitles.ts'
import { addCandidateFiles, claimFile, mediaByIds, putPoster } from './queries.ts'
import type { MediaRow } from './tables.ts'

/** The purpose of a medium (reference: `media_category`). */
export const CATEGORIES = ['POST_IMAGE', 'POST_GIF', 'POST_VIDEO', 'AMPLIFY_VIDEO'] as const
export type MediaCategory = (typeof CATEGORIES)[number]
/** The category of an upload. */
export type FileCategory = MediaCategory | 'SUBTITLES'
/** Where a medium is shown: in posts, which include advertisements, or in direct messages. */
export type MediaPurpose = 'posts' | 'messages'

const MB = 1024 * 1024

interface CategoryRules<Of extends FileKind = FileKind> {
  kind: Of
  /** The prefix of the id in a media key (reference: identifiers). */
  prefix: string
  maxBytes: number
}

/** The kinds of files in each category. */
export const RULES: Readonly<Record<MediaCategory, CategoryRules<MediaKind>>> &
  Readonly<Record<'SUBTITLES', CategoryRules>> = {
  POST_IMAGE: { kind: 'IMAGE', prefix: '3', maxBytes: 5 * MB },
  POST_GIF: { kind: 'GIF', prefix: '16', maxBytes: 15 * MB },
  POST_VIDEO: { kind: 'VIDEO', prefix: '7', maxBytes: 512 * MB },
  AMPLIFY_VIDEO: { kind: 'VIDEO', prefix: '13', maxBytes: 512 * MB },
  SUBTITLES: { kind: 'SUBTITLES', prefix: '37', maxBytes: MAX_SUBTITLES_BYTES },
}

/** The default category of an upload. */
export const CATEGORY_OF: Readonly<Record<FileKind, FileCategory>> = {
  IMAGE: 'POST_IMAGE',
  GIF: 'POST_GIF',
  VIDEO: 'POST_VIDEO',
  SUBTITLES: 'SUBTITLES',
}

/** The rules of a medium that posts and messages show: of any category except subtitles. */
export const rulesOf = ({ category }: Pick<MediaRow, 'category'>): CategoryRules<MediaKind> =>
  RULES[category as MediaCategory]

/** The format of a media key. */
export const MEDIA_KEY = '^(3|7|13|16)_[0-9]{1,19}$'

export const keyOf = (category: FileCategory, id: string) => `${RULES[category].prefix}_${id}`

/** The durations of videos. Those for advertising may be longer (`AMPLIFY_VIDEO`). */
const MIN_VIDEO_MS = 500
const MAX_VIDEO_MS = 140_000

/** Why the duration of a video is not supported; undefined if it is. */
export function wrongDuration({
  duration_ms: ms,
  category,
}: Pick<MediaRow, 'duration_ms' | 'category'>): string | undefined {
  if (ms === null) return undefined
  const lasts = `The video lasts ${ms / 1000} seconds`
  if (ms < MIN_VIDEO_MS) return `${lasts}. The minimum is ${MIN_VIDEO_MS / 1000} seconds.`
  if (ms > MAX_VIDEO_MS && category === 'POST_VIDEO')
    return `${lasts}. The maximum is ${MAX_VIDEO_MS / 1000} seconds.`
  return undefined
}

/** The type that a media key implies; undefined for subtitles. */
export const kindIn = (key: string): MediaKind | undefined =>
  CATEGORIES.map((category) => RULES[category]).find(({ prefix }) => key.startsWith(`${prefix}_`))?.kind

/** Whether a medium will be deleted soon. It is already invisible. */
export const isExpired = ({ expires_at }: Pick<MediaRow, 'expires_at'>, now: number): boolean =>
  expires_at !== null && expires_at <= now

/** The id in a media key. */
export const idIn = (key: string): string => key.slice(key.indexOf('_') + 1)

/** Media by their keys, in the same order; undefined where there is none. */
export async function mediaByKeys(
  store: Pick<Transaction, 'all'>,
  keys: readonly string[],
): Promise<(MediaRow | undefined)[]> {
  if (keys.length === 0) return []
  const rows = await store.all(mediaByIds, { ids: JSON.stringify([...new Set(keys.map(idIn))]) })
  const known = new Map(rows.map((row) => [row.media_key, row]))
  return keys.map((key) => known.get(key))
}

/**
 * Whether a user may use a medium: it was uploaded by this user or for this user, and still exists.
 */
export const mayUse = (row: MediaRow, userId: string, now: number): boolean =>
  !isExpired(row, now) &&
  (row.owner_id === userId || (JSON.parse(row.additional_owners) as string[]).includes(userId))

/** Whether a medium was uploaded for this use, or for none in particular. */
export const isMadeFor = ({ made_for }: Pick<MediaRow, 'made_for'>, use: MediaPurpose): boolean =>
  made_for === null || made_for === use

/**
 * Whether content of a user may show a medium, now or once it is processed: it is neither an
 * unfinished upload nor one that fails or failed, nor subtitles.
 */
export const canShow = (row: MediaRow, userId: string, now: number): boolean =>
  mayUse(row, userId, now) &&
  row.state !== 'OPEN' &&
  row.state !== 'FAILED' &&
  wrongDuration(row) === undefined &&
  kindIn(row.media_key) !== undefined

const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/bmp': 'bmp',
  'image/gif': 'gif',
  'video/mp4': 'mp4',
  'video/quicktime': 'mov',
  'text/vtt': 'vtt',
  'text/srt': 'srt',
}

/** The path of a media file, without the origin. */
export const filePath = (hash: string, contentType: string) =>
  `/media/${hash}.${EXTENSIONS[contentType] ?? 'bin'}`

/** The URL of a medium. */
export const mediaPath = ({ hash, content_type }: Pick<MediaRow, 'hash' | 'content_type'>): string | null =>
  hash === null ? null : filePath(hash, content_type ?? '')

/** The URL of the poster of a video. */
export const posterPath = ({
  poster_hash,
  poster_type,
}: Pick<MediaRow, 'poster_hash' | 'poster_type'>): string | null =>
  poster_hash === null ? null : filePath(poster_hash, poster_type ?? '')

/** The absolute URL of a file. */
export const urlOf = <Path extends string | null>(
  path: Path,
  { mediaOrigin }: { readonly mediaOrigin: string },
) => (path === null ? null : mediaOrigin + path) as Path

/** The aspect ratio in its smallest integers. */
export function ratioOf(width: number, height: number): [number, number] {
  const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b))
  const common = divisor(width, height)
  return [width / common, height / common]
}

/** How long an unused medium is kept. */
export const UNUSED_MEDIUM_MS = 86_400_000

/** Lifetime of an upload after its last segment. Its announced size counts towards the quota. */
export const IDLE_UPLOAD_MS = 1_800_000

/** How long a file may be claimed without being used. */
const CLAIM_MS = 3_600_000

/** Claims a file before its use. Rejects while the file is being deleted. */
export const claimIn =
  ({ store, clock }: Pick<MediaDependencies, 'store' | 'clock'>): Claim =>
  async ({ hash, bytes }) => {
    const until = clock.now() + CLAIM_MS
    const claimed = await store.write((tx) => tx.run(claimFile, { hash, bytes, until }))
    if (claimed === 0) throw beingDeleted(hash)
  }

const beingDeleted = (hash: string) => apiError('over capacity', `the file ${hash} is being deleted`)

/** Prevents the deletion of a file, in the transaction that uses it. */
export async function useIn(tx: Transaction, { hash }: { hash: string | null }, { clock }: ClockDependency) {
  if (hash !== null) await useFiles(tx, new Set([hash]), clock.now())
}

/** Prevents the deletion of files, in the transaction that uses them. */
export async function useFiles(tx: Transaction, hashes: ReadonlySet<string>, now: number): Promise<void> {
  if (hashes.size === 0) return
  // They are checked again later nevertheless, because the use may have ended by then.
  const used = await tx.run(addCandidateFiles, { hashes: JSON.stringify([...hashes]), at: now + CLAIM_MS })
  if (used < hashes.size) throw beingDeleted([...hashes].join(' or '))
}

/** Marks files as candidates for deletion. The unused ones are deleted. */
export async function addDeletionCandidates(
  tx: Transaction,
  hashes: readonly (string | null)[],
  { clock }: ClockDependency,
) {
  const present = hashes.filter((hash) => hash !== null)
  if (present.length > 0)
    await tx.run(addCandidateFiles, { hashes: JSON.stringify(present), at: clock.now() })
}

/**
 * Sets an image as the poster of a video or GIF, instead of its first frame. Both rows are locked.
 */
export async function setPoster(
  tx: Transaction,
  { id, poster_hash: former }: Pick<MediaRow, 'id' | 'poster_hash'>,
  { hash, content_type }: Pick<MediaRow, 'hash' | 'content_type'>,
  context: ClockDependency,
): Promise<void> {
  if (former === hash) return
  await tx.run(putPoster, { id, poster_hash: hash, poster_type: content_type })
  await useIn(tx, { hash }, context)
  await addDeletionCandidates(tx, [former], context)
}

type ClockDependency = Pick<MediaDependencies, 'clock'>
