/** Too many callers wait for a limited resource. The server answers 503. */
export class CapacityError extends Error {
  override name = 'CapacityError'
}

/**
 * Limits how many callers do something at the same time. Further callers wait; when too many wait, the next one gets a
 * `CapacityError`.
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
      if (this.#waiting.length >= this.#maxWaiting) throw new CapacityError('too many wait at a gate')
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

/**
 * A gate with a share per owner: each owner has at most `widthOfOne` callers inside or waiting for the gate, so that no
 * owner keeps the others out. Use it for every scarce resource that several owners share.
 */
export class SharedGate {
  readonly #all: Gate
  readonly #widthOfOne: number
  readonly #maxWaitingOfOne: number
  /** The gates of the owners that have work here. */
  readonly #own = new Map<string, { gate: Gate; inUse: number }>()

  /**
   * `widthOfOne` callers of one owner may be inside at the same time: 1 by default. `maxWaitingOfOne` may wait for the
   * same owner, and `maxWaiting` for the gate.
   */
  constructor(
    width: number,
    {
      maxWaiting,
      maxWaitingOfOne,
      widthOfOne = 1,
    }: { maxWaiting: number; maxWaitingOfOne: number; widthOfOne?: number },
  ) {
    this.#all = new Gate(width, maxWaiting)
    this.#widthOfOne = widthOfOne
    this.#maxWaitingOfOne = maxWaitingOfOne
  }

  async through<Done>(owner: string, work: () => Promise<Done>): Promise<Done> {
    const own = this.#own.get(owner) ?? { gate: new Gate(this.#widthOfOne, this.#maxWaitingOfOne), inUse: 0 }
    this.#own.set(owner, own)
    own.inUse++
    try {
      return await own.gate.through(() => this.#all.through(work))
    } finally {
      own.inUse--
      if (own.inUse === 0) this.#own.delete(owner)
    }
  }
}
