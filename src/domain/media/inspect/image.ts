import { crc32 } from 'node:zlib'
import { imageSize } from 'image-size'
import { Slices } from '../../../platform/common/slices.ts'
import { type InspectedMedium, STEPS_AT_ONCE } from './inspected.ts'

interface ImageFormat {
  contentType: string
  is(content: Buffer): boolean
  /** Undefined when a part of the image is missing. */
  size(content: Buffer): Promise<ImageSize | undefined>
}

interface ImageSize {
  width: number
  height: number
}

/** The supported image formats, by their first bytes. */
const FORMATS: readonly ImageFormat[] = [
  {
    contentType: 'image/png',
    is: (content) => content.toString('latin1', 0, 8) === '\u0089PNG\r\n\u001a\n',
    size: async (content) => ((await isWholePng(content)) ? statedSize(content, 'png') : undefined),
  },
  {
    contentType: 'image/jpeg',
    is: (content) => content.length > 4 && content.readUIntBE(0, 3) === 0xffd8ff,
    size: jpegSize,
  },
  {
    contentType: 'image/webp',
    is: (content) => /^RIFF.{4}WEBPVP8/s.test(content.toString('latin1', 0, 15)),
    size: async (content) =>
      content.length >= content.readUInt32LE(4) + 8 ? statedSize(content, 'webp') : undefined,
  },
  {
    contentType: 'image/bmp',
    is: (content) => content.toString('latin1', 0, 2) === 'BM' && content.length > 26,
    size: async (content) =>
      content.length >= content.readUInt32LE(2) ? statedSize(content, 'bmp') : undefined,
  },
]

/** An image in one of the supported formats. */
export async function readImage(content: Buffer): Promise<InspectedMedium | undefined> {
  const format = FORMATS.find((candidate) => candidate.is(content))
  const size = await format?.size(content)
  return format && size && { kind: 'IMAGE', contentType: format.contentType, ...size, durationMs: null }
}

/** An image in a format that has its size at a fixed position. */
function statedSize(content: Buffer, type: string): ImageSize | undefined {
  try {
    const found = imageSize(content)
    return found.type === type ? { width: found.width, height: found.height } : undefined
  } catch {
    return undefined
  }
}

const PNG_HEAD = 8
const PNG_FRAME = 12
/** Far more than any encoder produces for an image of this size. */
const MAX_PNG_CHUNKS = 100_000

/** Whether every chunk is complete and matches its checksum, including the last. */
async function isWholePng(content: Buffer): Promise<boolean> {
  const slices = new Slices()
  let chunks = 0
  for (let at = PNG_HEAD; at + PNG_FRAME <= content.length && chunks < MAX_PNG_CHUNKS; chunks++) {
    if (slices.isOver) await slices.next()
    const end = at + PNG_FRAME + content.readUInt32BE(at)
    if (end > content.length) return false
    if (crc32(content.subarray(at + 4, end - 4)) !== content.readUInt32BE(end - 4)) return false
    if (content.toString('latin1', at + 4, at + 8) === 'IEND') return true
    at = end
  }
  return false
}

const SCAN = 0xda
const APPLICATION = 0xe1
const END = Buffer.from([0xff, 0xd9])

/** Whether a segment begins a frame. Three of the numbers in this range mean something else. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

/**
 * The size of a JPEG whose segments lead from a frame to a scan, followed by an end of the image.
 * The segments are skipped by their lengths, not searched for, so that the work is bounded by their
 * number.
 */
async function jpegSize(content: Buffer): Promise<ImageSize | undefined> {
  const slices = new Slices()
  let size: ImageSize | undefined
  let turned = false
  for (let at = 2, step = 0; at + 4 <= content.length; step++) {
    if (step % STEPS_AT_ONCE === 0 && slices.isOver) await slices.next()
    if (content[at] !== 0xff) return undefined
    const marker = content[at + 1] as number
    // Fill bytes.
    if (marker === 0xff) {
      at += 1
      continue
    }
    const end = at + 2 + content.readUInt16BE(at + 2)
    if (end < at + 4 || end > content.length) return undefined
    if (marker === SCAN) {
      if (!size || content.lastIndexOf(END) < end) return undefined
      return turned ? { width: size.height, height: size.width } : size
    }
    const segment = content.subarray(at + 4, end)
    if (isFrame(marker)) size ??= frameSize(segment)
    if (marker === APPLICATION) turned ||= isTurned(segment)
    at = end
  }
  return undefined
}

/** Skips the bits per sample. */
const frameSize = (frame: Buffer): ImageSize | undefined =>
  frame.length < 5 ? undefined : { height: frame.readUInt16BE(1), width: frame.readUInt16BE(3) }

const EXIF = 'Exif\0\0'
const ORIENTATION = 0x0112
const ENTRY_BYTES = 12

/** Whether the orientation says that width and height must be swapped (Exif, TIFF). */
function isTurned(segment: Buffer): boolean {
  if (segment.toString('latin1', 0, EXIF.length) !== EXIF) return false
  const tiff = segment.subarray(EXIF.length)
  const isLittle = tiff.toString('latin1', 0, 2) === 'II'
  const short = (at: number) => {
    if (at + 2 > tiff.length) return 0
    return isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at)
  }
  if (tiff.length < 8) return false
  const entries = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  for (let left = short(entries), at = entries + 2; left > 0 && at < tiff.length; left--, at += ENTRY_BYTES)
    if (short(at) === ORIENTATION) return short(at + 8) >= 5 && short(at + 8) <= 8
  return false
}
