import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomText, seededRandom, systemRandom } from './random.ts'

test('the same seed gives the same bytes, however they are asked for', () => {
  const [first, second] = [seededRandom('a'), seededRandom('a')]
  const whole = first.bytes(100)
  const parts = Buffer.concat([second.bytes(1), second.bytes(40), second.bytes(59)])
  assert.deepEqual(whole, parts)
  assert.notDeepEqual(whole, seededRandom('b').bytes(100))
})

test('bytes that were given out are no one else’s', () => {
  const source = seededRandom('a')
  const first = source.bytes(8)
  const copy = Buffer.from(first)
  source.bytes(8).fill(0)
  assert.deepEqual(first, copy)
})

test('text has its length and its letters, each about equally often', () => {
  const text = randomText(seededRandom('letters'), 62_000)
  assert.match(text, /^[A-Za-z0-9]{62000}$/)
  const counts = new Map<string, number>()
  for (const letter of text) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  assert.equal(counts.size, 62)
  // 1000 each are expected; five standard deviations are 158.
  for (const count of counts.values()) assert.ok(Math.abs(count - 1000) < 158, `${count}`)
})

test('the system gives other bytes each time', () => {
  assert.notDeepEqual(systemRandom.bytes(16), systemRandom.bytes(16))
  assert.match(randomText(systemRandom, 7, '0123456789'), /^[0-9]{7}$/)
})
