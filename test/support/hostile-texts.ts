import fc from 'fast-check'
import { cpuMs } from './other-caller.ts'

/** What hostile texts repeat: each is slow in some program that reads texts. */
const PATTERNS = [
  '中.',
  '中',
  'a.',
  'a-',
  'a_',
  '.',
  '-',
  '_',
  'a.com.',
  'a.co ',
  '.com',
  '.中国',
  'a.中国',
  'xn--a.',
  'xn--中.com ',
  'a。b.com ',
  'https://',
  'https://a.co ',
  'https://a.co/',
  'https://a.co(中',
  'a.co/a(a(b)c)!',
  'a.co?a=b&',
  'a.b_c.com/',
  '//a.co',
  '-a.co',
  `${'例'.repeat(60)}.com `,
  `${'例é'.repeat(31)}.com `,
  'http',
  '://',
  '@',
  '@a',
  '@a ',
  '@a/b ',
  'rt@a',
  '#',
  '#a',
  '#a ',
  '#1',
  '#a\u0301',
  '$A ',
  '$A',
  'a@b.co ',
  '\u0301',
  '\u0316\u0301',
  'a\u0301',
  'm\u0301',
  'م\u064b',
  'ש\u05b0\u0591',
  '\u0e49',
  'ก\u0e49',
  '\u{1e000}',
  'a\u00ad\u0301',
  `a${'\u0316\u0301'.repeat(15)}`,
  '\u202e.',
  '\u202ea',
  '\u200d',
  '\u200b',
  '\ufe0f',
  '\u00ad',
  '\u2800',
  '👨‍👩‍👧‍👦',
  '🇩🇪',
  '👍🏽',
  '🏽',
  '😀\u200d',
  '1️⃣',
  '\u{e0067}',
  '🏴',
  '😀',
  '𝒳',
  'ภาษาไทย',
  '中国人民',
  'カタカナ',
  'ភាសាខ្មែរ',
  'မြန်မာ',
  '中 ',
  '中国 ',
  '\u1100\u1161\u11a8',
  '한국',
  '\ufdfa',
  '\ufdfa ',
  'ß',
  'ς',
  'İ',
  'ǅ',
  'ﬃ',
  '㌖',
  'word ',
  'Word ',
  'Ab of ',
  'A',
  '"',
  '"a',
  '“',
  '“a',
  '!',
  '?',
  '(',
  ')',
  '[',
  '\\',
  '\n',
  '\t',
  '–',
  '…',
  '1',
  'aaaa!',
] // prettier-ignore

/** A pattern, repeated up to a number of code points. */
const filled = (pattern: string, length: number): string =>
  pattern.repeat(Math.floor(length / Array.from(pattern).length))

/** Hostile texts of about as many code points, by description. */
export function* hostileTexts(length: number): Generator<readonly [description: string, text: string]> {
  for (const pattern of PATTERNS) {
    const text = filled(pattern, length - 10)
    const described = JSON.stringify(pattern)
    yield [`${described}, repeated`, text]
    yield [`${described} after a letter`, `a${text}`]
    yield [`${described} before a link`, `${text}.co/a`]
    yield [`${described} behind a link`, `a.co/${text}`]
  }
  yield ['long words of dots', `x ${`${'中.'.repeat(2_040)} `.repeat(Math.floor(length / 4_082))}`]
  yield ['an emoji with many joiners and a skin tone', `😀${filled('\u200d', length - 2)}🏽`]
}

/** Hostile texts that combine patterns, of about as many code points. */
export const anyHostileText = (length: number): fc.Arbitrary<string> =>
  fc
    .array(fc.tuple(fc.constantFrom(...PATTERNS), fc.constantFrom(1, 1, 1, 2, 30, 2_000)), {
      minLength: 1,
      maxLength: 5,
    })
    .map((parts) => Array.from(parts.map(([pattern, times]) => pattern.repeat(times)).join('')))
    .map((characters) => {
      const pattern = characters.slice(0, length)
      return filled(pattern.join(''), length)
    })

const ATTEMPTS = 8

/**
 * The processor time of a run in milliseconds: the best of a few, until one is short enough. The
 * first runs also compile, and any may collect garbage.
 */
export function bestMs(run: () => unknown, maxMs: number): number {
  let best = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < ATTEMPTS && best > maxMs; attempt++) {
    const before = cpuMs()
    run()
    best = Math.min(best, cpuMs() - before)
  }
  return best
}
