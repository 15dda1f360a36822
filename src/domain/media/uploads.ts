import { lockAuthor } from '../../identity/users/queries.ts'
import { renewing } from '../../platform/common/renewing.ts'
import { msg } from '../../platform/http/message.ts'
import { apiError } from '../../platform/protocols/catalogue.ts'
import { enqueue } from '../../platform/queue/enqueue.ts'
import type { StoredFile } from '../../platform/storage/files/files.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import type { MediaDependencies, StoringDependencies } from './dependencies.ts'
import { inspect, sourceOf } from './inspect/inspect.ts'
import type { InspectedFile } from './inspect/inspected.ts'
import {
  addDeletionCandidates,
  claimIn,
  type FileCategory,
  IDLE_UPLOAD_MS,
  isExpired,
  keyOf,
  type MediaPurpose,
  mayUse,
  RULES,
  UNUSED_MEDIUM_MS,
  useIn,
} from './media.ts'
import {
  addMedia,
  bytesOfOwner,
  completeMedia,
  freeUpload,
  leaseUpload,
  lockMedia,
  mediaById,
  prolongUpload,
  putSegment,
  removeMedia,
  removeSegments,
  renewUpload,
  segmentsOf,
} from './queries.ts'
import type { MediaRow, MediaSegmentRow } from './tables.ts'
import { processMedium } from './tasks.ts'
import {
  categoryFor,
  categoryOfHead,
  categoryOfType,
  isOf,
  MAX_SEGMENT_BYTES,
  MAX_WHOLE_BYTES,
  rejectLarge,
  rejectOtherType,
  uploadError,
} from './upload-rules.ts'

/** The user who uploads, with the dependencies of uploads. */
export interface UploadCaller {
  userId: string
  context: MediaDependencies
  /** How the caller names an upload. */
  idName?: 'id' | 'media_id'
}

/** The properties of an upload besides its content. */
export interface UploadOptions {
  category: FileCategory | undefined
  /** Whether posts or messages show it; undefined if no category was named. */
  madeFor?: MediaPurpose | undefined
  /** Users who may also use it. */
  owners: readonly string[]
  /** Whether several direct messages may show it. */
  shared: boolean
}

/** Uploads a file in one request. */
export async function uploadWhole(
  {
    content,
    contentType,
    category,
    ...sharing
  }: UploadOptions & { content: Buffer; contentType?: string | undefined },
  { userId, context }: UploadCaller,
): Promise<MediaRow> {
  if (category) rejectOtherType(category, contentType)
  // A file that is too large is not inspected.
  rejectLarge(category ?? categoryOfHead(content), content.length, MAX_WHOLE_BYTES)
  const found = await inspect(sourceOf(content), userId)
  const fitting = categoryFor(found, category)
  const { store, files } = context
  const reserved = newRow(
    { category: fitting, bytes: content.length, ...sharing },
    userId,
    newUpload(context),
  )
  // The quota is charged before anything is written to disk.
  await store.write((tx) => add(tx, reserved, 'media', context))
  try {
    const stored = await files.put(content, claimIn(context))
    return await store.write((tx) =>
      complete(tx, reserved, fileColumns(found as InspectedFile, stored, fitting), context),
    )
  } catch (error) {
    // If this fails too, the quota is released when the upload expires.
    await store
      .write((tx) => tx.run(removeMedia, { ids: JSON.stringify([reserved.id]) }))
      .catch(() => undefined)
    throw error
  }
}

/** A stored file that becomes a medium with `addWhole`. */
export interface WholeFile {
  readonly category: FileCategory
  readonly columns: ReturnType<typeof fileColumns>
}

/**
 * Stores a file, in one piece, for a medium that is written later. Rejects what an upload would
 * reject. Without a medium, it is deleted again.
 */
export async function storeWhole(
  content: Buffer,
  { userId, context }: { userId: string; context: StoringDependencies },
): Promise<WholeFile> {
  rejectLarge(categoryOfHead(content), content.length, MAX_WHOLE_BYTES)
  const found = await inspect(sourceOf(content), userId)
  const category = categoryFor(found, undefined)
  const stored = await context.files.put(content, claimIn(context))
  return { category, columns: fileColumns(found as InspectedFile, stored, category) }
}

/** Adds a medium with a stored file within the quota of its owner. */
export async function addWhole(
  tx: Transaction,
  file: WholeFile,
  options: WholeMedium,
  context: Pick<MediaDependencies, 'clock' | 'config'>,
): Promise<MediaRow> {
  const row = { ...rowOfWhole(file, options), expires_at: context.clock.now() + UNUSED_MEDIUM_MS }
  await add(tx, row, 'media', context)
  await useIn(tx, row, context)
  if (row.state === 'PENDING') await enqueue(tx, processMedium.task({ medium: row.id, user: row.owner_id }))
  return row
}

