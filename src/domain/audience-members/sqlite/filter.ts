import { release } from '../packed.ts'

/** A block is a cache line: a lookup reads memory once. */
const BLOCK_WORDS = 16
const WORD_BYTES = 4
const BLOCK_BYTES = BLOCK_WORDS * WORD_BYTES
/** Bits per key in a block: three from each of two words of the key. */
const BIT_MASK = BLOCK_BYTES * 8 - 1

/**
 * A blocked Bloom filter: tells which keys are certainly not in a set. Keys are hashes, so their own bits are used. The first
 * bits choose the block, so that sorted keys read memory in order. Keys that someone made similar on purpose fill a few
 * blocks, which are then useless, but still correct.
 *
 * With one byte per key, the rate of false positives is about 3%; with two bytes, 0.2%.
 */
export class KeyFilter {
  readonly #words: Int32Array<ArrayBuffer>
  readonly #blocks: number
  #keys = 0

  /** `bytes`: its minimum size. */
  constructor(bytes: number) {
    this.#blocks = Math.max(1, Math.ceil(bytes / BLOCK_BYTES))
    this.#words = new Int32Array(this.#blocks * BLOCK_WORDS)
  }

  get bytes(): number {
    return this.#words.byteLength
  }

  /** Whether it has one key per byte, so that it should be replaced by a larger one. */
  get isFull(): boolean {
    return this.#keys >= this.bytes
  }

  /** Adds the key at an offset. */
  add(keys: Uint8Array, at: number): void {
    const block = this.#blockOf(keys, at)
    const before = setBits(this.#words, block, wordAt(keys, at + 4))
    if (setBits(this.#words, block, wordAt(keys, at + 8)) || before) this.#keys++
  }

  /** Whether a key may be in the set. False is certain. */
  mayHave(keys: Uint8Array, at: number): boolean {
    const block = this.#blockOf(keys, at)
    return (
      hasBits(this.#words, block, wordAt(keys, at + 4)) && hasBits(this.#words, block, wordAt(keys, at + 8))
    )
  }

  /** Frees its memory. It must not be used afterwards. */
  release(): void {
    release(new Uint8Array(this.#words.buffer))
  }

  #blockOf(keys: Uint8Array, at: number): number {
    return Math.floor(((wordAt(keys, at) >>> 0) / 2 ** 32) * this.#blocks) * BLOCK_WORDS
  }
}

/** Sets three bits. Returns whether one of them was not set before. */
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
/** A filter is evicted only after this many lookups of others: two that evict each other in turn would help no one. */
const PATIENCE = 50

/** The filters of some audiences, within a common memory limit. The least recently used are evicted first. */
export class KeyFilters {
  readonly #maxBytes: number
  /** Least recently used first. */
  readonly #filters = new Map<number, { filter: KeyFilter; usedAt: number }>()
  #bytes = 0
  #asked = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get bytes(): number {
    return this.#bytes
  }

  /** The filter of an audience, if it has one that is not full. */
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
   * Creates an empty filter that is large enough for twice the keys of an audience. Undefined if that is too large, or if
   * others need the memory.
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

  /** Sizes grow by a factor of four, so that filters of large audiences are seldom full. */
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
