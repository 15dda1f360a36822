import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { BUCKET_LIMIT, CallWindows } from './windows.ts'

test('windows count like one counter per bucket', () => {
  const call = fc.record({
    bucket: fc.integer({ min: 0, max: 12 }).map(String),
    limit: fc.integer({ min: 0, max: 4 }),
    windowMs: fc.constantFrom(1000, 5000, 30_000),
    passedMs: fc.constantFrom(0, 0, 1, 400, 1000, 9000),
  })
  fc.assert(
    fc.property(fc.array(call, { maxLength: 400, size: 'max' }), (calls) => {
      const windows = new CallWindows()
      const model = new Map<string, { used: number; endMs: number }>()
      let nowMs = 1_600_000_000_000
      for (const { bucket, limit, windowMs, passedMs } of calls) {
        nowMs += passedMs
        let expected = model.get(bucket)
        if (!expected || nowMs >= expected.endMs) {
          expected = { used: 0, endMs: nowMs + windowMs }
          model.set(bucket, expected)
        }
        const allowed = expected.used < limit
        if (allowed) expected.used++
        assert.deepEqual(windows.count(bucket, limit, windowMs, nowMs), {
          allowed,
          remaining: Math.max(0, limit - expected.used),
          resetSeconds: Math.ceil(expected.endMs / 1000),
        })
      }
    }),
    { seed: 20, numRuns: 200 },
  )
})

test('no more windows are kept than the limit, whatever is counted', () => {
  const windows = new CallWindows()
  for (let n = 0; n < BUCKET_LIMIT + 5000; n++) windows.count(`bucket ${n}`, 1, 900_000, n)
  assert.equal(windows.size, BUCKET_LIMIT)
})

test('the window nearest to its end is evicted', () => {
  const windows = new CallWindows(3)
  windows.count('long', 1, 90_000, 0)
  windows.count('short', 1, 10_000, 0)
  windows.count('middle', 1, 50_000, 0)
  windows.count('new', 1, 20_000, 0)
  assert.equal(windows.count('long', 1, 90_000, 1).allowed, false)
  assert.equal(windows.count('middle', 1, 50_000, 1).allowed, false)
  assert.equal(windows.count('new', 1, 20_000, 1).allowed, false)
  assert.equal(windows.count('short', 1, 10_000, 1).allowed, true)
})

test('ended windows go as others open, without a call on them', () => {
  const windows = new CallWindows()
  for (let n = 0; n < 1000; n++) windows.count(`early ${n}`, 1, 1000, 0)
  for (let n = 0; n < 300; n++) windows.count(`late ${n}`, 1, 60_000, 2000)
  assert.equal(windows.size, 300)
})

test('a bound below one window is rejected', () => {
  assert.throws(() => new CallWindows(0), RangeError)
  assert.throws(() => new CallWindows(Number.NaN), RangeError)
})
