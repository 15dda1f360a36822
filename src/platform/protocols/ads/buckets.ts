import type { Protocol } from '../../http/contract.ts'
import { isTrue } from '../../http/input/reader.ts'
import { limitsOf } from '../../http/limits.ts'
import { bucketOfPool } from '../../http/steps/count-call.ts'
import { isAdsEndpoint } from './endpoint.ts'

/** Calls with a total count have a separate bucket with a lower limit. */
export const bucketOf: NonNullable<Protocol['bucketOf']> = (endpoint, services) => {
  const documented = isAdsEndpoint(endpoint) ? endpoint.totalsLimit : undefined
  const limits = limitsOf(
    documented === undefined ? endpoint : { ...endpoint, limits: { ...endpoint.limits, totals: documented } },
    services.limitRules,
  )
  const { totals } = limits
  const byPool = bucketOfPool(endpoint, limits)
  if (!totals || !byPool) return byPool
  const spellings = services.naming.vocabulary.spellings('with_total_count')
  return (exchange) =>
    exchange.incoming.query.some(([name, value]) => spellings.includes(name) && isTrue(value))
      ? { name: `${endpoint.id} totals ${exchange.caller.pool.owner}`, limit: totals }
      : byPool(exchange)
}
