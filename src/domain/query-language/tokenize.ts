import { beginningOf } from '../../platform/common/cut-text.ts'
import { limitMarks } from '../../platform/common/marks.ts'

// Rules, search and insights use the same tokenizer, so that they find the same words.

/** A range of a text, in code points; the end is exclusive. */
interface TextSpan {
  readonly start: number
  readonly end: number
}

/**
 * The length of words and the spaces between them, at most. A text of few characters may have 18
 * times as many in folded case.
 */
const MAX_WORD_UNITS = 75_000
/**
 * The length of a part of a text, in code units; one without spaces and punctuation may be twice as
 * long.
 */
const MAX_PART_UNITS = 2_000
const BREAK = /[\s\p{P}]/u

/**
 * The words of a text in order, in NFKC and folded case. Punctuation, symbols and white space
 * separate words. Text in scripts without spaces is segmented with a dictionary. An emoji is a
 * word, including its skin tone and joined emoji. Words in `links` are omitted.
 */
export const wordsOf = (text: string, links: readonly TextSpan[] = []): string[] =>
  text.length <= MAX_PART_UNITS ? wordsOfPart(withoutLinks(text, links)) : [...wordParts(text, links)].flat()

/** The words of a text, part by part: a long text takes long, and others can run in between. */
export function* wordParts(text: string, links: readonly TextSpan[] = []): Generator<string[]> {
  const plain = withoutLinks(text, links)
  let left = MAX_WORD_UNITS
  for (let at = 0; at < plain.length && left > 0; ) {
    const end = endOfPart(plain, at)
    const words = wordsOfPart(plain.slice(at, end))
    for (const word of words) left -= word.length + 1
    yield words
    at = end
  }
}

/**
 * Where a part of a text ends: at white space or punctuation, unless there is none for too long.
 */
function endOfPart(text: string, start: number): number {
  if (text.length - start <= MAX_PART_UNITS) return text.length
  const at = text.slice(start + MAX_PART_UNITS, start + 2 * MAX_PART_UNITS).search(BREAK)
  return start + (at < 0 ? beginningOf(text.slice(start), 2 * MAX_PART_UNITS).length : MAX_PART_UNITS + at)
}

function wordsOfPart(text: string): string[] {
  const folded = foldCase(text)
  return isAscii(folded) ? asciiWords(folded) : unicodeWords(folded)
}

function withoutLinks(text: string, links: readonly TextSpan[]): string {
  if (links.length === 0) return text
  const characters = Array.from(text)
  const starts = [...links.map(({ start }) => start), characters.length]
  return starts.map((start, index) => characters.slice(links[index - 1]?.end ?? 0, start).join('')).join(' ')
}

function asciiWords(lower: string): string[] {
  const words: string[] = []
  let start = -1
  for (let at = 0; at < lower.length; at++) {
    const code = lower.charCodeAt(at)
    const inWord = (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39)
    if (inWord) {
      if (start < 0) start = at
    } else if (start >= 0) {
      words.push(lower.slice(start, at))
      start = -1
    }
  }
  if (start >= 0) words.push(lower.slice(start))
  return words
}

/** A text in NFKC and folded case. */
export function foldCase(text: string): string {
  if (isAscii(text)) return text.toLowerCase()
  // Via upper case, so that ß becomes ss, a final sigma a sigma, and a Turkish dotted capital I
  // loses its dot.
  return limitMarks(text)
    .normalize('NFKC')
    .toUpperCase()
    .toLowerCase()
    .replace(/ς/g, 'σ')
    .replace(/i\u0307/g, 'i')
    .normalize('NFC')
}

/**
 * Removes accents, vowel points and vowel signs from a word in folded case, in scripts in which
 * they are optional: Latin, Greek, Arabic and Hebrew. In other scripts, a mark is part of the
 * letter (й, が, ไม้).
 */
export function foldAccents(word: string): string {
  if (!HAS_ACCENTS.test(word)) return word
  return limitMarks(word).normalize('NFD').replace(ACCENTED, '$1').replace(POINTS, '').normalize('NFC')
}

/**
 * Letters that may have accents, unless they are ASCII, and points and vowel signs of Arabic and
 * Hebrew.
 */
const HAS_ACCENTS =
  /(?!\p{ASCII})[\p{Script=Latin}\p{Script=Greek}]|[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670]/u
const ACCENTED = /([\p{Script=Latin}\p{Script=Greek}])[\u0300-\u036f]+/gu
const POINTS = /[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670]/gu

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) return false
  return true
}

const SEPARATOR = 1
const LETTER = 2
const MARK = 3
/** A letter of a script without spaces. */
const SPACELESS = 4
const EMOJI = 5
const FLAG_HALF = 6
/** A character that continues an emoji: a skin tone, a tag. */
const EMOJI_TAIL = 7
const JOINER = 8
/** Characters that are ignored: soft hyphens, directional marks, tatweel. */
const INVISIBLE = 9

