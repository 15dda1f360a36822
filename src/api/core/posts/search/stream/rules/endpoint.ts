import { Type } from 'typebox'
import type { RuleDependencies } from '../../../../../../delivery/streams/dependencies.ts'
import type { StreamRuleRow } from '../../../../../../delivery/streams/tables.ts'
import type { PlazaTerms } from '../../../../../../identity/auth/endpoint.ts'
import { endpointsOf } from '../../../../../../platform/http/endpoint.ts'
import { component, id, ignored, text, time } from '../../../../../../platform/http/schema.ts'
import { protocolOf } from '../../../../../../platform/protocols/protocols.ts'

/** Declares an endpoint for the rules of the filtered stream. */
export const endpoint = endpointsOf<PlazaTerms<RuleDependencies>>(protocolOf)

/**
 * Longer values and tags are invalid parameters. Those too long for the plan of the app are
 * reported with their rule.
 */
const MAX_VALUE_LENGTH = 4_096
const MAX_TAG_LENGTH = 1_024

/** The value of a rule in a body. */
export const ruleValue = text(1, MAX_VALUE_LENGTH, 'A query: which posts the rule matches.')
/** A rule to add. A loaded rule may be sent back whole: it gets a new id. */
export const NewRule = component(
  'NewRule',
  Type.Object(
    {
      value: ruleValue,
      tag: Type.Optional(
        text(0, MAX_TAG_LENGTH, 'A name of your choice, which is returned with each match.'),
      ),
      id: Type.Optional(ignored('Ignored: each rule gets its own id.')),
    },
    { additionalProperties: false },
  ),
)

/** A rule of a stream (core reference, 03 section 1.1). */
export const Rule = component(
  'Rule',
  Type.Object(
    {
      id: id('The rule.'),
      value: Type.String({ description: 'Which posts the rule matches.' }),
      tag: Type.Optional(Type.String({ description: 'Name that the app gave to the rule.' })),
    },
    { additionalProperties: false },
  ),
)

/** When the reply was sent. */
export const sent = time('When the reply was sent.')
export const count = Type.Integer({ minimum: 0 })

export const presentRule = ({ id, value, tag }: StreamRuleRow) => ({
  id,
  value,
  ...(tag !== null && { tag }),
})
