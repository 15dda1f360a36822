import type { TimeSource } from './clock.ts'
import { MAX_INT64 } from './int64.ts'

// Ids are decimal digits without leading zeros: 19 since 2018, fewer before. Their order is not
// that of text: compare them with the functions of this file, and store them in columns of the type
// `id64`.

/** The source of all 64-bit ids. */
export interface IdSource {
  /** A new id: at most 19 decimal digits. Later ids are greater. */
  next(): string
}

/** A source that says where it is, so that another can go on from there. */
export interface ResumableIds extends IdSource {
  /** The last id that it made, or that it was to begin after; undefined before the first. */
  readonly last: string | undefined
}

/** No id is smaller. */
export const FIRST_ID = '0'
/** No id is greater. */
export const LAST_ID = String(MAX_INT64)

/** Negative if the first id is smaller, that is older; positive if it is greater. */
export const compareIds = (a: string, b: string): number =>
  a.length - b.length || Number(a > b) - Number(a < b)

/** The smallest of some ids; the last id if there are none. */
export const leastId = (...ids: readonly string[]): string =>
  ids.reduce((least, id) => (compareIds(id, least) < 0 ? id : least), LAST_ID)

/** The greatest of some ids; the first id if there are none. */
export const greatestId = (...ids: readonly string[]): string =>
  ids.reduce((greatest, id) => (compareIds(id, greatest) > 0 ? id : greatest), FIRST_ID)

/** A bound that a caller has sent: any digits as an id. More than 64 bits become the last id. */
export const boundOf = (digits: string | bigint): string => {
  const value = BigInt(digits)
  return value > MAX_INT64 ? LAST_ID : String(value)
}

/** The id after another. */
export const idAfter = (id: string): string => boundOf(BigInt(id) + 1n)
/** The id before another. */
export const idBefore = (id: string): string => (id === FIRST_ID ? id : String(BigInt(id) - 1n))

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

/** The first id of a time, with which times become bounds of ids. */
export const firstIdAt = (timeMs: number): string => boundOf(idAt(timeMs, 0, 0))

/** The id of a time in milliseconds, a node, and a sequence number below IDS_PER_MS. */
export function idAt(timeMs: number | bigint, node: number, sequence: number | bigint): string {
  const sinceEpoch = BigInt(timeMs) - EPOCH_MS
  const ms = sinceEpoch > 0n ? sinceEpoch : 0n
  return ((ms << (NODE_BITS + SEQUENCE_BITS)) | (BigInt(node) << SEQUENCE_BITS) | BigInt(sequence)).toString()
}

/**
 * Time-ordered ids: 41 bits of milliseconds, 10 bits of node, 12 bits of sequence.
 * Setting the clock back does not repeat ids: the source continues from its last millisecond.
 * `after`: every id is greater than this one.
 */
export function timeOrderedIds(clock: TimeSource, node: number, after?: string): ResumableIds {
  if (!Number.isInteger(node) || node < 0 || node > MAX_NODE)
    throw new RangeError(`node must be 0..${MAX_NODE}`)
  let last = after
  let { lastMs, sequence } = placeOf(after, node)
  return {
    get last() {
      return last
    },
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
      last = idAt(lastMs, node, sequence)
      return last
    },
  }
}

/** Where a source of a node goes on after an id. */
function placeOf(id: string | undefined, node: number): { lastMs: bigint; sequence: bigint } {
  if (id === undefined) return { lastMs: 0n, sequence: 0n }
  const isOwn = ((BigInt(id) >> SEQUENCE_BITS) & BigInt(MAX_NODE)) === BigInt(node)
  // Ids of another node in the same millisecond may be greater than all of this one.
  return { lastMs: BigInt(timeOfId(id)), sequence: isOwn ? BigInt(id) & MAX_SEQUENCE : MAX_SEQUENCE }
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
