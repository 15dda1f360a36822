import { release } from '../packed.ts'

/** A block is a line of the processor's cache: what is asked of one key costs one look at memory. */
const BLOCK_WORDS = 16
const WORD_BYTES = 4
const BLOCK_BYTES = BLOCK_WORDS * WORD_BYTES
/** Of a key at its place in a block: three of each of two words of the key. */
const BIT_MASK = BLOCK_BYTES * 8 - 1

/**
 * Tells which keys are certainly not in a set: a blocked Bloom filter. Keys are hashes already, so their own bits are
 * taken. The first bits choose the block, so that sorted keys walk through the memory in its order. Keys that somebody
 * made alike fill a few blocks, which then tell nothing and are still right.
 *
 * With a byte for each key, about 3 of 100 others are not told to be absent; with two bytes, 2 of 1,000.
 */
export class KeyFilter {
  readonly #words: Uint32Array<ArrayBuffer>
  readonly #blocks: number
  #keys = 0

  /** `bytes` is how large it is, at least. */
  constructor(bytes: number) {
    this.#blocks = Math.max(1, Math.ceil(bytes / BLOCK_BYTES))
    this.#words = new Uint32Array(this.#blocks * BLOCK_WORDS)
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
    // Not `||`: every bit is to be set.
    if (this.#set(block, wordAt(keys, at + 4)) | this.#set(block, wordAt(keys, at + 8))) this.#keys++
  }

  /** False: the key was never added. */
  mayHave(keys: Uint8Array, at: number): boolean {
    const block = this.#blockOf(keys, at)
    return this.#has(block, wordAt(keys, at + 4)) && this.#has(block, wordAt(keys, at + 8))
  }

  /** Gives its memory back. It may not be used afterwards. */
  release(): void {
    release(new Uint8Array(this.#words.buffer))
  }

  #blockOf(keys: Uint8Array, at: number): number {
    return Math.floor((wordAt(keys, at) / 2 ** 32) * this.#blocks) * BLOCK_WORDS
  }

  /** 1 when one of three bits was not set before. */
  #set(block: number, bits: number): number {
    return this.#setBit(block, bits) | this.#setBit(block, bits >>> 9) | this.#setBit(block, bits >>> 18)
  }

  #setBit(block: number, bits: number): number {
    const bit = bits & BIT_MASK
    const at = block + (bit >>> 5)
    const before = this.#words[at] as number
    const after = (before | (1 << (bit & 31))) >>> 0
    this.#words[at] = after
    return before === after ? 0 : 1
  }

  #has(block: number, bits: number): boolean {
    return this.#hasBit(block, bits) && this.#hasBit(block, bits >>> 9) && this.#hasBit(block, bits >>> 18)
  }

  #hasBit(block: number, bits: number): boolean {
    const bit = bits & BIT_MASK
    return ((this.#words[block + (bit >>> 5)] as number) & (1 << (bit & 31))) !== 0
  }
}

const wordAt = (bytes: Uint8Array, at: number): number =>
  (((bytes[at] as number) << 24) |
    ((bytes[at + 1] as number) << 16) |
    ((bytes[at + 2] as number) << 8) |
    (bytes[at + 3] as number)) >>>
  0

/** So many times others are asked for before a filter makes room: two that push each other out would help nobody. */
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
   * An empty filter with room for the keys that an audience has and as many more. Undefined when it has too many, or
   * when others need the memory.
   */
  add(audience: number, keys: number): KeyFilter | undefined {
    this.remove(audience)
    const bytes = Math.min(Math.max(keys * 2, BLOCK_BYTES), this.#maxBytes)
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

  #makeRoom(bytes: number): boolean {
    for (const [other, { usedAt }] of this.#filters) {
      if (this.#bytes + bytes <= this.#maxBytes) break
      if (this.#asked - usedAt < PATIENCE) return false
      this.remove(other)
    }
    return true
  }
}
