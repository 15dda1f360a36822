import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock, systemClock } from './clock.ts'

test('a wait ends when the clock shows its time, the earliest first, and not before', async () => {
  const clock = new ManualClock(1_000)
  const ended: string[] = []
  const noting = (name: string) => () => ended.push(name)
  const late = clock.at(3_000).then(noting('late'))
  const early = clock.at(2_000).then(noting('early'))
  await clock.at(1_000).then(noting('now'))
  assert.deepEqual([ended, clock.waits], [['now'], 2])
  clock.advance(999)
  await Promise.resolve()
  assert.deepEqual([ended, clock.waits], [['now'], 2])
  clock.moveTo(9_000)
  await Promise.all([late, early])
  assert.deepEqual(ended, ['now', 'early', 'late'])
})

for (const [name, clock] of [
  ['the clock of the machine', systemClock],
  ['a clock that is moved by hand', new ManualClock(0)],
] as const) {
  test(`${name}: a wait that is given up ends with false and leaves nothing behind`, async () => {
    const giving = new AbortController()
    const wait = clock.at(clock.now() + 3_600_000, giving.signal)
    giving.abort()
    assert.equal(await wait, false)
    assert.equal(await clock.at(clock.now(), giving.signal), false)
    if (clock instanceof ManualClock) assert.equal(clock.waits, 0)
  })
}

test('the clock of the machine waits for its time', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 0 })
  let came: boolean | undefined
  // Far ahead, because real time counts too.
  const wait = systemClock.at(2_500_000).then((value) => {
    came = value
  })
  t.mock.timers.tick(2_499_999)
  await Promise.resolve()
  assert.equal(came, undefined)
  t.mock.timers.tick(1)
  await wait
  assert.equal(came, true)
})

test('a machine whose clock was set forward ends a wait within a second', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 0 })
  const wait = systemClock.at(3_600_000)
  t.mock.timers.setTime(3_600_000)
  t.mock.timers.tick(1_000)
  assert.equal(await wait, true)
})
