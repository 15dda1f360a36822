import type { TimeSource } from './clock.ts'

/** The source of all 64-bit ids. */
export interface IdSource {
  /** A new id: at most 19 decimal digits. Later ids are greater. */
  next(): string
}

/** The time of the id 0, in epoch milliseconds. */
export const ID_EPOCH_MS = 1_288_834_974_657
/** The number of bits to the right of the time. */
export const ID_TIME_SHIFT = 22
const EPOCH_MS = BigInt(ID_EPOCH_MS)
const SEQUENCE_BITS = 12n
const NODE_BITS = 10n
const MAX_SEQUENCE = (1n << SEQUENCE_BITS) - 1n
/** The number of ids that one node can create in one millisecond. */
export const IDS_PER_MS = Number(MAX_SEQUENCE) + 1
export const MAX_NODE = Number((1n << NODE_BITS) - 1n)

/** The time at which an id was created, in epoch milliseconds. */
export const timeOfId = (id: string | bigint): number =>
  Number(BigInt(id) >> BigInt(ID_TIME_SHIFT)) + ID_EPOCH_MS

/** The id of a time in milliseconds, a node, and a sequence number below IDS_PER_MS. */
export function idAt(timeMs: number | bigint, node: number, sequence: number | bigint): string {
  const sinceEpoch = BigInt(timeMs) - EPOCH_MS
  const ms = sinceEpoch > 0n ? sinceEpoch : 0n
  return ((ms << (NODE_BITS + SEQUENCE_BITS)) | (BigInt(node) << SEQUENCE_BITS) | BigInt(sequence)).toString()
}

/**
 * Time-ordered ids: 41 bits of milliseconds, 10 bits of node, 12 bits of sequence.
 * Setting the clock back does not repeat ids: the source continues from its last millisecond.
 */
export function timeOrderedIds(clock: TimeSource, node: number): IdSource {
  if (!Number.isInteger(node) || node < 0 || node > MAX_NODE)
    throw new RangeError(`node must be 0..${MAX_NODE}`)
  let lastMs = 0n
  let sequence = 0n
  return {
    next() {
      const nowMs = BigInt(clock.now())
      if (nowMs > lastMs) {
        lastMs = nowMs
        sequence = 0n
      } else if (sequence < MAX_SEQUENCE) {
        sequence++
      } else {
        lastMs++
        sequence = 0n
      }
      return idAt(lastMs, node, sequence)
    },
  }
}

const BASE36_LENGTH = 12

/** A new id in lower-case base 36, 12 characters: as text, later ones are greater. */
export const nextBase36 = (ids: IdSource): string =>
  BigInt(ids.next()).toString(36).padStart(BASE36_LENGTH, '0')

/** The decimal form of an id in lower-case base 36. */
export function fromBase36(text: string): string {
  let value = 0n
  for (const digit of text) value = value * 36n + BigInt(Number.parseInt(digit, 36))
  return value.toString()
}
