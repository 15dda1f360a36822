import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterError, type RetryPauses } from './after-error.ts'
import { type Clock, systemClock, WOKEN } from './clock.ts'

/**
 * How often loops look for work that nothing has announced to them. Wake-ups are hints: one may be
 * lost, and other processes change things too. So every loop polls, and what a lost wake-up costs
 * is one of these intervals.
 */
export const POLL_MS = {
  /**
   * Someone waits and would see a longer delay: readers of streams (posts, activities, revoked
   * tokens), whoever ran a command, the start of a node, tasks that other tasks block.
   */
  watched: 500,
  /**
   * Nobody waits, but it must not become late: leases, which last several of these intervals,
   * keep-alive lines, surplus deliveries, batches of members.
   */
  housekeeping: 3_000,
  /** A wake-up nearly always comes before: events for consumers, tasks, deliveries. */
  announced: 10_000,
} as const

/** RetryPauses after errors while someone waits. */
export const SHORT_PAUSES: RetryPauses = { firstMs: 100, longestMs: 5_000 }

/** There is more to do: the next round follows in the next turn of the event loop. */
export const AT_ONCE = Number.NEGATIVE_INFINITY
/** There is nothing to do before a wake-up. */
export const WHEN_WOKEN = Number.POSITIVE_INFINITY

export interface LoopOptions {
  /**
   * Does some of the work. Resolves to the time of the next round, by the clock of the loop, or to
   * `AT_ONCE` or `WHEN_WOKEN`. A wake-up during or after the round brings the next one forward.
   * @param isPoll The time came that the last round resolved to: nothing woke the loop.
   */
  round(isPoll: boolean): Promise<number>
  /** The clock of the waits between rounds. Default: the machine's, whatever time users see. */
  readonly clock?: Clock
  /** Registers what wakes the loop while it runs. */
  wakeUps?(wake: () => void): Disposable
  /**
   * Called with what a round threw. The next round follows after a pause, which wake-ups do not
   * shorten.
   */
  onError(error: unknown): void
  /** Between a failed round and the next one, in real time. */
  readonly pauses?: RetryPauses
}

/**
 * Repeats a piece of work until it is stopped: when it is woken, when its time comes, and after
 * errors.
 */
export class Loop {
  readonly #options: LoopOptions
  readonly #stopping = new AbortController()
  #waiting = new AbortController()
  #wakeUps: Disposable | undefined
  #ended: Promise<void> | undefined

  constructor(options: LoopOptions) {
    this.#options = options
  }

  start(): void {
    this.#wakeUps = this.#options.wakeUps?.(() => this.wake())
    this.#ended = this.#run()
  }

  /** Something may have to be done. */
  wake(): void {
    this.#waiting.abort(WOKEN)
  }

  /** Aborted by a stop. */
  get stopping(): AbortSignal {
    return this.#stopping.signal
  }

  /**
   * Waits for the round in progress, whose errors are not reported any more. No other one follows.
   */
  async stop(): Promise<void> {
    this.#wakeUps?.[Symbol.dispose]()
    this.#stopping.abort()
    this.wake()
    await this.#ended
  }

  /** Waits for the next round. Resolves to false if it was woken. */
  async #isPolled(next: number, waiting: AbortController): Promise<boolean> {
    const { clock = systemClock } = this.#options
    if (clock === systemClock || next === WHEN_WOKEN) return clock.at(next, waiting.signal)
    // A wake-up may be lost while the clock that users see stands still.
    const latest = systemClock.now() + POLL_MS.announced
    const ends = [clock.at(next, waiting.signal), systemClock.at(latest, waiting.signal)]
    const isPoll = await Promise.race(ends)
    waiting.abort(WOKEN)
    return isPoll
  }

  async #run(): Promise<void> {
    const { round, onError, pauses } = this.#options
    const { signal } = this.#stopping
    let failures = 0
    let isPoll = false
    while (!signal.aborted) {
      // Before the round, so that a wake-up during it is not lost.
      const waiting = new AbortController()
      this.#waiting = waiting
      try {
        const next = await round(isPoll)
        failures = 0
        if (next === AT_ONCE) await nextTurn()
        isPoll = next !== AT_ONCE && (await this.#isPolled(next, waiting))
      } catch (error) {
        // What a stop interrupts is done after the next start.
        if (signal.aborted) return
        onError(error)
        isPoll = false
        await afterError(failures++, signal, pauses)
      }
    }
  }
}
