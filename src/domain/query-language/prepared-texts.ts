import { oncePer } from '../../platform/common/once-per.ts'
import type { MatchableAuthor, MatchableText } from './matchable-post.ts'
import { foldCase, wordsOf } from './tokenize.ts'

// What many rules look at is computed once per text, when the first of them does.

/** Where each word of a text occurs. */
export const positionsIn = oncePer(({ words }: MatchableText) => {
  const positions = new Map<string, number[]>()
  for (const [at, word] of words.entries()) {
    const known = positions.get(word)
    if (known) known.push(at)
    else positions.set(word, [at])
  }
  return positions
})

/**
 * Separates what is in one list, so that nothing is found across two. No word and no address is
 * like it.
 */
const BETWEEN = '\uffff'
const wordsOfAll = (texts: readonly (string | undefined)[]) =>
  texts.flatMap((text) => (text === undefined ? [] : [...wordsOf(text), BETWEEN]))

/** The words of the addresses, titles and descriptions of the links of a text. */
export const addressWordsIn = oncePer(({ links }: MatchableText) =>
  wordsOfAll(links.flatMap(({ addresses }) => addresses)),
)
export const titleWordsIn = oncePer(({ links }: MatchableText) => wordsOfAll(links.map(({ title }) => title)))
export const descriptionWordsIn = oncePer(({ links }: MatchableText) =>
  wordsOfAll(links.map(({ description }) => description)),
)

/** The addresses of the links of a text, in folded case. */
export const addressesIn = oncePer(({ links }: MatchableText) => ({
  folded: links.flatMap(({ addresses }) => addresses.map(foldCase)).join(BETWEEN),
}))

/** A text in folded case. */
export const foldedText = oncePer(({ text }: MatchableText) => ({ folded: foldCase(text) }))

/** The words of a profile. */
export const profileWordsOf = oncePer(({ description, name, location }: MatchableAuthor) => ({
  description: wordsOf(description),
  name: wordsOf(name),
  location: wordsOf(location),
}))
