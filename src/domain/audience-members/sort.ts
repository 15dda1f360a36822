import { Arrays } from './arrays.ts'
import { compareKeys, KEY_BYTES } from './packed.ts'

/** The distinct keys, sorted. */
export interface SortedKeys {
  distinct: Buffer
  count: number
  /** For each given key, its index among the distinct keys. */
  places: Uint32Array
}

/** With fewer keys, clearing the counters of a radix sort costs more than comparing. */
const FEW = 4_096
const RADIX = 65_536

/**
 * Sorts concatenated keys. Hashes are evenly distributed, so two radix passes over their first four
 * bytes leave almost nothing to compare. Keys that someone made similar on purpose are compared,
 * which is slower, but still O(n log n).
 */
export function sortedKeys(keys: Buffer, total: number, arrays: Arrays): SortedKeys {
  const temporary = new Arrays()
  try {
    return distinctOf(keys, orderOf(keys, total, temporary), arrays)
  } finally {
    temporary.release()
  }
}

/** The indexes of the keys, sorted by key. */
function orderOf(keys: Buffer, total: number, arrays: Arrays): Uint32Array {
  const compare = (a: number, b: number) => compareKeys(keys, a * KEY_BYTES, keys, b * KEY_BYTES)
  const unsorted = identity(total, arrays)
  return total < FEW ? unsorted.sort(compare) : radixSorted(keys, compare, unsorted, arrays)
}

function distinctOf(keys: Buffer, order: Uint32Array, arrays: Arrays): SortedKeys {
  const total = order.length
  const places = arrays.places(total)
  const distinct = arrays.bytes(total * KEY_BYTES)
  let count = 0
  for (let n = 0; n < total; n++) {
    const at = (order[n] as number) * KEY_BYTES
    if (n === 0 || compareKeys(keys, (order[n - 1] as number) * KEY_BYTES, keys, at) !== 0)
      keys.copy(distinct, count++ * KEY_BYTES, at, at + KEY_BYTES)
    places[order[n] as number] = count - 1
  }
  return { distinct: distinct.subarray(0, count * KEY_BYTES), count, places }
}

function identity(total: number, arrays: Arrays): Uint32Array {
  const order = arrays.places(total)
  for (let n = 0; n < total; n++) order[n] = n
  return order
}

function radixSorted(
  keys: Buffer,
  compare: (a: number, b: number) => number,
  unsorted: Uint32Array,
  arrays: Arrays,
): Uint32Array {
  const byLow = pass(keys, unsorted, 2, arrays.places(unsorted.length))
  // Two passes need only two arrays: the first one is reused.
  const order = pass(keys, byLow, 0, unsorted)
  const total = order.length
  let from = 0
  for (let n = 1; n <= total; n++) {
    if (n < total && samePrefix(keys, order[from] as number, order[n] as number)) continue
    if (n - from > 1) order.subarray(from, n).sort(compare)
    from = n
  }
  return order
}

/** A stable sort by the two bytes at `offset` of each key. */
function pass(keys: Buffer, order: Uint32Array, offset: number, sorted: Uint32Array): Uint32Array {
  const starts = new Uint32Array(RADIX + 1)
  const digit = (key: number) => {
    const at = key * KEY_BYTES + offset
    return ((keys[at] as number) << 8) | (keys[at + 1] as number)
  }
  for (const key of order) {
    const after = digit(key) + 1
    starts[after] = (starts[after] as number) + 1
  }
  for (let n = 1; n <= RADIX; n++) starts[n] = (starts[n] as number) + (starts[n - 1] as number)
  for (const key of order) {
    const at = digit(key)
    const place = starts[at] as number
    sorted[place] = key
    starts[at] = place + 1
  }
  return sorted
}

function samePrefix(keys: Buffer, one: number, other: number): boolean {
  const [a, b] = [one * KEY_BYTES, other * KEY_BYTES]
  for (let n = 0; n < 4; n++) if (keys[a + n] !== keys[b + n]) return false
  return true
}
