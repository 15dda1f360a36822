import { parentPort } from 'node:worker_threads'
import {
  type GeneralTrack,
  isTrackType,
  type MediaInfo,
  mediaInfoFactory,
  type Track,
  type VideoTrack,
} from 'mediainfo.js'
import type { InspectedMedium } from './inspected.ts'

// The thread that inspects videos, so that a file that takes the parser long delays no request.

/** To the thread: a file to inspect, or the bytes that it requested. */
export type VideoThreadRequest = { bytes: number } | { content: Uint8Array }

/** From the thread: a read request, or the result. */
export type VideoThreadReply = { start: number; end: number } | { found: InspectedMedium | undefined }

/** Small, because of a video in many fragments only a little of each is read. */
const CHUNK_BYTES = 32 * 1024

const port = parentPort as NonNullable<typeof parentPort>
const parser: Promise<MediaInfo<'object'>> = mediaInfoFactory({ format: 'object', chunkSize: CHUNK_BYTES })
let deliver: ((content: Uint8Array) => void) | undefined

const send = (message: VideoThreadReply) => port.postMessage(message)

function read(start: number, end: number): Promise<Uint8Array> {
  send({ start, end })
  return new Promise((resolve) => {
    deliver = resolve
  })
}

async function inspectVideo(bytes: number): Promise<InspectedMedium | undefined> {
  const { media } = await (await parser).analyzeData(bytes, (size, offset) =>
    read(offset, Math.min(bytes, offset + size)),
  )
  return media && videoIn(media.track)
}

/** Whether a file is a complete MPEG-4 or QuickTime file with video in it. */
function videoIn(tracks: readonly Track[]): InspectedMedium | undefined {
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
  // A rotation by 90 degrees in either direction: the camera was held upright.
  const isTurned = Math.round(Number(rotation) / 90) % 2 === 1
  return {
    kind: 'VIDEO',
    contentType: file.Format_Profile === 'QuickTime' ? 'video/quicktime' : 'video/mp4',
    width: isTurned ? height : shown,
    height: isTurned ? shown : height,
    durationMs,
  }
}

port.on('message', (message: VideoThreadRequest) => {
  if ('content' in message) return deliver?.(message.content)
  inspectVideo(message.bytes).then(
    (found) => send({ found }),
    // A file that the parser cannot read.
    () => send({ found: undefined }),
  )
})
