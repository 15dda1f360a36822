import { type Clock, systemClock } from '../../platform/common/clock.ts'
import { Loop, POLL_MS } from '../../platform/common/loop.ts'
import { putSetting, settingByName } from '../../platform/storage/settings.ts'
import type { Store, Transaction } from '../../platform/storage/store.ts'
import { type AdjustableClock, type ClockState, UNADJUSTED } from './adjustable-clock.ts'
import type { TimedWork } from './work.ts'

/** The setting with the state of the clock. */
export const CLOCK_SETTING = 'clock'
const CHANNEL = 'clock'
/**
 * An advance stops this often exactly when work becomes due. Then it goes on in as many equal
 * steps: work that becomes due during a step runs at its end, in order.
 */
const MAX_STOPS = 1_000
/** How often an advance looks whether the work that became due is done. */
const LOOK_MS = 5
/**
 * The latest time that a clock can show: the last millisecond of 2079. In July 2080, ids would need
 * more than 63 bits.
 */
export const LATEST_MS = Date.UTC(2080, 0) - 1

/**
 * A clock would show an earlier time than before. Ids and stored times are in the order of time.
 */
export class ClockSetBack extends Error {
  override readonly name = 'ClockSetBack'
  readonly nowMs: number

  constructor(nowMs: number) {
    super('the clock cannot be set back')
    this.nowMs = nowMs
  }
}

/** The state of the clock, as its users see it. */
export interface ClockReading {
  /** In epoch milliseconds. */
  readonly nowMs: number
  readonly machineMs: number
  readonly isFrozen: boolean
}

/** A change of the clock. */
export interface ClockChange {
  /** The time to show, in epoch milliseconds. Default: the time that it shows. */
  readonly nowMs?: number | undefined
  /** Whether to stand still. Default: as before. */
  readonly isFrozen?: boolean | undefined
}

export interface AdvanceResult extends ClockReading {
  /** Whether all work that became due is done. */
  readonly isSettled: boolean
}

interface ClockControlOptions {
  readonly clock: AdjustableClock
  readonly store: Store
  /** What the time makes due. */
  readonly work: readonly TimedWork[]
  readonly machine?: Clock
  onError(error: unknown): void
}

/**
 * Adjusts the clock that users see, on all nodes. The adjustment is stored, so that time goes on
 * from there after a restart, and never goes back.
 */
export class ClockControl {
  readonly #options: ClockControlOptions
  readonly #machine: Clock
  readonly #watch: Loop
  #advancing: Promise<unknown> = Promise.resolve()

