/** Keys by count, largest first; keys with equal counts in alphabetical order. */
export const mostFrequent = (counts: ReadonlyMap<string, number>): string[] =>
  [...counts].sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1)).map(([key]) => key)
