/**
 * A name as searches compare it: without case, and an accented letter in one way, however it was written. A Greek sigma
 * is written another way at the end of a word, which the end of a prefix is not.
 */
export const nameKey = (name: string): string => name.toLowerCase().normalize('NFC').replaceAll('ς', 'σ')
