import type { Services, Step } from '../../http/contract.ts'
import { invalid } from '../../http/errors.ts'
import type { Exchange } from '../../http/exchange.ts'
import { groupOf, limitsOf, underRules } from '../../http/limits.ts'
import { compileCounter } from '../../http/steps/count-call.ts'

/** The account in the path of a call, with what the steps have loaded for handlers. */
export interface Scope {
  /** The name of its rate limit pool. */
  accountId: string
}

/**
 * Loads and authorizes the account in the path; throws when the caller lacks the right that the
 * endpoint needs.
 */
export type FindAccount = (exchange: Exchange, accountId: string, services: Services) => Promise<Scope>

/** The steps of a call that names an account. */
export const accountSteps = (find: FindAccount): readonly Step[] => [findAccount(find), countForAccount]

const findAccount = (find: FindAccount): Step => ({
  name: 'find account',
  compile(_endpoint, services) {
    const parameter = services.naming.vocabulary.name('account_id')
    return async (exchange) => {
      const { violations } = exchange.input
      if (violations.length > 0) throw invalid(...violations)
      const path = exchange.request.params as Record<string, string>
      exchange.scope = await find(exchange, path[parameter] ?? '', services)
    }
  },
})

/** Also counts the call for its account. */
const countForAccount: Step = {
  name: 'count for account',
  compile(endpoint, services) {
    const limitNow = underRules(services, () => limitsOf(endpoint, services.limitRules).account)
    const count = compileCounter(endpoint, services, 'x-account-rate-limit')
    const group = groupOf(endpoint)
    return ({ reply, scope }) => {
      const limit = limitNow()
      return limit && count(reply, { name: `${group} account ${(scope as Scope).accountId}`, limit })
    }
  },
}
