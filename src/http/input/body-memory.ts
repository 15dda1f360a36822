import { networkOf } from '../../common/network.ts'
import { apiError } from '../errors.ts'

/** How much of request bodies may be in memory at the same time, in bytes. */
export interface BodyMemoryLimits {
  /** Of callers who are known by now. */
  known: number
  /** Of callers who showed nothing yet that is known; one address may have half of it. */
  anonymous: number
}

/** The memory that bodies take while their requests are in progress, over all listeners of this process. */
export class BodyMemory {
  readonly limits: BodyMemoryLimits
  readonly #addresses = new Map<string, number>()
  #known = 0
  #anonymous = 0

  constructor(limits: BodyMemoryLimits) {
    this.limits = limits
  }

  /** Bytes that are held now. */
  get held(): BodyMemoryLimits {
    return { known: this.#known, anonymous: this.#anonymous }
  }

  /** For one request. Release it when the request ends, however it does. */
  open(address: string): HeldBody {
    return new HeldBody(this, networkOf(address))
  }

  /** False when the memory is in use. */
  take(bytes: number, address: string, isKnown: boolean): boolean {
    if (isKnown) {
      if (this.#known + bytes > this.limits.known) return false
      this.#known += bytes
      return true
    }
    const own = (this.#addresses.get(address) ?? 0) + bytes
    if (this.#anonymous + bytes > this.limits.anonymous || own > this.limits.anonymous / 2) return false
    this.#anonymous += bytes
    this.#addresses.set(address, own)
    return true
  }

  give(bytes: number, address: string, isKnown: boolean): void {
    if (isKnown) {
      this.#known -= bytes
      return
    }
    this.#anonymous -= bytes
    const left = (this.#addresses.get(address) ?? bytes) - bytes
    if (left > 0) this.#addresses.set(address, left)
    else this.#addresses.delete(address)
  }
}

/** What the body of one request takes. */
export class HeldBody {
  readonly #memory: BodyMemory
  readonly #address: string
  #known = 0
  #anonymous = 0
  /** Set once the caller is known: what comes from then on counts as a known caller's. */
  isKnown = false

  constructor(memory: BodyMemory, address: string) {
    this.#memory = memory
    this.#address = address
  }

  /** Throws `over capacity` when so many more bytes exceed the limit. */
  take(bytes: number): void {
    if (!this.#memory.take(bytes, this.#address, this.isKnown))
      throw apiError('over capacity', `no memory for ${this.isKnown ? '' : 'anonymous '}request bodies`)
    if (this.isKnown) this.#known += bytes
    else this.#anonymous += bytes
  }

  release(): void {
    if (this.#known > 0) this.#memory.give(this.#known, this.#address, true)
    if (this.#anonymous > 0) this.#memory.give(this.#anonymous, this.#address, false)
    this.#known = 0
    this.#anonymous = 0
  }
}
