/** The pause after the first failure. It doubles with each further one. */
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 600_000
/** If more fail at the same time, the cause is a common one. */
const MAX_NAMES = 1_000

/** Delays the retries of what failed, with exponential backoff, while everything else continues. */
export class Backoff {
  readonly #pauses = new Map<string, { until: number; ms: number }>()
  readonly #now: () => number

  /** `now`: milliseconds of a monotonic clock. */
  constructor({ now = () => performance.now() } = {}) {
    this.#now = now
  }

  /** The names that must not be retried yet. */
  names(): string[] {
    const now = this.#now()
    return [...this.#pauses].filter(([, { until }]) => until > now).map(([name]) => name)
  }

  /** Records a failure. Returns false if too many other names are backing off. */
  add(name: string): boolean {
    const known = this.#pauses.get(name)
    if (!known && this.#pauses.size >= MAX_NAMES) return false
    const ms = known ? Math.min(known.ms * 2, LONGEST_PAUSE_MS) : FIRST_PAUSE_MS
    this.#pauses.set(name, { until: this.#now() + ms, ms })
    return true
  }

  /** Records a success: the next failure counts as the first. */
  done(name: string): void {
    this.#pauses.delete(name)
  }
}
