/**
 * A name as searches and unique names compare it: without case, and with one encoding of accented letters. A Greek sigma has another
 * form at the end of a word, but the end of a prefix is not the end of a word.
 */
export const nameKey = (name: string): string => name.toLowerCase().normalize('NFC').replaceAll('ς', 'σ')
