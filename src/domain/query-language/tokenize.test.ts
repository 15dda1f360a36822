import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { foldAccents, wordParts, wordsOf } from './tokenize.ts'

describe('words', () => {
  const rows: Record<string, string[]> = {
    'I like coca-cola.': ['i', 'like', 'coca', 'cola'],
    "Don't @ada_1 #NoWay $ACME 3.14%": ['don', 't', 'ada', '1', 'noway', 'acme', '3', '14'],
    'ﬁne ＡＢＣ ①': ['fine', 'abc', '1'],
    'Straße ΟΔΟΣ οδός İstanbul': ['strasse', 'οδοσ', 'οδόσ', 'istanbul'],
    'Привет, МИР! й': ['привет', 'мир', 'й'],
    'مرحبـــا بالعالم، می‌خواهم': ['مرحبا', 'بالعالم', 'میخواهم'],
    'שלום־עולם': ['שלום', 'עולם'],
    'नमस्ते दुनिया। हिन्दी': ['नमस्ते', 'दुनिया', 'हिन्दी'],
    สวัสดีชาวโลก: ['สวัสดี', 'ชาว', 'โลก'],
    今天天气很好: ['今天', '天气', '很好'],
    東京へ行く: ['東京', 'へ', '行く'],
    'Node.jsを使う': ['node', 'js', 'を', '使う'],
    ガ: ['ガ'],
    '안녕하세요 세계': ['안녕하세요', '세계'],
    'co\u00adop': ['coop'],
    'hi🎉🎉 👍🏽👍 👨‍👩‍👧 🇫🇷🇩🇪 ❤️': ['hi', '🎉', '🎉', '👍🏽', '👍', '👨‍👩‍👧', '🇫🇷', '🇩🇪', '❤'],
    '+=<>|~^': [],
    '': [],
  }
  for (const [text, words] of Object.entries(rows))
    test(JSON.stringify(text), () => assert.deepEqual(wordsOf(text), words))

  test('links are no words; their places count code points', () => {
    const text = '🎉 see https://example.com/a now https://b.example'
    assert.deepEqual(
      wordsOf(text, [
        { start: 6, end: 27 },
        { start: 32, end: 49 },
      ]),
      ['🎉', 'see', 'now'],
    )
  })
})

test('accents go where they are optional, and stay where they make another letter', () => {
  const rows: Record<string, string> = {
    café: 'cafe',
    cumpleaños: 'cumpleanos',
    việt: 'viet',
    άλφα: 'αλφα',
    مَرْحَبًا: 'مرحبا',
    שָׁלוֹם: 'שלום',
    й: 'й',
    が: 'が',
    ไม้: 'ไม้',
    हिन्दी: 'हिन्दी',
    plain: 'plain',
  }
  for (const [word, folded] of Object.entries(rows))
    assert.equal(foldAccents(word.normalize('NFC')), folded.normalize('NFC'))
})

test('a long text has the same words as its parts', () => {
  const sentence = 'Straße 今天天气很好。 สวัสดีชาวโลก! 👍🏽 can’t '
  const long = sentence.repeat(200)
  assert.deepEqual(wordsOf(long), Array.from({ length: 200 }, () => wordsOf(sentence)).flat())
  assert.deepEqual([...wordParts(long)].flat(), wordsOf(long))
  assert.ok([...wordParts(long)].length > 2)
  const link = { start: 1_990, end: 2_010 }
  const linked = `${'a '.repeat(995)}${'x'.repeat(20)}${' b'.repeat(995)}`
  assert.deepEqual(wordsOf(linked, [link]), [...Array(995).fill('a'), ...Array(995).fill('b')])
})

test('a word that is longer than any part is cut, but no character', () => {
  const word = '𝒳'.repeat(5_000)
  const words = wordsOf(word)
  assert.equal(words.join(''), 'x'.repeat(5_000))
  assert.ok(words.length < 5)
})
