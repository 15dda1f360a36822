import { sql } from 'kysely'
import { query } from '../tables.ts'
import { insertion } from './insertion.ts'
import type { Query } from './query.ts'
import type { Transaction } from './store.ts'
import { columnNames, type Table } from './table.ts'

/** A search term of an object. */
export interface RankedTerm {
  readonly term: string
  /** The place of the object among all that have the term: the highest rank comes first. */
  readonly rank: number
}

/** Consecutive results of a search: up to `limit` after a rank (`time`) and an object. */
export interface RankedPage {
  readonly time: number
  readonly id: string
  readonly limit: number
}

/** An object that was found. */
export interface RankedObject {
  readonly id: string
  /** The rank: lists are sorted by it as others are by time. */
  readonly created_at: number
}

interface WithTermArgs extends RankedPage {
  readonly term: string
  /** The lowest and the highest rank. */
  readonly from: number
  readonly to: number
}

type WithTerm = Query<WithTermArgs, RankedObject>

/** The search terms of some kind of objects, in a table of their own. */
export interface RankedTerms {
  /** Objects with a term, in the order of the direction. Equal ranks are ordered by ids. */
  readonly withTerm: { readonly older: WithTerm; readonly newer: WithTerm }
  /** The terms of an object. */
  readonly of: Query<{ id: string }, RankedTerm>
  /** Adds the terms of objects that have none yet. */
  add(
    tx: Transaction,
    objects: readonly { readonly id: string; readonly terms: readonly RankedTerm[] }[],
  ): Promise<void>
  /** Replaces the terms of an object. Writes nothing if they are the same. */
  put(tx: Transaction, id: string, terms: readonly RankedTerm[]): Promise<void>
}

/**
 * Declares search terms: a table with the id of the object, `term` and `rank`, whose key is the
 * term, the rank and the id, and which has an index on the id. A page of results is one range of
 * the key, however many objects are found.
 */
export function rankedTerms(name: string, table: Table, column: string): RankedTerms {
  const [object, source] = [sql.ref(column), sql.table(table.name)]
  const withTerm = (direction: 'older' | 'newer'): WithTerm =>
    query<WithTermArgs, RankedObject>(`${name}_${direction}`, (db, at) => {
      const [behind, order] = direction === 'older' ? [sql`<`, sql`desc`] : [sql`>`, sql`asc`]
      return {
        compile: () =>
          sql`select ${object} as id, rank as created_at from ${source}
            where term = ${at.term} and rank between ${at.from} and ${at.to}
              and (rank, ${object}) ${behind} (${at.time}, ${at.id})
            order by rank ${order}, ${object} ${order} limit ${at.limit}`.compile(db),
      }
    })
  const of = query<{ id: string }, RankedTerm>(`${name}_of`, (db, at) => ({
    compile: () => sql`select term, rank from ${source} where ${object} = ${at.id}`.compile(db),
  }))
  const remove = query<{ id: string }>(`${name}_remove`, (db, at) => ({
    compile: () => sql`delete from ${source} where ${object} = ${at.id}`.compile(db),
  }))
  const insert = insertion<Record<string, unknown>>(`${name}_add`, table, columnNames(table))
  const terms: RankedTerms = {
    withTerm: { older: withTerm('older'), newer: withTerm('newer') },
    of,
    add: (tx, objects) =>
      insert(
        tx,
        objects.flatMap(({ id, terms }) => terms.map((term) => ({ ...term, [column]: id }))),
      ),
    async put(tx, id, expected) {
      if (textOfTerms(await tx.all(of, { id })) === textOfTerms(expected)) return
      await tx.run(remove, { id })
      await terms.add(tx, [{ id, terms: expected }])
    },
  }
  return terms
}

/** Terms as a text, by which two lists of them are compared. */
export const textOfTerms = (terms: readonly RankedTerm[]): string =>
  terms
    .map(({ term, rank }) => `${rank}:${term}`)
    .sort()
    .join(' ')
