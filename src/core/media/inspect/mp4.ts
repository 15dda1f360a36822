import type { Inspected, Source } from './inspect.ts'

// MP4 and QuickTime files (ISO/IEC 14496-12): boxes with a size and a name, some of which hold others. Only what is
// needed to know the picture and the length is read, from wherever it stands; the pictures themselves never are.

/** Of a whole file: however they are nested, no file asks for more work. */
const MAX_BOXES = 20_000
const MAX_TRACKS = 100
const MAX_MOVIE_BYTES = 32 * 1024 * 1024
const BOX_HEAD = 8
const LONG_BOX_HEAD = 16

interface Box {
  name: string
  /** Of what it holds. */
  start: number
  end: number
}

/** The boxes that may still be looked at. */
interface Budget {
  boxes: number
}

class TooMany extends Error {}

/** A video whose boxes are all there. */
export async function readMp4(source: Source): Promise<Inspected | undefined> {
  const budget = { boxes: MAX_BOXES }
  const boxes = await topBoxes(source, budget)
  const movie = boxes?.find(({ name }) => name === 'moov')
  const hasPictures = boxes?.some(({ name }) => name === 'mdat')
  if (!boxes || !movie || !hasPictures || movie.end - movie.start > MAX_MOVIE_BYTES) return undefined
  const brand = (await source.read(BOX_HEAD, BOX_HEAD + 4)).toString('latin1')
  const contentType = brand === 'qt  ' ? 'video/quicktime' : 'video/mp4'
  try {
    const movieBox = await source.read(movie.start, movie.end)
    const durationMs = durationOf(movieBox, budget)
    const picture = pictureOf(movieBox, budget)
    return durationMs > 0 && picture ? { kind: 'VIDEO', contentType, ...picture, durationMs } : undefined
  } catch (error) {
    // A box that ends before its fields do, or more of them than any video has.
    if (error instanceof RangeError || error instanceof TooMany) return undefined
    throw error
  }
}

/** The outermost boxes. Undefined when one of them reaches beyond the file: a part is missing. */
async function topBoxes(source: Source, budget: Budget): Promise<Box[] | undefined> {
  const boxes: Box[] = []
  for (let at = 0; at < source.bytes; ) {
    const box = boxAt(await source.read(at, at + LONG_BOX_HEAD), at, source.bytes)
    if (!box || budget.boxes-- === 0) return undefined
    boxes.push(box)
    at = box.end
  }
  return boxes
}

/** The box that begins with `head` at `at`, in a space that ends at `limit`. */
function boxAt(head: Buffer, at: number, limit: number): Box | undefined {
  if (head.length < BOX_HEAD) return undefined
  const short = head.readUInt32BE(0)
  const name = head.toString('latin1', 4, 8)
  const isLong = short === 1
  if (isLong && head.length < LONG_BOX_HEAD) return undefined
  const headBytes = isLong ? LONG_BOX_HEAD : BOX_HEAD
  // A size of nothing: up to the end.
  const size = isLong ? Number(head.readBigUInt64BE(8)) : short === 0 ? limit - at : short
  const end = at + size
  return size >= headBytes && end <= limit ? { name, start: at + headBytes, end } : undefined
}

/** What boxes of a name hold, one level deep. */
function inside(content: Buffer, name: string, budget: Budget): Buffer[] {
  const found: Buffer[] = []
  for (let at = 0; at < content.length; ) {
    if (budget.boxes-- <= 0) throw new TooMany()
    const box = boxAt(content.subarray(at, at + LONG_BOX_HEAD), at, content.length)
    if (!box) break
    if (box.name === name) found.push(content.subarray(box.start, box.end))
    at = box.end
  }
  return found
}

const firstInside = (content: Buffer | undefined, name: string, budget: Budget): Buffer | undefined =>
  content && inside(content, name, budget)[0]

/** All bits: the writer did not know. */
const UNKNOWN = 0xffff_ffff

/** From the header of the movie or, where that leaves it open, from what says how long its pieces are together. */
function durationOf(movie: Buffer, budget: Budget): number {
  const header = firstInside(movie, 'mvhd', budget)
  if (!header) return 0
  const isLong = header.readUInt8(0) === 1
  const scale = header.readUInt32BE(isLong ? 20 : 12)
  const stated = isLong ? Number(header.readBigUInt64BE(24)) : header.readUInt32BE(16)
  const own = stated === UNKNOWN ? 0 : stated
  const pieces = firstInside(firstInside(movie, 'mvex', budget), 'mehd', budget)
  const total = own > 0 || !pieces ? own : lengthOfPieces(pieces)
  return scale > 0 && Number.isSafeInteger(total) ? Math.round((total * 1000) / scale) : 0
}

const lengthOfPieces = (header: Buffer) =>
  header.readUInt8(0) === 1 ? Number(header.readBigUInt64BE(4)) : header.readUInt32BE(4)

/** Where the sizes stand in a track header, and before them the matrix that turns the picture. */
const MATRIX = { short: 40, long: 52 }
const MATRIX_BYTES = 36

/** The size of the picture as it is shown, of the first track that is one. */
function pictureOf(movie: Buffer, budget: Budget): { width: number; height: number } | undefined {
  const tracks = inside(movie, 'trak', budget)
  if (tracks.length > MAX_TRACKS) throw new TooMany()
  for (const track of tracks) {
    const handler = firstInside(firstInside(track, 'mdia', budget), 'hdlr', budget)
    const header = firstInside(track, 'tkhd', budget)
    if (!header || handler?.toString('latin1', 8, 12) !== 'vide') continue
    const matrix = header.readUInt8(0) === 1 ? MATRIX.long : MATRIX.short
    // Fixed-point numbers: the upper half is whole.
    const width = header.readUInt32BE(matrix + MATRIX_BYTES) >>> 16
    const height = header.readUInt32BE(matrix + MATRIX_BYTES + 4) >>> 16
    const turned = header.readInt32BE(matrix) === 0 && header.readInt32BE(matrix + 4) !== 0
    return turned ? { width: height, height: width } : { width, height }
  }
  return undefined
}
