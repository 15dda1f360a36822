import type { Entities } from '../../platform/text/entities.ts'
import { foldText, termsOf } from '../news/terms.ts'

/** Terms of a post that are counted: tags and tickers first, then names, then words. */
const MAX_TERMS = 16
/** Words of a phrase. */
const MAX_WORDS = 3
const MIN_WORD_LENGTH = 4
const MAX_TERM_LENGTH = 60

/** What may trend, by its key: `#tag`, `$ticker`, and phrases of one to three words. */
export function trendTermsOf(text: string, entities: Entities): Map<string, string> {
  const { terms, names } = termsOf(text, entities)
  const phrases = names.filter((name) => name.split(' ').length <= MAX_WORDS)
  const named = new Set(phrases.flatMap((phrase) => foldText(phrase).split(' ')))
  const tagged = new Set(entities.hashtags.map(({ tag }) => foldText(tag)))
  const isWord = (term: string) =>
    /^\p{L}/u.test(term) && !term.startsWith('url:') && term.length >= MIN_WORD_LENGTH
  const all = [
    ...entities.hashtags.map(({ tag }) => `#${tag}`),
    ...entities.cashtags.map(({ tag }) => `$${tag}`),
    ...phrases,
    ...terms.filter((term) => isWord(term) && !named.has(term) && !tagged.has(term)),
  ]
  const found = new Map<string, string>()
  for (const name of all) {
    const key = foldText(name)
    if (name.length <= MAX_TERM_LENGTH && !found.has(key)) found.set(key, name)
    if (found.size === MAX_TERMS) break
  }
  return found
}
