const SECOND_MS = 1_000

/** How many lines may leave: as many as in one second at once, and then evenly. */
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

  /** Takes so many, or fewer. Returns how many. */
  take(wanted: number, nowMs: number): number {
    const since = Math.max(0, nowMs - this.#at)
    this.#left = Math.min(this.#perSecond, this.#left + (since * this.#perSecond) / SECOND_MS)
    this.#at = nowMs
    const taken = Math.min(wanted, Math.floor(this.#left))
    this.#left -= taken
    return taken
  }
}
