import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { instantText, parseInstant } from './instant.ts'

const READ: [string, string][] = [
  ['2017-07-10T08:00:00Z', '2017-07-10T08:00:00Z'],
  ['2017-07-10T08:00:00-0800', '2017-07-10T16:00:00Z'],
  ['2017-07-10T08:00:00+05:30', '2017-07-10T02:30:00Z'],
  ['2017-07-10T08:00:00-08', '2017-07-10T16:00:00Z'],
  ['2017-07-10T08:00Z', '2017-07-10T08:00:00Z'],
  ['2017-07-10T08:00:00.987Z', '2017-07-10T08:00:00Z'],
  ['2017-07-10', '2017-07-10T00:00:00Z'],
  ['2024-02-29', '2024-02-29T00:00:00Z'],
]
for (const [text, shown] of READ) {
  test(`reads ${text}`, () => assert.equal(instantText(parseInstant(text) ?? Number.NaN), shown))
}

const REFUSED = [
  '',
  'now',
  '2017',
  '2017-07',
  '2017-07-10T08:00:00',
  '2017-07-10 08:00:00Z',
  '2017-13-01',
  '2017-00-10',
  '2017-02-29',
  '2017-07-32',
  '2017-07-10T24:00:00Z',
  '2017-07-10T08:60:00Z',
  '2017-07-10T08:00:60Z',
  '2017-07-10T08:00:00+15:00',
  '2017-07-10T08:00:00+01:60',
  '1969-12-31',
  '1970-01-01T00:00:00+01:00',
  '9999-12-31T23:59:59-14:00',
  '1499637600000',
]
for (const text of REFUSED) {
  test(`rejects "${text}"`, () => assert.equal(parseInstant(text), undefined))
}

test('reads what it shows', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4_102_444_799 }), (seconds) => {
      assert.equal(parseInstant(instantText(seconds * 1000)), seconds * 1000)
    }),
  )
})
