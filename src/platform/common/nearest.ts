/** The known name closest to a wrong one by edit distance; undefined when none is close. */
export function nearest(wrong: string, known: Iterable<string>): string | undefined {
  let best: string | undefined
  let least = Math.max(2, Math.floor(wrong.length / 3)) + 1
  for (const one of known) {
    if (Math.abs(one.length - wrong.length) >= least) continue
    const apart = distance(wrong.toLowerCase(), one.toLowerCase())
    if (apart < least) {
      least = apart
      best = one
    }
  }
  return best
}

/** The number of characters to insert, delete, replace or swap with the next one. */
function distance(one: string, other: string): number {
  let before: number[] = []
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const replaced = at(row, j - 1) + (one[i - 1] === other[j - 1] ? 0 : 1)
      const swapped =
        i > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1] ? at(before, j - 2) + 1 : replaced
      next.push(Math.min(replaced, swapped, at(row, j) + 1, at(next, j - 1) + 1))
    }
    before = row
    row = next
  }
  return at(row, other.length)
}

const at = (row: readonly number[], index: number) => row[index] ?? Number.POSITIVE_INFINITY
