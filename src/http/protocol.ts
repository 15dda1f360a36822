import type { Endpoint } from './endpoint.ts'
import type { ApiError, Violation } from './errors.ts'
import type { Caller, Exchange } from './exchange.ts'
import type { Pair } from './input/form.ts'
import type { Incoming } from './input/incoming.ts'
import type { BucketOf } from './steps/count-call.ts'
import type { Services } from './step.ts'
import type { Vocabulary } from './vocabulary.ts'

/** An error, ready to be sent. */
export interface Rendered {
  status: number
  contentType: string
  body: string
  headers?: Readonly<Record<string, string>>
}

/** The context in which errors are written. */
export interface Naming {
  readonly vocabulary: Vocabulary
  /** `{problem_base}`: the prefix of the URIs that name types of errors. */
  readonly problemBase: string
}

/** Writes an error. `understood`: JSON text of how the call was understood, for protocols that repeat it. */
export type Renderer = (error: ApiError, naming: Naming, understood?: string) => Rendered

/** How the parameters of a call are read. */
export interface InputRules {
  /** Whether an undeclared query parameter is rejected; otherwise it is ignored. */
  readonly closedQuery: boolean
  /** Whether a list may be sent as a repeated parameter: `a=1&a=2` for `a=1,2`. */
  readonly repeatedLists: boolean
  /** Whether form parameters may be sent as the members of a JSON object. */
  readonly jsonParameters: boolean
  /** Whether parsed parameters are recorded, for replies that repeat them. */
  readonly echo: boolean
  /** The pairs that the form parameters of an endpoint are read from. */
  pairs(
    incoming: Incoming,
    caller: Caller,
    violations: Violation[],
    isKnown: (name: string) => boolean,
  ): readonly Pair[]
}

/** The behavior of one protocol of the interface. The engine calls it and never checks which protocol it is. */
export interface Protocol {
  readonly name: string
  readonly input: InputRules
  /** Whether a 401 has `WWW-Authenticate`. */
  readonly challenges: boolean
  readonly render: Renderer
  /** Compiles which bucket counts a call of an endpoint; the bucket of the caller's pool by default. */
  bucketOf?(endpoint: Endpoint, services: Services): BucketOf | undefined
  /** Compiles what handlers of this protocol receive in addition to the members of every call. */
  extend?(services: Services): (call: object, exchange: Exchange) => void
}
