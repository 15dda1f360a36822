import type { DialectName } from '../query.ts'

/**
 * One forward migration of the schema; there is no rollback. Its statements are text, and its module imports nothing, so that
 * a released migration never changes with the rest of the program.
 */
export interface Migration {
  readonly name: string
  statements(dialect: DialectName): readonly string[]
}
