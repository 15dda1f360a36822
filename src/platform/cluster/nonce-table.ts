import { hash } from 'node:crypto'
import type { RandomSource } from '../common/random.ts'

/** 32-bit words of a fingerprint: 128 bits. */
export const FINGERPRINT_WORDS = 4

/** Slots of a new table; a power of two. */
const FIRST_SLOT_BITS = 10
/**
 * A table grows when three quarters of its slots are used: at most 43 bytes per nonce, 64 just
 * after it grew.
 */
const FULLEST = 0.75
/**
 * Slots moved to the larger table with each addition. Two would be enough to finish before the next
 * growth; more of them shorten the time in which both tables are in memory.
 */
const SLOTS_MOVED_PER_ADDITION = 8

/** Writes the first 128 bits of the SHA-256 of `text` to `into`. The first word is never 0. */
export function writeFingerprint(text: string, into: Uint32Array): void {
  // Latin-1 text is the cheapest output of the hash: a Buffer costs three times as much as the hash
  // itself.
  const digest = hash('sha256', text, 'binary')
  for (let word = 0; word < FINGERPRINT_WORDS; word++) {
    const at = word * 4
    into[word] =
      (digest.charCodeAt(at) << 24) |
      (digest.charCodeAt(at + 1) << 16) |
      (digest.charCodeAt(at + 2) << 8) |
      digest.charCodeAt(at + 3)
  }
  if (into[0] === 0) into[0] = 1 // 0 marks an empty slot.
}

/**
 * Multipliers that determine where a fingerprint is stored. They are secret: a client that knew
 * them could choose nonces that all map to the same slot, so that every claim would have to scan
 * past them.
 */
export interface SlotPlacement {
  readonly first: number
  readonly second: number
}

export function randomPlacement(random: RandomSource): SlotPlacement {
  const bytes = random.bytes(8)
  return { first: bytes.readInt32LE(0) | 1, second: bytes.readInt32LE(4) | 1 }
}

/**
 * A set of fingerprints in one typed array: open addressing, linear probing, no removal. The
 * garbage collector scans nothing in it, and growing never copies the whole table at once.
 */
export class NonceTable {
  readonly #placement: SlotPlacement
  #bits = FIRST_SLOT_BITS
  #slots = new Uint32Array(FINGERPRINT_WORDS << FIRST_SLOT_BITS)
  #size = 0
  /** The table before the last growth, while its slots are being moved. Read only. */
  #former: Uint32Array | undefined
  #nextToMove = 0

  constructor(placement: SlotPlacement) {
    this.#placement = placement
  }

  get size(): number {
    return this.#size
  }

  /** Bytes of memory held for slots. */
  get bytes(): number {
    return this.#slots.byteLength + (this.#former?.byteLength ?? 0)
  }

  /** Every fingerprint, one after the other. */
  fingerprints(): Uint32Array {
    const all = new Uint32Array(this.#size * FINGERPRINT_WORDS)
    let at = 0
    // Slots that were moved to the larger table are also in the former one.
    for (const slots of [this.#slots, this.#former?.subarray(this.#nextToMove)])
      for (let slot = 0; slots && slot < slots.length; slot += FINGERPRINT_WORDS) {
        if (slots[slot] === 0) continue
        all.set(slots.subarray(slot, slot + FINGERPRINT_WORDS), at)
        at += FINGERPRINT_WORDS
      }
    return all
  }

  /** @param fingerprint `FINGERPRINT_WORDS` words, the first of them not 0. */
  has(fingerprint: Uint32Array): boolean {
    if (this.#find(this.#slots, this.#bits, fingerprint) < 0) return true
    return this.#former !== undefined && this.#find(this.#former, this.#bits - 1, fingerprint) < 0
  }

  /** Returns true if the fingerprint was not in the table, and adds it. */
  add(fingerprint: Uint32Array): boolean {
    const free = this.#find(this.#slots, this.#bits, fingerprint)
    if (free < 0) return false
    if (this.#former && this.#find(this.#former, this.#bits - 1, fingerprint) < 0) return false
    this.#slots.set(fingerprint, free)
    this.#size++
    if (this.#former) this.#moveSome(this.#former)
    if (this.#size > FULLEST * 2 ** this.#bits) this.#grow()
    return true
  }

  /** The offset of the free slot for the fingerprint, or -1 if the table contains it. */
  #find(slots: Uint32Array, bits: number, fingerprint: Uint32Array): number {
    const a = fingerprint[0] as number
    const b = fingerprint[1] as number
    const c = fingerprint[2] as number
    const d = fingerprint[3] as number
    const last = slots.length - FINGERPRINT_WORDS
    // The high bits of the products depend on all bits of the fingerprint's words; the low bits do
    // not.
    const place = (Math.imul(b, this.#placement.first) + Math.imul(c, this.#placement.second)) >>> 0
    let at = (place >>> (32 - bits)) * FINGERPRINT_WORDS
    for (;;) {
      const held = slots[at]
      if (held === 0) return at
      if (held === a && slots[at + 1] === b && slots[at + 2] === c && slots[at + 3] === d) return -1
      at = at === last ? 0 : at + FINGERPRINT_WORDS
    }
  }

  #grow(): void {
    // By now, the previous table is moved: between two growths, the additions are three quarters of
    // its slots, and each moves several.
    this.#former = this.#slots
    this.#nextToMove = 0
    this.#bits++
    this.#slots = new Uint32Array(FINGERPRINT_WORDS << this.#bits)
  }

  #moveSome(former: Uint32Array): void {
    const end = Math.min(former.length, this.#nextToMove + SLOTS_MOVED_PER_ADDITION * FINGERPRINT_WORDS)
    for (let at = this.#nextToMove; at < end; at += FINGERPRINT_WORDS) {
      if (former[at] === 0) continue
      const fingerprint = former.subarray(at, at + FINGERPRINT_WORDS)
      const free = this.#find(this.#slots, this.#bits, fingerprint)
      if (free >= 0) this.#slots.set(fingerprint, free)
    }
    this.#nextToMove = end
    if (end === former.length) this.#former = undefined
  }
}
