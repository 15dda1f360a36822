// Imports nothing: the declarations of the package contain it.

/** What a fault rule does. */
export const FAULT_KINDS = [
  'error',
  'latency',
  'expired_token',
  'exhausted_limit',
  'exhausted_usage',
  'lost_database',
  'drop',
  'drop_after',
  'truncate',
  'throttle',
  'disconnect',
  'stall',
  'webhook_status',
  'webhook_timeout',
  'webhook_unreachable',
  'webhook_tls',
  'webhook_slow',
] as const
export type FaultKind = (typeof FAULT_KINDS)[number]

/** The documented reasons for which a stream is disconnected, as connections record them. */
export const DISCONNECT_REASONS = [
  'operator_disconnect',
  'server_shutdown',
  'slow_reader',
  'too_many_posts',
  'usage_capped',
  'internal_error',
  'token_revoked',
  'app_suspended',
  'app_unenrolled',
  'client_closed',
] as const
export type DisconnectReason = (typeof DISCONNECT_REASONS)[number]

/** A fault rule as users write it. Members that are absent do not restrict it. */
export interface FaultSettings {
  readonly kind: FaultKind
  /** `POST /2/posts`, `/2/posts` with any method, or with `*` for any text: `GET /2/users/*`. */
  readonly route?: string
  readonly host?: 'core' | 'ads' | 'sandbox'
  readonly app_id?: string
  readonly user_id?: string
  /** The id or the URL of a webhook. */
  readonly webhook?: string
  /** The share that fails, from 0 to 1. */
  readonly probability?: number
  /** Only the first so many. */
  readonly times?: number
  /** Only every so many-th. */
  readonly every?: number
  /** On the clock that users see: a time, or a duration from now such as `2h`. */
  readonly from?: string
  readonly until?: string
  /** Makes probability and latency the same in each run. Default: the id of the rule. */
  readonly seed?: string
  /** A documented status of the endpoint, or the answer of a webhook. */
  readonly status?: number
  /** Which of the documented errors with the status. */
  readonly cause?: string
  /** `2s`, `uniform 100ms 2s`, `normal 200ms 50ms`, `lognormal 200ms 0.5`, `percentiles 50=1s`. */
  readonly latency?: string
  /** Bytes of the body that are sent. */
  readonly bytes?: number
  readonly bytes_per_second?: number
  /** Lines after which a stream fails. */
  readonly posts?: number
  /** Real time after which a stream fails: `10s`. */
  readonly after?: string
  /** The recorded reason for which a stream is disconnected. */
  readonly reason?: DisconnectReason
}
