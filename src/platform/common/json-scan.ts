/** A part of a JSON text, in bytes. */
export interface JsonRange {
  readonly start: number
  readonly end: number
}

/** A part of a JSON text that the parser must not see as it is. */
export type JsonEdit =
  /** A whole number with so many digits that it may be too large for a number. */
  | (JsonRange & { readonly kind: 'large number' })
  /** A long text that is a member of the outermost object. `name`: its name, in quotes. */
  | (JsonRange & { readonly kind: 'long text'; readonly name: JsonRange })

/** What a JSON text may contain. Without limits, it may contain anything. */
export interface JsonLimits {
  readonly maxDepth: number
  readonly maxValues: number
  /** Bytes of a text. A longer one, as a member of the outermost object, is a long text. */
  readonly maxTextBytes: number
}

const UNLIMITED: JsonLimits = {
  maxDepth: Number.POSITIVE_INFINITY,
  maxValues: Number.POSITIVE_INFINITY,
  maxTextBytes: Number.POSITIVE_INFINITY,
}

const QUOTE = 0x22
const PLUS = 0x2b
const COMMA = 0x2c
const MINUS = 0x2d
const POINT = 0x2e
const ZERO = 0x30
const NINE = 0x39
const COLON = 0x3a
const OPEN_LIST = 0x5b
const BACKSLASH = 0x5c
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const SPACE = 0x20
const LETTER_E = 0x65
const UPPER_CASE = 0x20

/** A safe integer has up to 16 digits. */
const FEWEST_DIGITS = 16

/**
 * Looks over a JSON text before it is parsed, in as many steps as the caller likes: counts its
 * values and its depth, and finds what must not be parsed as it is. It accepts any text: the parser
 * finds what is not JSON.
 */
export class JsonScan {
  /** In the order of the text. */
  readonly edits: JsonEdit[] = []
  readonly #limits: JsonLimits
  #depth = 0
  #values = 0
  #inText = false
  #isEscaped = false
  #textStart = 0
  #numberStart = -1
  #isWhole = false
  /** Whether the last token is a large number. */
  #afterLarge = false
  /**
   * Whether the outermost value is an object, and whether a value of one of its members follows.
   */
  #isObject = false
  #isValue = false
  #name: JsonRange = { start: 0, end: 0 }

  constructor(limits: JsonLimits = UNLIMITED) {
    this.#limits = limits
  }

  /** The limit that the text exceeds. */
  get exceeded(): 'depth' | 'values' | undefined {
    if (this.#depth > this.#limits.maxDepth) return 'depth'
    return this.#values > this.#limits.maxValues ? 'values' : undefined
  }

  /** Scans the next bytes. Stops at a limit. */
  take(bytes: Uint8Array, from: number, to: number): void {
    for (let at = from; at < to; at++) {
      if (this.#inText) {
        at = this.#skipText(bytes, at, to)
        continue
      }
      const byte = bytes[at] as number
      if (byte <= SPACE) this.#endNumber(at)
      else if (byte >= ZERO && byte <= NINE) this.#digit(at)
      else if (byte === MINUS) this.#minus(at)
      else if (byte === POINT || byte === PLUS || (byte | UPPER_CASE) === LETTER_E) this.#isWhole = false
      else {
        this.#endNumber(at)
        this.#token(byte, at)
        this.#afterLarge = false
        if (this.exceeded) return
      }
    }
  }

  /** Call it at the end of the text. */
  finish(length: number): void {
    this.#endNumber(length)
  }

  /**
   * Skips the rest of a text, if these bytes contain its end. Returns the last position that it has
   * seen.
   */
  #skipText(bytes: Uint8Array, from: number, to: number): number {
    let isEscaped = this.#isEscaped
    for (let at = from; at < to; at++) {
      const byte = bytes[at]
      if (isEscaped) isEscaped = false
      else if (byte === BACKSLASH) isEscaped = true
      else if (byte === QUOTE) {
        this.#inText = false
        this.#isEscaped = false
        this.#text({ start: this.#textStart, end: at + 1 })
        return at
      }
    }
    this.#isEscaped = isEscaped
    return to
  }

  #text(range: JsonRange): void {
    if (this.#depth !== 1 || !this.#isObject) return
    if (!this.#isValue) this.#name = range
    else if (range.end - range.start > this.#limits.maxTextBytes)
      this.edits.push({ kind: 'long text', ...range, name: this.#name })
  }

  #digit(at: number): void {
    if (this.#numberStart !== -1) return
    this.#numberStart = at
    this.#isWhole = true
  }

  #minus(at: number): void {
    if (this.#numberStart === -1) this.#digit(at)
    else this.#isWhole = false
  }

  #endNumber(end: number): void {
    const start = this.#numberStart
    if (start === -1) return
    this.#numberStart = -1
    this.#afterLarge = this.#isWhole && end - start >= FEWEST_DIGITS
    if (this.#afterLarge) this.edits.push({ kind: 'large number', start, end })
  }

  #token(byte: number, at: number): void {
    switch (byte) {
      case QUOTE:
        this.#inText = true
        this.#textStart = at
        return
      case COMMA:
        this.#values++
        if (this.#depth === 1) this.#isValue = false
        return
      case COLON:
        // A number is no name.
        if (this.#afterLarge) this.edits.pop()
        if (this.#depth === 1) this.#isValue = true
        return
      case OPEN_LIST:
      case OPEN_OBJECT:
        this.#values++
        if (++this.#depth === 1) this.#isObject = byte === OPEN_OBJECT
        return
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        this.#depth--
    }
  }
}

/**
 * The text of a JSON with its edits: large numbers become texts of their digits, and long texts
 * become empty.
 */
export function editedJson(bytes: Buffer, edits: readonly JsonEdit[]): string {
  let text = ''
  let from = 0
  for (const { kind, start, end } of edits) {
    const digits = kind === 'large number' ? bytes.toString('latin1', start, end) : ''
    if (kind === 'large number' && !isLarge(digits)) continue
    text += `${bytes.toString('utf8', from, start)}"${digits}"`
    from = end
  }
  return text + bytes.toString('utf8', from)
}

/** The digits of the largest safe integer, and a sign. */
const MOST_DIGITS = 17

/** JSON knows no leading zeros: a number with one is left to the parser. */
const isLarge = (digits: string) =>
  /^-?[1-9]/.test(digits) && (digits.length > MOST_DIGITS || !Number.isSafeInteger(Number(digits)))
