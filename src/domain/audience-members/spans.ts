// Times are seconds.

/**
 * Collects how added, changed and removed members change the count of an audience: now, and at the
 * times when they begin or cease to count.
 */
export class Spans {
  readonly #countedAt: number
  /** The change of the size now. */
  now = 0
  /** The changes of the size at later seconds. */
  readonly later = new Map<number, number>()
  /** Whether a stored member no longer counts, so that no later change mentions them. */
  hasEnded = false

  constructor(countedAt: number) {
    this.#countedAt = countedAt
  }

  /** Adds a member who counts from `effective` until `expires`, or removes one with `-1`. */
  add(effective: number, expires: number, by: 1 | -1): void {
    if (expires <= this.#countedAt) {
      if (by === 1) this.hasEnded = true
      return
    }
    if (effective <= this.#countedAt) this.now += by
    else this.#at(effective, by)
    this.#at(expires, -by)
  }

  #at(second: number, by: number): void {
    this.later.set(second, (this.later.get(second) ?? 0) + by)
  }
}
