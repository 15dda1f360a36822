import type { Clock } from '../common/clock.ts'
import type { Naming } from '../protocols/protocols.ts'
import type { RuleParts } from './rules.ts'

/** What handlers about rules of streams are given. */
export interface RuleDependencies extends RuleParts {
  readonly clock: Clock
  readonly naming: Naming
}
