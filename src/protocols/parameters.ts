import type { InputRules } from '../http/contract.ts'

/** Pairs of what a signature covers, else of the query and the form; the fields of a multipart body beside them. */
export const signedOrSent: InputRules['pairs'] = ({ query, form, fields }, { parameters }) => {
  const pairs = parameters ?? (query.length === 0 ? form : [...query, ...form])
  return fields.length === 0 ? pairs : [...pairs, ...fields]
}
