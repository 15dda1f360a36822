/** Where every reading of the time comes from. Milliseconds since the epoch. */
export interface Clock {
  now(): number
}

/** The machine's clock. Nothing else in Plaza may read it. */
export const systemClock: Clock = { now: () => Date.now() }

/** A clock that stands still until it is moved: expiry, limits and leases are tested without sleeping. */
export class ManualClock implements Clock {
  #nowMs: number
  constructor(startMs: number) {
    this.#nowMs = startMs
  }
  now(): number {
    return this.#nowMs
  }
  moveTo(nowMs: number): void {
    this.#nowMs = nowMs
  }
  advance(ms: number): void {
    this.#nowMs += ms
  }
}
