import type { CreateTableBuilder, Kysely } from 'kysely'
import { sql } from 'kysely'
import type { DialectName } from '../query.ts'
import type { Tables } from '../tables.ts'

/** Text that sorts by its bytes on both databases: ids and names that lists walk along. */
export const bytewise = (dialect: DialectName) => (dialect === 'postgres' ? sql`text collate "C"` : sql`text`)

/**
 * The table of an advertising entity with what all of them have, and the indexes of its lists: by age, by
 * `updated_at`, and along each of `sort` (amounts and ends: null counts as -1).
 */
export function entityTable(
  db: Kysely<Tables>,
  dialect: DialectName,
  table: string,
  columns: (builder: CreateTableBuilder<string>) => CreateTableBuilder<string>,
  { sort = [], along = [] }: { sort?: readonly string[]; along?: readonly string[] } = {},
) {
  const key = bytewise(dialect)
  const base = db.schema
    .createTable(table)
    .addColumn('account_id', key, (c) => c.notNull())
    .addColumn('id', key, (c) => c.notNull())
    .addColumn('visibility', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addColumn('deleted', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint(`${table}_key`, ['account_id', 'id'])
  const index = (name: string, expressions: readonly string[]) =>
    db.schema
      .createIndex(`${table}_by_${name}`)
      .on(table)
      .expression(sql.join(expressions.map((one) => sql.raw(one))))
  return [
    columns(base as unknown as CreateTableBuilder<string>),
    index('age', ['account_id', 'visibility', 'id']),
    index('update', ['account_id', 'visibility', 'updated_at', 'id']),
    ...sort.map((column) =>
      index(column, [
        'account_id',
        'visibility',
        /_micro$|^end_time$/.test(column) ? `coalesce(${column}, -1)` : column,
        'id',
      ]),
    ),
    ...along.map((column) => index(column, ['account_id', column, 'visibility', 'id'])),
  ]
}
