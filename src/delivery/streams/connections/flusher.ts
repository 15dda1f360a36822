import { setImmediate as nextTurn } from 'node:timers/promises'
import { systemClock } from '../../../platform/common/clock.ts'

/** An object that has something to write. */
export interface Flushable {
  flush(): void
}

/** Maximum number of connections that are written to in one turn of the event loop. */
const FLUSHED_AT_ONCE = 50
/** The pause after each round of writes. What arrives meanwhile takes one write per connection. */
const REST_MS = 5

/**
 * Writes the waiting lines of connections: at the end of the turn after a quiet period, and every
 * few milliseconds when lines arrive continuously.
 */
export class Flusher {
  #waiting = new Set<Flushable>()
  #isRunning = false

  add(one: Flushable): void {
    this.#waiting.add(one)
    if (this.#isRunning) return
    this.#isRunning = true
    void this.#run()
  }

  async #run(): Promise<void> {
    while (this.#waiting.size > 0) {
      await nextTurn()
      const some = [...this.#waiting]
      this.#waiting = new Set()
      for (const [index, one] of some.entries()) {
        if (index % FLUSHED_AT_ONCE === FLUSHED_AT_ONCE - 1) await nextTurn()
        one.flush()
      }
      await systemClock.at(systemClock.now() + REST_MS)
    }
    this.#isRunning = false
  }
}
