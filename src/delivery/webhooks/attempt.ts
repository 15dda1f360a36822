import type { RetrySchedule } from '../../platform/config/webhooks.ts'
import type { Answer } from '../../platform/outbound/line.ts'
import type { DueDelivery, Outcome } from './queries.ts'
import { retryAfterMs, waitMs } from './schedule.ts'

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
