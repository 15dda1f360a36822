/**
 * White space, control characters, and what Unicode says to show nothing for: zero-width space and joiners, marks of
 * direction, fillers. And the empty pattern of Braille, which shows nothing by its own meaning.
 */
const INVISIBLE = /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]*$/u

/** Whether a text shows nothing: it is empty, or all of its characters are invisible. */
export const isBlank = (text: string): boolean => INVISIBLE.test(text)
