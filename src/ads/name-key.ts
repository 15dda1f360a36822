/**
 * A name as searches compare it: without case. A Greek sigma is written another way at the end of a word, which the end
 * of a prefix is not.
 */
export const nameKey = (name: string): string => name.toLowerCase().replaceAll('ς', 'σ')
