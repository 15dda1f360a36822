/** Where every reading of the time comes from. Milliseconds since the epoch. */
export interface TimeSource {
  now(): number
}

/** Where every wait for a time comes from, too. */
export interface Clock extends TimeSource {
  /**
   * Waits until the clock shows `timeMs`. Resolves to true when it does, to false when `signal` is aborted first.
   * Keeps no process alive.
   */
  at(timeMs: number, signal?: AbortSignal): Promise<boolean>
}

/** Sleeping or setting the clock of the machine wakes no timer, so waits check the clock this often. */
const LOOK_MS = 1_000

/** The machine's clock. Nothing else in Plaza may read it. */
export const systemClock: Clock = { now: () => Date.now(), at: waitOnMachine }

/** A clock that was set back prolongs no wait: it also ends when as much time has passed as was left at its start. */
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

interface Wait {
  timeMs: number
  end(came: boolean): void
}

/** A clock that stands still until it is moved: expiry, limits and leases are tested without sleeping. */
export class ManualClock implements Clock {
  #nowMs: number
  readonly #waits = new Set<Wait>()

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
  /** The times that are waited for and have not come. */
  get awaited(): number[] {
    return [...this.#waits].map(({ timeMs }) => timeMs)
  }
  /** How many wait for a time that has not come. */
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
    for (const wait of due.sort((one, other) => one.timeMs - other.timeMs)) wait.end(true)
  }
}
