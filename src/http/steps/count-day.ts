import type { Endpoint, Services, Step } from '../contract.ts'
import type { ApiError } from '../errors.ts'
import type { Exchange } from '../exchange.ts'
import { groupOf, limitsOf } from '../limits.ts'
import { compileCounter } from './count-call.ts'

/** The pools of calls in 24 hours, beside those of a shorter window: who owns them, and the beginning of their headers. */
const DAY_POOLS = [
  { pool: 'user-24hour', owner: ({ userId }: Exchange['caller']) => userId, prefix: 'x-user-limit-24hour' },
  { pool: 'app-24hour', owner: ({ app }: Exchange['caller']) => app?.id, prefix: 'x-app-limit-24hour' },
] as const

/** What counts together for a day, and the error of a call that is too many. */
export interface Daily {
  /** Of the endpoint whose limits these are. */
  readonly id: string
  readonly limits: Endpoint['limits']
  readonly overLimit: ApiError
}

/**
 * Also counts a call for the day of its user, with all apps, and for that of its app, where the endpoint has such limits. A
 * step of the endpoint's own.
 */
export const countForDay: Step = stepOf(undefined)

/** The same for an endpoint whose calls count as those of another one. */
export const countForDayOf = (daily: Daily): Step => stepOf(daily)

function stepOf(daily: Daily | undefined): Step {
  return {
    name: 'count for day',
    compile(endpoint, services) {
      const counters = DAY_POOLS.flatMap((one) => counterOf(one, { endpoint, daily }, services) ?? [])
      if (counters.length === 0) return undefined
      return async (exchange) => {
        for (const count of counters) await count(exchange)
      }
    },
  }
}

function counterOf(
  { pool, owner, prefix }: (typeof DAY_POOLS)[number],
  { endpoint, daily }: { endpoint: Endpoint; daily: Daily | undefined },
  services: Services,
) {
  const counted = daily ? { ...daily, limitGroup: undefined } : endpoint
  const limit = limitsOf(counted, services.limitRules)[pool]
  if (!limit) return undefined
  const count = compileCounter(endpoint, services, prefix, daily?.overLimit)
  const group = groupOf(counted)
  return ({ caller, reply }: Exchange) => count(reply, { name: `${group} ${pool} ${owner(caller)}`, limit })
}
