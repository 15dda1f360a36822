import { sql } from 'kysely'
import { insertion } from '../../platform/storage/insertion.ts'
import { pairPages } from '../../platform/storage/pair-pages.ts'
import { anyIn, locked, picked, postgres } from '../../platform/storage/query.ts'
import type { Store } from '../../platform/storage/store.ts'
import { columnNames } from '../../platform/storage/table.ts'
import { query } from '../tables.ts'
import type { ProfileRow } from '../users/tables.ts'
import { type RelationRow, relations } from './tables.ts'

/** The relations between one user and another. */
export type RelationKind = 'follow' | 'request' | 'block' | 'mute' | 'dm_block'

/** A relation from one user to another. */
export interface UserPair {
  readonly source: string
  readonly target: string
}

/**
 * The relations of some pairs of users. `pairs` is a JSON list of lists: `[[source, target], …]`.
 */
const relationsOfPairs = query<{ pairs: string }, Pick<RelationRow, 'source_id' | 'target_id' | 'kind'>>(
  'relationsOfPairs',
  (db, at) => ({
    compile: () => {
      const pairs = postgres(db)
        ? sql`jsonb_array_elements(${at.pairs}::jsonb) as pair(value)`
        : sql`json_each(${at.pairs}) as pair`
      return sql`select relations.source_id, relations.target_id, relations.kind from ${pairs}
        inner join relations
          on relations.source_id = pair.value ->> 0 and relations.target_id = pair.value ->> 1`.compile(db)
    },
  }),
)

/** The relations that were read for some pairs of users. */
export interface Relations {
  /**
   * Whether `source` follows, blocks or mutes `target`, requests to follow, or blocks messages. The
   * pair must have been read.
   */
  has(kind: RelationKind, source: string, target: string): boolean
}

/**
 * Reads the relations of pairs of users with one query. It is the only place that determines who
 * blocks or follows whom.
 */
export async function readRelations(
  store: Pick<Store, 'all'>,
  pairs: readonly UserPair[],
): Promise<Relations> {
  const list = pairs.map(({ source, target }) => [source, target])
  const rows = list.length === 0 ? [] : await store.all(relationsOfPairs, { pairs: JSON.stringify(list) })
  const known = new Set(rows.map((row) => `${row.kind} ${row.source_id} ${row.target_id}`))
  return { has: (kind, source, target) => known.has(`${kind} ${source} ${target}`) }
}

/** The pairs of one user with each of some others, in both directions. */
export const pairsAround = (user: string, others: readonly string[]): UserPair[] =>
  others.flatMap((other) => [
    { source: user, target: other },
    { source: other, target: user },
  ])

/**
 * Locks users until the transaction ends, so that their relations do not change. `ids` is a JSON
 * list.
 */
export const lockUsers = query<{ ids: string }, ProfileRow>('lockUsers', (db, at) =>
  locked(
    db,
    db
      .selectFrom('users')
      .selectAll()
      .where(anyIn(postgres(db), sql.ref('id'), at.ids))
      // Always in the same order, so that transactions cannot deadlock.
      .orderBy('id'),
  ),
)

export const addRelation = query<RelationRow>('addRelation', (db, at) =>
  db.insertInto('relations').values(picked(at, columnNames(relations))),
)

/** Adds relations of users who have none yet. */
export const addRelations = insertion<RelationRow>('addRelations', relations, columnNames(relations))

export const removeRelation = query<Omit<RelationRow, 'created_at'>>('removeRelation', (db, at) =>
  db
    .deleteFrom('relations')
    .where('source_id', '=', at.source_id)
    .where('target_id', '=', at.target_id)
    .where('kind', '=', at.kind),
)

/** Some relations of a deleted user to others, and of others to the user. */
export const someRelationsOf = query<{ user: string; limit: number }, { other: string }>(
  'someRelationsOf',
  (db, at) => ({
    compile: () => {
      const some = (own: string, other: string) =>
        sql`select * from (select ${sql.ref(other)} as other from relations
          where ${sql.ref(own)} = ${at.user} limit ${at.limit}) as ${sql.ref(`by_${own}`)}`
      return sql`${some('source_id', 'target_id')} union ${some('target_id', 'source_id')}
        order by other limit ${at.limit}`.compile(db)
    },
  }),
)

/** Some pending requests to follow a user. */
export const requestsTo = query<{ target: string; limit: number }, Pick<RelationRow, 'source_id'>>(
  'requestsTo',
  (db, at) =>
    db
      .selectFrom('relations')
      .select('source_id')
      .where('target_id', '=', at.target)
      .where('kind', '=', 'request')
      .orderBy('created_at')
      .orderBy('source_id')
      .limit(at.limit),
)

/** Changes the numbers of follows in both profiles by one. */
export const countFollow = query<{ source: string; target: string; by: number }>('countFollow', (db, at) => ({
  compile: () =>
    sql`update users set
      following_count = following_count + case when id = ${at.source} then ${at.by} else 0 end,
      followers_count = followers_count + case when id = ${at.target} then ${at.by} else 0 end
      where id in (${at.source}, ${at.target})`.compile(db),
}))

interface RelationKindArgs {
  kind: RelationKind
}

/** The users whom a user follows, blocks or mutes, newest first. */
export const targetsOf = pairPages<RelationKindArgs>('targetsOf', {
  table: 'relations',
  of: 'source_id',
  other: 'target_id',
  where: ['kind'],
})

/** The followers of a user, newest first. */
export const sourcesOf = pairPages<RelationKindArgs>('sourcesOf', {
  table: 'relations',
  of: 'target_id',
  other: 'source_id',
  where: ['kind'],
})
