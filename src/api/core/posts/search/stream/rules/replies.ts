import type { RuleDependencies } from '../../../../../../delivery/streams/dependencies.ts'
import { missingRules, ruleProblem } from '../../../../../../delivery/streams/rule-problems.ts'
import {
  addRules,
  deleteAllRules,
  deleteRules,
  type NewRule,
  namesOf,
  type RulesToDelete,
} from '../../../../../../delivery/streams/rules.ts'
import type { App } from '../../../../../../identity/apps/app.ts'
import { presentRule } from './endpoint.ts'

/** A call that changes rules. */
interface RuleChange {
  readonly app: App
  readonly dryRun: boolean
  /** The time of the reply, as it is shown. */
  readonly sent: string
}

/**
 * Adds rules. The call succeeds if at least one rule is valid, or if all exist already: clients add
 * their rules at each start.
 */
export async function addedReply(
  newRules: readonly NewRule[],
  { app, dryRun, sent }: RuleChange,
  parts: RuleDependencies,
) {
  const { naming } = parts
  const names = namesOf(naming.vocabulary)
  const { rules, faults } = await addRules(newRules, { app, stream: 'filtered', names, dryRun }, parts)
  const [created, not] = [rules.length, faults.length]
  return {
    status: created > 0 ? 201 : faults.every(({ kind }) => kind === 'duplicate') ? 200 : 400,
    value: {
      ...(created > 0 && { data: rules.map(presentRule) }),
      meta: { sent, summary: { created, not_created: not, valid: created, invalid: not } },
      ...(not > 0 && { errors: faults.map((fault) => ruleProblem(fault, naming)) }),
    },
  }
}

/** Deletes rules. The call succeeds if at least one of them existed. */
export async function deletedReply(
  { ids = [], values = [] }: Partial<RulesToDelete>,
  { app, dryRun, sent }: RuleChange,
  parts: RuleDependencies,
) {
  const { deleted, missing } = await deleteRules({ ids, values }, { app, stream: 'filtered', dryRun }, parts)
  const errors = missingRules(missing, parts.naming)
  return {
    status: deleted > 0 ? 200 : 400,
    value: {
      meta: { sent, summary: { deleted, not_deleted: errors.length } },
      ...(errors.length > 0 && { errors }),
    },
  }
}

/** Deletes all rules. */
export async function allDeletedReply({ app, sent }: RuleChange, parts: RuleDependencies) {
  const deleted = await deleteAllRules(app, 'filtered', parts)
  return { meta: { sent, summary: { deleted, not_deleted: 0 } } }
}
