import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { until } from '../../../test/support/until.ts'
import { ManualClock } from './clock.ts'
import { AT_ONCE, Loop, type LoopOptions, WHEN_WOKEN } from './loop.ts'

const POLL_MS = 10_000

interface Round {
  /** Counts from 1. */
  readonly round: number
  readonly clock: ManualClock
  readonly loop: Loop
}

/** A loop whose rounds do what `work` says, and what was seen of them. */
function started(work: (at: Round) => Promise<number> | number, options: Partial<LoopOptions> = {}) {
  const clock = new ManualClock(1_000)
  const seen = { rounds: 0, polls: 0, errors: [] as unknown[] }
  const loop: Loop = new Loop({
    clock,
    async round(isPoll) {
      seen.rounds++
      if (isPoll) seen.polls++
      return work({ round: seen.rounds, clock, loop })
    },
    onError: (error) => seen.errors.push(error),
    pauses: { firstMs: 1, longestMs: 2 },
    ...options,
  })
  loop.start()
  return { loop, clock, seen }
}

test('a round follows when its time comes, and not before', async (t) => {
  const { loop, clock, seen } = started(({ clock: at }) => at.now() + POLL_MS)
  t.after(() => loop.stop())
  await until('the wait', () => clock.waits === 1)
  clock.advance(POLL_MS - 1)
  await nextTurn()
  assert.deepEqual([seen.rounds, seen.polls], [1, 0])
  clock.advance(1)
  await until('the second round', () => seen.rounds === 2)
  assert.equal(seen.polls, 1)
})

test('a wake-up brings the next round forward, also one that comes during a round', async (t) => {
  const held = Promise.withResolvers<void>()
  const { loop, clock, seen } = started(async ({ round }) => {
    if (round === 2) await held.promise
    return WHEN_WOKEN
  })
  t.after(() => loop.stop())
  await until('the wait', () => clock.waits === 1)
  loop.wake()
  await until('the second round', () => seen.rounds === 2)
  loop.wake()
  loop.wake()
  held.resolve()
  await until('the third round', () => seen.rounds === 3)
  await until('the wait', () => clock.waits === 1)
  assert.deepEqual([seen.rounds, seen.polls], [3, 0])
})

test('while there is more to do, rounds follow one another, and other work has its turn in between', async (t) => {
  let turns = 0
  const turnsAt: number[] = []
  const { loop, clock } = started(({ round }) => {
    turnsAt.push(turns)
    setImmediate(() => turns++)
    return round < 4 ? AT_ONCE : WHEN_WOKEN
  })
  t.after(() => loop.stop())
  await until('the wait', () => clock.waits === 1)
  assert.deepEqual(turnsAt, [0, 1, 2, 3])
})

test('after an error, rounds follow in real time, and wake-ups do not bring them forward', async (t) => {
  const { loop, clock, seen } = started(({ round, loop: own }) => {
    if (round > 3) return WHEN_WOKEN
    own.wake()
    throw new Error(`round ${round}`)
  })
  t.after(() => loop.stop())
  await until('a round that succeeds', () => clock.waits === 1)
  assert.deepEqual(seen.errors.map(String), ['Error: round 1', 'Error: round 2', 'Error: round 3'])
  assert.equal(seen.rounds, 4)
})

test('what wakes a loop is registered while it runs', async () => {
  const wakers = new Set<() => void>()
  const { loop, clock, seen } = started(() => WHEN_WOKEN, {
    wakeUps(wake) {
      wakers.add(wake)
      return { [Symbol.dispose]: () => void wakers.delete(wake) }
    },
  })
  await until('the wait', () => clock.waits === 1)
  for (const wake of wakers) wake()
  await until('the second round', () => seen.rounds === 2)
  await loop.stop()
  assert.deepEqual([wakers.size, clock.waits], [0, 0])
})

test('a stop aborts the signal, waits for the round, and reports no error of it', async () => {
  const begun = Promise.withResolvers<void>()
  const errors: unknown[] = []
  let isOver = false
  const loop: Loop = new Loop({
    async round() {
      const { stopping } = loop
      begun.resolve()
      await new Promise((resolve) => stopping.addEventListener('abort', resolve))
      await nextTurn()
      isOver = true
      stopping.throwIfAborted()
      return AT_ONCE
    },
    onError: (error) => errors.push(error),
  })
  loop.start()
  await begun.promise
  await loop.stop()
  assert.deepEqual([isOver, errors], [true, []])
})
