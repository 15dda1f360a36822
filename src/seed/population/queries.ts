import type { Query } from '../../storage/query.ts'
import { adHocQuery } from '../../storage/query.ts'

/** The values of some rows, one after the other. */
type Cells = unknown[]
type Insert = Query<Cells, unknown>

/** Inserts so many rows in one statement. */
function insertOf(table: 'users' | 'posts', columns: readonly string[], rows: number): Insert {
  return adHocQuery<Cells>(`add ${rows} ${table}`, (db, at) =>
    db.insertInto(table).values(
      // The columns are those of the rows that come: no type knows them here.
      Array.from({ length: rows }, (_, row) =>
        Object.fromEntries(columns.map((column, index) => [column, at[row * columns.length + index]])),
      ) as never,
    ),
  )
}

/** Statements that insert rows of one table, all with the same columns; made once for each number of rows. */
export function batchInsert(table: 'users' | 'posts') {
  const made = new Map<number, Insert>()
  return (rows: readonly object[]): { query: Insert; args: Cells } => {
    const query = made.get(rows.length) ?? insertOf(table, Object.keys(rows[0] ?? {}), rows.length)
    made.set(rows.length, query)
    return { query, args: rows.flatMap((row) => Object.values(row) as Cells) }
  }
}
