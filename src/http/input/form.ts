import { decodeForm } from '../../common/percent.ts'

/** A decoded request parameter. Order and repetitions matter to a signature, so it is never a map entry. */
export type Pair = [name: string, value: string]

/** Maximum number of pairs in one query string or form body. */
export const MAX_PAIRS = 1000

/**
 * The decoded pairs of a query string (without `?`) or of an `application/x-www-form-urlencoded` body, in order,
 * including repetitions. `a` and `a=` both give `['a', '']`; empty segments (`a=1&&b=2`) are skipped; only the first
 * `=` of a segment separates. `undefined` when an escape is malformed or not UTF-8, or when there are more than {@link
 * MAX_PAIRS} pairs.
 */
export function parsePairs(text: string): Pair[] | undefined {
  const pairs: Pair[] = []
  // Searched once and reused until it is passed. Searching it again in every segment would scan a text without any `=`
  // over and over.
  let equals = text.indexOf('=')
  for (let start = 0; start < text.length; ) {
    let end = text.indexOf('&', start)
    if (end === -1) end = text.length
    if (end > start) {
      if (pairs.length === MAX_PAIRS) return undefined
      while (equals !== -1 && equals < start) equals = text.indexOf('=', start)
      const bare = equals === -1 || equals >= end
      const name = decodeForm(text.slice(start, bare ? end : equals))
      if (name === undefined) return undefined
      const value = bare ? '' : decodeForm(text.slice(equals + 1, end))
      if (value === undefined) return undefined
      pairs.push([name, value])
    }
    start = end + 1
  }
  return pairs
}
