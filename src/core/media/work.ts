import { crc32, deflateSync } from 'node:zlib'
import type { Context } from '../../context.ts'
import type { MediaRow } from '../../store/tables.ts'
import { firstFrame } from './inspect/gif.ts'
import { claimIn } from './media.ts'
import {
  condemnFiles,
  forgetFile,
  goingFiles,
  leaseMedia,
  removeExpiredMedia,
  settleMedia,
  waitingMedia,
} from './queries.ts'

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
    for (const row of lot) await settle(row, context)
    finished += lot.length
  }
  return finished
}

/** Gives a medium its poster. One whose file is gone or broken has failed. */
async function settle(row: MediaRow, context: Context): Promise<void> {
  const poster = await posterOf(row, context)
  const kept = poster && (await context.files.put(poster.content, claimIn(context)))
  await context.store.write((tx) =>
    tx.run(settleMedia, {
      id: row.id,
      state: kept ? 'READY' : 'FAILED',
      poster_hash: kept?.hash ?? null,
      poster_type: kept ? poster.type : null,
    }),
  )
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

/** How long a file may be claimed without anything that uses it. */
const CLAIM_MS = 3_600_000

/** Forgets uploads that nobody used in time, and files that nothing uses. */
export async function forgetMedia({ store, clock, files }: Context): Promise<void> {
  const now = clock.now()
  const limit = LOT * LOT
  for (let removed = limit; removed === limit; )
    removed = (await store.write((tx) => tx.all(removeExpiredMedia, { now, limit }))).length
  for (let condemned = limit; condemned === limit; )
    condemned = (await store.write((tx) => tx.all(condemnFiles, { before: now - CLAIM_MS, limit }))).length
  // The file goes before its row: whoever wants it meanwhile is told to come back.
  for (;;) {
    const going = await store.all(goingFiles, { limit })
    if (going.length === 0) return
    for (const { hash } of going) {
      await files.remove(hash)
      await store.write((tx) => tx.run(forgetFile, { hash }))
    }
  }
}
