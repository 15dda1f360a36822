import type { Auth } from './auth.ts'
import type { RateLimits } from './limits.ts'

/** When a call that is rejected with 429 or 503 is repeated. */
export interface RetryOptions {
  /** How often a call is repeated at most; 0 by default. */
  readonly attempts: number
  /**
   * Milliseconds that a call waits at most, one minute by default. When its limit starts again
   * later than that, it is rejected at once.
   */
  readonly maxWaitMs?: number
}

/** What is known about a reply beside its body. */
export interface ReplyInfo {
  readonly status: number
  readonly headers: Headers
  readonly limits: RateLimits
}

/** Options of one call. They replace those of the client. */
export interface CallOptions {
  readonly signal?: AbortSignal
  /** Milliseconds until a reply must be there; 60 seconds by default. */
  readonly timeoutMs?: number
  readonly retry?: RetryOptions
  /** Who calls. */
  readonly auth?: Auth
  readonly headers?: Readonly<Record<string, string>>
  /** Is called with each reply, before the call resolves or rejects. */
  readonly onReply?: (reply: ReplyInfo) => void
}
