const SECOND_MS = 1_000

/** Limits how many lines may be sent: a burst of one second's lines, then evenly. */
export class Pace {
  readonly #perSecond: number
  #left: number
  #at: number

  /** Times are milliseconds of one clock. */
  constructor(perSecond: number, nowMs: number) {
    this.#perSecond = perSecond
    this.#left = perSecond
    this.#at = nowMs
  }

  /** Takes up to this many. Returns how many. */
  take(wanted: number, nowMs: number): number {
    const since = Math.max(0, nowMs - this.#at)
    this.#left = Math.min(this.#perSecond, this.#left + (since * this.#perSecond) / SECOND_MS)
    this.#at = nowMs
    const taken = Math.min(wanted, Math.floor(this.#left))
    this.#left -= taken
    return taken
  }
}
