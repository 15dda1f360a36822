import type { Slices } from '../../platform/common/slices.ts'
import type { Entities } from '../../platform/text/entities.ts'
import { foldAccents, foldCase, wordParts, wordsOf } from '../query-language/tokenize.ts'

/** Longer words are not counted. */
export const MAX_TERM_LENGTH = 50
/** Maximum terms counted for one post. */
const MAX_TERMS = 1_000

/**
 * The terms that a post is counted under, without repetition: its words in the form that searches
 * compare, and its tags with their signs. Links are omitted. `written` is called with each term and
 * its spelling in the post.
 */
export async function termsOf(
  text: string,
  entities: Entities,
  slices: Slices,
  written?: (term: string, form: string) => void,
): Promise<Set<string>> {
  const terms = new Set<string>()
  for (const forms of formsIn(text, entities)) {
    for (const form of forms) {
      const term = foldAccents(form)
      if (term.length > MAX_TERM_LENGTH || !term.isWellFormed()) continue
      terms.add(term)
      written?.(term, form)
      if (terms.size >= MAX_TERMS) return terms
    }
    if (slices.isOver) await slices.next()
  }
  return terms
}

/** What a post may be counted under, in parts. */
function* formsIn(text: string, { hashtags, cashtags, mentions, urls }: Entities): Generator<string[]> {
  yield* wordParts(text, urls)
  yield hashtags.map(({ tag }) => `#${foldCase(tag)}`)
  yield cashtags.map(({ tag }) => `$${foldCase(tag)}`)
  yield mentions.map(({ username }) => `@${foldCase(username)}`)
}

/** The terms of keywords: a post has a keyword if it has all of its terms. */
export type Keywords = readonly (readonly string[])[]

const TAG = /^[#＃$@][^\s#＃$@]+$/

/**
 * The terms of a keyword, all of which a post must have. A tag with its sign is one term. Empty if
 * the keyword has no word.
 */
export function keywordTerms(keyword: string): string[] {
  const text = keyword.trim()
  if (TAG.test(text)) return [foldAccents(foldCase(text))]
  return [...new Set(wordsOf(text).map(foldAccents))]
}
