import { parentPort } from 'node:worker_threads'
import type { GeneralTrack, MediaInfo, Track, VideoTrack } from 'mediainfo.js'
import { isTrackType, mediaInfoFactory } from 'mediainfo.js'
import type { Inspected } from './inspected.ts'

// The thread that inspects videos: a file that keeps the parser busy delays no request.

/** To the thread: a file to look into, or what was read of the one that it looks into. */
export type ToThread = { bytes: number } | { content: Uint8Array }

/** From the thread: what it wants to read, or what it found. */
export type FromThread = { start: number; end: number } | { found: Inspected | undefined }

/** Small: a video in many pieces is read a little at each. */
const CHUNK_BYTES = 32 * 1024

const port = parentPort as NonNullable<typeof parentPort>
const parser: Promise<MediaInfo<'object'>> = mediaInfoFactory({ format: 'object', chunkSize: CHUNK_BYTES })
let deliver: ((content: Uint8Array) => void) | undefined

const say = (message: FromThread) => port.postMessage(message)

function read(start: number, end: number): Promise<Uint8Array> {
  say({ start, end })
  return new Promise((resolve) => {
    deliver = resolve
  })
}

async function look(bytes: number): Promise<Inspected | undefined> {
  const { media } = await (await parser).analyzeData(bytes, (size, offset) =>
    read(offset, Math.min(bytes, offset + size)),
  )
  return media && videoIn(media.track)
}

/** A whole file of MPEG-4 or QuickTime with pictures in it. */
function videoIn(tracks: readonly Track[]): Inspected | undefined {
  const file = tracks.find((track): track is GeneralTrack => isTrackType(track, 'General'))
  const pictures = tracks.find((track): track is VideoTrack => isTrackType(track, 'Video'))
  if (file?.Format !== 'MPEG-4' || file.extra?.IsTruncated !== undefined || !pictures) return undefined
  const {
    Width: width = 0,
    Height: height = 0,
    PixelAspectRatio: aspect = 1,
    Rotation: rotation = 0,
  } = pictures
  const durationMs = Math.round(Number(file.Duration ?? 0) * 1000)
  if (durationMs <= 0) return undefined
  const shown = Math.round(width * Number(aspect))
  // A quarter turn, either way: a camera that was held upright.
  const isTurned = Math.round(Number(rotation) / 90) % 2 === 1
  return {
    kind: 'VIDEO',
    contentType: file.Format_Profile === 'QuickTime' ? 'video/quicktime' : 'video/mp4',
    width: isTurned ? height : shown,
    height: isTurned ? shown : height,
    durationMs,
  }
}

port.on('message', (message: ToThread) => {
  if ('content' in message) return deliver?.(message.content)
  look(message.bytes).then(
    (found) => say({ found }),
    // A file that the parser gives up on.
    () => say({ found: undefined }),
  )
})
