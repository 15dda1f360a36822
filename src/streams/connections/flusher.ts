import { setImmediate as nextTurn } from 'node:timers/promises'
import { systemClock } from '../../common/clock.ts'

/** What has something to write. */
export interface Flushable {
  flush(): void
}

/** Connections that are written to in one turn of the event loop. */
const FLUSHED_AT_ONCE = 50
/** After each round of writes; what comes meanwhile leaves with one write for each connection. */
const REST_MS = 5

/**
 * Writes what connections have gathered: at the end of the turn when it was quiet, and once every few milliseconds when
 * lines come one after another.
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
