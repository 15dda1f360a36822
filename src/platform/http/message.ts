import type { Int64 } from '../common/int64.ts'
import { oncePer } from '../common/once-per.ts'
import { byVocabulary, type Vocabulary } from './vocabulary.ts'

/**
 * The text of an error: fixed words, which the vocabulary renames, with values between them. Plain
 * data, so that it can be passed between threads.
 */
export interface Message {
  /** One more than there are values. */
  readonly fixed: readonly string[]
  readonly values: readonly MessageValue[]
}

/**
 * A value between fixed words. Text and numbers are shown unchanged, because they may come from a
 * caller.
 */
export type MessageValue = string | Int64 | Identifier | Message

/** A name of the interface in its neutral form. */
export interface Identifier {
  readonly identifier: string
}

/**
 * A message as a template literal: msg`Post ${id} was not found`. The vocabulary renames the words
 * of the literal, but not inserted values; `word` and `words` insert names that it does rename.
 */
export const msg = (fixed: readonly string[], ...values: readonly MessageValue[]): Message => ({
  fixed,
  values,
})

/** Inserts a name of the interface: a parameter, a choice, a code. */
export const word = (identifier: string): Identifier => ({ identifier })

/** Inserts names of the interface with commas between them. */
export const words = (identifiers: readonly string[]): Message => {
  const fixed = identifiers.map((_, index) => (index === 0 ? '' : ', '))
  return { fixed: [...fixed, ''], values: identifiers.map(word) }
}

/** Inserts declared text that is stored elsewhere, such as the name of an entity or a rule. */
export const fixed = (text: string): Message => ({ fixed: [text], values: [] })

/**
 * Fixed words under a vocabulary. They are cached, because a template literal has the same list of
 * them at each use.
 */
const wordsUnder = byVocabulary(({ text }) => oncePer((words: readonly string[]) => words.map(text)))

/** The text of a message under a vocabulary. */
export function messageText({ fixed, values }: Message, vocabulary: Vocabulary): string {
  const words = vocabulary.neutral ? fixed : wordsUnder(vocabulary)(fixed)
  let text = words[0] ?? ''
  for (let i = 0; i < values.length; i++) {
    text += insertedText(values[i] as MessageValue, vocabulary) + (words[i + 1] ?? '')
  }
  return text
}

function insertedText(value: MessageValue, vocabulary: Vocabulary): string {
  if (typeof value !== 'object') return String(value)
  return 'identifier' in value ? vocabulary.name(value.identifier) : messageText(value, vocabulary)
}
