import { enqueue } from '../../platform/queue/enqueue.ts'
import { again, DONE, exponential, schedule, type TaskKind } from '../../platform/queue/task.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import type { MediaTaskDependencies } from './dependencies.ts'
import { firstFrame } from './inspect/gif.ts'
import { readImage } from './inspect/image.ts'
import { addDeletionCandidates, claimIn, useIn, wrongDuration } from './media.ts'
import { firstFrameOf, type PosterVideo } from './poster/ffmpeg.ts'
import { plainPicture, posterSize } from './poster/placeholder.ts'
import {
  candidateFiles,
  clearCandidates,
  expiredMedia,
  finishMedia,
  forgetFile,
  markedFile,
  markFiles,
  mediaById,
  removeMedia,
  segmentsOfMany,
  subtitlesOfMany,
} from './queries.ts'
import { releaseFile } from './subtitles.ts'
import type { MediaRow } from './tables.ts'
import { collectMedia, deleteFile, processMedium, releaseAccountMedia } from './tasks.ts'
import { releaseStep } from './uses.ts'

// Background tasks for uploaded and unused media.

/** Media that one node processes at a time, each in a separate process. */
const PROCESSED_AT_ONCE = 2
/** Longer than the processing of any medium takes. */
const PROCESS_LEASE_MS = 60_000
const MAX_PROCESS_ATTEMPTS = 10
const FIRST_RETRY_MS = 60_000
const MAX_RETRY_MS = 3_600_000

/**
 * Creates the posters of GIFs and videos. If the file is missing or broken, or lasts too long or
 * not long enough, the medium fails.
 */
export const mediaProcessing = (
  context: MediaTaskDependencies,
): TaskKind<{ medium: string; user: string }> => ({
  type: processMedium,
  leaseMs: PROCESS_LEASE_MS,
  maxAttempts: MAX_PROCESS_ATTEMPTS,
  backoff: exponential(FIRST_RETRY_MS, MAX_RETRY_MS),
  concurrency: PROCESSED_AT_ONCE,
  async run({ medium: id }, { signal }) {
    const row = await context.store.first(mediaById, { id })
    if (row?.state !== 'PENDING') return DONE
    const poster = await posterOf(row, context, signal)
    const stored = poster && (await context.files.put(poster.content, claimIn(context)))
    return async (tx) => {
      const [poster_hash, poster_type] = stored ? [stored.hash, poster.type] : [null, null]
      const state = stored ? 'READY' : 'FAILED'
      const finished = await tx.run(finishMedia, { id, state, poster_hash, poster_type })
      if (finished > 0 && stored) await useIn(tx, stored, context)
      context.log.debug({ media: id, failed: !stored }, 'media processed')
      return DONE
    }
  },
  async onDeadLetter({ medium: id }, tx) {
    await tx.run(finishMedia, { id, state: 'FAILED', poster_hash: null, poster_type: null })
  },
})

interface PosterImage {
  content: Buffer
  type: string
}

/** The first frame of a GIF or video; undefined if it fails. */
async function posterOf(
  row: MediaRow,
  context: Pick<MediaTaskDependencies, 'files' | 'machineClock' | 'ffmpeg' | 'log'>,
  stopping: AbortSignal,
): Promise<PosterImage | undefined> {
  const { files } = context
  const { hash, bytes, content_type, width, height } = row
  if (hash === null || width === null || height === null) return undefined
  if (wrongDuration(row) !== undefined) return undefined
  if ((await files.size(hash)) !== bytes) return undefined
  if (content_type !== 'image/gif')
    return videoPoster({ id: row.id, hash, bytes, width, height }, context, stopping)
  const content = await firstFrame(await files.read(hash, 0, bytes))
  return content && { content, type: 'image/gif' }
}

/** The first frame of a video; a placeholder of the same shape without ffmpeg, or when it fails. */
async function videoPoster(
  video: PosterVideo & { id: string },
  context: Pick<MediaTaskDependencies, 'files' | 'machineClock' | 'ffmpeg' | 'log'>,
  stopping: AbortSignal,
): Promise<PosterImage> {
  const size = posterSize(video)
  if (context.ffmpeg !== undefined)
    try {
      const content = await firstFrameOf({ ...video, ...size }, context.ffmpeg, { ...context, stopping })
      if ((await readImage(content))?.contentType === 'image/jpeg') return { content, type: 'image/jpeg' }
      throw new Error('it printed no picture')
    } catch (error) {
      stopping.throwIfAborted()
      context.log.warn(
        { err: error, media: video.id },
        'ffmpeg could not extract a first frame: the poster is a placeholder',
      )
    }
  return { content: plainPicture(size), type: 'image/png' }
}

