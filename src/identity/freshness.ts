import type { TimeSource } from '../common/clock.ts'

/** How long a change of what an app may see, of its webhook or of its secret may go unseen, in milliseconds. */
const MAX_UNSEEN_MS = 250

/** How old what was read is that decides what an app is sent. */
export class Freshness {
  readonly #time: TimeSource
  #readAt = Number.NEGATIVE_INFINITY

  /** `time` grows with real time, whatever time users see. */
  constructor(time: TimeSource) {
    this.#time = time
  }

  /** Whether a change may have gone unseen for too long. */
  get isStale(): boolean {
    return this.#time.now() - this.#readAt > MAX_UNSEEN_MS
  }

  /** Before the first read: a change during it may be in none of what is read. Call the result after the last one. */
  begin(): () => void {
    const began = this.#time.now()
    return () => {
      this.#readAt = began
    }
  }

  /** What was read says nothing any more. */
  expire(): void {
    this.#readAt = Number.NEGATIVE_INFINITY
  }
}
