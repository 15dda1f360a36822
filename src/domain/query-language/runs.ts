/**
 * Whether some items occur in others in sequence (Knuth, Morris, Pratt). The time grows with the
 * sum of both lengths; that of a plain search grows with their product.
 */
export function hasRun<Item>(items: readonly Item[], sequence: ArrayLike<Item>): boolean {
  const fallback = fallbacksOf(sequence)
  let matched = 0
  for (let at = items.indexOf(sequence[0] as Item); at >= 0 && at < items.length; at++) {
    const item = items[at]
    while (matched > 0 && item !== sequence[matched]) matched = fallback[matched - 1] as number
    if (item === sequence[matched]) matched++
    if (matched === sequence.length) return true
  }
  return false
}

/**
 * For each beginning of a sequence, the length of its longest other beginning with which it ends.
 */
function fallbacksOf<Item>(sequence: ArrayLike<Item>): number[] {
  const fallback = [0]
  for (let at = 1, matched = 0; at < sequence.length; at++) {
    while (matched > 0 && sequence[at] !== sequence[matched]) matched = fallback[matched - 1] as number
    if (sequence[at] === sequence[matched]) matched++
    fallback.push(matched)
  }
  return fallback
}
