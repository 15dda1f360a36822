import { CASHTAG_NAME, HASHTAG } from '../../platform/text/tags.ts'
import { BARE_WORD } from './values.ts'

/**
 * A piece of a query: a bracket, OR, or a clause. Places are code units from 0, the end exclusive.
 */
export type QueryToken =
  | { readonly kind: 'open' | 'close' | 'or'; readonly start: number; readonly end: number }
  | ClauseToken

export interface ClauseToken {
  readonly kind: 'clause'
  readonly start: number
  readonly end: number
  readonly negated: boolean
  readonly part: ClausePart
}

/** A clause as it is written. */
export type ClausePart =
  | { readonly kind: 'word'; readonly text: string }
  | { readonly kind: 'phrase'; readonly text: string; readonly within?: string }
  | { readonly kind: 'hashtag' | 'cashtag' | 'mention'; readonly text: string }
  | {
      readonly kind: 'operator'
      readonly name: string
      readonly value: { readonly kind: 'bare' | 'quoted' | 'bracketed'; readonly text: string }
      /** Where the value stands, without quotation marks or brackets. */
      readonly valueStart: number
    }

/** Where a query cannot be read on. */
export class UnreadableQuery extends Error {
  readonly start: number
  readonly end: number
  readonly hint: string | undefined

  constructor(message: string, start: number, end: number, hint?: string) {
    super(message)
    this.start = start
    this.end = end
    this.hint = hint
  }
}

