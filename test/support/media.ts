import { crc32, deflateSync } from 'node:zlib'
import { keepInLibrary } from '../../src/api/ads/media/library.ts'
import type { Context } from '../../src/app/start/context.ts'
import type { MediaCategory } from '../../src/domain/media/media.ts'
import type { MediaRow } from '../../src/domain/media/tables.ts'
import { appendSegment, finalizeUpload, openUpload, uploadWhole } from '../../src/domain/media/uploads.ts'
import type { Advertiser } from './advertiser.ts'

// Small valid files.

let count = 0

function chunk(name: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), content])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

const pictures = new Map<string, Buffer>()

/** The compressed lines of a black picture: compressing large ones takes milliseconds. */
function pictureOf(width: number, height: number): Buffer {
  const size = `${width} ${height}`
  const picture = pictures.get(size) ?? deflateSync(Buffer.alloc((width + 1) * height))
  pictures.set(size, picture)
  return picture
}

/** A black PNG. Each is a different file, unless the mark is given. */
export function png(width: number, height: number, mark = ++count): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head[8] = 8
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('tEXt', Buffer.from(`mark\0${mark}`)),
    chunk('IDAT', pictureOf(width, height)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Subtitles in WebVTT, of one cue. */
export const vtt = (text = `Line ${++count}`): Buffer =>
  Buffer.from(`WEBVTT\n\n00:01.000 --> 00:04.500\n${text}\n`)

/** Subtitles in SubRip, of one cue. */
export const srt = (text = `Line ${++count}`): Buffer =>
  Buffer.from(`1\r\n00:00:01,000 --> 00:00:04,500\r\n${text}\r\n`)

const word = (...numbers: number[]) => {
  const bytes = Buffer.alloc(numbers.length * 2)
  for (const [index, value] of numbers.entries()) bytes.writeUInt16LE(value, index * 2)
  return bytes
}

/** A JPEG of one frame and one empty scan. */
export function jpeg(width: number, height: number, { orientation = 1, mark = ++count } = {}): Buffer {
  const segment = (marker: number, content: Buffer) => {
    const head = Buffer.from([0xff, marker, 0, 0])
    head.writeUInt16BE(content.length + 2, 2)
    return Buffer.concat([head, content])
  }
  const frame = Buffer.from([8, 0, 0, 0, 0, 1, 1, 0x11, 0])
  frame.writeUInt16BE(height, 1)
  frame.writeUInt16BE(width, 3)
  const exif = `Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0${String.fromCharCode(orientation)}`
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe1, Buffer.from(`${exif}\0\0\0\0\0\0`, 'latin1')),
    segment(0xfe, Buffer.from(`mark ${mark}`)),
    segment(0xc0, frame),
    segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.from([0xff, 0xd9]),
  ])
}

/** A GIF of two pictures. */
export function gif(width: number, height: number, mark = ++count): Buffer {
  const picture = Buffer.concat([
    // How long it is shown.
    Buffer.from([0x21, 0xf9, 4, 0, 10, 0, 0, 0]),
    Buffer.from([0x2c]),
    word(0, 0, 1, 1),
    Buffer.from([0, 2, 2, 0x4c, 1, 0]),
  ])
  const comment = Buffer.from(`mark ${mark}`)
  return Buffer.concat([
    Buffer.from('GIF89a'),
    word(width, height),
    Buffer.from([0x80, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff]),
    picture,
    picture,
    Buffer.from([0x21, 0xfe, comment.length]),
    comment,
    Buffer.from([0, 0x3b]),
  ])
}

/** A WebP without loss, as far as its head. */
export function webp(width: number, height: number): Buffer {
  const bits = Buffer.alloc(4)
  bits.writeUInt32LE((width - 1) | ((height - 1) << 14))
  const chunk = Buffer.concat([Buffer.from('VP8L'), Buffer.from([10, 0, 0, 0, 0x2f]), bits, Buffer.alloc(5)])
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1')
  head.writeUInt32LE(chunk.length + 4, 4)
  return Buffer.concat([head, chunk])
}

export function box(name: string, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(content.length + 8)
  head.write(name, 4, 'latin1')
  return Buffer.concat([head, content])
}

const longs = (...numbers: number[]) => {
  const bytes = Buffer.alloc(numbers.length * 4)
  for (const [index, value] of numbers.entries()) bytes.writeUInt32BE(value >>> 0, index * 4)
  return bytes
}

/** An MP4 with one track of pictures, whose data are `bytes` long. */
export function mp4(width: number, height: number, { ms = 8_000, bytes = 32, mark = ++count } = {}): Buffer {
  const matrix = longs(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)
  const movie = box('mvhd', longs(0, 0, 0, 1000, ms), Buffer.alloc(80))
  const track = box(
    'tkhd',
    longs(3, 0, 0, 1, 0, ms, 0, 0, 0, 0),
    matrix,
    longs(width * 0x10000, height * 0x10000),
  )
  const handler = box('hdlr', longs(0, 0), Buffer.from('vide'), Buffer.alloc(13))
  // One sample: the whole of the data.
  const entry = Buffer.alloc(78)
  entry.writeUInt16BE(1, 6)
  entry.writeUInt16BE(width, 24)
  entry.writeUInt16BE(height, 26)
  const samples = box(
    'stbl',
    box('stsd', longs(0, 1), box('mp4v', entry)),
    box('stts', longs(0, 1, 1, ms)),
    box('stsc', longs(0, 1, 1, 1, 1)),
    box('stsz', longs(0, bytes, 1)),
    box('stco', longs(0, 1, 48)),
  )
  const media = box('mdia', box('mdhd', longs(0, 0, 0, 1000, ms, 0x55c40000)), handler, box('minf', samples))
  const data = Buffer.alloc(bytes, mark & 0xff)
  return Buffer.concat([
    box('ftyp', Buffer.from('isom\0\0\x02\0isommp42', 'latin1')),
    box('free', longs(mark)),
    box('mdat', data),
    box('moov', movie, box('trak', track, media)),
  ])
}

/** A file with additional bytes at its end, up to this length. */
export const padded = (content: Buffer, bytes: number) =>
  Buffer.concat([content, Buffer.alloc(bytes - content.length)])

/** A medium of a user, uploaded without a call. */
export async function uploaded(
  context: Context,
  userId: string,
  content: Buffer,
  category?: MediaCategory,
): Promise<MediaRow> {
  const at = { userId, context }
  if (content.toString('latin1', 4, 8) !== 'ftyp')
    return uploadWhole({ content, category, owners: [], shared: false }, at)
  const opened = await openUpload(
    { category, contentType: 'video/mp4', bytes: content.length, owners: [], shared: false },
    at,
  )
  await appendSegment({ mediaId: opened.id, index: 0 }, content, at)
  return finalizeUpload(opened.id, at)
}

/** A medium in the library of an account, uploaded by a user without a call. */
export async function heldMedium(
  context: Context,
  advertiser: Advertiser,
  userId: string,
  content: Buffer,
  category?: MediaCategory,
): Promise<MediaRow> {
  const medium = await uploaded(context, userId, content, category)
  await context.store.write((tx) => keepInLibrary(medium, {}, advertiser.work(tx)))
  return medium
}
