import type { Int64 } from '../common/int64.ts'
import type { Message } from './message.ts'

/** Where a value of a request was found. */
export type Place = 'path' | 'query' | 'body' | 'form' | 'header'

/** What is wrong with one value. Each protocol has its own words for it. */
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
  /** A parameter that is known here, but not for callers to set. */
  | { kind: 'not settable' }
  /** A rule of the resource itself: a reason word that programs compare, and a sentence that says more. */
  | { kind: 'reason'; reason: string; explanation: Message }

/** One wrong value of a request. `name` is the name as the client wrote it. */
export interface Violation {
  place: Place
  name: string
  value: string | undefined
  fault: Fault
}

/** Why the engine itself turns a request down. Protocols have words for these, and for causes of their own. */
export type EngineCause =
  | 'bad authentication data'
  | 'bad request'
  | 'body too large'
  | 'internal'
  | 'media type not supported'
  | 'method not allowed'
  | 'not found'
  | 'over capacity'
  | 'rate limited'
  | 'tls needed'

/** How a caller signed in, in the words that errors use. */
export interface AuthWords {
  used: string
  supported: readonly string[]
}

export interface ErrorDetails {
  detail?: string
  auth?: AuthWords
  violations?: readonly Violation[]
  explanation?: string
}

/**
 * A request that is turned down: thrown by handlers and by the pipeline, written by the protocol of the endpoint.
 * `detail` is for the log and never leaves the server.
 */
export class ApiError extends Error {
  override name = 'ApiError'
  /** The cause: an entry of the catalogue of errors. */
  readonly reason: string
  readonly auth: AuthWords | undefined
  readonly violations: readonly Violation[]
  /** In place of the message of the cause, where that needs a value of the request. */
  readonly explanation: string | undefined
  constructor(reason: string, more: ErrorDetails = {}) {
    super(more.detail ?? more.explanation ?? reason)
    this.reason = reason
    this.auth = more.auth
    this.violations = more.violations ?? []
    this.explanation = more.explanation
  }
}

/** An API error of the engine. `detail` goes to the log only. */
export function apiError(cause: EngineCause, detail?: string): ApiError {
  return new ApiError(cause, detail === undefined ? {} : { detail })
}

const MAX_TYPE_SHOWN = 100

/** 415: names what was sent, and what can be sent. `used` is undefined for a body that came without. */
export function unsupported(
  what: 'content type' | 'content encoding',
  used: string | undefined,
  supported: readonly string[],
) {
  const shown = used?.slice(0, MAX_TYPE_SHOWN)
  const wrong =
    shown === undefined ? `The body has no ${what}` : `The ${what} "${shown}" of the body is not supported`
  return new ApiError('media type not supported', { explanation: `${wrong}: use ${supported.join(' or ')}` })
}

/** An error that names the wrong values. */
export function invalid(...violations: Violation[]): ApiError {
  return new ApiError('bad request', { violations })
}

/** What is wrong with a body that cannot be read as JSON. */
export const notJson = (quoted: string): Violation => ({
  place: 'body',
  name: '$',
  value: quoted,
  fault: { kind: 'type', expected: 'JSON in UTF-8' },
})

/** An error for a rule of a resource: `reason` is a word that programs compare. */
export function invalidFor(
  reason: string,
  explanation: Message,
  on: { place: Place; name: string; value: string },
) {
  return invalid({ ...on, fault: { kind: 'reason', reason, explanation } })
}