const SPACE = /[\s\p{Z}]+/uy
const CASHTAG = new RegExp(`\\$(${CASHTAG_NAME})(?![\\p{L}\\p{M}\\p{Nd}_])`, 'iuy')
const MENTION = /[@＠]([A-Za-z0-9_]{1,15})(?![\p{L}\p{M}\p{Nd}_])/uy
const BARE_VALUE = /[^\s\p{Z}()"]+/uy
const DIGITS = /~([0-9]*)/y

/** Cuts a query into tokens, each once and from left to right. */
export class QueryScanner {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  /** The next token; undefined at the end. Throws Unreadable. */
  next(): QueryToken | undefined {
    const spaced = this.#match(SPACE) !== undefined || this.#at === 0 || this.#text[this.#at - 1] === '('
    const start = this.#at
    const first = this.#text[start]
    if (first === undefined) return undefined
    if (first === '(' || first === ')') {
      this.#at++
      return { kind: first === '(' ? 'open' : 'close', start, end: this.#at }
    }
    const negated = first === '-' && (spaced || this.#text[start - 1] === ')')
    if (negated) this.#skipMinus()
    const part = this.#part()
    if (!negated && part.kind === 'word' && part.text === 'OR') return { kind: 'or', start, end: this.#at }
    return { kind: 'clause', start, end: this.#at, negated, part }
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)
    if (found) this.#at = pattern.lastIndex
    return found ?? undefined
  }

  #skipMinus(): void {
    const start = this.#at++
    const next = this.#text[this.#at]
    if (next === '(')
      throw new UnreadableQuery(
        'Groups cannot be negated',
        start,
        this.#at + 1,
        'Negate each clause: -a -b instead of -(a OR b).',
      )
    if (next === undefined || next === '-' || next === ')' || /[\s\p{Z}]/u.test(next))
      throw new UnreadableQuery(
        `no viable alternative at character '-'`,
        start,
        this.#at,
        'Write - directly before the clause to negate: -cat.',
      )
  }

  #part(): ClausePart {
    if (this.#text[this.#at] === '"') return this.#phrase()
    const tag = this.#match(HASHTAG)
    if (tag) return { kind: 'hashtag', text: tag[1] ?? '' }
    const symbol = this.#match(CASHTAG)
    if (symbol) return { kind: 'cashtag', text: symbol[1] ?? '' }
    const name = this.#match(MENTION)
    if (name) return { kind: 'mention', text: name[1] ?? '' }
    const word = this.#match(BARE_WORD)?.[0]
    if (word === undefined) return this.#fail()
    if (this.#text[this.#at] !== ':') return { kind: 'word', text: word }
    this.#at++
    return { kind: 'operator', name: word, ...this.#value(word) }
  }

  #phrase(): ClausePart {
    const text = this.#quoted()
    const within = this.#match(DIGITS)?.[1]
    return { kind: 'phrase', text, ...(within !== undefined && { within }) }
  }

  /**
   * What is between quotation marks. A backslash takes the next mark or backslash for a character.
   */
  #quoted(): string {
    const start = this.#at++
    let text = ''
    for (; this.#at < this.#text.length; this.#at++) {
      const character = this.#text[this.#at]
      if (character === '"') {
        this.#at++
        return text
      }
      const next = this.#text[this.#at + 1]
      if (character === '\\' && (next === '"' || next === '\\')) this.#at++
      text += this.#text[this.#at]
    }
    throw new UnreadableQuery(
      `mismatched character '<EOF>' expecting '"'`,
      start,
      this.#text.length,
      'This quotation mark is not closed. Write \\" for a quotation mark inside a phrase.',
    )
  }

  #value(name: string) {
    const start = this.#at
    const first = this.#text[start]
    if (first === '"') {
      const text = this.#quoted()
      return { value: { kind: 'quoted', text } as const, valueStart: start + 1 }
    }
    if (first === '[') {
      const close = this.#text.indexOf(']', start)
      if (close < 0)
        throw new UnreadableQuery(
          `no viable alternative at input '['`,
          start,
          start + 1,
          'This bracket is not closed.',
        )
      this.#at = close + 1
      return {
        value: { kind: 'bracketed', text: this.#text.slice(start + 1, close) } as const,
        valueStart: start + 1,
      }
    }
    const text = this.#match(BARE_VALUE)?.[0]
    if (text !== undefined) return { value: { kind: 'bare', text } as const, valueStart: start }
    throw new UnreadableQuery(
      `${name}: has no value`,
      start - name.length - 1,
      start,
      `Write the value directly after the colon: ${name}:value.`,
    )
  }

  #fail(): never {
    const character = String.fromCodePoint(this.#text.codePointAt(this.#at) ?? 0)
    // Brackets of this kind are tokens; the rest is not.
    const what = character === '[' || character === ']' ? 'input' : 'character'
    throw new UnreadableQuery(
      `no viable alternative at ${what} '${character}'`,
      this.#at,
      this.#at + character.length,
      HINTS[character] ?? `Quote text with punctuation: "${character}" cannot stand alone.`,
    )
  }
}

const QUOTE = 'Use straight quotation marks: "two words".'

/** What to do about characters that are often meant well. */
const HINTS: Readonly<Record<string, string>> = {
  '“': QUOTE,
  '”': QUOTE,
  '„': QUOTE,
  '«': QUOTE,
  '»': QUOTE,
  "'": `Quote text with punctuation: "don't". Phrases need double quotation marks.`,
  '‘': QUOTE,
  '’': `Quote text with punctuation: "don’t".`,
  '*': 'Wildcards are not supported. List the words, with OR between them.',
  '#': 'A hashtag has letters, digits and underscores: #cats.',
  '＃': 'A hashtag has letters, digits and underscores: #cats.',
  '@': 'A mention has 1 to 15 letters, digits and underscores: @ada.',
  '＠': 'A mention has 1 to 15 letters, digits and underscores: @ada.',
  $: 'A cashtag has 1 to 6 letters: $ACME.',
  '[': 'Square brackets hold coordinates: point_radius:[2.355128 48.861118 16km]. Group with ( and ).',
  ']': 'Square brackets hold coordinates. Group with ( and ).',
  '~': 'Words near each other: "big storm"~3, in rules of streams.',
  '|': 'Write OR between alternatives.',
  '&': 'Clauses side by side must all match: leave out &. Quote text with punctuation: "at & t".',
  '!': 'Write - in front of what is not to match: -cat.',
  '+': 'Clauses side by side must all match: leave out +.',
  ',': 'Write OR between alternatives.',
  ':': 'An operator has a name: from:ada.',
  '-': 'Leave a space in front of -cat, or quote text with punctuation.',
}
