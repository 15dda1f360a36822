import type { Endpoint, Services, Step } from './contract.ts'
import type { ApiError } from './errors.ts'
import type { Caller, Exchange } from './exchange.ts'

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
