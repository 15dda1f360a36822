/** Too many callers wait for a limited resource. The server answers 503. */
export class CapacityError extends Error {
  override name = 'CapacityError'
}

/**
 * Limits how many callers do something at the same time. Further callers wait; when too many wait,
 * the next one gets a `CapacityError`.
 */
export class Gate {
  readonly #width: number
  readonly #maxWaiting: number
  readonly #waiting = new Set<() => void>()
  #inside = 0

  constructor(width: number, maxWaiting: number) {
    this.#width = width
    this.#maxWaiting = maxWaiting
  }

  /** A caller whose `signal` is aborted stops waiting, and gets the reason as an error. */
  async through<Done>(work: () => Promise<Done>, signal?: AbortSignal): Promise<Done> {
    signal?.throwIfAborted()
    if (this.#inside >= this.#width) await this.#wait(signal)
    else this.#inside++
    try {
      return await work()
    } finally {
      const [next] = this.#waiting
      if (next) next()
      else this.#inside--
    }
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    if (this.#waiting.size >= this.#maxWaiting) throw new CapacityError('too many wait at a gate')
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.delete(enter)
        signal?.removeEventListener('abort', giveUp)
      }
      const enter = () => {
        leave()
        resolve()
      }
      const giveUp = () => {
        leave()
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', giveUp)
      this.#waiting.add(enter)
    })
  }
}

/**
 * A gate with a share per owner: each owner has at most `widthOfOne` callers inside or waiting for
 * the gate, so that no owner keeps the others out. Use it for every scarce resource that several
 * owners share.
 */
export class SharedGate {
  readonly #all: Gate
  readonly #widthOfOne: number
  readonly #maxWaitingOfOne: number
  /** The gates of the owners that have work here. */
  readonly #own = new Map<string, { gate: Gate; inUse: number }>()

  /**
   * `widthOfOne` callers of one owner may be inside at the same time: 1 by default.
   * `maxWaitingOfOne` may wait for the same owner, and `maxWaiting` for the gate.
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

  /** A caller whose `signal` is aborted stops waiting, and gets the reason as an error. */
  async through<Done>(owner: string, work: () => Promise<Done>, signal?: AbortSignal): Promise<Done> {
    const own = this.#own.get(owner) ?? { gate: new Gate(this.#widthOfOne, this.#maxWaitingOfOne), inUse: 0 }
    this.#own.set(owner, own)
    own.inUse++
    try {
      return await own.gate.through(() => this.#all.through(work, signal), signal)
    } finally {
      own.inUse--
      if (own.inUse === 0) this.#own.delete(owner)
    }
  }
}
