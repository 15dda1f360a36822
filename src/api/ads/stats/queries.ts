import { sql } from 'kysely'
import { postgres } from '../../../platform/storage/query.ts'
import { query } from '../../tables.ts'
import { anyOf } from '../entity/queries.ts'
import type { StatsEntity } from './metrics.ts'

interface KnownArgs {
  account: string
  /** A JSON list. */
  ids: string
}

const TABLES = {
  CAMPAIGN: 'campaigns',
  FUNDING_INSTRUMENT: 'funding_instruments',
  LINE_ITEM: 'line_items',
  MEDIA_CREATIVE: 'media_creatives',
  PROMOTED_ACCOUNT: 'promoted_accounts',
  PROMOTED_POST: 'promoted_posts',
} as const

type EntityOfTable = keyof typeof TABLES

const knownIn = (entity: EntityOfTable) =>
  query<KnownArgs, { id: string }>(`knownFor ${entity}`, (db, at) => ({
    compile: () =>
      sql`select id from ${sql.table(TABLES[entity])}
        where account_id = ${at.account} and ${anyOf(db, sql.ref('id'), at.ids)}`.compile(db),
  }))

/** Which ids an account has, deleted ones included, by the kind of entity. */
export const knownEntities = Object.fromEntries(
  Object.keys(TABLES).map((entity) => [entity, knownIn(entity as EntityOfTable)]),
) as Readonly<Record<Exclude<StatsEntity, 'ACCOUNT' | 'ORGANIC_POST'>, ReturnType<typeof knownIn>>>

/** Posts of the own user of an account. */
export const knownPosts = query<KnownArgs, { id: string }>('knownForPosts', (db, at) => {
  const given = postgres(db)
    ? sql`(select jsonb_array_elements_text(${at.ids}::jsonb)::numeric as value) as given`
    : sql`json_each(${at.ids}) as given`
  return {
    compile: () =>
      sql`select posts.id from ${given} cross join posts
        where posts.id = given.value and exists (select 1 from promotable_users as promotable
          where promotable.account_id = ${at.account} and promotable.user_id = posts.author_id
            and promotable.promotable_user_type = 'FULL' and promotable.visibility = 0)`.compile(db),
  }
})

/** The targeting criteria of line items, also of deleted ones, by which figures are divided. */
export const dividingCriteria = query<
  KnownArgs & { types: string },
  {
    line_item_id: string
    targeting_type: string
    targeting_value: string
    name: string
    location_type: string | null
  }
>('dividingCriteria', (db, at) => ({
  compile: () =>
    sql`select line_item_id, targeting_type, targeting_value, name, location_type from targeting_criteria
      where account_id = ${at.account} and ${anyOf(db, sql.ref('line_item_id'), at.ids)}
        and ${anyOf(db, sql.ref('targeting_type'), at.types)} and operator_type = 'EQ' and deleted = 0
      order by line_item_id, id`.compile(db),
}))
