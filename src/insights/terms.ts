import type { Entities } from '../text/entities.ts'
import { foldAccents, foldCase, wordsOf } from '../query-language/tokenize.ts'

/** Longer words are no keywords. */
export const MAX_TERM_LENGTH = 50
/** Terms of one post that are counted; of longer posts, the first. */
const MAX_TERMS = 1_000

/**
 * What a post is counted under, each once: its words as searches compare them, and its tags with their signs. Links are no
 * words. `written` receives how each term is in the post.
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

/** The terms of a keyword: a tag with its sign is one, and of several words a post must have all. None: there is no word in it. */
export function keywordTerms(keyword: string): string[] {
  const text = keyword.trim()
  if (TAG.test(text)) return [foldAccents(foldCase(text))]
  return [...new Set(wordsOf(text).map(foldAccents))]
}
