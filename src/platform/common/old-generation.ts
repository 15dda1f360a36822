import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'

// The old generation of the heap holds what survived two collections of the young one (ADR 0060).
// V8 collects it when it has grown to a multiple of what the last collection left, up to four times
// as much, and not for being idle.

/** At most this share of the time is spent in the event loop while the process counts as idle. */
const IDLE_UTILIZATION = 0.1
/**
 * Less than the 8 s that V8 waits before it collects, so that it learns in time that the process is
 * busy again.
 */
const CHECK_EVERY_MS = 5_000

/** Lets the old generation of this process and its threads at most double between collections. */
export const boundOldGeneration = (): void => setFlagsFromString('--heap-growing-percent=100')

/**
 * Gives memory back to the system while the process is idle, for all threads: V8 then collects the
 * garbage of earlier work in steps, and the memory that it keeps in reserve is released.
 */
export function releaseWhenIdle({ checkEveryMs = CHECK_EVERY_MS } = {}): Disposable {
  let before = performance.eventLoopUtilization()
  let wasIdle = false
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization()
    const isIdle = performance.eventLoopUtilization(now, before).utilization < IDLE_UTILIZATION
    before = now
    if (isIdle === wasIdle) return
    wasIdle = isIdle
    // V8 reads the flag at each decision: while it is set, memory counts more than speed.
    setFlagsFromString(isIdle ? '--optimize-for-size' : '--no-optimize-for-size')
  }, checkEveryMs).unref()
  return {
    [Symbol.dispose]() {
      clearInterval(timer)
      setFlagsFromString('--no-optimize-for-size')
    },
  }
}
