import type { InputRules } from '../../http/contract.ts'
import { formOrJson } from '../parameters.ts'

/**
 * The parameters of an advertising call, from the query and the body. The body takes precedence. It is a form, or a
 * JSON object whose members are parameters.
 */
export const queryOrBody: InputRules['pairs'] = (incoming, caller, violations, kindOf) => {
  const { query } = incoming
  const sentPairs = formOrJson(incoming, caller, violations, kindOf)
  if (sentPairs.length === 0) return query
  const inBody = new Set(sentPairs.map(([name]) => name))
  return [...query.filter(([name]) => !inBody.has(name)), ...sentPairs]
}
