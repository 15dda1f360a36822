import { joinBytes } from '../../../platform/common/join-bytes.ts'
import { Slices } from '../../../platform/common/slices.ts'
import { type InspectedMedium, STEPS_AT_ONCE } from './inspected.ts'

/** The positions of the parts of a GIF. */
interface GifLayout {
  width: number
  height: number
  /**
   * The position after the first frame. Everything before it, with a trailer appended, is a GIF of
   * one frame.
   */
  firstFrameEnd: number
}

const TRAILER = 0x3b
const EXTENSION = 0x21
const IMAGE = 0x2c
const HEAD_BYTES = 13

/** A GIF whose blocks are complete. */
export async function readGif(content: Buffer): Promise<InspectedMedium | undefined> {
  const gif = await walk(content)
  if (!gif) return undefined
  const { width, height } = gif
  return { kind: 'GIF', contentType: 'image/gif', width, height, durationMs: null }
}

/** The first frame of a GIF, as a GIF of one frame. */
export async function firstFrame(content: Buffer): Promise<Buffer | undefined> {
  const gif = await walk(content)
  return gif && joinBytes([content.subarray(0, gif.firstFrameEnd), Buffer.from([TRAILER])])
}

async function walk(content: Buffer): Promise<GifLayout | undefined> {
  if (!/^GIF8[79]a$/.test(content.toString('latin1', 0, 6)) || content.length < HEAD_BYTES) return undefined
  const slices = new Slices()
  let firstFrameEnd: number | undefined
  /**
   * The part whose blocks follow. Each block is preceded by its length; an empty one ends the part.
   */
  let part: number | undefined
  let at = HEAD_BYTES + tableBytes(content[10] as number)
  for (let step = 1; at < content.length; step++) {
    if (step % STEPS_AT_ONCE === 0 && slices.isOver) await slices.next()
    const byte = content[at] as number
    if (part !== undefined) {
      at += 1 + byte
      if (byte > 0) continue
      if (part === IMAGE) firstFrameEnd ??= at
      part = undefined
    } else if (byte === TRAILER) {
      if (firstFrameEnd === undefined) return undefined
      return { width: content.readUInt16LE(6), height: content.readUInt16LE(8), firstFrameEnd }
    } else {
      const start = byte === EXTENSION ? at + 2 : byte === IMAGE ? imageData(content, at) : undefined
      if (start === undefined) return undefined
      part = byte
      at = start
    }
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
