import { sql } from 'kysely'
import { anyIdIn, anyIn, postgres } from '../../platform/storage/query.ts'
import { query } from '../tables.ts'
import type { TrendRow, TrendUseRow } from './tables.ts'

const USE = 'woeid, term, hour, author_id, post_id, name, fingerprint'

/** `uses` is a JSON list of rows. An author's first use of a term in an hour stays. */
export const addTrendUses = query<{ uses: string }>('addTrendUses', (db, at) => {
  const columns = sql.raw(USE)
  const rows = postgres(db)
    ? sql`select distinct on (woeid, term, hour, author_id) ${columns} from jsonb_to_recordset(${at.uses}::jsonb)
        as t(woeid bigint, term text, hour bigint, author_id text, post_id numeric, name text, fingerprint text)
        order by woeid, term, hour, author_id`
    : sql`select value->>'woeid', value->>'term', value->>'hour', value->>'author_id', value->>'post_id',
        value->>'name', value->>'fingerprint' from json_each(${at.uses}) where true`
  return {
    compile: () => sql`insert into trend_uses (${columns}) ${rows} on conflict do nothing`.compile(db),
  }
})

/** `pairs` is a JSON list of woeid and term, in one order, so that transactions cannot deadlock. */
export const markTrendChanges = query<{ pairs: string }>('markTrendChanges', (db, at) => {
  const rows = postgres(db)
    ? sql`select woeid, term from jsonb_to_recordset(${at.pairs}::jsonb) as t(woeid bigint, term text)`
    : sql`select value->>'woeid', value->>'term' from json_each(${at.pairs}) where true`
  return {
    compile: () => sql`insert into trend_changes (woeid, term) ${rows} on conflict do nothing`.compile(db),
  }
})

/** The terms of some posts that are counted. `ids` is a JSON list. */
export const usesOfPosts = query<{ ids: string }, Pick<TrendUseRow, 'woeid' | 'term'>>(
  'trendUsesOfPosts',
  (db, at) =>
    db
      .selectFrom('trend_uses')
      .select(['woeid', 'term'])
      .where(anyIdIn(postgres(db), sql.ref('post_id'), at.ids)),
)

/** `ids` is a JSON list. */
export const removeTrendUses = query<{ ids: string }>('removeTrendUses', (db, at) =>
  db.deleteFrom('trend_uses').where(anyIdIn(postgres(db), sql.ref('post_id'), at.ids)),
)

/** Some terms whose scores are to be computed. */
export const changedTerms = query<{ limit: number }, Pick<TrendRow, 'woeid' | 'term'>>(
  'changedTrendTerms',
  (db, at) =>
    db
      .selectFrom('trend_changes')
      .select(['woeid', 'term'])
      // All ids: an index is read from its first entry on.
      .where('woeid', '>=', 1)
      .orderBy('woeid')
      .orderBy('term')
      .limit(at.limit),
)

export const removeChange = query<Pick<TrendRow, 'woeid' | 'term'>>('removeTrendChange', (db, at) =>
  db.deleteFrom('trend_changes').where('woeid', '=', at.woeid).where('term', '=', at.term),
)

/** How often a term was used. */
export interface TermUse {
  /** In the last day. */
  uses: number
  authors: number
  texts: number
  name: string | null
  first_hour: number | null
}

/** Uses of a term by public authors since an hour. */
export const useOfTerm = query<{ woeid: number; term: string; from: number }, TermUse>(
  'useOfTrendTerm',
  (db, at) =>
    db
      .selectFrom('trend_uses')
      .innerJoin('users', 'users.id', 'trend_uses.author_id')
      .select([
        sql<number>`count(*)`.as('uses'),
        sql<number>`count(distinct trend_uses.author_id)`.as('authors'),
        sql<number>`count(distinct trend_uses.fingerprint)`.as('texts'),
        sql<string | null>`min(trend_uses.name)`.as('name'),
        sql<number | null>`min(trend_uses.hour)`.as('first_hour'),
      ])
      .where('woeid', '=', at.woeid)
      .where('term', '=', at.term)
      .where('hour', '>=', at.from)
      .where('users.protected', '=', 0)
      .where('users.suspended', '=', 0),
)

/** Uses of a term between two hours. */
export const usesBetween = query<{ woeid: number; term: string; from: number; to: number }, { uses: number }>(
  'trendUsesBetween',
  (db, at) =>
    db
      .selectFrom('trend_uses')
      .select(({ fn }) => fn.countAll<number>().as('uses'))
      .where('woeid', '=', at.woeid)
      .where('term', '=', at.term)
      .where('hour', '>=', at.from)
      .where('hour', '<', at.to),
)

export const putTrend = query<TrendRow>('putTrend', (db, at) =>
  db
    .insertInto('trends')
    .values({
      ...{ woeid: at.woeid, term: at.term, name: at.name },
      ...{ score: at.score, post_count: at.post_count, started_at: at.started_at },
    })
    .onConflict((conflict) =>
      conflict
        .columns(['woeid', 'term'])
        .doUpdateSet({ name: at.name, score: at.score, post_count: at.post_count }),
    ),
)

export const removeTrend = query<Pick<TrendRow, 'woeid' | 'term'>>('removeTrend', (db, at) =>
  db.deleteFrom('trends').where('woeid', '=', at.woeid).where('term', '=', at.term),
)

/** The trends of a place, the highest score first. */
export const trendsOf = query<{ woeid: number; limit: number }, TrendRow>('trendsOfPlace', (db, at) =>
  db
    .selectFrom('trends')
    .selectAll()
    .where('woeid', '=', at.woeid)
    .orderBy('score', 'desc')
    .orderBy('term', 'desc')
    .limit(at.limit),
)

/** Removes the trends of a place behind the first `size`. */
export const cutTrends = query<{ woeid: number; size: number }>('cutTrends', (db, at) =>
  db
    .deleteFrom('trends')
    .where('woeid', '=', at.woeid)
    .where('term', 'in', (on) =>
      on
        .selectFrom('trends as others')
        .select('others.term')
        .where('others.woeid', '=', at.woeid)
        .orderBy('others.score', 'desc')
        .orderBy('others.term', 'desc')
        // SQLite knows no offset without a limit.
        .limit(1_000_000)
        .offset(at.size),
    ),
)

/** Some posts of hours that nothing is compared with any more. */
export const oldUses = query<{ before: number; limit: number }, Pick<TrendUseRow, 'post_id'>>(
  'oldTrendUses',
  (db, at) =>
    db
      .selectFrom('trend_uses')
      .select('post_id')
      .where('hour', '<', at.before)
      .orderBy('hour')
      .limit(at.limit),
)

/**
 * Uses of some terms by the users whom a user follows, and by the members of the user's lists.
 * `terms` is a JSON list. SQLite begins with these users because of the cross join.
 */
export const usesAround = query<
  { user: string; from: number; terms: string; woeid: number },
  { term: string; uses: number }
>('trendUsesAround', (db, at) => ({
  compile: () =>
    sql`select trend_uses.term, count(*) as uses
      from (select target_id as id from relations where source_id = ${at.user} and kind = 'follow'
        union select list_relations.user_id from lists
          join list_relations on list_relations.list_id = lists.id and list_relations.kind = 'member'
          where lists.owner_id = ${at.user}) as around
      cross join trend_uses
      where trend_uses.author_id = around.id and trend_uses.hour >= ${at.from}
        and trend_uses.woeid = ${at.woeid}
        and ${anyIn(postgres(db), sql.ref('trend_uses.term'), at.terms)}
      group by trend_uses.term`.compile(db),
}))