interface WholeMedium {
  id: string
  userId: string
  altText: string | undefined
  /** When it was uploaded. */
  now: number
}

/** The row of a medium with a stored file. */
export const rowOfWhole = (
  { category, columns }: WholeFile,
  { id, userId, altText, now }: WholeMedium,
): MediaRow => ({
  ...newRow({ category, bytes: columns.bytes, owners: [], shared: false }, userId, { id, now }),
  ...columns,
  alt_text: altText ?? null,
})

/** Begins an upload in segments. */
export async function openUpload(
  { category, contentType, bytes, ...sharing }: SegmentedUploadInput,
  { userId, context }: UploadCaller,
): Promise<MediaRow> {
  const announced = category ?? categoryOfType(contentType)
  rejectOtherType(announced, contentType)
  rejectLarge(announced, bytes)
  const row = newRow({ category: announced, bytes, ...sharing }, userId, newUpload(context))
  await context.store.write((tx) => add(tx, row, 'total_bytes', context))
  return row
}

type SegmentedUploadInput = UploadOptions & { contentType: string; bytes: number }

/** Accepts one segment. */
export async function appendSegment(
  { mediaId, index }: { mediaId: string; index: number },
  content: Buffer,
  at: UploadCaller,
): Promise<MediaRow> {
  const { store, files } = at.context
  const bytes = content.length
  if (bytes > MAX_SEGMENT_BYTES) {
    const why = msg`A segment has up to ${MAX_SEGMENT_BYTES} bytes, this one has ${bytes}.`
    throw uploadError('media too large', { name: 'media', why })
  }
  const segment = { mediaId, index, bytes }
  // Checked before anything is written, so that an upload takes no more disk space than announced.
  const known = await store.first(mediaById, { id: mediaId })
  await rejectNotFitting(segment, rejectNotOpen(known, mediaId, at), store)
  const stored = await files.put(content, claimIn(at.context))
  return releasingOnError(stored, at.context, () =>
    store.write(async (tx) => {
      const row = rejectNotOpen(await tx.first(lockMedia, { id: mediaId }), mediaId, at)
      if (row.finishing_until > at.context.clock.now()) throw beingFinished(mediaId)
      const replaced = await rejectNotFitting(segment, row, tx)
      await useIn(tx, stored, at.context)
      await tx.run(putSegment, { media_id: mediaId, segment_index: index, ...stored })
      if (replaced && replaced.hash !== stored.hash)
        await addDeletionCandidates(tx, [replaced.hash], at.context)
      const expires_at = at.context.clock.now() + IDLE_UPLOAD_MS
      await tx.run(prolongUpload, { id: mediaId, expiresAt: expires_at })
      return { ...row, expires_at }
    }),
  )
}

interface SegmentPosition {
  mediaId: string
  index: number
  bytes: number
}

/** Rejects a segment that does not fit into its upload. Returns the segment that it replaces. */
async function rejectNotFitting(
  { mediaId, index, bytes }: SegmentPosition,
  row: MediaRow,
  tx: Pick<Transaction, 'all'>,
): Promise<MediaSegmentRow | undefined> {
  const segments = await tx.all(segmentsOf, { mediaId })
  const others = segments.filter(({ segment_index }) => segment_index !== index)
  const sum = bytesIn(others) + bytes
  if (sum > row.bytes) {
    const why = msg`With this segment the upload has ${sum} bytes, more than the ${row.bytes} of total_bytes.`
    throw uploadError('media segments wrong', { name: 'media', why })
  }
  return segments.find(({ segment_index }) => segment_index === index)
}

/** Joins the segments into one file, and inspects it. */
export async function finalizeUpload(mediaId: string, at: UploadCaller): Promise<MediaRow> {
  const { store } = at.context
  const known = await store.first(mediaById, { id: mediaId })
  // A client that did not receive the response repeats the request.
  if (isComplete(known, at.userId)) return known
  const open = rejectNotOpen(known, mediaId, at)
  return withUploadLease(mediaId, at, async (claim) => {
    // Read once no further segment is accepted, so that none is stored but missing from the file.
    const segments = await store.all(segmentsOf, { mediaId })
    rejectGaps(open, segments, at)
    return finish({ ...open, segments }, claim, at)
  })
}

