import { sql } from 'kysely'
import { query } from '../tables.ts'
import type { Query } from './query.ts'

/** A page of a list in the order of ids: up to `limit` rows after `id`. */
export interface IdPageArgs {
  /** What the list belongs to. */
  of: string
  id: string
  limit: number
}

/** An entry of a list: the id by which it is ordered, and another column. */
export interface IdPageRow {
  id: string
  other: string
}

/** The queries of a list, for both directions. Rows come in the order of the direction. */
export interface IdPages<Args> {
  older: Query<IdPageArgs & Args, IdPageRow>
  newer: Query<IdPageArgs & Args, IdPageRow>
}

interface IdPageSource<Args> {
  table: string
  /** The column of what the list belongs to. */
  of: string
  other: string
  /** Columns that are compared with arguments of the same names. */
  where?: readonly (keyof Args & string)[]
}

/**
 * Declares the queries of a list that is paged by the ids of its rows, newest first. The table
 * needs an index on `of`, the columns of `where`, and `id`.
 */
export function idPages<Args extends object = Record<never, never>>(
  name: string,
  { table, of, other, where = [] }: IdPageSource<Args>,
): IdPages<Args> {
  const page = (direction: 'older' | 'newer') =>
    query<IdPageArgs & Args, IdPageRow>(`${name}_${direction}`, (db, at) => {
      const [behind, order] = direction === 'older' ? [sql`<`, sql`desc`] : [sql`>`, sql`asc`]
      const conditions = where.map((column) => sql` and ${sql.ref(column)} = ${at[column]}`)
      return {
        compile: () =>
          sql`select id, ${sql.ref(other)} as other from ${sql.table(table)}
            where ${sql.ref(of)} = ${at.of}${sql.join(conditions, sql``)} and id ${behind} ${at.id}
            order by id ${order} limit ${at.limit}`.compile(db),
      }
    })
  return { older: page('older'), newer: page('newer') }
}
