// Times are seconds.

/**
 * Gathers what members that come, change and go do to the count of an audience: at once, and at the times when they
 * begin or cease to count.
 */
export class Spans {
  readonly #countedAt: number
  /** What the size changes by at once. */
  now = 0
  /** What the size changes by at later seconds. */
  readonly later = new Map<number, number>()
  /** Whether someone is to be stored who counts no more: no later second tells of them. */
  hasEnded = false

  constructor(countedAt: number) {
    this.#countedAt = countedAt
  }

  /** One member more, or with `-1` one less, who counts from `effective` until `expires`. */
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
