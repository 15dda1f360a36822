import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { hasRun } from './pieces.ts'

const letters = (maxLength: number) => fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength })

test('items occur in sequence where a text of them contains the other text', () =>
  fc.assert(
    fc.property(letters(40), letters(8), (items, wanted) => {
      assert.equal(hasRun(items, wanted), items.join('').includes(wanted.join('')))
    }),
    { seed: 20_260_301, numRuns: 2_000 },
  ))

test('nothing occurs in nothing', () => {
  assert.equal(hasRun([], ['a']), false)
  assert.equal(hasRun(['a'], []), false)
})