function rejectGaps({ id, bytes }: MediaRow, segments: readonly MediaSegmentRow[], at: UploadCaller): void {
  const gap = segments.findIndex(({ segment_index }, index) => segment_index !== index)
  const received = bytesIn(segments)
  if (gap === -1 && received === bytes) return
  const why =
    gap === -1
      ? msg`The segments of the upload ${id} have ${received} of the ${bytes} bytes of total_bytes.`
      : msg`The upload ${id} has no segment ${gap}, but a later one.`
  throw uploadError('media segments wrong', { name: nameIn(at), value: id, why })
}

/** If its claim has not been renewed for this long, another request may finish an upload. */
const FINISHING_MS = 60_000

/** The claim of one request to finish an upload. */
interface UploadClaim {
  readonly id: string
  until: number
}

/** Lets one request at a time finish an upload: each writes the whole file. Others get a 503. */
async function withUploadLease(
  id: string,
  { userId, context: { store, clock } }: UploadCaller,
  work: (claim: UploadClaim) => Promise<MediaRow>,
): Promise<MediaRow> {
  const now = clock.now()
  const claim = { id, until: now + FINISHING_MS }
  const lease = { now, expiresAt: now + IDLE_UPLOAD_MS, ...claim }
  if ((await store.write((tx) => tx.run(leaseUpload, lease))) === 0) {
    const known = await store.first(mediaById, { id })
    if (isComplete(known, userId)) return known
    throw beingFinished(id)
  }
  try {
    return await work(claim)
  } catch (error) {
    await store.write((tx) => tx.run(freeUpload, claim)).catch(() => undefined)
    throw error
  }
}

const beingFinished = (id: string) => apiError('over capacity', `the upload ${id} is being finished`)

/** Renews the claim of an upload while `work` reads and writes the whole file. */
const whileClaimed = <Result>(
  claim: UploadClaim,
  { store, clock }: Pick<MediaDependencies, 'store' | 'clock'>,
  work: () => Promise<Result>,
): Promise<Result> => {
  const renew = async () => {
    const now = clock.now()
    const renewed = now + FINISHING_MS
    const renewal = { ...claim, now, renewed, expiresAt: now + IDLE_UPLOAD_MS }
    const isRenewed = (await store.write((tx) => tx.run(renewUpload, renewal))) === 1
    if (isRenewed) claim.until = renewed
  }
  // If a renewal failed, finishing the upload will fail too.
  return renewing({ clock, everyMs: FINISHING_MS / 2, renew, onError: () => undefined }, work)
}

/** Prevents that a segment accepted after the claim was lost is missing from the file. */
function rejectLost({ id, finishing_until }: MediaRow, { until }: UploadClaim, now: number): void {
  if (finishing_until !== until || until <= now) throw beingFinished(id)
}

async function finish(
  { segments, ...open }: MediaRow & { segments: readonly MediaSegmentRow[] },
  claim: UploadClaim,
  at: UploadCaller,
): Promise<MediaRow> {
  const { store, files } = at.context
  const hashes = segments.map(({ hash }) => hash)
  const joinAndInspect = async () => {
    const stored = await files.join(hashes, claimIn(at.context))
    const source = { ...stored, read: (start: number, end: number) => files.read(stored.hash, start, end) }
    const found = inspect(source, at.userId)
    return { stored, found: await releasingOnError(stored, at.context, () => found) }
  }
  const { stored, found } = await whileClaimed(claim, at.context, joinAndInspect)
  return releasingOnError(stored, at.context, async () => {
    const category = fittingCategory(open, found)
    if (!isOf(found, category)) await store.write((tx) => removeFailedUpload(tx, claim, at.context))
    categoryFor(found, category, { name: nameIn(at), value: open.id })
    return store.write(async (tx) => {
      const row = await tx.first(lockMedia, { id: open.id })
      // Another request claimed it meanwhile, and finished first.
      if (isComplete(row, at.userId)) return row
      const current = rejectNotOpen(row, open.id, at)
      rejectLost(current, claim, at.context.clock.now())
      const fitting = { ...current, category, media_key: keyOf(category, open.id) }
      return complete(tx, fitting, fileColumns(found as InspectedFile, stored, category), at.context)
    })
  })
}

/** A still image that was announced as a GIF, by its type alone, is an image. */
const fittingCategory = (
  { category, made_for }: Pick<MediaRow, 'category' | 'made_for'>,
  found: InspectedFile | undefined,
): FileCategory =>
  made_for === null && category === 'POST_GIF' && found?.kind === 'IMAGE'
    ? 'POST_IMAGE'
    : (category as FileCategory)

