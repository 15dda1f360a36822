import type { MediaDependencies } from './dependencies.ts'
import { apiError } from '../protocols/catalogue.ts'
import type { StoredFile } from '../storage/files/files.ts'
import type { Transaction } from '../storage/store.ts'
import type { MediaRow, MediaSegmentRow } from '../storage/tables.ts'
import { enqueue } from '../queue/enqueue.ts'
import { lockAuthor } from '../users/queries.ts'
import type { Inspected } from './inspect/inspected.ts'
import { inspect, sourceOf } from './inspect/inspect.ts'
import type { Category } from './media.ts'
import { CATEGORY_OF, claimIn, keyOf, RULES, addDeletionCandidates, useIn, WAITS_MS } from './media.ts'
import { processMedium } from './tasks.ts'
import {
  addMedia,
  bytesOfOwner,
  completeMedia,
  freeUpload,
  leaseUpload,
  lockMedia,
  mediaById,
  putSegment,
  removeMedia,
  removeSegments,
  segmentsOf,
} from './queries.ts'

const MAX_SEGMENT_BYTES = 5 * 1024 * 1024
interface Uploader {
  userId: string
  context: MediaDependencies
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
  rejectLarge(category ?? categoryOfHead(content), content.length)
  const found = await inspect(sourceOf(content))
  const fitting = categoryFor(found, category)
  if (found?.kind === 'VIDEO') throw apiError('media too large', 'videos are sent in segments')
  const { store, files } = context
  const reserved = newRow({ category: fitting, bytes: content.length, owners }, userId, context)
  // The quota is charged before anything is written to disk.
  await store.write((tx) => add(tx, reserved, context))
  try {
    const stored = await files.put(content, claimIn(context))
    return await store.write((tx) => complete(tx, reserved, foundIn(found as Inspected, stored), context))
  } catch (error) {
    // Where even that fails, the quota is released when the upload expires.
    await store
      .write((tx) => tx.run(removeMedia, { ids: JSON.stringify([reserved.id]) }))
      .catch(() => undefined)
    throw error
  }
}

/** Begins an upload in segments. */
export async function openUpload(
  { category, contentType, bytes, owners }: Wanted & { contentType: string; bytes: number },
  { userId, context }: Uploader,
): Promise<MediaRow> {
  const announced = category ?? categoryOfType(contentType)
  rejectLarge(announced, bytes)
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
  if (content.length > MAX_SEGMENT_BYTES) throw apiError('media too large', 'a segment')
  const { store, files } = context
  const place = { mediaId, index, bytes: content.length, userId }
  // Checked before anything is written, so that no upload takes more disk space than was announced.
  await rejectNotFitting(place, await store.first(mediaById, { id: mediaId }), store)
  const stored = await files.put(content, claimIn(context))
  await releasing(stored, context, () =>
    store.write(async (tx) => {
      const replaced = await rejectNotFitting(place, await tx.first(lockMedia, { id: mediaId }), tx)
      await useIn(tx, stored, context)
      await tx.run(putSegment, { media_id: mediaId, segment_index: index, ...stored })
      if (replaced && replaced.hash !== stored.hash) await addDeletionCandidates(tx, [replaced.hash], context)
    }),
  )
}

interface Place {
  mediaId: string
  index: number
  bytes: number
  userId: string
}

/** Rejects a segment that does not fit into its upload. Otherwise returns the one that it replaces. */
async function rejectNotFitting(
  { mediaId, index, bytes, userId }: Place,
  found: MediaRow | undefined,
  tx: Pick<Transaction, 'all'>,
): Promise<MediaSegmentRow | undefined> {
  const row = rejectNotOpen(found, userId)
  const segments = await tx.all(segmentsOf, { mediaId })
  const others = segments.filter(({ segment_index }) => segment_index !== index)
  if (bytes > row.bytes - bytesIn(others)) throw apiError('media segments wrong', 'more than was announced')
  return segments.find(({ segment_index }) => segment_index === index)
}

/** Makes one file of the segments and finds out what it is. */
export async function finalizeUpload(mediaId: string, { userId, context }: Uploader): Promise<MediaRow> {
  const { store } = context
  // The segments first: they go when the upload is complete, which would look as if some were missing.
  const segments = await store.all(segmentsOf, { mediaId })
  const known = await store.first(mediaById, { id: mediaId })
  // A client that did not hear the answer asks again.
  if (isComplete(known, userId)) return known
  const open = rejectNotOpen(known, userId)
  const inOrder = segments.every(({ segment_index }, index) => segment_index === index)
  if (!inOrder || bytesIn(segments) !== open.bytes)
    throw apiError('media segments wrong', `${bytesIn(segments)} of ${open.bytes} bytes`)
  return leased(mediaId, { userId, context }, () => finish(open, segments, { userId, context }))
}

/** Making one file of the segments takes less. */
const FINISHING_MS = 60_000

/** Finishes an upload once at a time: each time its whole file is written. A concurrent request gets a 503. */
async function leased(
  id: string,
  { userId, context: { store, clock } }: Uploader,
  work: () => Promise<MediaRow>,
): Promise<MediaRow> {
  const now = clock.now()
  const until = now + FINISHING_MS
  if ((await store.write((tx) => tx.run(leaseUpload, { id, now, until }))) === 0) {
    const known = await store.first(mediaById, { id })
    if (isComplete(known, userId)) return known
    throw apiError('over capacity', `the upload ${id} is being finished`)
  }
  try {
    return await work()
  } catch (error) {
    await store.write((tx) => tx.run(freeUpload, { id, until })).catch(() => undefined)
    throw error
  }
}

