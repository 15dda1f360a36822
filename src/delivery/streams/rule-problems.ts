import { type Static, Type } from 'typebox'
import type { QueryError } from '../../domain/query-language/query.ts'
import type { Naming } from '../../platform/http/contract.ts'
import { invalid } from '../../platform/http/errors.ts'
import { fixed } from '../../platform/http/message.ts'
import { component } from '../../platform/http/schema.ts'
import { problemOf } from '../../platform/protocols/problem/errors.ts'
import { ParameterError } from '../../platform/protocols/problem/types.ts'
import type { RuleFault, RulesToDelete } from './rules.ts'

/** A Problem about one rule in a reply (core reference, 03 section 1.2). */
export const RuleProblem = component(
  'RuleProblem',
  Type.Object(
    {
      value: Type.Optional(Type.String({ description: 'The rule.' })),
      id: Type.Optional(Type.String({ description: 'Id of the rule that exists.' })),
      details: Type.Optional(Type.Array(Type.String(), { description: 'What is invalid, and where.' })),
      title: Type.String(),
      detail: Type.Optional(Type.String()),
      errors: Type.Optional(Type.Array(ParameterError, { minItems: 1 })),
      type: Type.String({ description: 'A URI that names the subtype.' }),
    },
    { additionalProperties: false },
  ),
  'A rule that was not added or not deleted.',
)
export type RuleProblem = Static<typeof RuleProblem>

const KINDS = {
  duplicate: { title: 'DuplicateRule', slug: 'duplicate-rules' },
  invalid: { title: 'UnprocessableEntity', slug: 'invalid-rules' },
  'too long': { title: 'UnprocessableEntity', slug: 'rule-length' },
  noncompliant: { title: 'UnprocessableEntity', slug: 'noncompliant-rules' },
} as const satisfies Record<RuleFault['kind'], { title: string; slug: string }>

/** Why a rule was not added. */
export function ruleProblem(fault: RuleFault, { vocabulary, problemBase }: Naming): RuleProblem {
  const { title, slug } = KINDS[fault.kind]
  return {
    value: fault.value,
    ...(fault.kind === 'duplicate' ? { id: fault.id } : { details: detailsOf(fault.errors) }),
    title: vocabulary.text(title),
    type: `${problemBase}/2/problems/${vocabulary.name(slug)}`,
  }
}

const detailsOf = (errors: readonly QueryError[]) => errors.map(({ message }) => message)

/** Why rules were not deleted: no rules have these ids and values. */
export const missingRules = ({ ids, values }: RulesToDelete, naming: Naming): RuleProblem[] =>
  Object.entries({ ids, values }).flatMap(([name, all]) =>
    all.map((value) =>
      problemOf(
        invalid({
          place: 'body',
          name,
          value,
          fault: { kind: 'reason', reason: 'RuleNotFound', explanation: fixed('Rule does not exist') },
        }),
        naming,
      ),
    ),
  )
