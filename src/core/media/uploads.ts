import type { Context } from '../../context.ts'
import { refuse } from '../../kit/errors.ts'
import type { Kept } from '../../store/files/files.ts'
import type { Transaction } from '../../store/store.ts'
import type { MediaRow } from '../../store/tables.ts'
import { lockAuthor } from '../posts/queries.ts'
import type { Inspected } from './inspect/inspect.ts'
import { inspect, sourceOf } from './inspect/inspect.ts'
import type { Category } from './media.ts'
import { CATEGORY_OF, claimIn, keyOf, RULES } from './media.ts'
import {
  addMedia,
  bytesOfOwner,
  completeMedia,
  lockMedia,
  mediaById,
  putSegment,
  removeSegments,
  segmentsOf,
} from './queries.ts'

const MAX_SEGMENT_BYTES = 5 * 1024 * 1024
/** How long an upload waits to be used. */
const WAITS_MS = 86_400_000

interface Uploader {
  userId: string
  context: Context
}

interface Wanted {
  category: Category | undefined
  /** Users who may use it too. */
  owners: readonly string[]
}

/** A file in one piece. */
export async function uploadWhole(
  { content, category, owners }: Wanted & { content: Buffer },
  { userId, context }: Uploader,
): Promise<MediaRow> {
  // A file that is too large is not looked into.
  refuseLarge(category ?? categoryOfHead(content), content.length)
  const found = await inspect(sourceOf(content))
  const fitting = categoryFor(found, category)
  if (found?.kind === 'VIDEO') throw refuse('media too large', 'videos are sent in segments')
  const kept = await context.files.put(content, claimIn(context))
  const row = {
    ...newRow({ category: fitting, bytes: kept.bytes, owners }, userId, context),
    ...foundIn(found as Inspected, kept),
  }
  await context.store.write((tx) => add(tx, row, context))
  return row
}

/** Begins an upload in segments. */
export async function openUpload(
  { category, contentType, bytes, owners }: Wanted & { contentType: string; bytes: number },
  { userId, context }: Uploader,
): Promise<MediaRow> {
  const announced = category ?? categoryOfType(contentType)
  refuseLarge(announced, bytes)
  const row = newRow({ category: announced, bytes, owners }, userId, context)
  await context.store.write((tx) => add(tx, row, context))
  return row
}

/** Takes one segment. */
export async function appendSegment(
  { mediaId, index }: { mediaId: string; index: number },
  content: Buffer,
  { userId, context }: Uploader,
): Promise<void> {
  if (content.length > MAX_SEGMENT_BYTES) throw refuse('media too large', 'a segment')
  // Before anything is written: strangers fill no disk.
  refuseNotOpen(await context.store.first(mediaById, { id: mediaId }), userId)
  const kept = await context.files.put(content, claimIn(context))
  await context.store.write(async (tx) => {
    const row = refuseNotOpen(await tx.first(lockMedia, { id: mediaId }), userId)
    await tx.run(putSegment, { media_id: mediaId, segment_index: index, hash: kept.hash, bytes: kept.bytes })
    const segments = await tx.all(segmentsOf, { mediaId })
    if (bytesIn(segments) > row.bytes) throw refuse('media segments wrong', 'more than was announced')
  })
}

/** Makes one file of the segments and finds out what it is. */
export async function finalizeUpload(mediaId: string, { userId, context }: Uploader): Promise<MediaRow> {
  const { store, files } = context
  const known = await store.first(mediaById, { id: mediaId })
  // A client that did not hear the answer asks again.
  if (known?.owner_id === userId && known.hash !== null) return known
  const open = refuseNotOpen(known, userId)
  const segments = await store.all(segmentsOf, { mediaId })
  const inOrder = segments.every(({ segment_index }, index) => segment_index === index)
  if (!inOrder || bytesIn(segments) !== open.bytes)
    throw refuse('media segments wrong', `${bytesIn(segments)} of ${open.bytes} bytes`)
  const kept = await files.join(
    segments.map(({ hash }) => hash),
    claimIn(context),
  )
  const found = await inspect({ bytes: kept.bytes, read: (start, end) => files.read(kept.hash, start, end) })
  categoryFor(found, open.category as Category)
  return store.write(async (tx) => {
    const row = { ...refuseNotOpen(await tx.first(lockMedia, { id: mediaId }), userId) }
    const complete = { ...row, ...foundIn(found as Inspected, kept) }
    await tx.run(completeMedia, complete)
    await tx.run(removeSegments, { mediaId })
    return complete
  })
}

const bytesIn = (segments: readonly { bytes: number }[]) =>
  segments.reduce((sum, { bytes }) => sum + bytes, 0)

/** The category of a file that was found to be something; refuses one that is nothing, or not of its category. */
function categoryFor(found: Inspected | undefined, wanted: Category | undefined): Category {
  if (!found) throw refuse('media not readable')
  const category = wanted ?? CATEGORY_OF[found.kind]
  if (RULES[category].kind !== found.kind) throw refuse('media not readable', `${found.kind} as ${category}`)
  return category
}

function categoryOfType(contentType: string): Category {
  if (contentType === 'image/gif') return 'POST_GIF'
  return contentType.startsWith('video/') ? 'POST_VIDEO' : 'POST_IMAGE'
}

/** What a file may be that is sent whole, by its first bytes. */
const categoryOfHead = (content: Buffer): Category =>
  content.toString('latin1', 0, 4) === 'GIF8' ? 'POST_GIF' : 'POST_IMAGE'

function refuseLarge(category: Category, bytes: number): void {
  if (bytes > RULES[category].maxBytes) throw refuse('media too large', `${bytes} bytes of ${category}`)
}

/** An upload under way. Nobody but who began it sends to it. */
function refuseNotOpen(row: MediaRow | undefined, userId: string): MediaRow {
  if (row?.owner_id !== userId || row.state !== 'OPEN') throw refuse('media not found')
  return row
}

function newRow(
  { category, bytes, owners }: { category: Category; bytes: number; owners: readonly string[] },
  userId: string,
  { ids, clock }: Context,
): MediaRow {
  const id = ids.next()
  const now = clock.now()
  return {
    id,
    media_key: keyOf(category, id),
    owner_id: userId,
    additional_owners: JSON.stringify(owners),
    category,
    state: 'OPEN',
    bytes,
    hash: null,
    content_type: null,
    width: null,
    height: null,
    duration_ms: null,
    poster_hash: null,
    poster_type: null,
    posted: 0,
    lease_until: 0,
    expires_at: now + WAITS_MS,
    created_at: now,
  }
}

/** What a file tells about a medium. A picture is ready as it is; what moves needs a poster first. */
const foundIn = ({ kind, contentType, width, height, durationMs }: Inspected, { hash, bytes }: Kept) => ({
  state: kind === 'IMAGE' ? 'READY' : 'PENDING',
  hash,
  bytes,
  content_type: contentType,
  width,
  height,
  duration_ms: durationMs,
})

/** Adds a medium while its owner has room for it. */
async function add(tx: Transaction, row: MediaRow, { config }: Context): Promise<void> {
  // Two uploads at once must not both take the last room.
  await tx.first(lockAuthor, { id: row.owner_id })
  const taken = Number((await tx.first(bytesOfOwner, { owner: row.owner_id }))?.total ?? 0)
  if (taken + row.bytes > config.mediaPerUser) throw refuse('media room full', `${taken} bytes taken`)
  await tx.run(addMedia, row)
}
