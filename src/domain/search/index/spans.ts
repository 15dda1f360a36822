import { ID_TIME_SHIFT } from '../../../platform/common/ids.ts'
import type { SearchWindow } from './search-index.ts'

// Time is divided into spans of four lengths, each 16 times as long as the previous one: 4.4
// minutes, 70 minutes, 18.6 hours and 12.4 days. A document is in one span of each length, and the
// index contains these spans. So a search reads only the entries of the spans that it asks for,
// however many documents there are.

/** An id shifted right by this many bits is the number of its span. */
const SHIFTS = [18, 22, 26, 30].map((bits) => BigInt(bits + ID_TIME_SHIFT))
const LONGEST = SHIFTS.length - 1
const GROWTH_BITS = 4n
/**
 * A window is covered by at least this many spans, so that they are few and extend little beyond
 * it.
 */
const FEWEST = 4n
/** A window of more than this many of the longest spans is not covered by spans. */
const MOST = 64n

const nameOf = (level: number, number: bigint) => `${level}:${number}`

/** The spans in which an id lies. */
export const spansOf = (id: string): string[] =>
  SHIFTS.map((shift, level) => nameOf(level, BigInt(id) >> shift))

/** A few spans that cover a window and may extend beyond it. Undefined if it is too long. */
export function spansIn({ from, before }: SearchWindow): string[] | undefined {
  const [first, end] = [BigInt(from), BigInt(before)]
  const least = SHIFTS.findLastIndex((shift) => (end - first) >> shift >= FEWEST)
  const level = Math.max(least, 0)
  const shift = SHIFTS[level] as bigint
  const spans: string[] = []
  const last = (end - 1n) >> shift
  if (level === LONGEST && last - (first >> shift) >= MOST) return undefined
  for (let at = first >> shift; at <= last; ) {
    const longer = longestAt(at, last)
    spans.push(nameOf(level + longer, at >> (GROWTH_BITS * BigInt(longer))))
    at += 1n << (GROWTH_BITS * BigInt(longer))
  }
  return spans

  /** By how many levels a span that begins here, and ends in time, may be longer. */
  function longestAt(at: bigint, last: bigint): number {
    let longer = 0
    while (level + longer + 1 < SHIFTS.length) {
      const size = 1n << (GROWTH_BITS * BigInt(longer + 1))
      if (at % size !== 0n || at + size - 1n > last) break
      longer++
    }
    return longer
  }
}

/**
 * A window in parts, newest first, each about 16 times as long as the previous one. Frequent
 * results are found in the first parts; rare ones need few parts.
 */
export function* partsOf({ from, before }: SearchWindow): Generator<SearchWindow> {
  const start = BigInt(from)
  let end = BigInt(before)
  for (let level = 0; end > start; level++) {
    const shift = SHIFTS[level] ?? (SHIFTS[0] as bigint) + GROWTH_BITS * BigInt(level)
    const cut = ((end >> shift) - 1n) << shift
    const first = cut > start ? cut : start
    yield { from: String(first), before: String(end) }
    end = first
  }
}

const MAX_GROWTH = 16

/**
 * The newest part of a window: at most 16 times, and at least, as long as the previous part, or as
 * the shortest span. Undefined when nothing is left of the window.
 */
export function growingPart(
  { from, before }: SearchWindow,
  factor: number,
  last?: SearchWindow,
): SearchWindow | undefined {
  const [start, end] = [BigInt(from), BigInt(before)]
  if (start >= end) return undefined
  const shortest = SHIFTS[0] as bigint
  const length = last ? BigInt(last.before) - BigInt(last.from) : 1n << shortest
  const grown = length * BigInt(Math.floor(Math.min(Math.max(factor, 1), MAX_GROWTH)))
  // Parts begin where spans begin, so that few spans cover them.
  const cut = ((end - grown) >> shortest) << shortest
  return { from: String(cut > start ? cut : start), before }
}
