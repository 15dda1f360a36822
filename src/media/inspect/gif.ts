import type { Inspected } from './inspected.ts'

/** The positions of the parts of a GIF. */
interface Gif {
  width: number
  height: number
  /** The position after the first frame. Everything before it, with a trailer appended, is a GIF of one frame. */
  firstFrameEnd: number
}

const TRAILER = 0x3b
const EXTENSION = 0x21
const IMAGE = 0x2c
const HEAD_BYTES = 13

/** A GIF whose blocks are complete. */
export function readGif(content: Buffer): Inspected | undefined {
  const gif = walk(content)
  if (!gif) return undefined
  const { width, height } = gif
  return { kind: 'GIF', contentType: 'image/gif', width, height, durationMs: null }
}

/** The first frame of a GIF, as a GIF of one frame. */
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

/** The position of a frame's data, after its descriptor, its colour table and the code size. */
function imageData(content: Buffer, at: number): number | undefined {
  const flags = content[at + 9]
  return flags === undefined ? undefined : at + 10 + tableBytes(flags) + 1
}

/** The position after a sequence of blocks, each preceded by its length. An empty block ends the sequence. */
function skipBlocks(content: Buffer, start: number): number | undefined {
  let at = start
  while (at < content.length) {
    const length = content[at] as number
    at += 1 + length
    if (length === 0) return at
  }
  return undefined
}
