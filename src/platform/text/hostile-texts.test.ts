import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import parser from 'twitter-text'
import { anyHostileText, bestMs, hostileTexts } from '../../../test/support/hostile-texts.ts'
import { readEntities } from './entities.ts'
import { findLinks } from './find-links.ts'

const SEED = 20_260_301
/** The length of the longest post, in code points. */
const LENGTH = 25_000
const MAX_MS = 20

test(`the entities of any hostile text of ${LENGTH} characters are found within ${MAX_MS} ms`, () => {
  for (const [description, text] of hostileTexts(LENGTH)) {
    const ms = bestMs(() => readEntities(text), MAX_MS)
    assert.ok(ms <= MAX_MS, `${description}: ${ms} ms`)
  }
})

test('ten times as long texts take at most ten times as long', () => {
  for (const [description, text] of hostileTexts(10 * LENGTH)) {
    if (!description.endsWith('repeated')) continue
    const ms = bestMs(() => readEntities(text), 10 * MAX_MS)
    assert.ok(ms <= 10 * MAX_MS, `${description}: ${ms} ms`)
  }
})

test('combinations of hostile texts take as long as each', () =>
  fc.assert(
    fc.property(anyHostileText(LENGTH), (text) => {
      assert.ok(bestMs(() => readEntities(text), MAX_MS) <= MAX_MS)
    }),
    { seed: SEED, numRuns: 150 },
  ))

const PIECES = [
  'a',
  'b1',
  'com',
  '.com',
  'co',
  '.',
  '.',
  '.',
  '-',
  '_',
  '/',
  '//',
  'http://',
  'https://',
  'HTTP://',
  '://',
  ':',
  ':80',
  '@',
  '#',
  '$',
  '中',
  '中国',
  '.中国',
  'é',
  'рф',
  '.рф',
  'みんな',
  '.みんな',
  'xn--',
  'xn--p1ai',
  '.xn--p1ai',
  '?',
  '?a=b',
  '&',
  '=',
  '(',
  ')',
  '(a)',
  '!',
  ',',
  '😀',
  '\ud83d',
  '\ude00',
  '"',
  '「',
  '」',
  '。',
  '．',
  '\u200e',
  '\u202a',
  't.co/',
  'https://t.co/abc',
  '…',
  '–',
  '\u0301',
  '%20',
  "'",
  '~',
  '|',
  '+',
  '1',
  'x'.repeat(30),
  'x'.repeat(62),
  '例'.repeat(9),
  '例'.repeat(20),
  'ａ',
  '＠',
  '＃',
  '\u200d',
  'İ',
  'K',
  'ſ',
  ' ',
] // prettier-ignore

test('the links of any text are those that the published parser finds', () =>
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 14 }), (pieces) => {
      const text = pieces.join('')
      const published = parser.extractUrlsWithIndices(text)
      // It is wrong about the position of a link that also occurs earlier in the text, where it is
      // none.
      fc.pre(published.every(({ url }) => text.indexOf(url) === text.lastIndexOf(url)))
      assert.deepEqual(
        [...findLinks(text)],
        published.map(({ indices: [start, end] }) => ({ start, end })),
      )
    }),
    { seed: SEED, numRuns: 5_000 },
  ))
