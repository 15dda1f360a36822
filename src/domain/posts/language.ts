import { setImmediate as nextTurn } from 'node:timers/promises'
import { beginningOf } from '../../platform/common/cut-text.ts'
import { type ReadEntities, readEntities } from '../../platform/text/entities.ts'
import type { ContextAnnotation, Dictionary } from '../annotations/dictionary.ts'

/** The languages of the interface (reference: language codes), with the codes of the detector. */
const LANGUAGES = (
  'am ar hy eu bn bg ca hr cs da nl en et fi fr de ka el gu he hi hu is id it ja kn ko lv lt ml mr no fa pl pt ro ru ' +
  'sr zh sk sl es sv ta te th tr uk ur vi cy km lo my ne or pa si tl'
).split(' ')

/** Those that are written in the Latin alphabet. */
const LATIN =
  'eu ca hr cs da nl en et fi fr de hu is id it lv lt no pl pt ro sr sk sl es sv tr vi cy tl'.split(' ')

/** The detector calls `includes` for each word and language, so it is a lookup, not a search. */
class LanguageCodes extends Array<string> {
  #all: ReadonlySet<string> | undefined

  override includes(code: string): boolean {
    this.#all ??= new Set(this)
    return this.#all.has(code)
  }
}
const ALL = LanguageCodes.from(LANGUAGES)
const ALL_LATIN = LanguageCodes.from(LATIN)
const OTHER_LETTER = /(?!\p{Script=Latin})\p{L}/u

/** The beginning of a long text determines its language. */
const MAX_CHARACTERS = 300
/** No writing puts more marks on a letter. The detector takes long for them. */
const MORE_MARKS = /(\p{M}{3})\p{M}+/gu

/** Codes that the interface uses from an older edition of the standard. */
const OLDER_CODES: Readonly<Record<string, string>> = { he: 'iw', id: 'in' }

/** A single word without accents occurs in many languages. */
const ONE_PLAIN_WORD = /^[^\p{L}]*[A-Za-z]+[^\p{L}]*$/u
/** With two or three words without accents, a small lead over English means nothing. */
const FEW_PLAIN_WORDS = /^[^\p{L}]*[A-Za-z]+(?:[^\p{L}]+[A-Za-z]+){1,2}[^\p{L}]*$/u
/** The share of the best score with which English wins for few words. */
const ENGLISH_SHARE = 0.4

/**
 * The language of a text, detected from its characters and their sequences; English for Latin text
 * without a clear result. `und` if there are no words. Tags, names and links are ignored.
 */
export async function languageOf(text: string): Promise<string> {
  const plain = text.replace(/https?:\/\/\S+|[@#＠＃$]\S+/gu, ' ').replace(MORE_MARKS, '$1')
  const words = beginningOf(plain, MAX_CHARACTERS)
  if (!/\p{L}/u.test(words)) return 'und'
  if (ONE_PLAIN_WORD.test(words)) return 'en'
  // Loaded with the first post: its tables take a third of a second and 50 MB.
  const { detectAll } = await import('tinyld')
  // The time that it takes grows with the number of languages.
  const scores = detectAll(words, { only: OTHER_LETTER.test(words) ? ALL : ALL_LATIN })
  const [best] = scores
  if (best && FEW_PLAIN_WORDS.test(words)) {
    const english = scores.find(({ lang }) => lang === 'en')
    if (english && english.accuracy >= best.accuracy * ENGLISH_SHARE) return 'en'
  }
  const found = best?.lang ?? ''
  if (found === '') return /\p{Script=Latin}/u.test(words) ? 'en' : 'und'
  return OLDER_CODES[found] ?? found
}

/** The language and the entities of a text, which do not depend on its author. */
export interface TextAnalysis {
  readonly text: string
  readonly lang: string
  readonly entities: ReadEntities
  readonly contexts: readonly ContextAnnotation[]
}

/** The entities of a text, with the names that a dictionary finds, and what it is about. */
export function readNotes(
  text: string,
  dictionary: Dictionary,
): { entities: ReadEntities; contexts: readonly ContextAnnotation[] } {
  const entities = readEntities(text)
  const { annotations, contexts } = dictionary.read(text, entities)
  if (annotations.length === 0) return { entities, contexts }
  return { entities: { ...entities, annotations: [...annotations] }, contexts }
}

/** A longer text is read in turns of the event loop. */
const SHORT_CHARACTERS = 500

/**
 * Finds the language and the entities of a text. Called before the transaction that stores the
 * text, so that neither other requests nor other writes wait for a long text.
 */
export async function analyseText(text: string, dictionary: Dictionary): Promise<TextAnalysis> {
  const isLong = text.length > SHORT_CHARACTERS
  if (isLong) await nextTurn()
  const lang = await languageOf(text)
  if (isLong) await nextTurn()
  const notes = readNotes(text, dictionary)
  if (isLong) await nextTurn()
  return { text, lang, ...notes }
}
