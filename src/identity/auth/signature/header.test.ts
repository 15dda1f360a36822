import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { unicodeText } from '../../../../test/support/unicode-text.ts'
import { encode } from '../../../platform/common/percent.ts'
import type { Pair } from '../../../platform/http/input/form.ts'
import { MAX_HEADER_LENGTH, parseAuthorization, parseOAuthHeader } from './header.ts'

test('the scheme is compared without case and separated by any white space', () => {
  assert.deepEqual(parseAuthorization('OAuth a="1"'), { scheme: 'oauth', rest: 'a="1"' })
  assert.deepEqual(parseAuthorization('  OAUTH\t \r\n a="1" '), { scheme: 'oauth', rest: 'a="1"' })
  assert.deepEqual(parseAuthorization('Bearer AAA%2Fb='), { scheme: 'bearer', rest: 'AAA%2Fb=' })
  assert.deepEqual(parseAuthorization('OAuth'), { scheme: 'oauth', rest: '' })
})

test('a blank or overlong Authorization value is rejected, the longest allowed one is read', () => {
  assert.equal(parseAuthorization(''), undefined)
  assert.equal(parseAuthorization(' \t '), undefined)
  const longest = `Bearer ${'a'.repeat(MAX_HEADER_LENGTH - 7)}`
  assert.equal(parseAuthorization(longest)?.rest.length, MAX_HEADER_LENGTH - 7)
  assert.equal(parseAuthorization(`${longest}a`), undefined)
})

test('pairs may be joined by commas with any white space and by empty elements', () => {
  const expected = [
    ['a', '1'],
    ['b', '2'],
    ['c', ''],
  ]
  assert.deepEqual(parseOAuthHeader('a="1",b="2",c=""'), expected)
  assert.deepEqual(parseOAuthHeader(' a="1"\t,\r\n b="2" ,, c = "" ,'), expected)
  assert.deepEqual(parseOAuthHeader(''), [])
})

test('names and values are percent-decoded and a plus stays a plus', () => {
  assert.deepEqual(parseOAuthHeader('a%5Fb="c+d%2B%20%C3%A4=/%22,"'), [['a_b', 'c+d+ ä=/",']])
})

test('repeated names are kept for the caller to see', () => {
  assert.deepEqual(parseOAuthHeader('a="1",a="2"'), [
    ['a', '1'],
    ['a', '2'],
  ])
})

test('realm is dropped, whatever it holds', () => {
  const rest = parseOAuthHeader('realm="https://api.svc.test/?a=b,%zz \\"x\\", a=\\\\", a="1", Realm=""')
  assert.deepEqual(rest, [['a', '1']])
  assert.deepEqual(parseOAuthHeader('realm="x"'), [])
})

test('anything that is not a list of name="value" is rejected', () => {
  for (const rest of [
    'a',
    'a=',
    'a=1',
    'a="1',
    'a"1"',
    '="1"',
    'a="1" b="2"',
    'a="1"b="2"',
    'a="1"; b="2"',
    'a,b="2"',
    'a b="2"',
    'a="1",b',
    '"a"="1"',
    'a==  "1"',
    "a='1'",
    'a="%"',
    'a="%zz"',
    'a="%FF"',
    '%="1"',
    'a="x\\"y"',
    'a="x\\y"',
    'realm="a',
    'realm="a\\"',
    'realm=a, b="1"',
  ])
    assert.equal(parseOAuthHeader(rest), undefined, rest)
})

test('text beyond the length limit is rejected', () => {
  const longest = `a="${'x'.repeat(MAX_HEADER_LENGTH - 4)}"`
  assert.equal(parseOAuthHeader(longest)?.length, 1)
  assert.equal(parseOAuthHeader(`${longest} `), undefined)
})

test('an encoded value decodes to the same value', () => {
  const text = () => unicodeText()
  const pair = fc.tuple(
    text().filter((name) => name !== '' && name.toLowerCase() !== 'realm'),
    text(),
  )
  fc.assert(
    fc.property(fc.array(pair), (pairs: Pair[]) => {
      const sent = pairs.map(([name, value]) => `${encode(name)}="${encode(value)}"`).join(', ')
      fc.pre(sent.length <= MAX_HEADER_LENGTH)
      assert.deepEqual(parseOAuthHeader(sent), pairs)
    }),
    { seed: 6, numRuns: 1000 },
  )
})

test('arbitrary text never throws', () => {
  const text = fc.oneof(
    unicodeText(),
    fc.string({ unit: fc.constantFrom('a', '=', '"', ',', ' ', '\\', '%', '4', 'realm', 'a="1"') }),
  )
  fc.assert(
    fc.property(text, (header) => {
      parseAuthorization(header)
      const pairs = parseOAuthHeader(header)
      if (pairs !== undefined) for (const [name] of pairs) assert.notEqual(name, '')
    }),
    { seed: 7, numRuns: 2000 },
  )
})

test('8 KB of commas, quotes, percent signs, backslashes or spaces is read in one pass', () => {
  const before = process.threadCpuUsage()
  for (let round = 0; round < 20; round++) {
    for (const unit of [
      ',',
      '"',
      '%',
      '\\',
      ' ',
      '=',
      'a',
      ', ',
      'a=',
      'a="',
      'a="",',
      'a="%',
      'realm="\\"',
      'realm="",',
    ]) {
      const text = unit.repeat(Math.floor(MAX_HEADER_LENGTH / unit.length))
      parseAuthorization(text)
      parseOAuthHeader(text)
      parseOAuthHeader(`a="${text.slice(0, MAX_HEADER_LENGTH - 4)}"`)
    }
  }
  // Counts work, not time: a reader that scans the text repeatedly would take hours.
  assert.ok(process.threadCpuUsage(before).user < 60e6)
})
