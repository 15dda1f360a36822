import { networkOf } from '../../common/network.ts'
import { ApiError } from '../errors.ts'

/** The maximum memory for request bodies, in bytes. */
export interface BodyMemoryLimits {
  /** For authenticated callers. */
  known: number
  /** For callers that are not authenticated yet. One address may use half of it. */
  anonymous: number
}

/**
 * The memory of bodies while their requests are in progress, across all listeners of this process.
 */
export class BodyMemory {
  readonly limits: BodyMemoryLimits
  readonly #addresses = new Map<string, number>()
  #known = 0
  #anonymous = 0

  constructor(limits: BodyMemoryLimits) {
    this.limits = limits
  }

  /** Bytes that are in use. */
  get held(): BodyMemoryLimits {
    return { known: this.#known, anonymous: this.#anonymous }
  }

  /** Reserves memory for one request. Release it when the request ends, in whatever way. */
  open(address: string): ReservedBody {
    return new ReservedBody(this, networkOf(address))
  }

  /** Returns false when the memory is in use. */
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

/** Reserves memory for a body that is being read. */
export interface BodyReserve {
  /** Called once, before the first byte, with the length of the body if it is declared. */
  begin(declared: number | undefined): void
  /** Called with the length of each part. */
  take(bytes: number): void
}

/**
 * The memory of the body of one request. For a caller who is not known, its whole declared length
 * is reserved before the first byte: otherwise many callers would fill the memory with bodies of
 * which each is refused later.
 */
export class ReservedBody implements BodyReserve {
  readonly #memory: BodyMemory
  readonly #address: string
  #known = 0
  #anonymous = 0
  /** Reserved, but not read yet. */
  #ahead = 0
  /** Set once the caller is known. From then on, memory counts as that of a known caller. */
  isKnown = false

  constructor(memory: BodyMemory, address: string) {
    this.#memory = memory
    this.#address = address
  }

  /** Throws as `take` does. */
  begin(declared: number | undefined): void {
    if (this.isKnown || declared === undefined) return
    this.#reserve(declared)
    this.#ahead = declared
  }

  /**
   * Throws `over capacity` when the additional bytes exceed the limit. Then nothing more may be
   * read.
   */
  take(bytes: number): void {
    const ahead = Math.min(bytes, this.#ahead)
    this.#ahead -= ahead
    if (bytes > ahead) this.#reserve(bytes - ahead)
  }

  #reserve(bytes: number): void {
    if (!this.#memory.take(bytes, this.#address, this.isKnown))
      throw new ApiError('over capacity', {
        detail: `no memory for ${this.isKnown ? '' : 'anonymous '}request bodies`,
        endsConnection: true,
      })
    if (this.isKnown) this.#known += bytes
    else this.#anonymous += bytes
  }

  release(): void {
    if (this.#known > 0) this.#memory.give(this.#known, this.#address, true)
    if (this.#anonymous > 0) this.#memory.give(this.#anonymous, this.#address, false)
    this.#known = 0
    this.#anonymous = 0
    this.#ahead = 0
  }
}
