import { sql } from 'kysely'
import { query } from '../tables.ts'
import type { Query } from './query.ts'

/** A page of a list that is sorted by time: up to `limit` rows after `time` and `id`. */
export interface PairPageArgs {
  /** The user or post that the list belongs to. */
  of: string
  /** Epoch milliseconds. */
  time: number
  id: string
  limit: number
}

/** An entry of a list: its id, and when it was added, in epoch milliseconds. */
export interface PairRow {
  id: string
  created_at: number
}

/** The queries of a list, for both directions. Rows come in the order of the direction. */
export interface PairPages<Args> {
  older: Query<PairPageArgs & Args, PairRow>
  newer: Query<PairPageArgs & Args, PairRow>
}

interface PairPageSource<Args> {
  table: string
  /** The column of the user or post that the list belongs to. */
  of: string
  /** The column of the entry. */
  other: string
  /** Columns that are compared with arguments of the same names. */
  where?: readonly (keyof Args & string)[]
}

/**
 * Declares the queries of a list of pairs, paged by the time at which they were created, newest
 * first. The table needs an index on `of`, the columns of `where`, `created_at` and `other`.
 */
export function pairPages<Args extends object = Record<never, never>>(
  name: string,
  { table, of, other, where = [] }: PairPageSource<Args>,
): PairPages<Args> {
  const page = (direction: 'older' | 'newer') =>
    query<PairPageArgs & Args, PairRow>(`${name}_${direction}`, (db, at) => {
      const [behind, order] = direction === 'older' ? [sql`<`, sql`desc`] : [sql`>`, sql`asc`]
      const [owner, member] = [sql.ref(of), sql.ref(other)]
      const conditions = where.map((column) => sql` and ${sql.ref(column)} = ${at[column]}`)
      return {
        compile: () =>
          sql`select ${member} as id, created_at from ${sql.table(table)}
            where ${owner} = ${at.of}${sql.join(conditions, sql``)}
              and (created_at, ${member}) ${behind} (${at.time}, ${at.id})
            order by created_at ${order}, ${member} ${order} limit ${at.limit}`.compile(db),
      }
    })
  return { older: page('older'), newer: page('newer') }
}
