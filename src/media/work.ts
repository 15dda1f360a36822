import type { Context } from '../context.ts'
import type { Transaction } from '../storage/store.ts'
import type { MediaRow } from '../storage/tables.ts'
import { firstFrame } from './inspect/gif.ts'
import { readImage } from './inspect/image.ts'
import { claimIn, suspect, useIn } from './media.ts'
import { type Framed, firstFrameOf } from './poster/ffmpeg.ts'
import { plainPicture, posterSize } from './poster/placeholder.ts'
import {
  condemnFiles,
  expiredMedia,
  forgetFile,
  goingFiles,
  leaseGoing,
  leaseMedia,
  removeMedia,
  segmentsOfMany,
  settleMedia,
  suspectedFiles,
  trustFiles,
  waitingMedia,
} from './queries.ts'
import { releaseDueAccounts } from './uses.ts'

// What is done with media after they were uploaded, and after nobody needs them any more. Every node does it.

/** Media that one node works on at a time, each in a process of its own. */
const LOT = 2
/** After it, another node may try. No medium takes so long. */
const LEASE_MS = 60_000

/** Makes what GIFs and videos need before they can be shown. What was begun when it has to stop is done after a start. */
export async function workOnMedia(context: Context, stopping: AbortSignal): Promise<void> {
  const { store, clock } = context
  // Most of the time there is nothing to do, and looking writes nothing.
  while (!stopping.aborted && (await store.first(waitingMedia, { now: clock.now() }))) {
    const now = clock.now()
    const lot = await store.write((tx) => tx.all(leaseMedia, { now, until: now + LEASE_MS, limit: LOT }))
    await Promise.all(lot.map((row) => settle(row, context, stopping).catch(failed(row, context, stopping))))
  }
}

/** It is tried again when its lease is over, behind the others. */
const failed =
  ({ id }: MediaRow, { log }: Context, stopping: AbortSignal) =>
  (error: unknown) => {
    if (!stopping.aborted) log.error({ err: error, media: id }, 'a medium was not worked on')
  }

/** Gives a medium its poster. One whose file is gone or broken has failed. */
async function settle(row: MediaRow, context: Context, stopping: AbortSignal): Promise<void> {
  const poster = await posterOf(row, context, stopping)
  const kept = poster && (await context.files.put(poster.content, claimIn(context)))
  await context.store.write(async (tx) => {
    const settled = await tx.run(settleMedia, {
      id: row.id,
      state: kept ? 'READY' : 'FAILED',
      poster_hash: kept?.hash ?? null,
      poster_type: kept ? poster.type : null,
    })
    if (settled > 0 && kept) await useIn(tx, kept, context)
  })
  context.log.debug({ media: row.id, failed: !kept }, 'medium worked on')
}

interface Poster {
  content: Buffer
  type: string
}

/** The first picture of a GIF or video. */
async function posterOf(row: MediaRow, context: Context, stopping: AbortSignal): Promise<Poster | undefined> {
  const { files } = context
  const { hash, bytes, content_type, width, height } = row
  if (hash === null || width === null || height === null) return undefined
  if ((await files.size(hash)) !== bytes) return undefined
  if (content_type !== 'image/gif')
    return videoPoster({ id: row.id, hash, bytes, width, height }, context, stopping)
  const content = firstFrame(await files.read(hash, 0, bytes))
  return content && { content, type: 'image/gif' }
}

/** The first frame of a video; a plain picture of the same form where no ffmpeg is, or where it fails. */
async function videoPoster(
  video: Framed & { id: string },
  context: Context,
  stopping: AbortSignal,
): Promise<Poster> {
  const size = posterSize(video)
  if (context.ffmpeg !== undefined)
    try {
      const content = await firstFrameOf({ ...video, ...size }, context.ffmpeg, { ...context, stopping })
      if (readImage(content)?.contentType === 'image/jpeg') return { content, type: 'image/jpeg' }
      throw new Error('it printed no picture')
    } catch (error) {
      stopping.throwIfAborted()
      context.log.warn(
        { err: error, media: video.id },
        'ffmpeg took no first frame: the poster is a placeholder',
      )
    }
  return { content: plainPicture(size), type: 'image/png' }
}

/** Lets go of what deleted accounts used, forgets media that nobody used in time, and files that nothing uses. */
export async function forgetMedia(context: Context): Promise<void> {
  const { store, files, clock } = context
  await inLots(context, releaseAccounts)
  await inLots(context, forgetExpired)
  await inLots(context, condemnUnused)
  for (;;) {
    const going = await store.all(goingFiles, { now: clock.now(), limit: SWEEP })
    if (going.length === 0) break
    for (const { hash } of going) await takeAway(hash, context)
  }
  await files.removePassing(clock.now() - PASSING_MS)
}

/** Taking a file away takes far less. */
const TAKING_MS = 600_000

/**
 * Takes a file away under a lease: it may be gone by now, and back because somebody uploaded the same. The file goes
 * before its row: whoever wants it meanwhile is told to come back.
 */
async function takeAway(hash: string, { store, files, clock, log }: Context): Promise<void> {
  const now = clock.now()
  const until = now + TAKING_MS
  if ((await store.write((tx) => tx.run(leaseGoing, { hash, now, until }))) === 0) return
  try {
    await files.remove(hash)
  } catch (error) {
    // It is tried again when its lease is over, behind the others.
    log.error({ err: error, file: hash }, 'a file was not taken away')
    return
  }
  await store.write((tx) => tx.run(forgetFile, { hash, until }))
}

/** Writing a file takes far less. */
const PASSING_MS = 6 * 3_600_000

/** What one transaction of a sweep looks at. */
const SWEEP = LOT * LOT

/** A step, which tells whether there may be more, until there is nothing left. Each is a short transaction. */
async function inLots(context: Context, step: (tx: Transaction, context: Context) => Promise<boolean>) {
  while (await context.store.write((tx) => step(tx, context)));
}

const releaseAccounts = (tx: Transaction, context: Context) => releaseDueAccounts(tx, context, SWEEP)

async function forgetExpired(tx: Transaction, context: Context): Promise<boolean> {
  const expired = await tx.all(expiredMedia, { now: context.clock.now(), limit: SWEEP })
  if (expired.length === 0) return false
  const ids = JSON.stringify(expired.map(({ id }) => id))
  const segments = await tx.all(segmentsOfMany, { ids })
  await tx.run(removeMedia, { ids })
  const hashes = [
    ...expired.flatMap((one) => [one.hash, one.poster_hash]),
    ...segments.map(({ hash }) => hash),
  ]
  await suspect(tx, hashes, context)
  return expired.length === SWEEP
}

/** Marks files as going that nothing uses. Only those are looked at that may have lost what used them. */
async function condemnUnused(tx: Transaction, { clock }: Context): Promise<boolean> {
  const suspected = await tx.all(suspectedFiles, { now: clock.now(), limit: SWEEP })
  if (suspected.length === 0) return false
  const hashes = JSON.stringify(suspected.map(({ hash }) => hash))
  await tx.run(condemnFiles, { hashes })
  await tx.run(trustFiles, { hashes })
  return suspected.length === SWEEP
}
