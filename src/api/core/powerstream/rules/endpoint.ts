import { Type } from 'typebox'
import { RuleProblem } from '../../../../delivery/streams/rule-problems.ts'
import { component } from '../../../../platform/http/schema.ts'
import { Rule } from '../../posts/search/stream/rules/endpoint.ts'

export { endpoint } from '../../posts/search/stream/rules/endpoint.ts'

/**
 * Maximum number of powerstream rules that one call may add or delete (core reference, 03 section
 * 4).
 */
export const MAX_CHANGED = 100
export const MAX_BODY_BYTES = 2 * 1024 * 1024

const closed = { additionalProperties: false }

/** A reply with rules of the powerstream. */
export const PowerstreamRules = component(
  'PowerstreamRules',
  Type.Object(
    {
      data: Type.Object({ rules: Type.Array(Rule) }, closed),
      errors: Type.Optional(
        Type.Array(RuleProblem, { minItems: 1, description: 'Rules that were not added.' }),
      ),
    },
    closed,
  ),
)
