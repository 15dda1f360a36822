import type { Inspected } from './inspected.ts'

/** Where the parts of a GIF stand. */
interface Gif {
  width: number
  height: number
  /** Behind the first picture; what comes before it, with an end, is a picture of its own. */
  firstFrameEnd: number
}

const TRAILER = 0x3b
const EXTENSION = 0x21
const IMAGE = 0x2c
const HEAD_BYTES = 13

/** A GIF whose blocks are all there. */
export function readGif(content: Buffer): Inspected | undefined {
  const gif = walk(content)
  if (!gif) return undefined
  const { width, height } = gif
  return { kind: 'GIF', contentType: 'image/gif', width, height, durationMs: null }
}

/** The first picture of a GIF, as a GIF of one picture. */
export function firstFrame(content: Buffer): Buffer | undefined {
  const gif = walk(content)
  return gif && Buffer.concat([content.subarray(0, gif.firstFrameEnd), Buffer.from([TRAILER])])
}

function walk(content: Buffer): Gif | undefined {
  if (!/^GIF8[79]a$/.test(content.toString('latin1', 0, 6)) || content.length < HEAD_BYTES) return undefined
  let firstFrameEnd: number | undefined
  let at = HEAD_BYTES + tableBytes(content[10] as number)
  while (at < content.length) {
    const kind = content[at]
    if (kind === TRAILER) {
      if (firstFrameEnd === undefined) return undefined
      return { width: content.readUInt16LE(6), height: content.readUInt16LE(8), firstFrameEnd }
    }
    const start = kind === EXTENSION ? at + 2 : kind === IMAGE ? imageData(content, at) : undefined
    const end = start === undefined ? undefined : skipBlocks(content, start)
    if (end === undefined) return undefined
    if (kind === IMAGE) firstFrameEnd ??= end
    at = end
  }
  return undefined
}

/** The size of a colour table in bytes, from its flags. */
const tableBytes = (flags: number) => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0)

/** Where the data of a picture begin: behind its head, its colours and the size of its codes. */
function imageData(content: Buffer, at: number): number | undefined {
  const flags = content[at + 9]
  return flags === undefined ? undefined : at + 10 + tableBytes(flags) + 1
}

/** Behind a row of blocks, each with its length in front, the last of them empty. */
function skipBlocks(content: Buffer, start: number): number | undefined {
  let at = start
  while (at < content.length) {
    const length = content[at] as number
    at += 1 + length
    if (length === 0) return at
  }
  return undefined
}
