import { monotonicTime, type TimeSource } from './clock.ts'

interface LeaseOptions {
  /** How long others leave it alone after a renewal. */
  readonly ms: number
  /** It is not relied on in its last moments. */
  readonly marginMs: number
  /** The machine's clock: leases show whether processes live. */
  readonly clock: TimeSource
}

/**
 * A lease in a database, as the process that has it sees it: whether it may still be relied on. It
 * is over by the monotonic clock, which stops while some machines sleep, or by the machine's clock,
 * which may be set.
 */
export class Lease {
  readonly #options: LeaseOptions
  #until = { steady: Number.NEGATIVE_INFINITY, wall: Number.NEGATIVE_INFINITY }
  #fence = 0

  constructor(options: LeaseOptions) {
    this.#options = options
  }

  /**
   * Call it before the statement that takes or renews the lease, because the statement may take
   * long; and the result when it has succeeded.
   */
  begin(): () => void {
    const { steady, wall } = this.#now()
    const ms = this.#options.ms - this.#options.marginMs
    return () => {
      if (!this.isHeld) this.#fence++
      this.#until = { steady: steady + ms, wall: wall + ms }
    }
  }

  get isHeld(): boolean {
    const { steady, wall } = this.#now()
    return steady < this.#until.steady && wall < this.#until.wall
  }

  /**
   * Undefined while it is not held. After it was lost, it has another fence: in between, others may
   * have done what it protects.
   */
  get fence(): number | undefined {
    return this.isHeld ? this.#fence : undefined
  }

  /** Another process has it, or may take it. */
  lose(): void {
    this.#until = { steady: Number.NEGATIVE_INFINITY, wall: Number.NEGATIVE_INFINITY }
  }

  #now() {
    return { steady: monotonicTime.now(), wall: this.#options.clock.now() }
  }
}
