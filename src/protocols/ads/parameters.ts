import type { InputRules } from '../../http/contract.ts'
import { jsonPairs } from '../../http/input/reader.ts'
import { mediaType } from '../../http/input/incoming.ts'
import { bodyJson } from '../../http/steps/parameters.ts'

/**
 * The parameters of an advertising call: from the query, or from the body, which wins. A body is a form, or a JSON
 * object whose members are parameters.
 */
export const queryOrBody: InputRules['pairs'] = (
  { headers, body, query, form },
  _caller,
  violations,
  isKnown,
) => {
  const isJson = body !== undefined && body.length > 0 && mediaType(headers) === 'application/json'
  const given = isJson ? jsonPairs(bodyJson(body, violations), violations, isKnown) : form
  if (given.length === 0) return query
  const inBody = new Set(given.map(([name]) => name))
  return [...query.filter(([name]) => !inBody.has(name)), ...given]
}
