import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint } from './endpoint.ts'
import type { ApiError } from './errors.ts'
import type { Caller, Exchange } from './exchange.ts'
import type { BodyMemory } from './input/body-memory.ts'
import type { Counted, LimitRules } from './limits.ts'
import type { Protocol, Naming } from './protocol.ts'
import type { Streams } from './streams.ts'

/** Runs a step for one request. Returns a promise only when it has to wait. */
export type Run = (exchange: Exchange) => void | Promise<void>

/** One step of the pipeline. */
export interface Step {
  readonly name: string
  /** Compiles the step for an endpoint, once; undefined when it does nothing. */
  compile(endpoint: Endpoint, services: Services): Run | undefined
}

/** The dependencies of the engine, for one listener. */
export interface Services {
  naming: Naming
  limitRules: LimitRules
  /** The name of the listener. */
  host: string
  /** True behind a proxy that terminates TLS and is trusted to name the client. */
  behindProxy: boolean
  secure: boolean
  /** The steps of every request, in order. */
  steps: readonly Step[]
  /** The memory limit of request bodies. */
  bodyMemory: BodyMemory
  /** The streams that are open. */
  streams: Streams
  /** The protocol of an unknown path. */
  protocolAt(path: string): Protocol
  /** The HTTP authentication schemes that an endpoint accepts. */
  schemesOf(endpoint: Endpoint): readonly string[]
  /** The public origin of the host: the realm of challenges. */
  origin: string
  count(bucket: string, limit: number, windowSeconds: number): Counted | Promise<Counted>
  /** Turns an unexpected error into an API error, and logs it. */
  failure(error: unknown, request: FastifyRequest): ApiError
  /** Called for every reply just before it is sent. */
  replied(request: FastifyRequest, reply: FastifyReply): void
  context: unknown
}

declare module 'fastify' {
  interface FastifyRequest {
    /** For the log line: the caller, and the error. */
    caller: Caller | undefined
    error: ApiError | undefined
    /** When the request arrived, on the clock of `performance`. */
    began: number
  }
}

/** Compiles steps into one that waits only for those that return a promise; undefined when there is nothing to do. */
export function compileSteps(
  steps: readonly Step[],
  endpoint: Endpoint,
  services: Services,
): ((exchange: Exchange) => Promise<void>) | undefined {
  const runs = steps.flatMap((step) => step.compile(endpoint, services) ?? [])
  if (runs.length === 0) return undefined
  return async (exchange) => {
    for (const run of runs) {
      const pending = run(exchange)
      if (pending !== undefined) await pending
    }
  }
}
