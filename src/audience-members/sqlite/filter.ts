import { release } from '../packed.ts'

/** A block is a line of the processor's cache: what is asked of one key costs one look at memory. */
const BLOCK_WORDS = 16
const WORD_BYTES = 4
const BLOCK_BYTES = BLOCK_WORDS * WORD_BYTES
/** Of a key at its place in a block: three of each of two words of the key. */
const BIT_MASK = BLOCK_BYTES * 8 - 1

/**
 * Tells which keys are certainly not in a set: a blocked Bloom filter. Keys are hashes already, so their own bits are
 * taken. The first bits choose the block, so that sorted keys walk through the memory in its order. Keys that someone
 * made alike fill a few blocks, which then tell nothing and are still right.
 *
 * With a byte for each key, about 3 of 100 others are not told to be absent; with two bytes, 2 of 1,000.
 */
export class KeyFilter {
  readonly #words: Int32Array<ArrayBuffer>
  readonly #blocks: number
  #keys = 0

  /** `bytes` is how large it is, at least. */
  constructor(bytes: number) {
    this.#blocks = Math.max(1, Math.ceil(bytes / BLOCK_BYTES))
    this.#words = new Int32Array(this.#blocks * BLOCK_WORDS)
  }

  get bytes(): number {
    return this.#words.byteLength
  }

  /** Whether it has a key for each byte: a larger one would tell more. */
  get isFull(): boolean {
    return this.#keys >= this.bytes
  }

  /** Adds the key that stands somewhere. */
  add(keys: Uint8Array, at: number): void {
    const block = this.#blockOf(keys, at)
    const before = setBits(this.#words, block, wordAt(keys, at + 4))
    if (setBits(this.#words, block, wordAt(keys, at + 8)) || before) this.#keys++
  }

  /** False: the key was never added. */
  mayHave(keys: Uint8Array, at: number): boolean {
    const block = this.#blockOf(keys, at)
    return (
      hasBits(this.#words, block, wordAt(keys, at + 4)) && hasBits(this.#words, block, wordAt(keys, at + 8))
    )
  }

  /** Gives its memory back. It may not be used afterwards. */
  release(): void {
    release(new Uint8Array(this.#words.buffer))
  }

  #blockOf(keys: Uint8Array, at: number): number {
    return Math.floor(((wordAt(keys, at) >>> 0) / 2 ** 32) * this.#blocks) * BLOCK_WORDS
  }
}

/** Whether one of three bits was not set before. */
function setBits(words: Int32Array, block: number, bits: number): boolean {
  const [one, two, three] = [bits & BIT_MASK, (bits >>> 9) & BIT_MASK, (bits >>> 18) & BIT_MASK]
  if (hasBit(words, block, one) && hasBit(words, block, two) && hasBit(words, block, three)) return false
  setBit(words, block, one)
  setBit(words, block, two)
  setBit(words, block, three)
  return true
}

const hasBits = (words: Int32Array, block: number, bits: number): boolean =>
  hasBit(words, block, bits & BIT_MASK) &&
  hasBit(words, block, (bits >>> 9) & BIT_MASK) &&
  hasBit(words, block, (bits >>> 18) & BIT_MASK)

const hasBit = (words: Int32Array, block: number, bit: number): boolean =>
  ((words[block + (bit >>> 5)] as number) & (1 << (bit & 31))) !== 0

function setBit(words: Int32Array, block: number, bit: number): void {
  const at = block + (bit >>> 5)
  words[at] = (words[at] as number) | (1 << (bit & 31))
}

const wordAt = (bytes: Uint8Array, at: number): number =>
  ((bytes[at] as number) << 24) |
  ((bytes[at + 1] as number) << 16) |
  ((bytes[at + 2] as number) << 8) |
  (bytes[at + 3] as number)

const LEAST_BYTES = 4_096
/** This many times others are asked for before a filter makes room: two that push each other out would help no one. */
const PATIENCE = 50

/** The filters of some audiences, all together bounded. The ones that were longest not used make room. */
export class KeyFilters {
  readonly #maxBytes: number
  /** In the order of their last use. */
  readonly #filters = new Map<number, { filter: KeyFilter; usedAt: number }>()
  #bytes = 0
  #asked = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get bytes(): number {
    return this.#bytes
  }

  /** The filter of an audience, as long as it is worth its memory. */
  get(audience: number): KeyFilter | undefined {
    this.#asked++
    const found = this.#filters.get(audience)
    if (!found) return undefined
    if (found.filter.isFull) {
      this.remove(audience)
      return undefined
    }
    this.#filters.delete(audience)
    this.#filters.set(audience, { filter: found.filter, usedAt: this.#asked })
    return found.filter
  }

  /**
   * An empty filter with room for the keys that an audience has and at least as many more. Undefined when it has too
   * many, or when others need the memory.
   */
  add(audience: number, keys: number): KeyFilter | undefined {
    this.remove(audience)
    const bytes = this.#sizeFor(keys)
    if (keys >= bytes || !this.#makeRoom(bytes)) return undefined
    const filter = new KeyFilter(bytes)
    this.#filters.set(audience, { filter, usedAt: this.#asked })
    this.#bytes += filter.bytes
    return filter
  }

  remove(audience: number): void {
    const found = this.#filters.get(audience)
    if (!found) return
    this.#filters.delete(audience)
    this.#bytes -= found.filter.bytes
    found.filter.release()
  }

  /** Each size is a quarter of the next one: a filter that is full is seldom one of a large audience. */
  #sizeFor(keys: number): number {
    let bytes = this.#maxBytes
    while (bytes / 4 >= Math.max(keys * 2, LEAST_BYTES)) bytes /= 4
    return bytes
  }

  #makeRoom(bytes: number): boolean {
    for (const [other, { usedAt }] of this.#filters) {
      if (this.#bytes + bytes <= this.#maxBytes) break
      if (this.#asked - usedAt < PATIENCE) return false
      this.remove(other)
    }
    return true
  }
}
