// A block holds posts of one country and a period of eight hours: long enough that a call about days reads few rows. The number of
// posts in a block is limited, so that rows stay small however many posts a period has.

export const HOUR_MS = 3_600_000
/** The length of a period. Its seconds fit in 15 bits. */
export const BLOCK_MS = 8 * HOUR_MS
/** Maximum posts of a block. */
export const BLOCK_POSTS = 8_192
/** Maximum blocks of one period and country. Further posts of the period are not counted. */
export const BLOCKS_PER_PERIOD = 8_192

/** The greatest number of a block. */
export const LAST_BLOCK = 2 ** 31 - 1

/** The first block of the period that contains a time. */
export const blockAt = (timeMs: number) => Math.floor(timeMs / BLOCK_MS) * BLOCKS_PER_PERIOD
/** When the period of a block begins, in epoch milliseconds. */
export const startOf = (block: number) => Math.floor(block / BLOCKS_PER_PERIOD) * BLOCK_MS

const SHOWN = 0x8000
const SHOWN_BYTE = SHOWN >> 8
const SECONDS = 0x7fff

/** The posts of a block: for each, the second since the start of the block and whether it is shown, in two bytes. */
export class BlockPosts {
  #bytes: Buffer

  constructor(bytes: Uint8Array = new Uint8Array()) {
    this.#bytes = Buffer.from(bytes)
  }

  get bytes(): Buffer {
    return this.#bytes
  }

  get size(): number {
    return this.#bytes.length / 2
  }

  /** The number of shown posts. */
  get shown(): number {
    let shown = 0
    for (let place = 0; place < this.size; place++) if (this.isShown(place)) shown++
    return shown
  }

  /** Adds a shown post, and returns its position. */
  add(second: number): number {
    const entry = Buffer.alloc(2)
    entry.writeUInt16BE(second | SHOWN)
    this.#bytes = Buffer.concat([this.#bytes, entry])
    return this.size - 1
  }

  isShown(place: number): boolean {
    return ((this.#bytes[place * 2] as number) & SHOWN_BYTE) !== 0
  }

  secondAt(place: number): number {
    return (((this.#bytes[place * 2] as number) << 8) | (this.#bytes[place * 2 + 1] as number)) & SECONDS
  }

  /** Shows or hides a post. Returns whether that changed anything. */
  show(place: number, shown: boolean): boolean {
    if (this.isShown(place) === shown) return false
    this.#bytes.writeUInt16BE(this.secondAt(place) | (shown ? SHOWN : 0), place * 2)
    return true
  }
}

/** Positions in a block as bytes, which can be concatenated. */
export function placesBytes(places: readonly number[]): Buffer {
  const bytes = Buffer.alloc(places.length * 2)
  for (const [index, place] of places.entries()) bytes.writeUInt16BE(place, index * 2)
  return bytes
}

export function placesIn(bytes: Uint8Array): number[] {
  const places = new Array<number>(bytes.length >> 1)
  for (let at = 0; at < places.length; at++)
    places[at] = ((bytes[at * 2] as number) << 8) | (bytes[at * 2 + 1] as number)
  return places
}
