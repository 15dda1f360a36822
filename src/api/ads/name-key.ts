/**
 * A name as searches and unique names compare it: in lower case, with one encoding for each
 * accented letter. The Greek sigma has another form at the end of a word, so both become one: the
 * end of a prefix is not the end of a word.
 */
export const nameKey = (name: string): string => name.toLowerCase().normalize('NFC').replaceAll('ς', 'σ')
