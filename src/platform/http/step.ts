import type { Endpoint, Services, Step } from './contract.ts'
import type { Exchange } from './exchange.ts'

/**
 * Compiles steps into one that waits only for those that return a promise; undefined when there is
 * nothing to do.
 */
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
