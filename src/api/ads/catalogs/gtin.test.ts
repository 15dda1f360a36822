import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { gtinDoubt, gtinFault } from './gtin.ts'

const GOOD: Readonly<Record<string, string>> = {
  'UPC-A': '036000291452',
  'UPC-E': '04252614',
  'UPC-E of another kind': '01234565',
  'EAN-8': '73513537',
  'EAN-13': '4006381333931',
  JAN: '4901234567894',
  'JAN of 8 digits': '49123456',
  'ISBN-10': '0306406152',
  'ISBN-10 with X': '080442957X',
  'ISBN-10 in small letters': '080442957x',
  'ISBN-10 with hyphens': '0-306-40615-2',
  'ISBN-13': '9780306406157',
  'ISBN-13 with hyphens': '978-0-306-40615-7',
  'GTIN-14': '10614141000415',
}

for (const [what, text] of Object.entries(GOOD))
  test(`takes ${what}`, () => {
    assert.equal(gtinFault(text), undefined)
    assert.equal(gtinDoubt(text), undefined)
  })

test('a number whose check digit is another is doubted and not rejected', () => {
  for (const text of Object.values(GOOD)) {
    const last = text.slice(-1)
    const wrong = text.slice(0, -1) + (/\d/.test(last) ? (Number(last) + 1) % 10 : '0')
    assert.match(String(gtinDoubt(wrong)), /should end with the check digit/, wrong)
    assert.equal(gtinFault(wrong), undefined, wrong)
  }
})

test('rejects numbers of other lengths, and what is not a number', () => {
  for (const text of [
    '',
    '1',
    '1234567',
    '123456789',
    '12345678901',
    '123456789012345',
    'ABCDEFGH',
    '0360O0291452',
    'X804429570',
  ])
    assert.match(String(gtinFault(text)), /must be a UPC, EAN, JAN or ISBN/, text)
})

test('a digit that was mistyped is found in every number', () => {
  const body = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 12, maxLength: 12 })
  fc.assert(
    fc.property(body, fc.nat({ max: 12 }), fc.integer({ min: 1, max: 9 }), (digits, place, by) => {
      const sum = digits.reduce((total, digit, index) => total + digit * (index % 2 === 0 ? 1 : 3), 0)
      const whole = [...digits, (10 - (sum % 10)) % 10]
      assert.equal(gtinDoubt(whole.join('')), undefined)
      const wrong = whole.with(place, ((whole[place] ?? 0) + by) % 10)
      assert.ok(gtinDoubt(wrong.join('')))
    }),
  )
})
