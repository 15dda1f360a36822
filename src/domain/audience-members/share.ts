/** Bytes reserved in a budget that all accounts share: by all of them, and by one. */
export interface ReservedBytes {
  all: number
  own: number
}

/**
 * Whether an account may reserve more bytes: what it would then have must not exceed what is still
 * free. A single account gets up to half of the budget. If several take all that they can get, each
 * gets as much as it leaves free.
 */
export const mayHold = (bytes: number, { all, own }: ReservedBytes, max: number): boolean =>
  own + bytes <= max - all

/** A shared budget, kept in memory. */
export class SharedRoom {
  readonly #max: number
  readonly #own = new Map<string, number>()
  #all = 0

  constructor(maxBytes: number) {
    this.#max = maxBytes
  }

  /** Reserves bytes for an account until `giveBack`. Returns false if there are too few. */
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
