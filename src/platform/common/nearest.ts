/** The known name closest to a wrong one by edit distance; undefined when none is close. */
export function nearest(wrong: string, known: Iterable<string>): string | undefined {
  let best: string | undefined
  let least = Math.max(2, Math.floor(wrong.length / 3)) + 1
  for (const name of known) {
    if (Math.abs(name.length - wrong.length) >= least) continue
    const apart = distance(wrong.toLowerCase(), name.toLowerCase())
    if (apart < least) {
      least = apart
      best = name
    }
  }
  return best
}

/** The number of characters to insert, delete, replace or swap with the next one. */
function distance(a: string, b: string): number {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(row, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped =
        i > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(before, j - 2) + 1 : replaced
      next.push(Math.min(replaced, swapped, at(row, j) + 1, at(next, j - 1) + 1))
    }
    before = row
    row = next
  }
  return at(row, b.length)
}

const at = (row: readonly number[], index: number) => row[index] ?? Number.POSITIVE_INFINITY
