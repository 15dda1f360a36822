import { sql } from 'kysely'
import { postgresQuery, query } from '../tables.ts'
import { columnTypeOf } from './ddl.ts'
import { picked } from './query.ts'
import type { Transaction } from './store.ts'
import type { Table } from './table.ts'

/** Rows of one statement on PostgreSQL. */
const ROWS_AT_ONCE = 500

/** Inserts any number of rows into a table. Declared once, like a query. */
export type Insertion<Row extends object> = (tx: Transaction, rows: readonly Row[]) => Promise<void>

/**
 * Declares the insertion of many rows. Omitted columns get their defaults. PostgreSQL receives rows
 * as JSON, because each statement costs a round trip; on SQLite, one statement per row is faster.
 */
export function insertion<Row extends object>(
  name: string,
  { name: table, columns: declared }: Table,
  columns: readonly (keyof Row & string)[],
): Insertion<Row> {
  const singleRow = query<Row>(name, (db, at) =>
    db.insertInto(table as never).values(picked(at, columns) as never),
  )
  const many = postgresQuery<{ rows: string }>(`${name}AtOnce`, (db, at) => {
    const names = sql.join(columns.map((column) => sql.ref(column)))
    const types = sql.join(
      columns.map((column) => {
        const { type } = declared[column] ?? { type: 'text' }
        return sql`${sql.ref(column)} ${sql.raw(columnTypeOf(type, 'postgres'))}`
      }),
    )
    return {
      compile: () =>
        sql`insert into ${sql.table(table)} (${names}) select ${names}
          from jsonb_to_recordset(${at.rows}::jsonb) as added(${types})`.compile(db),
    }
  })
  return async (tx, rows) => {
    if (tx.dialect === 'sqlite') for (const row of rows) await tx.run(singleRow, row)
    else
      for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
        await tx.run(many, { rows: JSON.stringify(rows.slice(at, at + ROWS_AT_ONCE)) })
  }
}