const LAST_CHARACTER_IN_TABLE = 0x3ffff
/** A cache, filled on demand: most texts have few different characters. */
const classes = new Uint8Array(LAST_CHARACTER_IN_TABLE + 1)

function classOf(code: number): number {
  if (code > LAST_CHARACTER_IN_TABLE) return findClass(code)
  const known = classes[code] as number
  if (known !== 0) return known
  const found = findClass(code)
  classes[code] = found
  return found
}

const SPACELESS_SCRIPTS =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u
const INVISIBLES = /[\u00ad\u0640\u200c\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]|[\ufe00-\ufe0f]/

function findClass(code: number): number {
  const character = String.fromCodePoint(code)
  if (code === 0x200d) return JOINER
  if (INVISIBLES.test(character)) return INVISIBLE
  if (/\p{Regional_Indicator}/u.test(character)) return FLAG_HALF
  if (/[\p{Emoji_Modifier}\u{e0020}-\u{e007f}]/u.test(character)) return EMOJI_TAIL
  if (/[\p{L}\p{M}\p{N}]/u.test(character)) {
    if (SPACELESS_SCRIPTS.test(character)) return SPACELESS
    return /\p{M}/u.test(character) ? MARK : LETTER
  }
  return /\p{Extended_Pictographic}/u.test(character) ? EMOJI : SEPARATOR
}

// The dictionaries are chosen by script, whatever the locale.
const segmenter = new Intl.Segmenter('en', { granularity: 'word' })

/** Stands for a run of letters of scripts without spaces, until all runs are segmented. */
const RUN = ''

function unicodeWords(text: string): string[] {
  const words: string[] = []
  const runs: string[] = []
  let word = ''
  const end = () => {
    if (word !== '') words.push(word)
    word = ''
  }
  for (let at = 0; at < text.length; ) {
    const code = text.codePointAt(at) as number
    const size = code > 0xffff ? 2 : 1
    const kind = classOf(code)
    if (kind === LETTER || (kind === MARK && word !== '')) word += text.slice(at, at + size)
    else if (kind === SPACELESS) {
      end()
      const stop = endOfRun(text, at)
      words.push(RUN)
      runs.push(text.slice(at, stop))
      at = stop
      continue
    } else if (kind === EMOJI || kind === FLAG_HALF) {
      end()
      at = addEmoji(text, at, words)
      continue
    } else if (kind === SEPARATOR || kind === EMOJI_TAIL) end()
    at += size
  }
  end()
  return runs.length === 0 ? words : withRuns(words, runs)
}

/** Where a run of letters of scripts without spaces ends. */
function endOfRun(text: string, start: number): number {
  let end = start
  while (end < text.length) {
    const code = text.codePointAt(end) as number
    const kind = classOf(code)
    if (kind !== SPACELESS && kind !== INVISIBLE && kind !== JOINER && kind !== MARK) break
    end += code > 0xffff ? 2 : 1
  }
  return end
}

/**
 * The words, with those of each run in its place. All runs are segmented at once: to begin takes
 * longer than a short run.
 */
function withRuns(words: readonly string[], runs: readonly string[]): string[] {
  const text = runs.join('\n').replace(/\u200d|[\ufe00-\ufe0f]/g, '')
  const segments = segmenter.segment(text)[Symbol.iterator]()
  return words.flatMap((word) => {
    if (word !== RUN) return word
    const found: string[] = []
    for (let next = segments.next(); !next.done && next.value.segment !== '\n'; next = segments.next()) {
      const segment = next.value.segment.replace(INVISIBLES_EVERYWHERE, '')
      if (segment !== '') found.push(segment)
    }
    return found
  })
}

const INVISIBLES_EVERYWHERE = new RegExp(INVISIBLES.source, 'g')

/**
 * Adds an emoji with everything that belongs to it, and returns where it ends. Variation selectors
 * are ignored.
 */
function addEmoji(text: string, start: number, words: string[]): number {
  let emoji = ''
  let joined = true
  let at = start
  while (at < text.length) {
    const code = text.codePointAt(at) as number
    const kind = classOf(code)
    const size = code > 0xffff ? 2 : 1
    const isFlag =
      kind === FLAG_HALF && emoji.length === 2 && classOf(emoji.codePointAt(0) ?? 0) === FLAG_HALF
    if (kind === INVISIBLE) {
      at += size
      continue
    }
    if (kind === JOINER) joined = true
    else if (kind === EMOJI_TAIL || isFlag || (joined && (kind === EMOJI || kind === FLAG_HALF)))
      joined = false
    else break
    emoji += text.slice(at, at + size)
    at += size
  }
  let end = emoji.length
  while (emoji[end - 1] === '\u200d') end--
  words.push(emoji.slice(0, end))
  return at
}
