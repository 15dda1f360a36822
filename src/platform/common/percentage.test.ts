import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePercentage, percentageText } from './percentage.ts'

test('percentages have up to two decimals, and at least one when they are shown', () => {
  for (const [text, value, shown] of [
    ['1', 100, '1.0'],
    ['50', 5_000, '50.0'],
    ['50.00', 5_000, '50.0'],
    ['33.3', 3_330, '33.3'],
    ['33.33', 3_333, '33.33'],
    ['9.07', 907, '9.07'],
    ['99.00', 9_900, '99.0'],
  ] as const) {
    assert.equal(parsePercentage(text), value)
    assert.equal(percentageText(value), shown)
  }
  for (const text of ['', '0', '0.99', '01', '99.01', '100', '1.', '1.234', '1e1', '-1', ' 1', '½'])
    assert.equal(parsePercentage(text), undefined, text)
  for (let value = 100; value <= 9_900; value++) assert.equal(parsePercentage(percentageText(value)), value)
})
