import { systemClock } from '../common/clock.ts'
import { AT_ONCE, Loop, POLL_MS, SHORT_PAUSES } from '../common/loop.ts'
import type { Store } from '../storage/store.ts'
import type { LoggedEvent } from './event.ts'
import { LogReader } from './reader.ts'

/**
 * Receives the events of a tail. It may receive an event again, and some from before it was added.
 */
export interface TailTaker {
  take(events: readonly LoggedEvent[]): Promise<void> | void
}

export interface TailOptions {
  store: Store
  /** Called when events could not be read or handled; they are read again. */
  onError: (error: unknown) => void
}

const BATCH_SIZE = 500

/**
 * The end of the event log, followed by each node by itself for what lives in its memory: open
 * connections. It begins at the end of the log when its first taker is added, stores no position,
 * and pauses while there is no taker.
 */
export class Tail {
  readonly #options: TailOptions
  readonly #takers = new Set<TailTaker>()
  #loop: Loop | undefined
  #starting: Promise<void> | undefined

  constructor(options: TailOptions) {
    this.#options = options
  }

  /** Adds a taker. Resolves once every event that is committed from then on reaches it. */
  async add(taker: TailTaker): Promise<void> {
    this.#takers.add(taker)
    try {
      await this.#begin(taker)
    } catch (error) {
      this.#takers.delete(taker)
      throw error
    }
  }

  remove(taker: TailTaker): void {
    this.#takers.delete(taker)
    if (this.#takers.size === 0) void this.#stop()
  }

  /** Waits for the events that are being handled. */
  async close(): Promise<void> {
    this.#takers.clear()
    await this.#stop()
  }

  async #begin(taker: TailTaker): Promise<void> {
    // A start that found no takers ends without a run, also for a taker that was added just before
    // its end.
    while (!this.#loop && this.#takers.has(taker)) {
      this.#starting ??= this.#start().finally(() => {
        this.#starting = undefined
      })
      await this.#starting
    }
  }

  async #start(): Promise<void> {
    const { store, onError } = this.#options
    const reader = await LogReader.atEnd(store)
    // The last taker may have left meanwhile.
    if (this.#takers.size === 0) return
    const loop: Loop = new Loop({
      wakeUps: (wake) => reader.listen(wake),
      round: () => this.#pass(reader, loop.stopping),
      onError,
      pauses: SHORT_PAUSES,
    })
    this.#loop = loop
    loop.start()
  }

  async #stop(): Promise<void> {
    const loop = this.#loop
    this.#loop = undefined
    await loop?.stop()
  }

  /** Passes the next events on. */
  async #pass(reader: LogReader, stopped: AbortSignal): Promise<number> {
    const events = await reader.next(BATCH_SIZE)
    const last = events.at(-1)
    if (!last) return systemClock.now() + POLL_MS.watched
    for (const taker of this.#takers) {
      if (stopped.aborted) return AT_ONCE
      await taker.take(events)
    }
    reader.position = last.position
    return AT_ONCE
  }
}
