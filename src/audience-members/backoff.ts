/** After a failure, and twice as long after each further one. */
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 600_000
/** When more have trouble at once, it is not theirs. */
const MAX_NAMES = 1_000

/** Delays retries of what failed, twice as long after each failure, while everything else continues. */
export class Backoff {
  readonly #pauses = new Map<string, { until: number; ms: number }>()
  readonly #now: () => number

  /** `now`: milliseconds of a clock that only goes forward. */
  constructor({ now = () => performance.now() } = {}) {
    this.#now = now
  }

  /** Those that are not to be tried now. */
  names(): string[] {
    const now = this.#now()
    return [...this.#pauses].filter(([, { until }]) => until > now).map(([name]) => name)
  }

  /** False when too many names back off for one more. */
  add(name: string): boolean {
    const known = this.#pauses.get(name)
    if (!known && this.#pauses.size >= MAX_NAMES) return false
    const ms = known ? Math.min(known.ms * 2, LONGEST_PAUSE_MS) : FIRST_PAUSE_MS
    this.#pauses.set(name, { until: this.#now() + ms, ms })
    return true
  }

  /** It went well: the next failure is a first one. */
  done(name: string): void {
    this.#pauses.delete(name)
  }
}
