/** The source of the current time, in milliseconds since the epoch. */
export interface TimeSource {
  now(): number
}

/** The source of the current time, with timers. */
export interface Clock extends TimeSource {
  /**
   * Waits until the clock shows `timeMs`. Resolves to true when it does, to false when `signal` is
   * aborted first. Does not keep the process alive.
   */
  at(timeMs: number, signal?: AbortSignal): Promise<boolean>
}

/** The reason for an abort that wakes a wait. Without one, each abort creates a stack trace. */
export const WOKEN = 'woken'

/**
 * No timer fires when the machine sleeps or its clock is set, so waits check the clock at this
 * interval.
 */
const LOOK_MS = 1_000

/** The machine's clock. Nothing else in Plaza may read it. */
export const systemClock: Clock = { now: () => Date.now(), at: waitOnMachine }

/**
 * Real time for measuring intervals, in milliseconds since an arbitrary moment. Setting the
 * machine's clock does not change it.
 */
export const monotonicTime: TimeSource = { now: () => performance.now() }

/**
 * Setting the clock back does not prolong a wait: it ends at the latest after the real time that
 * was left when it began.
 */
function waitOnMachine(timeMs: number, signal?: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve(false)
    const endsAt = performance.now() + timeMs - Date.now()
    let timer: NodeJS.Timeout | undefined
    const end = (came: boolean) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
      resolve(came)
    }
    const stop = () => end(false)
    const look = () => {
      const leftMs = Math.min(timeMs - Date.now(), endsAt - performance.now())
      if (leftMs <= 0) end(true)
      else timer = setTimeout(look, Math.min(leftMs, LOOK_MS)).unref()
    }
    signal?.addEventListener('abort', stop)
    look()
  })
}

interface ManualWait {
  timeMs: number
  end(came: boolean): void
}

/** A clock that moves only when it is advanced: tests of expiry, limits and leases do not sleep. */
export class ManualClock implements Clock {
  #nowMs: number
  readonly #waits = new Set<ManualWait>()

  constructor(startMs: number) {
    this.#nowMs = startMs
  }
  now(): number {
    return this.#nowMs
  }
  at(timeMs: number, signal?: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve(false)
      const stop = () => wait.end(false)
      const wait = {
        timeMs,
        end: (came: boolean) => {
          this.#waits.delete(wait)
          signal?.removeEventListener('abort', stop)
          resolve(came)
        },
      }
      signal?.addEventListener('abort', stop)
      this.#waits.add(wait)
      this.#wake()
    })
  }
  /** The pending wait times. */
  get awaited(): number[] {
    return [...this.#waits].map(({ timeMs }) => timeMs)
  }
  /** The number of pending waits. */
  get waits(): number {
    return this.#waits.size
  }
  moveTo(nowMs: number): void {
    this.#nowMs = nowMs
    this.#wake()
  }
  advance(ms: number): void {
    this.moveTo(this.#nowMs + ms)
  }
  #wake(): void {
    const due = [...this.#waits].filter(({ timeMs }) => timeMs <= this.#nowMs)
    for (const wait of due.sort((a, b) => a.timeMs - b.timeMs)) wait.end(true)
  }
}
