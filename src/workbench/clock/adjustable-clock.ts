import { type Clock, systemClock } from '../../platform/common/clock.ts'

/** How a clock differs from the machine's. */
export interface ClockState {
  /**
   * What it shows, minus what the machine's clock shows, in milliseconds. Ignored while it is
   * frozen.
   */
  readonly offsetMs: number
  /** The time at which it stands still, in epoch milliseconds. */
  readonly frozenAtMs?: number
}

/** The machine's clock. */
export const UNADJUSTED: ClockState = { offsetMs: 0 }

/**
 * The clock that users see: the machine's, until it is adjusted. Waits follow the adjustments: they
 * end when the clock shows their time, however it came to show it.
 */
export class AdjustableClock implements Clock {
  readonly #machine: Clock
  #state = UNADJUSTED
  readonly #waits = new Set<() => void>()

  constructor(machine: Clock = systemClock) {
    this.#machine = machine
  }

  get state(): ClockState {
    return this.#state
  }

  now(): number {
    const { offsetMs, frozenAtMs } = this.#state
    return frozenAtMs ?? this.#machine.now() + offsetMs
  }

  at(timeMs: number, signal?: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve(false)
      let pause = new AbortController()
      const end = (came: boolean) => {
        this.#waits.delete(look)
        signal?.removeEventListener('abort', stop)
        pause.abort()
        resolve(came)
      }
      const stop = () => end(false)
      const look = () => {
        pause.abort()
        const leftMs = timeMs - this.now()
        if (leftMs <= 0) return end(true)
        if (this.#state.frozenAtMs !== undefined || leftMs === Number.POSITIVE_INFINITY) return
        pause = new AbortController()
        // The machine's clock sees to it that a wait ends, even when that clock is set back.
        void this.#machine.at(this.#machine.now() + leftMs, pause.signal).then((came) => came && end(true))
      }
      signal?.addEventListener('abort', stop)
      this.#waits.add(look)
      look()
    })
  }

  /** Wakes the waits whose time has come. */
  adjust(state: ClockState): void {
    this.#state = state
    for (const look of [...this.#waits]) look()
  }
}
