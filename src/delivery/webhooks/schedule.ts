import type { RetrySchedule } from '../../platform/config/webhooks.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

/** The waits after each failed attempt, in milliseconds. */
const WAITS_MS: Readonly<Record<RetrySchedule, readonly number[]>> = {
  // Core reference, 02 section 3: about 5 minutes.
  short: [3 * SECOND_MS, 27 * SECOND_MS, 242 * SECOND_MS],
  // 12 attempts over 76 hours.
  long: [
    5 * SECOND_MS,
    30 * SECOND_MS,
    2 * MINUTE_MS,
    10 * MINUTE_MS,
    30 * MINUTE_MS,
    HOUR_MS,
    3 * HOUR_MS,
    6 * HOUR_MS,
    12 * HOUR_MS,
    24 * HOUR_MS,
    30 * HOUR_MS,
  ],
}

/**
 * Random addition to each wait, as a share of it, so that deliveries that failed together are not retried together.
 */
const JITTER = 0.1
/** Maximum time that `Retry-After` may ask for. */
const MAX_RETRY_AFTER_MS = 5 * MINUTE_MS
/**
 * Allowance for slow attempts and for pauses. A delivery that is pending for longer than the schedule and this is given
 * up.
 */
const GRACE_MS = 10 * MINUTE_MS

/**
 * The wait after a number of failed attempts, in milliseconds; undefined when there is no further attempt.
 * @param random from 0 up to 1
 */
export function waitMs(schedule: RetrySchedule, failed: number, random: number): number | undefined {
  const wait = WAITS_MS[schedule][failed - 1]
  return wait === undefined ? undefined : Math.ceil(wait * (1 + JITTER * random))
}

/** The age at which a pending delivery is given up, in milliseconds. */
export const longestMs = (schedule: RetrySchedule): number =>
  WAITS_MS[schedule].reduce((sum, wait) => sum + wait * (1 + JITTER), 0) + GRACE_MS

/** The wait that `Retry-After` asks for, in milliseconds, up to the maximum; undefined when it asks for none. */
export function retryAfterMs(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined) return undefined
  const text = value.trim()
  const asked = /^[0-9]{1,9}$/.test(text) ? Number(text) * SECOND_MS : Date.parse(text) - nowMs
  return asked > 0 ? Math.min(asked, MAX_RETRY_AFTER_MS) : undefined
}
