/**
 * Whether some items occur in others in sequence (Knuth, Morris, Pratt). The time grows with the sum of both lengths; that of a
 * plain search grows with their product.
 */
export function hasRun<Item>(items: readonly Item[], wanted: ArrayLike<Item>): boolean {
  const fallback = fallbacksOf(wanted)
  let matched = 0
  for (let at = items.indexOf(wanted[0] as Item); at >= 0 && at < items.length; at++) {
    const item = items[at]
    while (matched > 0 && item !== wanted[matched]) matched = fallback[matched - 1] as number
    if (item === wanted[matched]) matched++
    if (matched === wanted.length) return true
  }
  return false
}

/** For each beginning of a sequence, the length of its longest other beginning with which it ends. */
function fallbacksOf<Item>(wanted: ArrayLike<Item>): number[] {
  const fallback = [0]
  for (let at = 1, matched = 0; at < wanted.length; at++) {
    while (matched > 0 && wanted[at] !== wanted[matched]) matched = fallback[matched - 1] as number
    if (wanted[at] === wanted[matched]) matched++
    fallback.push(matched)
  }
  return fallback
}
