/**
 * Begins with a consonant sound, although the letter is a vowel: a user, a URL, a unique name, a
 * one-time code.
 */
const CONSONANT_SOUND = /^(?:U[A-Z]|[Uu]s[aeiu]|[Uu]ni[^nm]|[Ee]u|[Oo]ne\b)/
/** A silent first letter, or one pronounced by its name: an hour, an HTTP request. */
const VOWEL_SOUND = /^(?:[aeiou]|hour|honest|https?\b)/i

/** A noun with its indefinite article: `an account`, `a user`. */
export const withArticle = (noun: string): string =>
  `${VOWEL_SOUND.test(noun) && !CONSONANT_SOUND.test(noun) ? 'an' : 'a'} ${noun}`
