import { type RawBuilder, sql } from 'kysely'
import { query } from '../tables.ts'
import type { Table } from './table.ts'

/**
 * Declares the removal of rows with a value in a column: at most `limit` of them, so that a
 * transaction stays short. `argument`: the name of the value in the arguments.
 */
export const removalOf = <Argument extends string>(
  name: string,
  table: Table,
  column: string,
  argument: Argument,
) =>
  query<Record<Argument, string> & { limit: number }>(name, (db, at) => ({
    compile: () => some(table, sql`${sql.ref(column)} = ${at[argument]}`, at.limit).compile(db),
  }))

/** Declares the removal of the rows with the lowest values in a column, at most `limit` of them. */
export const removalBefore = <Before extends number | string = number>(
  name: string,
  table: Table,
  column: string,
) =>
  query<{ before: Before; limit: number }>(name, (db, at) => ({
    compile: () => {
      const ref = sql.ref(column)
      // SQLite needs the condition of a partial index.
      const present = table.columns[column]?.null ? sql`${ref} is not null and ` : sql``
      return some(table, sql`${present}${ref} < ${at.before} order by ${ref}`, at.limit).compile(db)
    },
  }))

function some(
  { name, key }: Table,
  where: RawBuilder<unknown>,
  limit: RawBuilder<unknown> | number,
): RawBuilder<unknown> {
  const keys = sql.join(key.map((column) => sql.ref(column)))
  return sql`delete from ${sql.table(name)} where (${keys}) in (
    select ${keys} from ${sql.table(name)} where ${where} limit ${limit})`
}
