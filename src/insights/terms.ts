import type { Entities } from '../text/entities.ts'
import { foldAccents, foldCase, wordsOf } from '../query-language/tokenize.ts'

/** Longer words are not counted. */
export const MAX_TERM_LENGTH = 50
/** Maximum terms counted for one post. */
const MAX_TERMS = 1_000

/**
 * The terms that a post is counted under, without repetition: its words in the form that searches compare, and its tags with
 * their signs. Links are omitted. `written` is called with each term and its spelling in the post.
 */
export function termsOf(text: string, entities: Entities, written?: (term: string, form: string) => void) {
  const { hashtags, cashtags, mentions, urls } = entities
  const forms = [
    ...wordsOf(text, urls),
    ...hashtags.map(({ tag }) => `#${foldCase(tag)}`),
    ...cashtags.map(({ tag }) => `$${foldCase(tag)}`),
    ...mentions.map(({ username }) => `@${foldCase(username)}`),
  ]
  const terms = new Set<string>()
  for (const form of forms) {
    const term = foldAccents(form)
    if (term.length > MAX_TERM_LENGTH || terms.size >= MAX_TERMS || !term.isWellFormed()) continue
    terms.add(term)
    written?.(term, form)
  }
  return terms
}

const TAG = /^[#＃$@][^\s#＃$@]+$/

/** The terms of a keyword, all of which a post must have. A tag with its sign is one term. Empty if the keyword has no word. */
export function keywordTerms(keyword: string): string[] {
  const text = keyword.trim()
  if (TAG.test(text)) return [foldAccents(foldCase(text))]
  return [...new Set(wordsOf(text).map(foldAccents))]
}
