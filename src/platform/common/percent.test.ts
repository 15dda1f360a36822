import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { unicodeText } from '../../../test/support/unicode-text.ts'
import { decode, decodeForm, encode } from './percent.ts'

const anyText = () =>
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((c) => String.fromCharCode(c)) })

test('encode leaves exactly the RFC 3986 unreserved characters of ASCII bare and writes upper-case hex', () => {
  const bare = /[A-Za-z0-9\-._~]/
  for (let code = 0; code < 128; code++) {
    const letter = String.fromCharCode(code)
    const escaped = `%${code.toString(16).toUpperCase().padStart(2, '0')}`
    assert.equal(encode(letter), bare.test(letter) ? letter : escaped)
  }
})

test('encode writes the bytes of UTF-8, astral characters included', () => {
  assert.equal(encode('☃ é 🦉 א'), '%E2%98%83%20%C3%A9%20%F0%9F%A6%89%20%D7%90')
})

test('encode writes a lone surrogate as U+FFFD instead of throwing', () => {
  assert.equal(encode('\ud83e'), '%EF%BF%BD')
  assert.equal(encode('a\udd89!'), 'a%EF%BF%BD%21')
})

test('encode agrees with the bytes of the text for every string', () => {
  fc.assert(
    fc.property(anyText(), (text) => {
      let expected = ''
      for (const byte of Buffer.from(text)) {
        const letter = String.fromCharCode(byte)
        expected += /[A-Za-z0-9\-._~]/.test(letter)
          ? letter
          : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
      }
      assert.equal(encode(text), expected)
    }),
    { seed: 1, numRuns: 2000 },
  )
})

test('decode undoes encode for every well-formed string', () => {
  fc.assert(
    fc.property(unicodeText(), (text) => {
      assert.equal(decode(encode(text)), text)
      assert.equal(decodeForm(encode(text)), text)
    }),
    { seed: 2, numRuns: 2000 },
  )
})

test('decode keeps a plus and decodeForm turns it into a space, but never an escaped plus', () => {
  assert.equal(decode('a+b%2Bc'), 'a+b+c')
  assert.equal(decodeForm('a+b%2Bc'), 'a b+c')
})

test('decode takes hex digits of either case and keeps a byte order mark', () => {
  assert.equal(decode('%e2%98%83%2F%2f'), '☃//')
  assert.equal(decode('%EF%BB%BFa'), '\ufeffa')
})

test('decode rejects escapes that are cut short, not hexadecimal or not UTF-8', () => {
  for (const text of [
    '%',
    'a%',
    '%4',
    '%zz',
    '%4g',
    '% 41',
    '%%41',
    '%ff',
    '%C3',
    '%C3a',
    '%C0%AF',
    '%ED%A0%80',
    '%F5%80%80%80',
  ])
    assert.equal(decode(text), undefined, text)
})

test('decode never throws and leaves text without escapes alone', () => {
  fc.assert(
    fc.property(
      fc.oneof(anyText(), fc.string({ unit: fc.constantFrom('%', '+', 'c', '3', 'A', 'f', 'z') })),
      (text) => {
        const decoded = decode(text)
        if (!text.includes('%')) assert.equal(decoded, text)
        decodeForm(text)
        encode(text)
      },
    ),
    { seed: 3, numRuns: 2000 },
  )
})
