import type { Store } from '../storage/store.ts'
import type { LoggedEvent } from './event.ts'
import { currentPosition, EVENTS_CHANNEL, readEvents } from './log.ts'

/** Reads the event log from a position on. */
export class LogReader {
  readonly #store: Store
  /** What is after it is read next. It moves when its owner has handled what was read. */
  position: number

  constructor(store: Store, position: number) {
    this.#store = store
    this.position = position
  }

  /** A reader of the events that are committed from now on. */
  static async atEnd(store: Store): Promise<LogReader> {
    return new LogReader(store, await currentPosition(store))
  }

  /**
   * Up to a number of events. They are on disk: a power failure must not leave a consequence
   * without its cause.
   */
  async next(limit: number): Promise<readonly LoggedEvent[]> {
    const events = await readEvents(this.#store, { after: this.position, limit })
    if (events.length > 0) await this.#store.durable()
    return events
  }

  /**
   * Calls `wake` after commits of events, until the result is disposed of. A wake-up may be lost.
   */
  listen(wake: () => void): Disposable {
    return this.#store.listen(EVENTS_CHANNEL, wake)
  }
}