async function finish(
  open: MediaRow,
  segments: readonly MediaSegmentRow[],
  { userId, context }: Uploader,
): Promise<MediaRow> {
  const { store, files } = context
  const hashes = segments.map(({ hash }) => hash)
  const stored = await files.join(hashes, claimIn(context))
  return releasing(stored, context, async () => {
    const found = await inspect({ ...stored, read: (start, end) => files.read(stored.hash, start, end) })
    const category = open.category as Category
    if (!isOf(found, category)) await store.write((tx) => giveUp(tx, open.id, context))
    categoryFor(found, category)
    return store.write(async (tx) => {
      const row = await tx.first(lockMedia, { id: open.id })
      // Another request took longer than a lease, and still finished first.
      if (isComplete(row, userId)) return row
      return complete(tx, rejectNotOpen(row, userId), foundIn(found as Inspected, stored), context)
    })
  })
}

/** Releases the quota of an upload that came to nothing. */
async function giveUp(tx: Transaction, id: string, context: Pick<MediaDependencies, 'clock'>): Promise<void> {
  const row = await tx.first(lockMedia, { id })
  if (row?.state !== 'OPEN') return
  const segments = await tx.all(segmentsOf, { mediaId: id })
  await tx.run(removeMedia, { ids: JSON.stringify([id]) })
  await addDeletionCandidates(
    tx,
    segments.map(({ hash }) => hash),
    context,
  )
}

const isComplete = (row: MediaRow | undefined, userId: string): row is MediaRow =>
  row?.owner_id === userId && row.hash !== null

/** An upload that is all there becomes a medium of what was found in it. */
async function complete(
  tx: Transaction,
  row: MediaRow,
  found: ReturnType<typeof foundIn>,
  context: Pick<MediaDependencies, 'clock'>,
): Promise<MediaRow> {
  const completed = { ...row, ...found }
  if ((await tx.run(completeMedia, completed)) === 0) throw apiError('media not found')
  await useIn(tx, completed, context)
  if (completed.state === 'PENDING') await enqueue(tx, processMedium.task({ medium: row.id }))
  const segments = await tx.all(segmentsOf, { mediaId: row.id })
  await tx.run(removeSegments, { mediaId: row.id })
  const passing = segments.filter(({ hash }) => hash !== completed.hash)
  await addDeletionCandidates(
    tx,
    passing.map(({ hash }) => hash),
    context,
  )
  return completed
}

/** Does what a file was stored for. When that is rejected, the file is not waited for any longer. */
async function releasing<T>(
  { hash }: StoredFile,
  context: Pick<MediaDependencies, 'store' | 'clock'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await context.store.write((tx) => addDeletionCandidates(tx, [hash], context)).catch(() => undefined)
    throw error
  }
}

const bytesIn = (segments: readonly { bytes: number }[]) =>
  segments.reduce((sum, { bytes }) => sum + bytes, 0)

/** The category of a file that was found to be something; rejects one that is nothing, or not of its category. */
function categoryFor(found: Inspected | undefined, wanted: Category | undefined): Category {
  if (!found) throw apiError('media not readable')
  const category = wanted ?? CATEGORY_OF[found.kind]
  if (!isOf(found, category)) throw apiError('media not readable', `${found.kind} as ${category}`)
  return category
}

const isOf = (found: Inspected | undefined, category: Category) => found?.kind === RULES[category].kind

function categoryOfType(contentType: string): Category {
  if (contentType === 'image/gif') return 'POST_GIF'
  return contentType.startsWith('video/') ? 'POST_VIDEO' : 'POST_IMAGE'
}

/** What a file may be that is sent whole, by its first bytes. */
const categoryOfHead = (content: Buffer): Category =>
  content.toString('latin1', 0, 4) === 'GIF8' ? 'POST_GIF' : 'POST_IMAGE'

function rejectLarge(category: Category, bytes: number): void {
  if (bytes > RULES[category].maxBytes) throw apiError('media too large', `${bytes} bytes of ${category}`)
}

/** An upload in progress. Only the user who started it may send to it. */
function rejectNotOpen(row: MediaRow | undefined, userId: string): MediaRow {
  if (row?.owner_id !== userId || row.state !== 'OPEN') throw apiError('media not found')
  return row
}

function newRow(
  { category, bytes, owners }: { category: Category; bytes: number; owners: readonly string[] },
  userId: string,
  { ids, clock }: Pick<MediaDependencies, 'ids' | 'clock'>,
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
    alt_text: null,
    source_post_id: null,
    finishing_until: 0,
    expires_at: now + WAITS_MS,
    created_at: now,
  }
}

/** The properties of a medium, from its file. Images are ready at once; GIFs and videos need a poster first. */
const foundIn = (
  { kind, contentType, width, height, durationMs }: Inspected,
  { hash, bytes }: StoredFile,
) => ({
  state: kind === 'IMAGE' ? 'READY' : 'PENDING',
  hash,
  bytes,
  content_type: contentType,
  width,
  height,
  duration_ms: durationMs,
})

/** Adds a medium within the quota of its owner. */
async function add(
  tx: Transaction,
  row: MediaRow,
  { config }: Pick<MediaDependencies, 'config'>,
): Promise<void> {
  // Two concurrent uploads must not both take the rest of the quota.
  await tx.first(lockAuthor, { id: row.owner_id })
  const taken = Number((await tx.first(bytesOfOwner, { owner: row.owner_id }))?.total ?? 0)
  if (taken + row.bytes > config.mediaPerUser) throw apiError('media quota exceeded', `${taken} bytes taken`)
  await tx.run(addMedia, row)
}
