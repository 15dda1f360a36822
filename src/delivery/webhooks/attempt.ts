import type { RetrySchedule } from '../../platform/config/webhooks.ts'
import type { Answer } from '../../platform/outbound/line.ts'
import type { DueDelivery, Outcome } from './queries.ts'

/** One attempt, as the log of a delivery shows it. */
export interface LoggedAttempt {
  /** When the request was sent, in epoch milliseconds. */
  at: number
  /** From the request to the response, in milliseconds. */
  ms: number
  /** With the current secret; absent when nothing was sent. */
  signature?: string
  /** Of the response; absent without one. */
  status?: number
  /** The first bytes of the response. */
  answer?: string
  /** Why there was no response. */
  error?: string
  /** The replay that sent it. */
  replay?: string
}

/** When an attempt was made, how long it took, and how it was signed. */
export interface SentRequest {
  at: number
  ms: number
  signature?: string
}

/** The webhook wants to receive nothing more. */
const GONE = 410
/** Statuses whose `Retry-After` applies to all requests. */
const PAUSING = new Set([429, 503])

export const isSuccess = (answer: Answer): boolean =>
  answer.kind === 'answered' && answer.status >= 200 && answer.status < 300

export const isGone = (answer: Answer): boolean => answer.kind === 'answered' && answer.status === GONE

/** How long the webhook wants to receive nothing, in milliseconds. */
export const pauseMs = (answer: Answer, nowMs: number): number | undefined =>
  answer.kind === 'answered' && PAUSING.has(answer.status)
    ? retryAfterMs(answer.retryAfter, nowMs)
    : undefined

export function loggedAttempt(answer: Answer, { at, ms, signature }: SentRequest): LoggedAttempt {
  const sent = { at, ms: Math.round(ms * 10) / 10, ...(signature !== undefined && { signature }) }
  if (answer.kind !== 'answered') return { ...sent, error: explained(answer) }
  const { status, start } = answer
  return { ...sent, status, ...(start.length > 0 && { answer: start.toString('utf8') }) }
}

function explained(answer: Exclude<Answer, { kind: 'answered' }>): string {
  switch (answer.kind) {
    case 'timeout':
      return 'no answer in time'
    case 'closed':
      return 'the server stopped'
    case 'rejected':
      return answer.reason
    case 'tls':
      return `TLS failed: ${answer.detail}`
    case 'unreachable':
      return answer.detail
  }
}

/** What an attempt leads to. Every response except 2xx and 410 is a failure, which is retried. */
export function outcomeOf(
  due: DueDelivery,
  answer: Answer,
  at: { sent: SentRequest; nowMs: number; schedule: RetrySchedule; random: number },
): Outcome {
  const { sent, nowMs, schedule, random } = at
  const attempts = due.attempts + 1
  const attempt = JSON.stringify(loggedAttempt(answer, sent))
  const ended = { seq: due.seq, attempts, due_at: due.due_at, ended_at: nowMs, attempt }
  if (isSuccess(answer)) return { ...ended, state: 'delivered' }
  const wait = isGone(answer) ? undefined : waitMs(schedule, attempts, random)
  if (wait === undefined) return { ...ended, state: 'failed' }
  const asked = answer.kind === 'answered' ? retryAfterMs(answer.retryAfter, nowMs) : undefined
  return { ...ended, state: 'pending', due_at: nowMs + Math.max(wait, asked ?? 0), ended_at: null }
}

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
 * Random addition to each wait, as a share of it, so that deliveries that failed together are not
 * retried together.
 */
const JITTER = 0.1
/** Maximum time that `Retry-After` may ask for. */
const MAX_RETRY_AFTER_MS = 5 * MINUTE_MS
/**
 * Allowance for slow attempts and for pauses. A delivery that is pending for longer than the
 * schedule and this is given up.
 */
const GRACE_MS = 10 * MINUTE_MS

/**
 * The wait after a number of failed attempts, in milliseconds; undefined when there is no further
 * attempt.
 * @param random from 0 up to 1
 */
function waitMs(schedule: RetrySchedule, failed: number, random: number): number | undefined {
  const wait = WAITS_MS[schedule][failed - 1]
  return wait === undefined ? undefined : Math.ceil(wait * (1 + JITTER * random))
}

/** The age at which a pending delivery is given up, in milliseconds. */
export const longestMs = (schedule: RetrySchedule): number =>
  WAITS_MS[schedule].reduce((sum, wait) => sum + wait * (1 + JITTER), 0) + GRACE_MS

/**
 * The wait that `Retry-After` asks for, in milliseconds, up to the maximum; undefined when it asks
 * for none.
 */
function retryAfterMs(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined) return undefined
  const text = value.trim()
  const asked = /^[0-9]{1,9}$/.test(text) ? Number(text) * SECOND_MS : Date.parse(text) - nowMs
  return asked > 0 ? Math.min(asked, MAX_RETRY_AFTER_MS) : undefined
}
