import { afterError } from '../common/after-error.ts'
import { systemClock, WOKEN } from '../common/clock.ts'
import type { Store } from '../storage/store.ts'
import type { LoggedEvent } from './event.ts'
import { currentPosition, EVENTS_CHANNEL, readEvents } from './log.ts'

/** Receives the events of a tail. It may receive an event again, and some from before it was added. */
export interface TailTaker {
  take(events: readonly LoggedEvent[]): Promise<void> | void
}

export interface TailOptions {
  store: Store
  /** Called when events could not be read or handled; they are read again. */
  onError: (error: unknown) => void
}

const BATCH_SIZE = 500
/** A wake-up may be lost, so the log is polled at this interval while there are takers. */
const LOOK_MS = 500
/** Short, because readers wait. */
const PAUSES = { firstMs: 100, longestMs: 5_000 }

/**
 * The end of the event log, followed by each node by itself for what lives in its memory: open connections. It begins
 * at the end of the log when its first taker is added, stores no position, and pauses while there is no taker.
 */
export class Tail {
  readonly #options: TailOptions
  readonly #takers = new Set<TailTaker>()
  #running: { stop: AbortController; ended: Promise<void> } | undefined
  #starting: Promise<void> | undefined
  #sleep = new AbortController()
  #position = 0
  #failures = 0

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
    if (this.#takers.size === 0) this.#stop()
  }

  /** Waits for the events that are being handled. */
  async close(): Promise<void> {
    this.#takers.clear()
    const running = this.#running
    this.#stop()
    await running?.ended
  }

  async #begin(taker: TailTaker): Promise<void> {
    // A start that found no takers ends without a run, also for a taker that was added just before its end.
    while (!this.#running && this.#takers.has(taker)) {
      this.#starting ??= this.#start().finally(() => {
        this.#starting = undefined
      })
      await this.#starting
    }
  }

  async #start(): Promise<void> {
    this.#position = await currentPosition(this.#options.store)
    // The last taker may have left meanwhile.
    if (this.#takers.size === 0) return
    const stop = new AbortController()
    const listener = this.#options.store.listen(EVENTS_CHANNEL, () => this.#sleep.abort(WOKEN))
    this.#running = { stop, ended: this.#run(stop.signal).finally(() => listener[Symbol.dispose]()) }
  }

  #stop(): void {
    this.#running?.stop.abort()
    this.#running = undefined
  }

  async #run(stopped: AbortSignal): Promise<void> {
    while (!stopped.aborted) {
      const sleep = new AbortController()
      this.#sleep = sleep
      try {
        if (await this.#step(stopped)) continue
        await pause(LOOK_MS, AbortSignal.any([sleep.signal, stopped]))
      } catch (error) {
        if (stopped.aborted) return
        this.#options.onError(error)
        await afterError(this.#failures++, stopped, PAUSES)
      }
    }
  }

  /** Passes the next events on. Resolves to whether there were any. */
  async #step(stopped: AbortSignal): Promise<boolean> {
    const { store } = this.#options
    const events = await readEvents(store, { after: this.#position, limit: BATCH_SIZE })
    const last = events.at(-1)
    if (!last) return false
    await store.durable()
    for (const taker of this.#takers) {
      if (stopped.aborted) return false
      await taker.take(events)
    }
    if (!stopped.aborted) this.#position = last.position
    this.#failures = 0
    return true
  }
}

/** In real time: the time that users see may stand still. */
const pause = (ms: number, signal: AbortSignal) => systemClock.at(systemClock.now() + ms, signal)
