import { readGif } from './gif.ts'
import { readImage } from './image.ts'
import type { FileSource, InspectedFile } from './inspected.ts'
import { MAX_SUBTITLES_BYTES, readSubtitles } from './subtitles.ts'
import { readVideo } from './video.ts'

const HEAD_BYTES = 32
/** Images are read completely. */
const MAX_PICTURE_BYTES = 16 * 1024 * 1024
const MAX_SIDE = 32_768

/**
 * Determines what a file of an owner is. Undefined if it is not a supported file, or incomplete.
 */
export async function inspect(source: FileSource, owner: string): Promise<InspectedFile | undefined> {
  const found = await read(source, owner)
  if (!found) return undefined
  if (found.kind === 'SUBTITLES') return found
  const { width, height } = found
  const isSide = (side: number) => Number.isInteger(side) && side >= 1 && side <= MAX_SIDE
  return isSide(width) && isSide(height) ? found : undefined
}

async function read(source: FileSource, owner: string): Promise<InspectedFile | undefined> {
  const head = await source.read(0, HEAD_BYTES)
  if (head.toString('latin1', 4, 8) === 'ftyp') return readVideo(source, owner)
  if (source.bytes > MAX_PICTURE_BYTES) return undefined
  const content = await source.read(0, source.bytes)
  if (content.toString('latin1', 0, 4) === 'GIF8') return readGif(content)
  return (
    (await readImage(content)) ?? (source.bytes <= MAX_SUBTITLES_BYTES ? readSubtitles(content) : undefined)
  )
}

/** A reader for a file that is in memory anyway. */
export const sourceOf = (content: Buffer): FileSource => ({
  bytes: content.length,
  read: async (start, end) => content.subarray(start, end),
})
