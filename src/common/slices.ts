import { setImmediate as nextTurn } from 'node:timers/promises'

/** How long a slice lasts, in milliseconds. Other requests wait at most this long for one piece of work. */
const SLICE_MS = 4

/**
 * Divides long work into slices of the event loop, so that other requests run in between:
 * `if (slices.isOver) await slices.next()` in the loop.
 */
export class Slices {
  readonly #sliceMs: number
  #endsAt: number

  constructor(sliceMs = SLICE_MS) {
    this.#sliceMs = sliceMs
    this.#endsAt = performance.now() + sliceMs
  }

  get isOver(): boolean {
    return performance.now() >= this.#endsAt
  }

  /** Resolves in the next turn of the event loop, at the start of a new slice. */
  async next(): Promise<void> {
    await nextTurn()
    this.#endsAt = performance.now() + this.#sliceMs
  }
}
