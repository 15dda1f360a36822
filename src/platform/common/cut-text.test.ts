import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { unicodeText } from '../../../test/support/unicode-text.ts'
import { beginningOf, truncated } from './cut-text.ts'

describe('the beginning of a text', () => {
  const cases: readonly (readonly [text: string, maxUnits: number, beginning: string])[] = [
    ['', 0, ''],
    ['abc', 3, 'abc'],
    ['abc', 2, 'ab'],
    ['abc', 0, ''],
    ['ab😀', 3, 'ab'],
    ['ab😀', 4, 'ab😀'],
    ['abe\u0301', 3, 'ab'],
    ['ab👨‍👩‍👧', 9, 'ab'],
    ['ab👍🏽c', 5, 'ab'],
    ['ab👍🏽c', 6, 'ab👍🏽'],
    ['🇩🇪🇫🇷', 6, '🇩🇪'],
    ['ab\r\nc', 3, 'ab'],
  ]
  for (const [text, maxUnits, beginning] of cases)
    test(`${JSON.stringify(text)} up to ${maxUnits}`, () =>
      assert.equal(beginningOf(text, maxUnits), beginning))

  test('a letter with very many marks is cut between two of them', () => {
    const text = `a${'\u0301'.repeat(1_000)}`
    assert.equal(beginningOf(text, 500), text.slice(0, 500))
    const astral = `a${'\u{1e000}'.repeat(1_000)}`
    assert.equal(beginningOf(astral, 500), astral.slice(0, 499))
  })

  test('of any text, it begins the text, is short enough, and has no half of a pair', () =>
    fc.assert(
      fc.property(unicodeText(), fc.nat(20), (text, maxUnits) => {
        const beginning = beginningOf(text, maxUnits)
        assert.ok(text.startsWith(beginning))
        assert.ok(beginning.length <= maxUnits)
        assert.ok(beginning.isWellFormed())
        if (text.length <= maxUnits) assert.equal(beginning, text)
      }),
    ))
})

test('a text is truncated with an ellipsis', () => {
  assert.equal(truncated('abc', 3), 'abc')
  assert.equal(truncated('abcd', 3), 'abc…')
  assert.equal(truncated('ab😀d', 3), 'ab…')
})
