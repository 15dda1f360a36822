import type { ApiError } from '../../platform/http/errors.ts'
import type { FaultKind, FaultSettings } from './settings.ts'

export const isOfWebhooks = (kind: FaultKind): boolean => kind.startsWith('webhook_')

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
