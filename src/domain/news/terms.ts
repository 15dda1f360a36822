import { beginningOf } from '../../platform/common/cut-text.ts'
import { type Entities, lengthOf } from '../../platform/text/entities.ts'
import { foldAccents, foldCase, wordsOf } from '../query-language/tokenize.ts'
import { ENGLISH_STOP_WORDS, JOINING_WORDS, STOP_WORDS } from './words.ts'

/** What a post is about, as stored. */
export interface PostTerms {
  /**
   * What posts are compared by: words, `#tag`, `$ticker` and `url:host/path`, without duplicates.
   */
  readonly terms: readonly string[]
  /** Names in the text, as spelled there. */
  readonly names: readonly string[]
  /** Hashtags, as spelled. */
  readonly tags: readonly string[]
}

/** Characters of a long text that are read. */
const MAX_CHARACTERS = 2_000
const MAX_TERMS = 40
const MAX_NAMES = 10
const MAX_NAME_WORDS = 5
const MIN_LENGTH = 3

/** A text in lower case and without accents. */
export const foldText = (text: string): string => foldAccents(foldCase(text))

/** The words of a text that may indicate its topic. */
const contentWords = (text: string, links: Entities['urls']): string[] =>
  wordsOf(text, links).map(foldAccents).filter(isContent)

export const isContent = (word: string): boolean =>
  !STOP_WORDS.has(word) && !/^\p{N}+$/u.test(word) && (word.length >= MIN_LENGTH || /[^a-z]/.test(word))

/** What a post is about. */
export function termsOf(whole: string, { urls, hashtags, cashtags }: Entities): PostTerms {
  const text = beginningOf(whole, MAX_CHARACTERS)
  const length = lengthOf(text)
  const terms = [
    ...urls.map(({ expanded_url }) => linkTerm(expanded_url)),
    ...hashtags.map(({ tag }) => `#${foldText(tag)}`),
    ...cashtags.map(({ tag }) => `$${foldText(tag)}`),
    ...contentWords(
      text,
      urls.filter(({ end }) => end <= length),
    ),
  ]
  return {
    terms: [...new Set(terms)].slice(0, MAX_TERMS),
    names: [...new Set(namesIn(text))].slice(0, MAX_NAMES),
    tags: [...new Set(hashtags.map(({ tag }) => tag))].slice(0, MAX_NAMES),
  }
}

/** Two links to a page are equal, whatever their queries. */
function linkTerm(url: string): string {
  const parsed = URL.parse(url)
  return `url:${parsed ? `${parsed.hostname.replace(/^www\./, '')}${parsed.pathname.replace(/\/$/, '')}` : url}`
}

const WORD = /\S+/gu
/** Characters around a word that do not belong to it. */
const AROUND = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu
const HAS_CAPITAL = /\p{Lu}/u
const CAPITALISED = /^\p{Lu}/u
const ENDS_SENTENCE = /[.!?:…]["”’)]*$/u
const ENDS_NAME = /[^\p{L}\p{N}]$/u
const NO_NAME = /^[@#$＠＃]|:\/\//u

/**
 * Names: sequences of capitalised words, which may contain small words such as `of`. A single word
 * at the beginning of a sentence is always capitalised, so it is no name unless another one
 * follows.
 */
function* namesIn(text: string): Generator<string> {
  let run: string[] = []
  let startsSentence = true
  let runStartsSentence = false
  function* end(): Generator<string> {
    const words = trimmed(run)
    run = []
    const isAcronym = words.length === 1 && /^\p{Lu}{2,6}$/u.test(words[0] ?? '')
    const isName = words.length > (runStartsSentence && !isAcronym ? 1 : 0)
    if (isName && words.length <= MAX_NAME_WORDS) yield words.join(' ')
  }
  for (const line of text.split('\n')) {
    startsSentence = true
    for (const [written] of line.matchAll(WORD)) {
      if (run.length === 0 && !HAS_CAPITAL.test(written)) {
        // Most words neither begin nor end a name.
        startsSentence = ENDS_SENTENCE.test(written)
        continue
      }
      const word = written.replace(AROUND, '').replace(/['’]s$/u, '')
      const isNamed = CAPITALISED.test(word) && !NO_NAME.test(written)
      const joins = run.length > 0 && JOINING_WORDS.has(word)
      if (isNamed && run.length === 0) runStartsSentence = startsSentence
      if (isNamed || joins) run.push(word)
      else yield* end()
      startsSentence = ENDS_SENTENCE.test(written)
      if (startsSentence || ENDS_NAME.test(written)) yield* end()
    }
    yield* end()
  }
}

/** Without small words at the end, and without words at the edges that cannot be part of a name. */
function trimmed(run: readonly string[]): string[] {
  const isEdge = (word: string | undefined) => word !== undefined && ENGLISH_STOP_WORDS.has(foldText(word))
  let [from, to] = [0, run.length]
  while (from < to && isEdge(run[from])) from++
  while (to > from && isEdge(run[to - 1])) to--
  return run.slice(from, to)
}
