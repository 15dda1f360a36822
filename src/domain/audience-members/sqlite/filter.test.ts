import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { KEY_BYTES } from '../packed.ts'
import { KeyFilter, KeyFilters } from './filter.ts'

const keysOf = (count: number) => randomBytes(count * KEY_BYTES)

function addAll(filter: KeyFilter, keys: Uint8Array): void {
  for (let at = 0; at < keys.length; at += KEY_BYTES) filter.add(keys, at)
}

/** How many keys may be there. */
function passed(filter: KeyFilter, keys: Uint8Array): number {
  let total = 0
  for (let at = 0; at < keys.length; at += KEY_BYTES) if (filter.mayHave(keys, at)) total++
  return total
}

test('a key that was added is never told to be absent, whatever it looks like', () => {
  // Few different bytes: many keys are alike or begin alike.
  const key = fc.array(fc.constantFrom(0, 1, 127, 128, 255), { minLength: KEY_BYTES, maxLength: KEY_BYTES })
  fc.assert(
    fc.property(fc.array(key, { minLength: 1 }), fc.integer({ min: 1, max: 300 }), (keys, bytes) => {
      const filter = new KeyFilter(bytes)
      const all = Uint8Array.from(keys.flat())
      addAll(filter, all)
      assert.equal(passed(filter, all), keys.length)
    }),
  )
})

test('most keys that were not added are told to be absent', () => {
  const filter = new KeyFilter(40_000)
  const others = keysOf(20_000)
  assert.equal(passed(filter, others), 0)
  addAll(filter, keysOf(20_000))
  assert.ok(passed(filter, others) < 20_000 * 0.005, 'with two bytes a key')
  addAll(filter, keysOf(20_000))
  assert.ok(passed(filter, others) < 20_000 * 0.05, 'with a byte a key')
})

test('is full with a key for each byte; a key that is added again takes no room', () => {
  const filter = new KeyFilter(1_024)
  const few = keysOf(500)
  for (let n = 0; n < 10; n++) addAll(filter, few)
  assert.equal(filter.isFull, false)
  addAll(filter, keysOf(700))
  assert.equal(filter.isFull, true)
})

test('all filters together keep to their memory: the one that was longest not used makes room', () => {
  const filters = new KeyFilters(16_384)
  const made = [1, 2, 3, 4].map((audience) => filters.add(audience, 2_048))
  assert.equal(filters.bytes, 16_384)
  assert.equal(filters.add(5, 100), undefined, 'all are in use')
  for (let n = 0; n < 50; n++) for (const audience of [1, 3, 4]) filters.get(audience)
  assert.ok(filters.add(5, 100))
  assert.equal(filters.get(2), undefined)
  assert.equal(filters.get(1), made[0])
  assert.equal(filters.bytes, 16_384)
  filters.remove(1)
  filters.remove(1)
  assert.equal(filters.bytes, 12_288)
})

test('has room for as many keys again: a quarter of the memory, or all of it', () => {
  const filters = new KeyFilters(65_536)
  const sizes = [1, 2_048, 2_049, 8_192, 8_193].map((keys) => filters.add(1, keys)?.bytes)
  assert.deepEqual(sizes, [4_096, 4_096, 16_384, 16_384, 65_536])
})

test('an audience with too many keys goes without, and a full filter goes', () => {
  const filters = new KeyFilters(1_024)
  assert.equal(filters.add(1, 1_024), undefined)
  const made = filters.add(1, 1_000)
  assert.equal(made?.bytes, 1_024)
  addAll(made as KeyFilter, keysOf(1_200))
  assert.equal(filters.get(1), undefined)
  assert.equal(filters.bytes, 0)
})