  constructor(options: ClockControlOptions) {
    this.#options = options
    this.#machine = options.machine ?? systemClock
    const { store, clock, onError } = options
    this.#watch = new Loop({
      wakeUps: (wake) => store.listen(CHANNEL, wake),
      round: async () => {
        await loadClock(clock, store)
        return this.#machine.now() + POLL_MS.announced
      },
      onError,
    })
  }

  /** Follows adjustments that other nodes make. */
  start(): void {
    this.#watch.start()
  }

  stop(): Promise<void> {
    return this.#watch.stop()
  }

  read(): ClockReading {
    const { clock } = this.#options
    return {
      nowMs: clock.now(),
      machineMs: this.#machine.now(),
      isFrozen: clock.state.frozenAtMs !== undefined,
    }
  }

  /**
   * Sets, freezes or resumes the clock.
   * @throws ClockSetBack `nowMs` is before the time that it shows.
   */
  async change({ nowMs, isFrozen }: ClockChange): Promise<ClockReading> {
    const { clock, store } = this.#options
    const next = await store.write(async (tx) => {
      const stored = await storedState(tx)
      const shown = shownBy(stored, this.#machine.now())
      if (nowMs !== undefined && nowMs < shown) throw new ClockSetBack(shown)
      const state = stateOf(nowMs ?? shown, isFrozen ?? stored.frozenAtMs !== undefined, this.#machine.now())
      await putSetting(tx, CLOCK_SETTING, JSON.stringify(state))
      tx.notify(CHANNEL)
      return state
    })
    clock.adjust(next)
    return this.read()
  }

  /**
   * Moves the clock forward, and stops at each time at which work becomes due until that work is
   * done. Advances follow one another. Resolves when nothing is due any more, or after `timeoutMs`
   * of real time.
   */
  advance(byMs: number, timeoutMs: number): Promise<AdvanceResult> {
    const advanced = this.#advancing.then(() => this.#advance(byMs, this.#machine.now() + timeoutMs))
    this.#advancing = advanced.catch(() => undefined)
    return advanced
  }

  async #advance(byMs: number, deadlineMs: number): Promise<AdvanceResult> {
    const { clock } = this.#options
    const targetMs = Math.min(clock.now() + byMs, LATEST_MS)
    let stops = 0
    let leastMs = 0
    // Work that is due already comes first: a task that runs would lose its lease.
    let isSettled = await this.#settle(deadlineMs)
    while (clock.now() < targetMs) {
      const fromMs = clock.now()
      if (stops++ === MAX_STOPS) leastMs = Math.ceil((targetMs - fromMs) / MAX_STOPS)
      // Without time to wait for the work, the clock does not stop for it either.
      const dueMs = isSettled ? await this.#nextDue(fromMs) : undefined
      const nextMs = Math.min(targetMs, Math.max(dueMs ?? targetMs, fromMs + leastMs))
      await this.#moveTo(nextMs)
      isSettled = await this.#settle(deadlineMs)
    }
    return { ...this.read(), isSettled }
  }

  /** The clock may have gone on by itself, or been set by someone else. */
  async #moveTo(nowMs: number): Promise<void> {
    try {
      await this.change({ nowMs })
    } catch (error) {
      if (!(error instanceof ClockSetBack)) throw error
    }
  }

  async #nextDue(afterMs: number): Promise<number | undefined> {
    const times = await Promise.all(this.#options.work.map((work) => work.nextDue(afterMs)))
    const known = times.filter((time) => time !== undefined)
    return known.length === 0 ? undefined : Math.min(...known)
  }

  /** Waits until nothing is due. Resolves to false when the time for it is over. */
  async #settle(deadlineMs: number): Promise<boolean> {
    // One kind of work may cause another that was looked at before.
    for (let clearRounds = 0; clearRounds < 2; ) {
      if (!(await this.#isDue())) clearRounds++
      else if (this.#machine.now() >= deadlineMs) return false
      else {
        clearRounds = 0
        await this.#machine.at(this.#machine.now() + LOOK_MS)
      }
    }
    return true
  }

  async #isDue(): Promise<boolean> {
    const { clock, work } = this.#options
    for (const kind of work) if (await kind.isDue(clock.now())) return true
    return false
  }
}

/** Adjusts a clock as it is stored. */
export async function loadClock(clock: AdjustableClock, store: Pick<Store, 'first'>): Promise<void> {
  const stored = await storedState(store)
  const { state } = clock
  if (stored.offsetMs !== state.offsetMs || stored.frozenAtMs !== state.frozenAtMs) clock.adjust(stored)
}

async function storedState(reader: Pick<Transaction, 'first'>): Promise<ClockState> {
  const row = await reader.first(settingByName, { name: CLOCK_SETTING })
  return row ? (JSON.parse(row.value) as ClockState) : UNADJUSTED
}

const shownBy = ({ offsetMs, frozenAtMs }: ClockState, machineMs: number) =>
  frozenAtMs ?? machineMs + offsetMs

/** The state of a clock that shows a time now. */
export const stateOf = (nowMs: number, isFrozen: boolean, machineMs: number): ClockState => ({
  offsetMs: nowMs - machineMs,
  ...(isFrozen && { frozenAtMs: nowMs }),
})
