const characters = new Intl.Segmenter('en', { granularity: 'grapheme' })
/**
 * What a reader sees as one character is rarely longer. A longer one is cut between its code
 * points.
 */
const MAX_CHARACTER_UNITS = 64

/**
 * The beginning of a text, of at most `maxUnits` UTF-16 code units. It ends between two characters,
 * so a letter keeps its marks and an emoji its parts. Half of a surrogate pair could not even be
 * stored.
 */
export function beginningOf(text: string, maxUnits: number): string {
  if (text.length <= maxUnits) return text
  const beginning = text.slice(0, maxUnits + MAX_CHARACTER_UNITS)
  const start = characters.segment(beginning).containing(maxUnits)?.index ?? maxUnits
  if (maxUnits - start < MAX_CHARACTER_UNITS) return text.slice(0, start)
  const splitsPair = beginning.slice(maxUnits - 1, maxUnits + 1).isWellFormed() && isLow(text, maxUnits)
  return text.slice(0, splitsPair ? maxUnits - 1 : maxUnits)
}

const isLow = (text: string, at: number) => (text.charCodeAt(at) & 0xfc00) === 0xdc00

/** A text of at most `maxUnits` UTF-16 code units, or its beginning and an ellipsis. */
export const truncated = (text: string, maxUnits: number): string =>
  text.length > maxUnits ? `${beginningOf(text, maxUnits)}…` : text
