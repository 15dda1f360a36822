import type { LimitCount } from '../http/limits.ts'

/** Default maximum number of windows: about 25 MB. */
export const BUCKET_LIMIT = 100_000

/** Ended windows removed with each new window. More than one, so that they cannot accumulate. */
const SWEPT_PER_OPENING = 4

/** A window as it is copied: its bucket, the calls counted in it, and its end in milliseconds. */
export type CopiedWindow = readonly [bucket: string, used: number, endMs: number]

interface CallWindow {
  readonly bucket: string
  used: number
  endMs: number
  /** Where it is in the heap. */
  place: number
}

const resetOf = ({ endMs }: CallWindow) => Math.ceil(endMs / 1000)

/**
 * Fixed windows in memory, at most `limit` of them. A heap keeps the window that ends first on top,
 * from where a few ended windows are removed at a time, and from where one is evicted when all are
 * in use.
 */
export class CallWindows {
  readonly #limit: number
  readonly #byBucket = new Map<string, CallWindow>()
  readonly #heap: CallWindow[] = []

  constructor(limit = BUCKET_LIMIT, copied: readonly CopiedWindow[] = []) {
    if (!(limit >= 1)) throw new RangeError('The number of windows kept must be at least 1')
    this.#limit = limit
    for (const [bucket, used, endMs] of copied) {
      const window = this.#open(bucket, endMs, Number.NEGATIVE_INFINITY)
      window.used = used
    }
  }

  copy(): CopiedWindow[] {
    return this.#heap.map(({ bucket, used, endMs }) => [bucket, used, endMs])
  }

  get size(): number {
    return this.#heap.length
  }

  /** Counts one call. Times in milliseconds since the epoch. See `Cluster.count`. */
  count(bucket: string, limit: number, windowMs: number, nowMs: number): LimitCount {
    let window = this.#byBucket.get(bucket)
    if (window === undefined) {
      window = this.#open(bucket, nowMs + windowMs, nowMs)
    } else if (nowMs >= window.endMs) {
      window.used = 0
      window.endMs = nowMs + windowMs
      this.#sink(window)
    }
    const allowed = window.used < limit
    if (allowed) window.used++
    return {
      allowed,
      remaining: Math.max(0, limit - window.used),
      resetSeconds: resetOf(window),
    }
  }

  /** Takes back a counted call. See `Cluster.uncount`. */
  uncount(bucket: string, resetSeconds: number): void {
    const window = this.#byBucket.get(bucket)
    if (window !== undefined && window.used > 0 && resetOf(window) === resetSeconds) window.used--
  }

  #open(bucket: string, endMs: number, nowMs: number): CallWindow {
    for (let swept = 0; swept < SWEPT_PER_OPENING; swept++) {
      const first = this.#heap[0]
      if (first === undefined || first.endMs > nowMs) break
      this.#removeFirst(first)
    }
    // The window nearest to its end is the least valuable.
    const first = this.#heap[0]
    if (first !== undefined && this.#heap.length >= this.#limit) this.#removeFirst(first)
    const window: CallWindow = { bucket, used: 0, endMs, place: this.#heap.length }
    this.#byBucket.set(bucket, window)
    this.#heap.push(window)
    this.#rise(window)
    return window
  }

  #removeFirst(first: CallWindow): void {
    this.#byBucket.delete(first.bucket)
    const last = this.#heap.pop()
    if (last === undefined || last === first) return
    last.place = 0
    this.#heap[0] = last
    this.#sink(last)
  }

  #rise(window: CallWindow): void {
    const heap = this.#heap
    let place = window.place
    while (place > 0) {
      const above = (place - 1) >> 1
      const parent = heap[above] as CallWindow
      if (parent.endMs <= window.endMs) break
      heap[place] = parent
      parent.place = place
      place = above
    }
    heap[place] = window
    window.place = place
  }

  #sink(window: CallWindow): void {
    const heap = this.#heap
    let place = window.place
    for (;;) {
      let below = 2 * place + 1
      const left = heap[below]
      if (left === undefined) break
      let child = left
      const right = heap[below + 1]
      if (right !== undefined && right.endMs < left.endMs) {
        child = right
        below++
      }
      if (child.endMs >= window.endMs) break
      heap[place] = child
      child.place = place
      place = below
    }
    heap[place] = window
    window.place = place
  }
}
