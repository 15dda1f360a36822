import { type RateLimits, rateLimitsOf } from './limits.ts'

/** A reply that rejects a call, as it was received. */
export interface Rejection {
  /** `GET https://…`, without the query. */
  readonly call: string
  readonly status: number
  readonly headers: Headers
  /** The body: parsed when it is JSON, otherwise a text. */
  readonly body: unknown
}

/** The server rejected a call. The subclasses have the members of the format of the error. */
export class PlazaError extends Error {
  override readonly name: string = 'PlazaError'
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
  /** Names the request in the log of the server. */
  readonly transactionId: string | undefined
  /** Rate limits, with the time when each starts again. */
  readonly limits: RateLimits

  constructor(message: string, { call, status, headers, body }: Rejection) {
    super(`${call}: ${status} ${message}`)
    this.status = status
    this.headers = headers
    this.body = body
    this.transactionId = headers.get('x-transaction-id') ?? undefined
    this.limits = rateLimitsOf(headers)
  }
}

/** A Problem of the core API (RFC 9457). Some kinds have more members. */
export interface Problem {
  readonly type: string
  readonly title: string
  readonly detail?: string
  readonly status?: number
  /** With `invalid-request`: what is wrong with which parameters. */
  readonly errors?: readonly {
    readonly message: string
    readonly parameters?: Readonly<Record<string, readonly string[]>>
  }[]
  readonly [member: string]: unknown
}

/** An error of the core API under `/2`. */
export class ProblemError extends PlazaError {
  override readonly name = 'ProblemError'
  readonly problem: Problem
  /** The last part of the type of the problem: `invalid-request`. */
  readonly kind: string

  constructor(rejection: Rejection, problem: Problem) {
    const reasons = (problem.errors ?? []).map(({ message }) => message)
    super(reasons.join(' ') || problem.detail || problem.title, rejection)
    this.problem = problem
    this.kind = String(problem.type).split('/').at(-1) ?? ''
  }
}

export interface LegacyErrorEntry {
  readonly code: number
  readonly message: string
}

/** An error under `/1.1` and `/oauth`: a number and a message. */
export class LegacyError extends PlazaError {
  override readonly name = 'LegacyError'
  readonly errors: readonly LegacyErrorEntry[]
  /** The code of the first error. */
  readonly code: number

  constructor(rejection: Rejection, errors: readonly [LegacyErrorEntry, ...LegacyErrorEntry[]]) {
    super(errors.map(({ code, message }) => `${code} ${message}`).join(' '), rejection)
    this.errors = errors
    this.code = errors[0].code
  }
}

export interface AdsErrorEntry {
  readonly code: string
  readonly message: string
  /** The parameter that is wrong. */
  readonly parameter?: string
  readonly [member: string]: unknown
}

/** An error of the advertising API. */
export class AdsError extends PlazaError {
  override readonly name = 'AdsError'
  readonly errors: readonly AdsErrorEntry[]
  /** Of a batch: the errors of each operation, in their order. */
  readonly operationErrors: readonly (readonly AdsErrorEntry[])[]
  /** The code of the first error: `INVALID_PARAMETER`. */
  readonly code: string

  constructor(
    rejection: Rejection,
    errors: readonly AdsErrorEntry[],
    operationErrors: readonly (readonly AdsErrorEntry[])[],
  ) {
    const all = [...errors, ...operationErrors.flat()]
    super(all.map(({ code, message }) => `${code} ${message}`).join(' '), rejection)
    this.errors = errors
    this.operationErrors = operationErrors
    this.code = all[0]?.code ?? ''
  }
}

/** An error of OAuth 2.0 (RFC 6749, 5.2). */
export class OAuth2Error extends PlazaError {
  override readonly name = 'OAuth2Error'
  /** `invalid_grant` */
  readonly code: string

  constructor(rejection: Rejection, code: string, description: string | undefined) {
    super(description === undefined ? code : `${code}: ${description}`, rejection)
    this.code = code
  }
}

/** No reply came: the server cannot be reached, or did not answer in time. `cause` says why. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
}

/** A stream ended and is not opened again. */
export class StreamError extends Error {
  override readonly name = 'StreamError'
  /** What the server sent as its reason. */
  readonly problem: Problem | undefined

  constructor(message: string, problem?: Problem) {
    super(message)
    this.problem = problem
  }
}

type Members = Record<string, unknown>

const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null

const listOf = <T>(value: unknown): T[] => (Array.isArray(value) ? (value as T[]) : [])

/** The error of a rejected call, in the format of its body. */
export function errorOf(rejection: Rejection): PlazaError {
  const { body, headers } = rejection
  if (!isObject(body)) return new PlazaError(String(body ?? '').slice(0, 200), rejection)
  const isProblem = (headers.get('content-type') ?? '').includes('problem+json')
  if (isProblem || typeof body.title === 'string') return new ProblemError(rejection, body as Problem)
  if (typeof body.error === 'string')
    return new OAuth2Error(rejection, body.error, body.error_description as string | undefined)
  const [first, ...others] = listOf<LegacyErrorEntry>(body.errors)
  if (typeof first?.code === 'number') return new LegacyError(rejection, [first, ...others])
  const operations = listOf<AdsErrorEntry[]>(body.operation_errors)
  if (first || operations.length > 0)
    return new AdsError(rejection, listOf<AdsErrorEntry>(body.errors), operations)
  return new PlazaError(JSON.stringify(body).slice(0, 200), rejection)
}
