// Not by name: tests replace the function.
import timers from 'node:timers/promises'
import { systemRandom } from './random.ts'

const FIRST_MS = 1_000
const LONGEST_MS = 60_000
/** Doubling more often than that exceeds every pause. */
const MAX_DOUBLINGS = 16

/** The pause after the first error, and the longest pause, in milliseconds. */
export interface RetryPauses {
  firstMs?: number
  longestMs?: number
}

/**
 * Waits before the next attempt, after an error of the store or of another service. Each further
 * error doubles the pause, and its actual length is random between half of it and all of it, so
 * that callers that failed together do not retry together. Waits real time, whatever time users
 * see: with a clock that stands still, it would never end.
 * @param failures The number of errors in a row before this one.
 * @returns false when `signal` was aborted first.
 */
export function afterError(
  failures: number,
  signal?: AbortSignal,
  pauses: RetryPauses = {},
): Promise<boolean> {
  const { firstMs = FIRST_MS, longestMs = LONGEST_MS } = pauses
  const longMs = Math.min(firstMs * 2 ** Math.min(failures, MAX_DOUBLINGS), longestMs)
  const pauseMs = longMs * (0.5 + systemRandom.bytes(1).readUInt8() / 512)
  return timers.setTimeout(pauseMs, true, signal && { signal }).catch(() => false)
}
