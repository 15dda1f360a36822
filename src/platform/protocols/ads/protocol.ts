import type { InputRules, Protocol } from '../../http/contract.ts'
import { isTrue } from '../../http/input/text-values.ts'
import { limitsOf } from '../../http/limits.ts'
import { bucketOfPool } from '../../http/steps/count-call.ts'
import { formOrJson } from '../parameters.ts'
import { isAdsEndpoint } from './endpoint.ts'
import { ads as render } from './errors.ts'

/**
 * The parameters of an advertising call, from the query and the body. The body takes precedence. It
 * is a form, or a JSON object whose members are parameters.
 */
const queryOrBody: InputRules['pairs'] = (incoming, caller, violations, kindOf) => {
  const { query } = incoming
  const sentPairs = formOrJson(incoming, caller, violations, kindOf)
  if (sentPairs.length === 0) return query
  const inBody = new Set(sentPairs.map(([name]) => name))
  return [...query.filter(([name]) => !inBody.has(name)), ...sentPairs]
}

/** Calls with a total count have a separate bucket with a lower limit. */
const bucketOf: NonNullable<Protocol['bucketOf']> = (endpoint, services) => {
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

/** The advertising API: every reply and every error repeats the parsed parameters. */
export const ads: Protocol = {
  name: 'ads',
  input: {
    closedQuery: false,
    repeatedLists: true,
    bodyOnly: false,
    jsonParameters: true,
    untypedJson: false,
    absentNulls: false,
    echo: true,
    pairs: queryOrBody,
  },
  challenges: true,
  render,
  bucketOf,
  extend:
    ({ host }) =>
    (call, exchange) =>
      Object.assign(call, { host, scope: exchange.scope, echo: exchange.understood }),
}
