import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../test/support/until.ts'
import { ManualClock, systemClock } from './clock.ts'
import { Lease } from './lease.ts'

const MS = 15_000
const MARGIN_MS = 2_000

function held() {
  const clock = new ManualClock(1_000)
  const lease = new Lease({ ms: MS, marginMs: MARGIN_MS, clock })
  lease.begin()()
  return { clock, lease }
}

test('a lease is held once it is taken, and not in its last moments', () => {
  const clock = new ManualClock(1_000)
  const lease = new Lease({ ms: MS, marginMs: MARGIN_MS, clock })
  const taken = lease.begin()
  assert.equal(lease.isHeld, false)
  taken()
  clock.advance(MS - MARGIN_MS - 1)
  assert.equal(lease.isHeld, true)
  clock.advance(1)
  assert.equal(lease.isHeld, false)
})

test('a renewal counts from its beginning, however long it took', () => {
  const { clock, lease } = held()
  const renewed = lease.begin()
  clock.advance(10_000)
  renewed()
  clock.advance(MS - MARGIN_MS - 10_000)
  assert.equal(lease.isHeld, false)
})

test('a lease that is renewed keeps its fence, and one that was lost has another', () => {
  const { clock, lease } = held()
  const first = lease.fence
  assert.notEqual(first, undefined)
  lease.begin()()
  assert.equal(lease.fence, first)
  lease.lose()
  assert.equal(lease.fence, undefined)
  lease.begin()()
  const second = lease.fence
  assert.notEqual(second, first)
  clock.advance(MS)
  lease.begin()()
  assert.notEqual(lease.fence, second)
})

test('a clock that is set back does not prolong a lease', async () => {
  const offset = { ms: 0 }
  const lease = new Lease({ ms: 50, marginMs: 10, clock: { now: () => systemClock.now() + offset.ms } })
  lease.begin()()
  offset.ms = -3_600_000
  await until('the end of the lease', () => !lease.isHeld)
})
