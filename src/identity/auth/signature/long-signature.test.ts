import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { unicodeText } from '../../../../test/support/unicode-text.ts'
import type { Pair } from '../../../platform/http/input/form.ts'
import { baseString, normalizeParameters } from './base-string.ts'
import { hmacSha1 } from './hmac-sha1.ts'
import { longSignature } from './long-signature.ts'

const METHOD = 'post'
const URI = 'https://api.example.com/1.1/media/upload.json'

const expected = (pairs: Pair[]) => hmacSha1('key', baseString(METHOD, URI, normalizeParameters(pairs)))

const signed = (pairs: Pair[], long: Pair[] = []) =>
  longSignature('key', {
    method: METHOD,
    uri: URI,
    pairs,
    long: long.map(([name, value]) => ({ name, bytes: Buffer.from(value) })),
  })

test('it is the signature of the base string', async () => {
  // Few different characters, so that names are repeated and begin alike.
  const text = fc.oneof(
    unicodeText(),
    fc.string({ unit: fc.constantFrom('a', '~', '!', ' ', 'é', '%', '\u{1f600}', '\ud800') }),
  )
  const pairs = fc.array(fc.tuple(text, text), { maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(pairs, pairs, async (some: Pair[], others: Pair[]) => {
      assert.equal(await signed(some, others), expected([...some, ...others]))
    }),
    { seed: 11, numRuns: 500 },
  )
})

test('values that begin alike over many blocks are in order', async () => {
  const start = 'x'.repeat(5_000)
  const pairs = ['z', '!', '', 'A', '~', ' '].map((end): Pair => ['a', start + end])
  assert.equal(await signed(pairs), expected(pairs))
})

test('a value of many windows is encoded as a whole', async () => {
  const pairs: Pair[] = [['media', 'é!a'.repeat(200_000)]]
  assert.equal(await signed([], pairs), expected(pairs))
})
