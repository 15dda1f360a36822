import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPrice } from './price.ts'

test('zeros at the end of a fraction say nothing', () => {
  for (const [text, currency, amount] of [
    ['2000 JPY', 'JPY', 2000],
    ['2000.00 JPY', 'JPY', 2000],
    ['20.000 USD', 'USD', 2000],
    ['20.5 USD', 'USD', 2050],
    ['20.050000 USD', 'USD', 2005],
    ['0.10 USD', 'USD', 10],
    ['1.2340 KWD', 'KWD', 1234],
  ] as const)
    assert.deepEqual(readPrice(text), { currency, amount }, text)
})

test('more decimals than the currency has are rejected, and so are fractions without digits', () => {
  assert.match(String(readPrice('2000.01 JPY')), /at most 0 decimals in JPY/)
  assert.match(String(readPrice('20.001 USD')), /at most 2 decimals in USD/)
  assert.match(String(readPrice('20.0010 USD')), /at most 2 decimals in USD/)
  assert.match(String(readPrice('20. USD')), /must be a number/)
})
