import { crc32, deflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
/** Bytes per pixel, and how the header of a file names the form of its pixels. */
const FORMS = { grey: { bytes: 1, code: 0 }, rgb: { bytes: 3, code: 2 } } as const
const BIT_DEPTH = 8

export interface ImageSize {
  width: number
  height: number
}

/** A PNG. `lineAt`: the pixels of a line, without padding. */
export function png(
  { width, height }: ImageSize,
  form: keyof typeof FORMS,
  lineAt: (y: number) => Uint8Array,
): Buffer {
  const { bytes, code } = FORMS[form]
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([BIT_DEPTH, code], 8)
  // Each line begins with its filter: 0 for none.
  const lines = Buffer.alloc((1 + width * bytes) * height)
  for (let y = 0; y < height; y++) lines.set(lineAt(y), (1 + width * bytes) * y + 1)
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(lines)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(name: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), content])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(content.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}
