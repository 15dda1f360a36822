import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { unicodeText } from '../../../../test/support/unicode-text.ts'
import { hmacSha1 } from './hmac-sha1.ts'

test('the digest is HMAC-SHA1 in padded base64', () => {
  // RFC 2202, case 2: effcdf6ae5eb2fa2d27416d5f184df9c259a7c79
  assert.equal(hmacSha1('Jefe', 'what do ya want for nothing?'), '7/zfauXrL6LSdBbV8YTfnCWafHk=')
})

const expected = (key: string, text: string) => createHmac('sha1', key).update(text).digest('base64')

test('any key and text give what createHmac gives, whatever was computed before', () => {
  const any = unicodeText({ maxLength: 200 })
  fc.assert(fc.property(any, any, (key, text) => assert.equal(hmacSha1(key, text), expected(key, text))))
})

for (const length of [0, 20, 21, 22, 63, 64, 65, 8_191, 8_192, 8_193, 100_000]) {
  test(`a key and a text of ${length} characters of three bytes`, () => {
    const text = '€'.repeat(length)
    assert.equal(hmacSha1(text, text), expected(text, text))
    assert.equal(hmacSha1('x'.repeat(length), 'a\ud800b'), expected('x'.repeat(length), 'a\ud800b'))
  })
}
