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

/** What errors are written with. */
export interface Naming {
  readonly vocabulary: Vocabulary
  /** `{problem_base}`: the prefix of the URIs that name types of errors. */
  readonly problemBase: string
}

/** Writes an error. `understood`: JSON text of how the call was understood, for protocols that repeat it. */
export type Renderer = (error: ApiError, naming: Naming, understood?: string) => Rendered

/** How the parameters of a call are read. */
export interface InputRules {
  /** A query parameter that is not declared is rejected; otherwise it is passed over. */
  readonly closedQuery: boolean
  /** A list may come as its name repeated: `a=1&a=2` for `a=1,2`. */
  readonly repeatedLists: boolean
  /** The parameters of a form may come as the members of a JSON object. */
  readonly jsonParameters: boolean
  /** Keeps how parameters were understood, for replies that repeat it. */
  readonly echo: boolean
  /** The pairs that the form parameters of an endpoint are read from. */
  pairs(
    incoming: Incoming,
    caller: Caller,
    violations: Violation[],
    isKnown: (name: string) => boolean,
  ): readonly Pair[]
}

/** What is special about one part of the interface. The engine asks it; it never asks which one it is. */
export interface Protocol {
  readonly name: string
  readonly input: InputRules
  /** Whether a 401 names the ways to sign in. */
  readonly challenges: boolean
  readonly render: Renderer
  /** Compiles in which bucket a call of an endpoint counts; without it, in that of its caller's pool. */
  bucketOf?(endpoint: Endpoint, services: Services): BucketOf | undefined
  /** Compiles what handlers of this protocol get beside the members of every call. */
  extend?(services: Services): (call: object, exchange: Exchange) => void
}
