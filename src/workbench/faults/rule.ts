import type { ApiError } from '../../platform/http/errors.ts'

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

export const isOfWebhooks = (kind: FaultKind): boolean => kind.startsWith('webhook_')

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
  /** An endpoint: `POST /2/posts`; with `*` for any text. */
  readonly route?: string
  readonly host?: 'core' | 'ads' | 'sandbox'
  readonly app_id?: string
  readonly user_id?: string
  /** The id or the URL of a webhook. */
  readonly webhook?: string
  /** From 0 to 1. */
  readonly probability?: number
  /** Only the first so many. */
  readonly times?: number
  /** Only every so many-th. */
  readonly every?: number
  /** On the clock that users see: a time, or a duration from now. */
  readonly from?: string
  readonly until?: string
  /** Of the randomness; by default the id. */
  readonly seed?: string
  readonly status?: number
  /** A documented cause of the error. */
  readonly cause?: string
  readonly latency?: string
  readonly bytes?: number
  readonly bytes_per_second?: number
  /** Posts after which a stream fails. */
  readonly posts?: number
  /** Time after which a stream fails, as a duration. */
  readonly after?: string
  readonly reason?: DisconnectReason
}

/** A fault rule as it is stored. Its times are absolute. */
export interface FaultRule extends FaultSettings {
  readonly id: string
}

/** A rule, its place in the order, and how often it applied on this node. */
export interface FaultReading {
  readonly rule: FaultRule
  /** From 1. */
  readonly position: number
  /** Requests or deliveries that its conditions matched. */
  readonly matches: number
  /** Those of them that it failed. */
  readonly hits: number
}

/** The caller of a request, as errors repeat it. */
export interface ErrorCaller {
  readonly usesBearer: boolean
  readonly appId: string | undefined
}

/** An error that the documents of an endpoint name. */
export interface DocumentedError {
  /** The cause in the catalogue, an error code of the advertising API, or a reason word. */
  readonly cause: string
  readonly status: number
  error(caller: ErrorCaller): ApiError
}

/** An endpoint, as fault rules need to know it. */
export interface FaultyEndpoint {
  readonly id: string
  /** `POST /2/posts`. */
  readonly route: string
  /** The listeners that serve it. */
  readonly hosts: readonly string[]
  readonly isStream: boolean
  /** The cause beyond its rate limit. */
  readonly overLimit: string
  errors(): readonly DocumentedError[]
}
