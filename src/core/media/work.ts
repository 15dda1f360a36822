import { crc32, deflateSync } from 'node:zlib'
import type { Context } from '../../context.ts'
import type { Transaction } from '../../store/store.ts'
import type { MediaRow } from '../../store/tables.ts'
import { firstFrame } from './inspect/gif.ts'
import { claimIn, suspect, useIn } from './media.ts'
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

/** Media that one node works on at a time. */
const LOT = 10
/** After it, another node may try. */
const LEASE_MS = 60_000

/** Makes what GIFs and videos need before they can be shown. Resolves to how many it finished. */
export async function workOnMedia(context: Context): Promise<number> {
  const { store, clock } = context
  let finished = 0
  // Most of the time there is nothing to do, and looking writes nothing.
  while (await store.first(waitingMedia, { now: clock.now() })) {
    const now = clock.now()
    const lot = await store.write((tx) => tx.all(leaseMedia, { now, until: now + LEASE_MS, limit: LOT }))
    for (const row of lot)
      try {
        await settle(row, context)
        finished++
      } catch (error) {
        // It is tried again when its lease is over, behind the others.
        context.log.error({ err: error, media: row.id }, 'a medium was not worked on')
      }
  }
  return finished
}

/** Gives a medium its poster. One whose file is gone or broken has failed. */
async function settle(row: MediaRow, context: Context): Promise<void> {
  const poster = await posterOf(row, context)
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

/** The first picture of a GIF. Plaza decodes no video: its poster is a plain picture of the same form. */
async function posterOf(row: MediaRow, { files }: Context): Promise<Poster | undefined> {
  const { hash, bytes, content_type, width, height } = row
  if (hash === null || width === null || height === null) return undefined
  if ((await files.size(hash)) !== bytes) return undefined
  if (content_type !== 'image/gif') return { content: plainPicture(width, height), type: 'image/png' }
  const content = firstFrame(await files.read(hash, 0, bytes))
  return content && { content, type: 'image/gif' }
}

const PNG_HEAD = Buffer.from('89504e470d0a1a0a', 'hex')
const GREY = 0x30
/** One byte for each point: grey. */
const EIGHT_BIT_GREY = [8, 0, 0, 0, 0]

const MAX_POSTER_SIDE = 640

/** A PNG of one colour, of the form of a picture; a large one is made smaller. */
function plainPicture(shownWidth: number, shownHeight: number): Buffer {
  const scale = Math.min(1, MAX_POSTER_SIDE / Math.max(shownWidth, shownHeight))
  const [width, height] = [shownWidth, shownHeight].map((side) => Math.max(1, Math.round(side * scale))) as [
    number,
    number,
  ]
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set(EIGHT_BIT_GREY, 8)
  const line = Buffer.alloc(width + 1, GREY)
  line[0] = 0
  const lines = Buffer.alloc(line.length * height, line)
  return Buffer.concat([
    PNG_HEAD,
    pngChunk('IHDR', head),
    pngChunk('IDAT', deflateSync(lines)),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

function pngChunk(name: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), content])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(content.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
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
