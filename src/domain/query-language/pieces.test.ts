import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasPiece } from './pieces.ts'

test('a piece of any length is found where it is, as String.includes finds it', () => {
  const texts = [
    '',
    'ab'.repeat(100),
    'aab'.repeat(70),
    `${'a'.repeat(90)}b${'a'.repeat(90)}`,
    '🦉é'.repeat(60),
  ]
  for (const text of texts)
    for (const length of [1, 31, 32, 33, 34, 60, 91, 120, 181])
      for (let at = 0; at + length <= text.length; at += 7) {
        const piece = text.slice(at, at + length)
        for (const candidate of [
          piece,
          `${piece}x`,
          `x${piece}`,
          `${piece.slice(0, -1)}b`,
          `${piece}${piece}`,
        ])
          assert.equal(hasPiece(text, candidate), text.includes(candidate), `${candidate} in ${text}`)
      }
})
