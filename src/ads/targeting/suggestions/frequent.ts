/** Keys by their counts, the largest first; those of one count in the order of their text. */
export const mostFrequent = (counts: ReadonlyMap<string, number>): string[] =>
  [...counts].sort(([one, many], [other, more]) => more - many || (one < other ? -1 : 1)).map(([key]) => key)
