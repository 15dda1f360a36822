import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint } from './endpoint.ts'
import type { ApiError } from './errors.ts'
import type { Caller, Exchange } from './exchange.ts'
import type { BodyMemory } from './input/body-memory.ts'
import type { Counted, LimitRules } from './limits.ts'
import type { Protocol, Naming } from './protocol.ts'
import type { Streams } from './streams.ts'

/** What a step does with one request. It returns a promise only where it has to wait. */
export type Run = (exchange: Exchange) => void | Promise<void>

/** One step on the way of a request. */
export interface Step {
  readonly name: string
  /** Compiles it for an endpoint when the server starts; undefined where it has nothing to do. */
  compile(endpoint: Endpoint, services: Services): Run | undefined
}

/** What the engine needs of the program around it, for one listener. */
export interface Services {
  naming: Naming
  limitRules: LimitRules
  /** The name of the listener. */
  host: string
  /** True behind a proxy that terminates TLS and is trusted to name the client. */
  behindProxy: boolean
  secure: boolean
  /** The way of every request. */
  steps: readonly Step[]
  /** The memory that bodies may take. */
  bodyMemory: BodyMemory
  /** The streams that are open. */
  streams: Streams
  /** How an unknown path is answered. */
  protocolAt(path: string): Protocol
  /** How a caller may sign in to an endpoint, in the scheme names of HTTP. */
  schemesOf(endpoint: Endpoint): readonly string[]
  /** The public origin of the host: the realm of challenges. */
  origin: string
  count(bucket: string, limit: number, windowSeconds: number): Counted | Promise<Counted>
  /** Turns an unexpected error into an API error, and logs it. */
  failure(error: unknown, request: FastifyRequest): ApiError
  /** Told of every reply just before it goes. */
  replied(request: FastifyRequest, reply: FastifyReply): void
  context: unknown
}

declare module 'fastify' {
  interface FastifyRequest {
    /** For the log line: who called, and why the request was turned down. */
    caller: Caller | undefined
    error: ApiError | undefined
    /** When it came, on the clock of `performance`. */
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
