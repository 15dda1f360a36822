import { crc32, deflateSync } from 'node:zlib'

// Small valid files. Each run generates different ones, so that a server has not seen them before.

const mark = Date.now() % 0x1_0000_0000

const uint32 = (...numbers: number[]) => {
  const bytes = Buffer.alloc(numbers.length * 4)
  for (const [index, value] of numbers.entries()) bytes.writeUInt32BE(value >>> 0, index * 4)
  return bytes
}

/** A PNG in grey. */
export function png(width: number, height: number): Buffer {
  const chunk = (name: string, content: Buffer) => {
    const body = Buffer.concat([Buffer.from(name, 'latin1'), content])
    return Buffer.concat([uint32(content.length), body, uint32(crc32(body))])
  }
  const lines = Buffer.alloc((width + 1) * height)
  lines.writeUInt32BE(mark, lines.length - 4)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', Buffer.concat([uint32(width, height), Buffer.from([8, 0, 0, 0, 0])])),
    chunk('IDAT', deflateSync(lines)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function box(name: string, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  return Buffer.concat([uint32(content.length + 8), Buffer.from(name, 'latin1'), content])
}

/** An MP4 of one track of pictures, `ms` milliseconds long. */
export function mp4(width: number, height: number, ms: number): Buffer {
  const matrix = uint32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)
  const movie = box('mvhd', uint32(0, 0, 0, 1000, ms), Buffer.alloc(80))
  const size = uint32(width * 0x10000, height * 0x10000)
  const head = box('tkhd', uint32(3, 0, 0, 1, 0, ms, 0, 0, 0, 0), matrix, size)
  const handler = box('hdlr', uint32(0, 0), Buffer.from('vide'), Buffer.alloc(13))
  const entry = Buffer.alloc(78)
  entry.writeUInt16BE(1, 6)
  entry.writeUInt16BE(width, 24)
  entry.writeUInt16BE(height, 26)
  const bytes = 32
  const samples = box(
    'stbl',
    box('stsd', uint32(0, 1), box('mp4v', entry)),
    box('stts', uint32(0, 1, 1, ms)),
    box('stsc', uint32(0, 1, 1, 1, 1)),
    box('stsz', uint32(0, bytes, 1)),
    box('stco', uint32(0, 1, 48)),
  )
  const times = box('mdhd', uint32(0, 0, 0, 1000, ms, 0x55c40000))
  const track = box('trak', head, box('mdia', times, handler, box('minf', samples)))
  return Buffer.concat([
    box('ftyp', Buffer.from('isom\0\0\x02\0isommp42', 'latin1')),
    box('free', uint32(mark)),
    box('mdat', Buffer.alloc(bytes, mark & 0xff)),
    box('moov', movie, track),
  ])
}
