import type { InputRules } from '../../http/contract.ts'
import { formOrJson } from '../parameters.ts'

/**
 * The parameters of an advertising call: from the query, or from the body, which wins. A body is a form, or a JSON
 * object whose members are parameters.
 */
export const queryOrBody: InputRules['pairs'] = (incoming, caller, violations, isKnown) => {
  const { query } = incoming
  const given = formOrJson(incoming, caller, violations, isKnown)
  if (given.length === 0) return query
  const inBody = new Set(given.map(([name]) => name))
  return [...query.filter(([name]) => !inBody.has(name)), ...given]
}
