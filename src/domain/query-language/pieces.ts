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
  return first >= 0 && hasLongPiece(text, piece, first)
}

/** The algorithm of Knuth, Morris and Pratt, from a position of the text. */
function hasLongPiece(text: string, piece: string, from: number): boolean {
  const borders = bordersOf(piece)
  let matched = 0
  for (let at = from; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    while (matched > 0 && piece.charCodeAt(matched) !== unit) matched = borders[matched - 1] as number
    if (piece.charCodeAt(matched) === unit) matched++
    if (matched === piece.length) return true
  }
  return false
}

/**
 * For each beginning of a piece, the length of the longest shorter beginning with which it ends.
 */
function bordersOf(piece: string): Int32Array {
  const borders = new Int32Array(piece.length)
  let matched = 0
  for (let at = 1; at < piece.length; at++) {
    while (matched > 0 && piece.charCodeAt(matched) !== piece.charCodeAt(at))
      matched = borders[matched - 1] as number
    if (piece.charCodeAt(matched) === piece.charCodeAt(at)) matched++
    borders[at] = matched
  }
  return borders
}