/** Releases the quota of a failed upload. */
async function removeFailedUpload(
  tx: Transaction,
  claim: UploadClaim,
  context: Pick<MediaDependencies, 'clock'>,
): Promise<void> {
  const { id } = claim
  const row = await tx.first(lockMedia, { id })
  if (row?.state !== 'OPEN') return
  rejectLost(row, claim, context.clock.now())
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

/** Turns a complete upload into a medium with the properties of its file. */
async function complete(
  tx: Transaction,
  row: MediaRow,
  found: ReturnType<typeof fileColumns>,
  context: Pick<MediaDependencies, 'clock'>,
): Promise<MediaRow> {
  const completed = { ...row, ...found, expires_at: context.clock.now() + UNUSED_MEDIUM_MS }
  if ((await tx.run(completeMedia, completed)) === 0) throw apiError('media not found')
  await useIn(tx, completed, context)
  if (completed.state === 'PENDING')
    await enqueue(tx, processMedium.task({ medium: row.id, user: row.owner_id }))
  const segments = await tx.all(segmentsOf, { mediaId: row.id })
  await tx.run(removeSegments, { mediaId: row.id })
  const obsolete = segments.filter(({ hash }) => hash !== completed.hash)
  await addDeletionCandidates(
    tx,
    obsolete.map(({ hash }) => hash),
    context,
  )
  return completed
}

/**
 * Runs the work that uses a stored file. If it fails, the file becomes a candidate for deletion.
 */
async function releasingOnError<T>(
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

const nameIn = ({ idName }: UploadCaller) => idName ?? 'media_id'

/** An upload in progress. Only the user who started it may send to it, until it expires. */
function rejectNotOpen(row: MediaRow | undefined, id: string, at: UploadCaller): MediaRow {
  const { userId, context } = at
  if (row?.owner_id !== userId || isExpired(row, context.clock.now())) throw noUpload(id, at)
  if (row.state === 'OPEN') return row
  const why = msg`The upload ${id} is finished: it takes no more segments.`
  throw uploadError('media not found', { name: nameIn(at), value: id, why })
}

const noUpload = (id: string, at: UploadCaller) =>
  uploadError('media not found', {
    name: nameIn(at),
    value: id,
    why: msg`There is no upload ${id} of this user, or it has expired.`,
  })

/** An upload that a user may see: one by this user, or for this user. */
export async function uploadSeenBy(mediaId: string, at: UploadCaller): Promise<MediaRow> {
  const row = await at.context.store.first(mediaById, { id: mediaId })
  if (!row || !mayUse(row, at.userId, at.context.clock.now())) throw noUpload(mediaId, at)
  return row
}

const newUpload = ({ ids, clock }: Pick<MediaDependencies, 'ids' | 'clock'>) => ({
  id: ids.next(),
  now: clock.now(),
})

function newRow(
  {
    category,
    madeFor,
    bytes,
    owners,
    shared,
  }: Omit<UploadOptions, 'category'> & { category: FileCategory; bytes: number },
  userId: string,
  { id, now }: { id: string; now: number },
): MediaRow {
  return {
    id,
    media_key: keyOf(category, id),
    owner_id: userId,
    additional_owners: JSON.stringify(owners),
    shared: shared ? 1 : 0,
    category,
    made_for: madeFor ?? null,
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
    expires_at: now + IDLE_UPLOAD_MS,
    created_at: now,
  }
}

/**
 * The properties of a medium, from its file. GIFs and videos need a poster before they are ready.
 */
const fileColumns = (
  { contentType, width, height, durationMs }: InspectedFile,
  { hash, bytes }: StoredFile,
  category: FileCategory,
) => ({
  state: needsPoster(category) ? 'PENDING' : 'READY',
  hash,
  bytes,
  content_type: contentType,
  width,
  height,
  duration_ms: durationMs,
})

const needsPoster = (category: FileCategory) => ['GIF', 'VIDEO'].includes(RULES[category].kind)

/** Adds a medium within the quota of its owner. */
async function add(
  tx: Transaction,
  row: MediaRow,
  name: 'media' | 'total_bytes',
  { config: { mediaPerUser: quota } }: Pick<MediaDependencies, 'config'>,
): Promise<void> {
  // Two concurrent uploads must not both take the rest of the quota.
  await tx.first(lockAuthor, { id: row.owner_id })
  const used = await tx.first(bytesOfOwner, { owner: row.owner_id, now: row.created_at })
  const taken = used?.total ?? 0
  if (taken + row.bytes > quota) {
    const why = msg`The media of this user take ${taken} of ${quota} bytes: there is no room for ${row.bytes} more.`
    throw uploadError('media quota exceeded', {
      name,
      value: name === 'media' ? undefined : String(row.bytes),
      why,
    })
  }
  await tx.run(addMedia, row)
}
