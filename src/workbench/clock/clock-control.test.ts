import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type OpenedStore, storeStages } from '../../../test/support/stores.ts'
import { AdjustableClock } from './adjustable-clock.ts'
import { ClockControl, loadClock } from './clock-control.ts'
import type { TimedWork } from './work.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const NEVER_MS = 1_000_000

/** Work that is due every so often, and done as soon as it is looked at. */
class Rounds implements TimedWork {
  readonly #everyMs: number
  #doneUntilMs = 0
  /** When each round was done. */
  readonly doneAt: number[] = []

  constructor(everyMs: number) {
    this.#everyMs = everyMs
  }
  from(nowMs: number): this {
    this.#doneUntilMs = nowMs
    return this
  }
  async isDue(now: number): Promise<boolean> {
    for (; this.#doneUntilMs + this.#everyMs <= now; this.#doneUntilMs += this.#everyMs) this.doneAt.push(now)
    return false
  }
  async nextDue(): Promise<number> {
    return this.#doneUntilMs + this.#everyMs
  }
}

for (const stage of storeStages) {
  describe(`the control of the clock on ${stage.name}`, { skip: stage.skip }, () => {
    let at: OpenedStore
    before(async () => {
      at = await stage.open()
    })
    after(() => at.close())

    /** A control with a frozen clock, which nothing else moves. */
    async function frozen(workFrom: (nowMs: number) => readonly TimedWork[]) {
      const clock = new AdjustableClock()
      await loadClock(clock, at.store)
      const parts = { clock, store: at.store, onError: assert.fail }
      const { nowMs } = await new ClockControl({ ...parts, work: [] }).change({ isFrozen: true })
      return { nowMs, control: new ClockControl({ ...parts, work: workFrom(nowMs) }) }
    }

    test('an advance stops exactly when work becomes due', async () => {
      const rounds = new Rounds(7 * MINUTE_MS)
      const { nowMs, control } = await frozen((now) => [rounds.from(now)])
      const result = await control.advance(30 * MINUTE_MS, NEVER_MS)
      assert.deepEqual(
        rounds.doneAt.map((doneAt) => (doneAt - nowMs) / MINUTE_MS),
        [7, 14, 21, 28],
      )
      assert.deepEqual(
        [result.nowMs - nowMs, result.isFrozen, result.isSettled],
        [30 * MINUTE_MS, true, true],
      )
    })

    test('after a thousand stops it goes on in a thousand steps, in which all work is done', async () => {
      const rounds = new Rounds(MINUTE_MS)
      const { nowMs, control } = await frozen((now) => [rounds.from(now)])
      const result = await control.advance(10 * DAY_MS, NEVER_MS)
      assert.equal(result.nowMs, nowMs + 10 * DAY_MS)
      assert.equal(rounds.doneAt.length, 10 * 24 * 60)
      assert.ok(new Set(rounds.doneAt).size <= 2_000, `${new Set(rounds.doneAt).size} stops`)
      assert.deepEqual(
        rounds.doneAt.slice(0, 1_000).map((doneAt, round) => doneAt - nowMs - (round + 1) * MINUTE_MS),
        Array(1_000).fill(0),
      )
    })

    test('advances at the same time follow one another', async () => {
      const { nowMs, control } = await frozen(() => [])
      const results = await Promise.all(
        [1, 2, 3].map((minutes) => control.advance(minutes * MINUTE_MS, NEVER_MS)),
      )
      assert.deepEqual(
        results.map((result) => (result.nowMs - nowMs) / MINUTE_MS),
        [1, 3, 6],
      )
    })

    test('work that is never done ends the waiting, and no more stops are made', async () => {
      const busy: TimedWork = { isDue: async () => true, nextDue: async () => assert.fail('not asked') }
      const { nowMs, control } = await frozen(() => [busy])
      const result = await control.advance(DAY_MS, 0)
      assert.deepEqual([result.nowMs - nowMs, result.isSettled], [DAY_MS, false])
    })
  })
}
