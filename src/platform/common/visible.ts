/**
 * White space, control characters, and characters that Unicode defines as invisible: zero-width
 * space and joiners, direction marks, fillers. Also the empty Braille pattern, which is blank by
 * its meaning.
 */
const INVISIBLE = /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]*$/u

/** Whether a text is blank: it is empty, or all of its characters are invisible. */
export const isBlank = (text: string): boolean => INVISIBLE.test(text)
