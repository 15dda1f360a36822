import { crc32 } from 'node:zlib'
import { imageSize } from 'image-size'
import type { Inspected } from './inspect.ts'

/** The pictures that are taken, by their first bytes, and whether all of one is there. */
const FORMATS: readonly {
  contentType: string
  type: string
  is(content: Buffer): boolean
  isWhole(content: Buffer): boolean
}[] = [
  {
    contentType: 'image/png',
    type: 'png',
    is: (content) => content.toString('latin1', 0, 8) === '\u0089PNG\r\n\u001a\n',
    isWhole: isWholePng,
  },
  {
    contentType: 'image/jpeg',
    type: 'jpg',
    is: (content) => content.length > 4 && content.readUIntBE(0, 3) === 0xffd8ff,
    isWhole: isWholeJpeg,
  },
  {
    contentType: 'image/webp',
    type: 'webp',
    is: (content) =>
      content.toString('latin1', 0, 4) === 'RIFF' && content.toString('latin1', 8, 12) === 'WEBP',
    isWhole: (content) => content.length >= content.readUInt32LE(4) + 8,
  },
  {
    contentType: 'image/bmp',
    type: 'bmp',
    is: (content) => content.toString('latin1', 0, 2) === 'BM' && content.length > 26,
    isWhole: (content) => content.length >= content.readUInt32LE(2),
  },
]

/** A picture in one of the formats that are taken. */
export function readImage(content: Buffer): Inspected | undefined {
  const format = FORMATS.find((one) => one.is(content))
  if (!format?.isWhole(content)) return undefined
  try {
    const { width, height, type, orientation = 1 } = imageSize(content)
    if (type !== format.type) return undefined
    // A camera that was held upright writes its picture lying down, and says so.
    const turned = orientation >= 5
    return {
      kind: 'IMAGE',
      contentType: format.contentType,
      width: turned ? height : width,
      height: turned ? width : height,
      durationMs: null,
    }
  } catch {
    return undefined
  }
}

const PNG_HEAD = 8
const PNG_FRAME = 12

/** Every chunk is there and agrees with its checksum, the last of them too. */
function isWholePng(content: Buffer): boolean {
  for (let at = PNG_HEAD; at + PNG_FRAME <= content.length; ) {
    const end = at + PNG_FRAME + content.readUInt32BE(at)
    if (end > content.length) return false
    if (crc32(content.subarray(at + 4, end - 4)) !== content.readUInt32BE(end - 4)) return false
    if (content.toString('latin1', at + 4, at + 8) === 'IEND') return true
    at = end
  }
  return false
}

const SCAN = 0xda

/** The segments lead to a scan, and an end of the image stands behind it. */
function isWholeJpeg(content: Buffer): boolean {
  for (let at = 2; at + 4 <= content.length; ) {
    if (content[at] !== 0xff) return false
    const marker = content[at + 1] as number
    // Bytes that only fill.
    if (marker === 0xff) at += 1
    else {
      if (marker === SCAN) return content.lastIndexOf(Buffer.from([0xff, 0xd9])) > at
      at += 2 + content.readUInt16BE(at + 2)
    }
  }
  return false
}
