import { beginningOf, truncated } from '../common/cut-text.ts'
import type { Int64 } from '../common/int64.ts'
import type { Message } from './message.ts'

/** Where a value of a request was found. */
export type ParameterPlace = 'path' | 'query' | 'body' | 'form' | 'header'

/** The error of one value. Each protocol has its own messages. */
export type Fault =
  | { kind: 'missing' }
  | { kind: 'empty' }
  | { kind: 'unknown'; known: readonly string[] }
  | { kind: 'repeated' }
  | { kind: 'invalid' }
  | { kind: 'type'; expected: string }
  | { kind: 'range'; min: Int64; max: Int64 }
  | { kind: 'length'; min: number; max: number }
  | { kind: 'choice'; values: readonly string[] }
  /** A known parameter that callers cannot set. */
  | { kind: 'not settable' }
  /** A rule of the resource: a machine-readable reason and a human-readable explanation. */
  | { kind: 'reason'; reason: string; explanation: Message }
  /** A rule of the resource that has no machine-readable reason. */
  | { kind: 'rule'; explanation: Message }

/** One wrong value of a request. `name` is the name as the client wrote it. */
export interface Violation {
  place: ParameterPlace
  name: string
  value: string | undefined
  fault: Fault
}

const MAX_TEXT_IN_VIOLATION = 200

/** A violation whose name and value are short enough for a reply and the log. */
export const shortened = (violation: Violation): Violation => ({
  ...violation,
  name: short(violation.name),
  value: violation.value && short(violation.value),
})

/** Cuts a long text between two characters. */
function short(text: string): string {
  if (text.length <= MAX_TEXT_IN_VIOLATION) return text
  return truncated(text, MAX_TEXT_IN_VIOLATION)
}

/**
 * Causes of errors of the engine itself. Protocols have messages for these, and for their own
 * causes.
 */
export type EngineCause =
  | 'bad authentication data'
  | 'bad request'
  | 'body too large'
  | 'headers too large'
  | 'internal'
  | 'media type not supported'
  | 'method not allowed'
  | 'not found'
  | 'over capacity'
  | 'rate limited'
  | 'request timeout'
  | 'tls needed'

/** The authentication of a caller, as errors describe it. */
export interface AuthWords {
  used: string
  supported: readonly string[]
}

/** What a challenge says about the bearer token of a request (RFC 6750 section 3.1). */
export interface BearerFault {
  readonly error: 'invalid_token' | 'insufficient_scope'
  /** The scopes that the endpoint needs, by their neutral names. */
  readonly scopes?: readonly string[]
}

export interface ErrorDetails {
  detail?: string
  auth?: AuthWords
  violations?: readonly Violation[]
  explanation?: string
  /** Values of this request that the subtype of a Problem adds. */
  members?: Readonly<Record<string, string | Int64>>
  /** Additional headers of the reply, by their neutral names. */
  headers?: Readonly<Record<string, string>>
  /** Whether the rest of the request is not read: the connection ends after the reply. */
  endsConnection?: boolean
  /** Set if the bearer token of the request is the reason. */
  bearer?: BearerFault
}

/**
 * A rejected request: thrown by handlers and by the pipeline, rendered by the protocol of the
 * endpoint. `detail` is for the log and never leaves the server.
 */
export class ApiError extends Error {
  override name = 'ApiError'
  /** The cause: an entry of the catalogue of errors. */
  readonly reason: string
  readonly auth: AuthWords | undefined
  readonly violations: readonly Violation[]
  /** Replaces the message of the cause when it includes a value of the request. */
  readonly explanation: string | undefined
  readonly members: Readonly<Record<string, string | Int64>>
  /** Additional headers of the reply, by their neutral names. */
  readonly headers: Readonly<Record<string, string>>
  /** Whether the rest of the request is not read: the connection ends after the reply. */
  readonly endsConnection: boolean
  readonly bearer: BearerFault | undefined
  constructor(reason: string, more: ErrorDetails = {}) {
    super(more.detail ?? more.explanation ?? reason)
    this.reason = reason
    this.auth = more.auth
    this.violations = more.violations?.map(shortened) ?? []
    this.explanation = more.explanation
    this.members = more.members ?? {}
    this.headers = more.headers ?? {}
    this.endsConnection = more.endsConnection ?? false
    this.bearer = more.bearer
  }
}

/** An API error of the engine. `detail` goes to the log only. */
export function apiError(cause: EngineCause, detail?: string): ApiError {
  return new ApiError(cause, detail === undefined ? {} : { detail })
}

const MAX_TYPE_SHOWN = 100

/**
 * 415: names the type that was sent and the supported types. `used` is undefined for a body without
 * a type.
 */
export function unsupported(
  what: 'content type' | 'content encoding',
  used: string | undefined,
  supported: readonly string[],
) {
  const shown = used === undefined ? undefined : beginningOf(used, MAX_TYPE_SHOWN)
  const wrong =
    shown === undefined ? `The body has no ${what}` : `The ${what} "${shown}" of the body is not supported`
  return new ApiError('media type not supported', { explanation: `${wrong}: use ${supported.join(' or ')}` })
}

/** An error that names the wrong values. */
export function invalid(...violations: Violation[]): ApiError {
  return new ApiError('bad request', { violations })
}

/** The violation of a body that is not valid JSON. */
export const notJson = (quoted: string): Violation => ({
  place: 'body',
  name: '$',
  value: quoted,
  fault: { kind: 'type', expected: 'JSON in UTF-8' },
})

/** An error for a rule of a resource: `reason` is machine-readable. */
export function invalidFor(
  reason: string,
  explanation: Message,
  on: { place: ParameterPlace; name: string; value: string },
) {
  return invalid({ ...on, fault: { kind: 'reason', reason, explanation } })
}
