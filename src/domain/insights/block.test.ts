import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BlockPosts, blockAt, startOf } from './block.ts'

const NOON = Date.UTC(2026, 1, 3, 12)
const HOUR_MS = 3_600_000

test('a block is of eight hours of UTC', () => {
  const block = blockAt(NOON)
  assert.equal(block, 503_496_704)
  assert.equal(startOf(block), NOON - 4 * HOUR_MS)
  assert.equal(startOf(block + 8_191), NOON - 4 * HOUR_MS)
  assert.deepEqual([blockAt(NOON - 4 * HOUR_MS), blockAt(NOON + 4 * HOUR_MS - 1)], [block, block])
  assert.deepEqual(
    [blockAt(NOON - 4 * HOUR_MS - 1), blockAt(NOON + 4 * HOUR_MS)],
    [block - 8_192, block + 8_192],
  )
})

test('a post keeps its second of the eight hours, whether it is shown or not', () => {
  const posts = new BlockPosts()
  for (const second of [0, 4_095, 4_096, 28_799]) posts.add(second)
  assert.equal(posts.show(3, false), true)
  assert.equal(posts.show(3, false), false)
  const read = new BlockPosts(posts.bytes)
  const seen = Array.from({ length: read.size }, (_, place) => [read.secondAt(place), read.isShown(place)])
  assert.deepEqual(seen, [
    [0, true],
    [4_095, true],
    [4_096, true],
    [28_799, false],
  ])
})
