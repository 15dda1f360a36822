/**
 * The search of the engine is fast enough for pieces of this length in any text. In UTF-16 code
 * units.
 */
const SHORT = 32

/**
 * Whether a text contains a piece. The time is linear in their lengths: that of `includes` grows
 * with the product when both are repetitive.
 */
export function hasPiece(text: string, piece: string): boolean {
  if (piece.length <= SHORT) return text.includes(piece)
  const first = text.indexOf(piece.slice(0, SHORT))
  return first >= 0 && hasRun(unitsOf(text.slice(first)), unitsOf(piece))
}

function unitsOf(text: string): Uint16Array {
  const units = new Uint16Array(text.length)
  for (let at = 0; at < text.length; at++) units[at] = text.charCodeAt(at)
  return units
}

/**
 * Whether some items occur in others in sequence (Knuth, Morris, Pratt). The time grows with the
 * sum of both lengths; that of a plain search grows with their product.
 */
export function hasRun<Item>(
  items: ArrayLike<Item> & { indexOf(item: Item): number },
  sequence: ArrayLike<Item>,
): boolean {
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
