import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { readEntities } from '../../platform/text/entities.ts'
import { normalised, shortened, textFault, weightOf } from './weight.ts'

const SEED = 20_260_301

describe('what a post weighs', () => {
  const cases: [string, string, number][] = [
    ['letters of alphabets', 'Grüße, мир, γεια', 16],
    ['the last light character', '\u{10ff}', 1],
    ['the first heavy character', '\u{1100}', 2],
    ['spaces and quotation marks of typography', '\u2003\u200d\u2010\u201c\u201f\u2032\u2037', 7],
    ['the ellipsis and the dagger, which lie between', '\u2026\u2020', 4],
    ['Chinese', '中文', 4],
    ['a letter with its accent apart', 'e\u0301', 1],
    ['an emoji', '😀', 2],
    ['an emoji of several people', '👨‍👩‍👧‍👦', 2],
    ['an emoji with a skin tone', '👍🏽', 2],
    ['a flag', '🇩🇪', 2],
    ['a key', '1️⃣', 2],
    ['a key without a variation selector', '1\u20e3', 2],
    ['letters, keys without a selector, letters', 'ab1\u20e3#\u20e3cd', 8],
    ['a digit that is no key', '1', 1],
    ['letters, a key, letters', 'ab1️⃣cd', 6],
    ['letters and a sign that is shown as an emoji', 'ab©\ufe0fcd', 6],
    ['a letter that is asked to be an emoji', 'ab\ufe0f', 4],
    ['letters on both sides of a link', 'é é https://example.com é', 29],
    ['two emoji side by side', '😀😀', 4],
    ['a short link', 'http://a.co', 23],
    ['a long link', `https://example.com/${'a'.repeat(500)}`, 23],
    ['a link and the full stop behind it', 'https://example.com/.', 24],
    ['two links', 'https://example.com https://example.org', 47],
    ['a link without its scheme', 'see example.com now', 31],
    ['nothing', '', 0],
  ]
  for (const [what, text, weight] of cases) {
    test(what, () => assert.equal(weightOf(text), weight))
  }
})

describe('what a text must be to become a post', () => {
  const cases: [string, string, ReturnType<typeof textFault>][] = [
    ['280 letters', 'a'.repeat(280), undefined],
    ['281 letters', 'a'.repeat(281), 'too long'],
    ['140 Chinese characters', '中'.repeat(140), undefined],
    ['141 Chinese characters', '中'.repeat(141), 'too long'],
    [
      '257 letters and a link of any length',
      `${'a'.repeat(256)} https://a.com/${'b'.repeat(900)}`,
      undefined,
    ],
    ['258 letters and a link', `${'a'.repeat(257)} https://a.com/b`, 'too long'],
    ['nothing', '', 'blank'],
    ['a null character', 'a\0b', 'unreadable'],
    ['half a character', 'a\ud83d', 'unreadable'],
    ['a mark of byte order', 'a\ufeffb', 'unreadable'],
    ['a letter with 30 marks', `q${'\u0323'.repeat(30)}`, undefined],
    ['a letter with 31 marks', `q${'\u0323'.repeat(31)}`, 'unreadable'],
    ['a text that is longer than any that is stored', 'a'.repeat(150_001), 'too long'],
  ]
  for (const [what, text, fault] of cases) {
    test(`${what}: ${fault ?? 'good'}`, () => assert.equal(textFault(text), fault))
  }
  test('a text that shows nothing is empty', () => {
    for (const text of ['\u200b', ' \u200b\u2060 ', '\u3164', '\u2800\u00ad'])
      assert.equal(textFault(normalised(text)), 'blank')
    assert.equal(normalised('\u200ba'), '\u200ba')
    assert.equal(textFault(normalised('\0')), 'unreadable')
  })
  test('a text that cannot be stored is not normalised, which could take long', () => {
    const marked = ` a${'\u0316\u0301'.repeat(12_000)}`
    assert.equal(normalised(marked), marked)
    assert.equal(textFault(normalised(marked)), 'unreadable')
  })
  test('space around a text is no part of it', () => {
    assert.equal(normalised(' \n e\u0301 \t'), '\u00e9')
  })
})

/** A text with its links is truncated. */
const cut = (text: string, maxWeight: number) => shortened(text, maxWeight, readEntities(text).urls)

describe('a text that is cut', () => {
  test('stays whole when it is light enough', () => {
    assert.equal(cut('a'.repeat(140), 140), 'a'.repeat(140))
  })
  test('ends with an ellipsis that is counted', () => {
    assert.equal(cut('a'.repeat(141), 140), `${'a'.repeat(138)}…`)
  })
  test('never ends inside an emoji or a link', () => {
    assert.equal(cut(`${'a'.repeat(137)}👨‍👩‍👧‍👦 and more`, 140), `${'a'.repeat(137)}…`)
    assert.equal(cut(`${'a'.repeat(130)} https://example.com/`, 140), `${'a'.repeat(130)}…`)
  })
  test('never ends between a letter and its marks', () => {
    const marks = '\u0323\u0307'
    assert.equal(cut(`${'a'.repeat(137)}q${marks} and more`, 140), `${'a'.repeat(137)}…`)
    assert.equal(cut(`${'a'.repeat(135)}q${marks} and more`, 140), `${'a'.repeat(135)}q${marks}…`)
  })
  test('never weighs more than asked', () => {
    const piece = fc.constantFrom('a', ' ', '中', '👍🏽', 'https://example.com/x ', '\u0301', '🇩🇪')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        assert.ok(weightOf(cut(pieces.join('').normalize('NFC'), 40)) <= 40)
      }),
      { seed: SEED },
    )
  })
})
