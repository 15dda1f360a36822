/** Bytes that are held of a room that all accounts share. */
export interface Held {
  all: number
  own: number
}

/**
 * Whether an account may hold so many bytes more: as long as all of its own are no more than what was free. One alone
 * has about half of the room; of several that take what they can get, each has as much as stays free for the next one.
 */
export const mayHold = (bytes: number, { all, own }: Held, max: number): boolean => own + bytes <= max - all

/** A room that is in memory. */
export class SharedRoom {
  readonly #max: number
  readonly #own = new Map<string, number>()
  #all = 0

  constructor(maxBytes: number) {
    this.#max = maxBytes
  }

  /** Holds bytes for an account until they are given back. False when it may not. */
  hold(account: string, bytes: number): boolean {
    const own = this.#own.get(account) ?? 0
    if (!mayHold(bytes, { all: this.#all, own }, this.#max)) return false
    this.#all += bytes
    this.#own.set(account, own + bytes)
    return true
  }

  giveBack(account: string, bytes: number): void {
    const left = (this.#own.get(account) ?? 0) - bytes
    this.#all -= bytes
    if (left > 0) this.#own.set(account, left)
    else this.#own.delete(account)
  }
}
