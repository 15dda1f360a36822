import type { Plaza } from '../../src/app/server.ts'
import { withPostgres } from './services.ts'

/** Whether a PostgreSQL transaction waits for a row of a table that another one has locked. */
export const isAwaited = ({ context }: Pick<Plaza, 'context'>, table: string): Promise<boolean> =>
  withPostgres(async (database) => {
    const { rowCount } = await database.query(
      `SELECT 1 FROM pg_locks WHERE locktype = 'tuple' AND relation = $1::regclass`,
      [`${context.config.databaseSchema}.${table}`],
    )
    return rowCount === 1
  })
