/** Begins with the sound of a consonant, whatever the letter: a user, a URL, a unique name, a one-time code. */
const CONSONANT_SOUND = /^(?:U[A-Z]|[Uu]s[aeiu]|[Uu]ni[^nm]|[Ee]u|[Oo]ne\b)/
/** A silent first letter: an hour. */
const VOWEL_SOUND = /^(?:[aeiou]|hour|honest)/i

/** A noun with its indefinite article: `an account`, `a user`. */
export const withArticle = (noun: string): string =>
  `${VOWEL_SOUND.test(noun) && !CONSONANT_SOUND.test(noun) ? 'an' : 'a'} ${noun}`
