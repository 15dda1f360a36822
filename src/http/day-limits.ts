import type { Endpoint, Services } from './contract.ts'
import { groupOf, limitsOf } from './limits.ts'

/** What calls of a day are counted for: ids. */
export interface DayOwners {
  readonly user: string | undefined
  readonly app: string | undefined
}

/** The result of counting a call for a day. */
export interface DayCount {
  /** False when a limit was already reached. */
  readonly allowed: boolean
  /** The headers of a reply about the limits, by their neutral names. */
  readonly headers: Readonly<Record<string, string>>
}

/**
 * The pools of calls in 24 hours, in addition to those of a shorter window: their owners, and the prefix of their
 * headers.
 */
const DAY_POOLS = [
  { pool: 'user-24hour', owner: 'user', prefix: 'x-user-limit-24hour' },
  { pool: 'app-24hour', owner: 'app', prefix: 'x-app-limit-24hour' },
] as const

type Counters = Pick<Services, 'count' | 'limitRules'>

/**
 * Compiles the counting of calls for the day of a user, across all apps, and for the day of an app. Undefined when
 * there are no such limits. A call that the user's limit rejects does not count for the app.
 */
export function compileDayCount(
  limited: Pick<Endpoint, 'id' | 'limits' | 'limitGroup'>,
  { count, limitRules }: Counters,
): ((owners: DayOwners) => Promise<DayCount>) | undefined {
  const limits = limitsOf(limited, limitRules)
  const group = groupOf(limited)
  const pools = DAY_POOLS.flatMap((one) => {
    const limit = limits[one.pool]
    return limit ? [{ ...one, ...limit }] : []
  })
  if (pools.length === 0) return undefined
  return async (owners) => {
    const headers: Record<string, string> = {}
    for (const { pool, owner, prefix, calls, windowSeconds } of pools) {
      const counted = await count(`${group} ${pool} ${owners[owner]}`, calls, windowSeconds)
      headers[`${prefix}-limit`] = String(calls)
      headers[`${prefix}-remaining`] = String(counted.remaining)
      headers[`${prefix}-reset`] = String(counted.resetSeconds)
      if (!counted.allowed) return { allowed: false, headers }
    }
    return { allowed: true, headers }
  }
}
