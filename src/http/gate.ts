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

/** A gate for the work of many: each lets one of their own in at a time, so that no one keeps the others out. */
export class SharedGate {
  readonly #all: Gate
  readonly #maxWaitingOfOne: number
  /** The gates of those who have work here. */
  readonly #own = new Map<string, { gate: Gate; inUse: number }>()

  /** `maxWaitingOfOne` may wait for the same key, and `maxWaiting` keys for the gate. */
  constructor(
    width: number,
    { maxWaiting, maxWaitingOfOne }: { maxWaiting: number; maxWaitingOfOne: number },
  ) {
    this.#all = new Gate(width, maxWaiting)
    this.#maxWaitingOfOne = maxWaitingOfOne
  }

  async through<Done>(key: string, work: () => Promise<Done>): Promise<Done> {
    const own = this.#own.get(key) ?? { gate: new Gate(1, this.#maxWaitingOfOne), inUse: 0 }
    this.#own.set(key, own)
    own.inUse++
    try {
      return await own.gate.through(() => this.#all.through(work))
    } finally {
      own.inUse--
      if (own.inUse === 0) this.#own.delete(key)
    }
  }
}
