import type { Int64 } from '../common/int64.ts'
import type { Vocabulary } from './vocabulary.ts'

/**
 * The text of an error: fixed words, which follow the vocabulary, with values between them. Plain data, so that it
 * passes between threads.
 */
export interface Message {
  /** One more than there are values. */
  readonly fixed: readonly string[]
  readonly values: readonly Inserted[]
}

/** Something between fixed words. Text and numbers are shown as they are: they may be what a caller sent. */
export type Inserted = string | Int64 | Identifier | Message

/** A name of the interface in its neutral form. */
export interface Identifier {
  readonly identifier: string
}

/**
 * A message as a template literal: msg`Post ${id} was not found`. The words of the literal follow the vocabulary, what
 * is inserted does not; `word` and `words` insert names that do.
 */
export const msg = (fixed: readonly string[], ...values: readonly Inserted[]): Message => ({ fixed, values })

/** Inserts a name of the interface: a parameter, a choice, a code. */
export const word = (identifier: string): Identifier => ({ identifier })

/** Inserts names of the interface with commas between them. */
export const words = (identifiers: readonly string[]): Message => {
  const fixed = identifiers.map((_, index) => (index === 0 ? '' : ', '))
  return { fixed: [...fixed, ''], values: identifiers.map(word) }
}

/** Inserts declared text that is kept somewhere else, such as the name of an entity or a rule. */
export const fixed = (text: string): Message => ({ fixed: [text], values: [] })

/** Fixed words under a vocabulary. A template literal has one list of them, however often it is used. */
const renamed = new WeakMap<Vocabulary, WeakMap<readonly string[], readonly string[]>>()

function renamedWords(words: readonly string[], vocabulary: Vocabulary): readonly string[] {
  if (vocabulary.neutral) return words
  const cache = renamed.get(vocabulary) ?? new WeakMap<readonly string[], readonly string[]>()
  renamed.set(vocabulary, cache)
  const known = cache.get(words)
  if (known) return known
  const made = words.map(vocabulary.text)
  cache.set(words, made)
  return made
}

/** The text of a message under a vocabulary. */
export function messageText({ fixed, values }: Message, vocabulary: Vocabulary): string {
  const words = renamedWords(fixed, vocabulary)
  let text = words[0] ?? ''
  for (let i = 0; i < values.length; i++) {
    text += insertedText(values[i] as Inserted, vocabulary) + (words[i + 1] ?? '')
  }
  return text
}

function insertedText(value: Inserted, vocabulary: Vocabulary): string {
  if (typeof value !== 'object') return String(value)
  return 'identifier' in value ? vocabulary.name(value.identifier) : messageText(value, vocabulary)
}
