import type { TimeSource } from '../../platform/common/clock.ts'

/**
 * How long a change of what an app may see, of its webhook or of its secret may go unnoticed, in
 * milliseconds.
 */
const MAX_UNSEEN_MS = 250

/** The age of the data that decide what an app is sent. */
export class Freshness {
  readonly #time: TimeSource
  #readAt = Number.NEGATIVE_INFINITY

  /** `time` is real time, whatever time users see. */
  constructor(time: TimeSource) {
    this.#time = time
  }

  /** Whether the data are older than a change may go unnoticed. */
  get isStale(): boolean {
    return this.#time.now() - this.#readAt > MAX_UNSEEN_MS
  }

  /**
   * Call before the first read, because reads may miss a change that happens during them. Call the
   * result after the last read.
   */
  begin(): () => void {
    const began = this.#time.now()
    return () => {
      this.#readAt = began
    }
  }

  /** The data are no longer valid. */
  expire(): void {
    this.#readAt = Number.NEGATIVE_INFINITY
  }
}
