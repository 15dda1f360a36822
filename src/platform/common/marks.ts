// Normalization sorts the marks of each letter, which takes time that grows with the square of
// their number. No language uses more than ten; the stream-safe text format (Unicode Standard Annex
// #15) allows 30.

const MAX_MARKS = 30
// Matches begin at the first mark of a letter: begun at each, they would read every mark up to 30
// times.
const TOO_MANY = /(?<!\p{M})\p{M}{31}/u
const REST = /(?<!\p{M})(\p{M}{30})\p{M}+/gu

/** Whether a letter has more than 30 combining marks. */
export const hasTooManyMarks = (text: string): boolean => TOO_MANY.test(text)

/** A text without the marks of a letter beyond the first 30. */
export const limitMarks = (text: string): string =>
  text.length > MAX_MARKS ? text.replace(REST, '$1') : text
