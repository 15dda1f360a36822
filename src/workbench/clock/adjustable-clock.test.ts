import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '../../platform/common/clock.ts'
import { AdjustableClock } from './adjustable-clock.ts'
import { durationMs } from './duration.ts'

const START_MS = Date.UTC(2026, 2, 1, 12)
const opened = () => {
  const machine = new ManualClock(START_MS)
  return { machine, clock: new AdjustableClock(machine) }
}
const isSettled = async (promise: Promise<unknown>) => {
  const pending = Symbol()
  // Waits resolve after a few microtasks.
  for (let turn = 0; turn < 5; turn++) await Promise.resolve()
  return (await Promise.race([promise, Promise.resolve(pending)])) !== pending
}

test('it shows the machine’s time, with an offset or standing still once it is adjusted', () => {
  const { machine, clock } = opened()
  assert.equal(clock.now(), START_MS)
  clock.adjust({ offsetMs: 5_000 })
  machine.advance(1_000)
  assert.equal(clock.now(), START_MS + 6_000)
  clock.adjust({ offsetMs: 0, frozenAtMs: START_MS + 9_000 })
  machine.advance(60_000)
  assert.equal(clock.now(), START_MS + 9_000)
})

test('a wait ends when the clock shows its time, whether the machine or an adjustment brings it there', async () => {
  const { machine, clock } = opened()
  const [first, second] = [clock.at(START_MS + 2_000), clock.at(START_MS + 3_600_000)]
  machine.advance(1_999)
  assert.equal(await isSettled(first), false)
  machine.advance(1)
  assert.equal(await first, true)
  assert.equal(await isSettled(second), false)
  clock.adjust({ offsetMs: 3_600_000 })
  assert.equal(await second, true)
  assert.deepEqual(machine.awaited, [], 'no timer is left')
})

test('a frozen clock keeps waits waiting, until it is resumed or moved', async () => {
  const { machine, clock } = opened()
  clock.adjust({ offsetMs: 0, frozenAtMs: START_MS })
  const wait = clock.at(START_MS + 1_000)
  machine.advance(3_600_000)
  assert.equal(await isSettled(wait), false)
  assert.deepEqual(machine.awaited, [])
  clock.adjust({ offsetMs: -3_600_000 })
  machine.advance(999)
  assert.equal(await isSettled(wait), false)
  machine.advance(1)
  assert.equal(await wait, true)
})

test('a wait ends when the machine says so, although its clock was set back meanwhile', async () => {
  let machineMs = START_MS
  const over = Promise.withResolvers<boolean>()
  const clock = new AdjustableClock({ now: () => machineMs, at: () => over.promise })
  const wait = clock.at(START_MS + 1_000)
  machineMs -= 3_600_000
  over.resolve(true)
  assert.equal(await wait, true)
})

test('an aborted wait resolves to false and leaves nothing behind', async () => {
  const { machine, clock } = opened()
  const controller = new AbortController()
  const wait = clock.at(START_MS + 1_000, controller.signal)
  controller.abort()
  assert.equal(await wait, false)
  assert.equal(await clock.at(START_MS + 1_000, controller.signal), false)
  assert.deepEqual(machine.awaited, [])
  clock.adjust({ offsetMs: 10_000 })
})

test('durations are amounts with units', () => {
  assert.equal(durationMs('90s'), 90_000)
  assert.equal(durationMs('1d2h3m4s5ms'), 93_784_005)
  assert.equal(durationMs('0s'), 0)
  for (const wrong of ['', '5', 'h', '-1h', '1.5h', '1h 2m', '1w', '1h1h1h1h1h1h', '1h\n'])
    assert.equal(durationMs(wrong), undefined, wrong)
})
