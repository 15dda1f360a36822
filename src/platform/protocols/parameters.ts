import type { InputRules } from '../http/contract.ts'
import { JSON_TYPE, mediaType } from '../http/input/incoming.ts'
import { jsonPairs } from '../http/input/json-pairs.ts'
import { bodyJson } from '../http/steps/parameters.ts'

/**
 * The pairs that a signature covers, or else those of the query and the form; also the fields of a
 * multipart body.
 */
export const signedOrSent: InputRules['pairs'] = ({ query, form, fields }, { parameters }) => {
  const pairs = parameters ?? (query.length === 0 ? form : [...query, ...form])
  return fields.length === 0 ? pairs : [...pairs, ...fields]
}

/** The pairs of the form only, because browsers and logs store URLs. */
export const formOnly: InputRules['pairs'] = ({ form, fields }) =>
  fields.length === 0 ? form : [...form, ...fields]

/**
 * The pairs of the body: a form, the fields of a multipart body, or a JSON object whose members are
 * parameters.
 */
export const formOrJson: InputRules['pairs'] = (incoming, caller, violations, kindOf) => {
  return isJson(incoming)
    ? jsonPairs(bodyJson(incoming, violations), violations, kindOf)
    : formOnly(incoming, caller, violations, kindOf)
}

/**
 * The same, or pairs of the query if there is no body: published clients send all parameters of a
 * POST in its query.
 */
export const bodyElseQuery: InputRules['pairs'] = (incoming, caller, violations, kindOf) =>
  incoming.body && incoming.body.length > 0
    ? formOrJson(incoming, caller, violations, kindOf)
    : incoming.query

/**
 * As `formOrJson`, where clients write parameters that they do not send as `null` or as an empty
 * list.
 */
export const formOrPresentJson: InputRules['pairs'] = (incoming, caller, violations, kindOf) => {
  return isJson(incoming)
    ? jsonPairs(present(bodyJson(incoming, violations)), violations, kindOf)
    : formOnly(incoming, caller, violations, kindOf)
}

const isJson = ({ headers, body }: Parameters<InputRules['pairs']>[0]) =>
  body !== undefined && body.length > 0 && mediaType(headers) === JSON_TYPE

const isAbsent = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0)

const present = (json: unknown) =>
  typeof json === 'object' && json !== null && !Array.isArray(json)
    ? Object.fromEntries(Object.entries(json).filter(([, value]) => !isAbsent(value)))
    : json
