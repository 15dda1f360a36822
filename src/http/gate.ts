import { apiError } from './errors.ts'

/**
 * Limits how many callers do something at the same time. Further callers wait; when too many wait, the next one is
 * rejected.
 */
export class Gate {
  readonly #width: number
  readonly #maxWaiting: number
  readonly #waiting: (() => void)[] = []
  #inside = 0

  constructor(width: number, maxWaiting: number) {
    this.#width = width
    this.#maxWaiting = maxWaiting
  }

  async through<Done>(work: () => Promise<Done>): Promise<Done> {
    if (this.#inside >= this.#width) {
      if (this.#waiting.length >= this.#maxWaiting) throw apiError('over capacity', 'too many wait at a gate')
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    } else this.#inside++
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#inside--
    }
  }
}
