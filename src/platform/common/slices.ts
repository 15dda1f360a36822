/**
 * How long a slice lasts, in milliseconds. Other requests wait at most this long for all pieces of
 * work together.
 */
const SLICE_MS = 2

/** Pieces of work that wait for their next slice, in order. */
const waiting: (() => void)[] = []

/** Starts one slice. The others wait for later turns: slices of the same turn would add up. */
function startNextSlice(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(startNextSlice)
}

/**
 * Divides long work into slices of the event loop, so that other requests run in between:
 * `if (slices.isOver) await slices.next()` in the loop. A turn of the event loop has one slice,
 * however many pieces of work there are.
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

  /** Resolves in a later turn of the event loop, at the start of a new slice. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      waiting.push(() => {
        this.#endsAt = performance.now() + this.#sliceMs
        resolve()
      })
      if (waiting.length === 1) setImmediate(startNextSlice)
    })
  }
}
