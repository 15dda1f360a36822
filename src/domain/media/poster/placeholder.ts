import { crc32, deflateSync } from 'node:zlib'

const PNG_HEAD = Buffer.from('89504e470d0a1a0a', 'hex')
const GREY = 0x30
/** One byte per pixel: grey. */
const EIGHT_BIT_GREY = [8, 0, 0, 0, 0]

const MAX_POSTER_SIDE = 1280

export interface ImageSize {
  width: number
  height: number
}

/** The size of the poster of a video. */
export const posterSize = (video: ImageSize): ImageSize => fittedSize(video, MAX_POSTER_SIDE)

/**
 * The size of a picture whose sides are no longer than `maxSide`: its own, or a smaller one with
 * the same aspect ratio.
 */
export function fittedSize({ width, height }: ImageSize, maxSide: number): ImageSize {
  const scale = Math.min(1, maxSide / Math.max(width, height))
  const shown = (side: number) => Math.max(1, Math.round(side * scale))
  return { width: shown(width), height: shown(height) }
}

/** A PNG of one colour. */
export function plainPicture({ width, height }: ImageSize): Buffer {
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
