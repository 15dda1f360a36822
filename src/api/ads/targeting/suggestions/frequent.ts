/** Keys by count, largest first; keys with equal counts in alphabetical order. */
export const mostFrequent = (counts: ReadonlyMap<string, number>): string[] =>
  [...counts].sort(([one, many], [other, more]) => more - many || (one < other ? -1 : 1)).map(([key]) => key)
