import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '../../platform/common/clock.ts'
import { Freshness } from './freshness.ts'

test('what was read is stale 250 ms after its reading began, however long that took', () => {
  const time = new ManualClock(1_000)
  const freshness = new Freshness(time)
  assert.equal(freshness.isStale, true)
  const isFresh = freshness.begin()
  time.advance(200)
  assert.equal(freshness.isStale, true)
  isFresh()
  assert.equal(freshness.isStale, false)
  time.advance(50)
  assert.equal(freshness.isStale, false)
  time.advance(1)
  assert.equal(freshness.isStale, true)
  freshness.begin()()
  freshness.expire()
  assert.equal(freshness.isStale, true)
})
