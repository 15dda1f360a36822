import type { Endpoint, Services } from './contract.ts'
import { groupOf, limitsOf, underRules } from './limits.ts'

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
  /** Uncounts a call that had no effect. If uncounting fails, the call counts. */
  undo(): Promise<void>
}

/**
 * The pools of calls in 24 hours, in addition to those of a shorter window: their owners, and the
 * prefix of their headers.
 */
const DAY_POOLS = [
  { pool: 'user-24hour', owner: 'user', prefix: 'x-user-limit-24hour' },
  { pool: 'app-24hour', owner: 'app', prefix: 'x-app-limit-24hour' },
] as const

type Counters = Pick<Services, 'count' | 'uncount' | 'limitRules'>

/**
 * Compiles the counting of calls for the day of a user, across all apps, and for the day of an app.
 * Without such limits, every call is allowed. A call that one limit rejects does not count for the
 * other.
 */
export function compileDayCount(
  limited: Pick<Endpoint, 'id' | 'limits' | 'limitGroup'>,
  counters: Counters,
): (owners: DayOwners) => Promise<DayCount> {
  const { count, uncount } = counters
  const group = groupOf(limited)
  const poolsNow = underRules(counters, () => {
    const limits = limitsOf(limited, counters.limitRules)
    return DAY_POOLS.flatMap((pool) => {
      const limit = limits[pool.pool]
      return limit ? [{ ...pool, ...limit }] : []
    })
  })
  return async (owners) => {
    const pools = poolsNow()
    const headers: Record<string, string> = {}
    const done: [string, number][] = []
    const undo = () => undoAll(done.splice(0), uncount)
    for (const { pool, owner, prefix, calls, windowSeconds } of pools) {
      const bucket = `${group} ${pool} ${owners[owner]}`
      const counted = await count(bucket, calls, windowSeconds)
      headers[`${prefix}-limit`] = String(calls)
      headers[`${prefix}-remaining`] = String(counted.remaining)
      headers[`${prefix}-reset`] = String(counted.resetSeconds)
      if (!counted.allowed) {
        await undo()
        return { allowed: false, headers, undo }
      }
      done.push([bucket, counted.resetSeconds])
    }
    return { allowed: true, headers, undo }
  }
}

async function undoAll(
  counted: readonly [bucket: string, resetSeconds: number][],
  uncount: Services['uncount'],
): Promise<void> {
  for (const [bucket, resetSeconds] of counted)
    try {
      await uncount(bucket, resetSeconds)
    } catch {
      // The call counts until the end of its window.
    }
}
