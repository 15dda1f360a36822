import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { encode } from '../../../platform/common/percent.ts'
import type { Pair } from '../../../platform/http/input/form.ts'
import { baseString, baseUri, normalizeParameters, signingKey } from './base-string.ts'

test('scheme and host are lower-cased and the path is kept as received', () => {
  assert.equal(
    baseUri('HTTPS', 'API.Svc.Test', '/2/Users/we%20ird%2fName'),
    'https://api.svc.test/2/Users/we%20ird%2fName',
  )
})

test('only the default port of the scheme is dropped', () => {
  assert.equal(baseUri('https', 'a.test:443', '/'), 'https://a.test/')
  assert.equal(baseUri('http', 'a.test:80', '/'), 'http://a.test/')
  assert.equal(baseUri('http', 'a.test:443', '/'), 'http://a.test:443/')
  assert.equal(baseUri('https', 'a.test:80', '/'), 'https://a.test:80/')
  assert.equal(baseUri('https', 'a.test:8443', '/'), 'https://a.test:8443/')
  assert.equal(baseUri('https', 'a.test:', '/'), 'https://a.test/')
})

test('the colons of an IPv6 host are not taken for a port', () => {
  assert.equal(baseUri('http', '[::1]', '/x'), 'http://[::1]/x')
  assert.equal(baseUri('http', '[2001:DB8::80]', '/x'), 'http://[2001:db8::80]/x')
  assert.equal(baseUri('http', '[::1]:80', '/x'), 'http://[::1]/x')
  assert.equal(baseUri('http', '[::1]:8787', '/x'), 'http://[::1]:8787/x')
})

test('query and fragment are dropped and an empty path is a slash', () => {
  assert.equal(baseUri('http', 'a', '/x?y=/z?#w'), 'http://a/x')
  assert.equal(baseUri('http', 'a', '/x#w?y'), 'http://a/x')
  assert.equal(baseUri('http', 'a', ''), 'http://a/')
  assert.equal(baseUri('http', 'a', '?y=1'), 'http://a/')
})

test('of a target in absolute form only the path counts', () => {
  assert.equal(baseUri('http', 'a', 'http://b.test:81/x?y=1'), 'http://a/x')
  assert.equal(baseUri('http', 'a', 'http://b.test?y=/1'), 'http://a/')
  assert.equal(baseUri('http', 'a', 'http://b.test'), 'http://a/')
  assert.equal(baseUri('http', 'a', '/go/http://b.test/x'), 'http://a/go/http://b.test/x')
})

test('parameters are sorted by encoded name, then by encoded value, whatever order they came in', () => {
  const pairs: Pair[] = [
    ['ab', '1'],
    ['a', 'b'],
    ['a b', '6'],
    ['a', 'B'],
    ['a[b]', '7'],
    ['a', 'ä'],
    ['a-b', '4'],
    ['a', '10'],
    ['a.b', '3'],
    ['a', '2'],
    ['a_b', '5'],
    ['a', ''],
    ['a', 'b'],
  ]
  const expected = 'a=&a=%C3%A4&a=10&a=2&a=B&a=b&a=b&a%20b=6&a%5Bb%5D=7&a-b=4&a.b=3&a_b=5&ab=1'
  assert.equal(normalizeParameters(pairs), expected)
  assert.equal(normalizeParameters(pairs.toReversed()), expected)
})

test('the signature itself is dropped and the input is left as it was', () => {
  const pairs: Pair[] = [
    ['b', '1'],
    ['oauth_signature', 'x'],
    ['a', '2'],
  ]
  assert.equal(normalizeParameters(pairs), 'a=2&b=1')
  assert.deepEqual(pairs[0], ['b', '1'])
  assert.equal(normalizeParameters([]), '')
})

test('few and many parameters are ordered by bytes alike', () => {
  const text = () => fc.string({ unit: fc.constantFrom('a', 'B', '-', '=', ' ', 'é', '~'), maxLength: 3 })
  fc.assert(
    fc.property(fc.array(fc.tuple(text(), text()), { maxLength: 60 }), (pairs: Pair[]) => {
      const expected = pairs
        .map(([name, value]): [Buffer, Buffer] => [Buffer.from(encode(name)), Buffer.from(encode(value))])
        .sort((a, b) => Buffer.compare(a[0], b[0]) || Buffer.compare(a[1], b[1]))
        .map(([name, value]) => `${name}=${value}`)
        .join('&')
      assert.equal(normalizeParameters(pairs), expected)
    }),
    { seed: 8, numRuns: 1000 },
  )
})

test('the base string has the method in upper case and the parameters encoded twice', () => {
  assert.equal(
    baseString('post', 'https://a.test/x%2Fy', normalizeParameters([['q', 'a&b']])),
    'POST&https%3A%2F%2Fa.test%2Fx%252Fy&q%3Da%2526b',
  )
})

test('each half of the key is encoded and an absent token secret leaves a bare ampersand', () => {
  assert.equal(signingKey('a&b', 'c%+'), 'a%26b&c%25%2B')
  assert.equal(signingKey('a', ''), 'a&')
})