/** Rows that one transaction checks. */
const STEP = 4

/** Releases the media of deleted accounts. */
export const accountRelease = (): TaskKind<{ account: string }> => ({
  type: releaseAccountMedia,
  leaseMs: 60_000,
  maxAttempts: MAX_DELETE_ATTEMPTS,
  backoff: exponential(FIRST_RETRY_MS, MAX_RETRY_MS),
  concurrency: 1,
  run:
    async ({ account }) =>
    async (tx) =>
      (await releaseStep(tx, account, STEP)) ? again(tx.now) : DONE,
})

const COLLECT_EVERY_MS = 300_000
/** Longer than any collection takes. */
const COLLECT_LEASE_MS = 600_000

export const mediaCollection = (context: Pick<MediaTaskDependencies, 'store' | 'files' | 'clock'>) =>
  schedule(
    collectMedia,
    {
      everyMs: COLLECT_EVERY_MS,
      leaseMs: COLLECT_LEASE_MS,
      run: (signal) => collectUnused(context, signal),
    },
    context.clock,
  )

/** Longer than writing a file takes. */
const PASSING_MS = 6 * 3_600_000

/** Deletes unused media that have expired, and unused files. */
export async function collectUnused(
  context: Pick<MediaTaskDependencies, 'store' | 'files' | 'clock'>,
  signal?: AbortSignal,
): Promise<void> {
  for (const step of [deleteExpired, markUnused])
    while (!signal?.aborted && (await context.store.write((tx) => step(tx, context))));
  await context.files.removePassing(context.clock.now() - PASSING_MS)
}

async function deleteExpired(
  tx: Transaction,
  context: Pick<MediaTaskDependencies, 'clock'>,
): Promise<boolean> {
  const expired = await tx.all(expiredMedia, { now: tx.now, limit: STEP })
  if (expired.length === 0) return false
  const ids = JSON.stringify(expired.map(({ id }) => id))
  const segments = await tx.all(segmentsOfMany, { ids })
  const subtitles = await tx.all(subtitlesOfMany, { ids })
  await tx.run(removeMedia, { ids })
  // Subtitles go with the last video that has them.
  for (const id of new Set(subtitles.map(({ subtitles_id }) => subtitles_id)))
    await releaseFile(tx, id, tx.now)
  const hashes = [
    ...expired.flatMap((medium) => [medium.hash, medium.poster_hash]),
    ...segments.map(({ hash }) => hash),
  ]
  await addDeletionCandidates(tx, hashes, context)
  return expired.length === STEP || subtitles.length > 0
}

/**
 * Marks unused files for deletion. Looks only at candidates: files whose last use may have ended.
 */
async function markUnused(tx: Transaction): Promise<boolean> {
  const candidates = await tx.all(candidateFiles, { now: tx.now, limit: STEP })
  if (candidates.length === 0) return false
  const hashes = JSON.stringify(candidates.map(({ hash }) => hash))
  const marked = await tx.all(markFiles, { hashes })
  await tx.run(clearCandidates, { hashes })
  await enqueue(tx, ...marked.map(({ hash }) => deleteFile.task({ hash })))
  return candidates.length === STEP
}

/** Longer than deleting a file takes. Afterwards, the same file may be stored again. */
const DELETE_LEASE_MS = 600_000
const DELETED_AT_ONCE = 4
/** With the longest pauses between them, this takes some days. */
const MAX_DELETE_ATTEMPTS = 100

/** Deletes marked files. A file is deleted before its row; concurrent uses get a 503. */
export const fileDeletion = ({
  store,
  files,
}: Pick<MediaTaskDependencies, 'store' | 'files'>): TaskKind<{ hash: string }> => ({
  type: deleteFile,
  leaseMs: DELETE_LEASE_MS,
  maxAttempts: MAX_DELETE_ATTEMPTS,
  backoff: exponential(FIRST_RETRY_MS, MAX_RETRY_MS),
  concurrency: DELETED_AT_ONCE,
  async run({ hash }, { signal }) {
    const isMarked = await store.first(markedFile, { hash })
    // Another worker may have deleted it, and the same file may have been uploaded again.
    signal.throwIfAborted()
    if (!isMarked) return DONE
    await files.remove(hash)
    return async (tx) => {
      await tx.run(forgetFile, { hash })
      return DONE
    }
  },
})
