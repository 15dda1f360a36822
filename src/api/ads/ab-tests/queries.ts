import { sql } from 'kysely'
import { insertion } from '../../../platform/storage/insertion.ts'
import type { RowOf } from '../../../platform/storage/table.ts'
import { query } from '../../tables.ts'
import { anyOf, DRAFT, VISIBLE } from '../entity/queries.ts'
import { abTestEntities } from './tables.ts'

interface EntitiesArgs {
  account: string
  /** A JSON list. */
  ids: string
}

/** A campaign or line item that may take part in a test. */
export interface TestedRow {
  id: string
  campaign_id: string
  /** Its flight: that of a campaign is that of all its line items. */
  start_time: number
  end_time: number
  /** 1 if its objective is about apps. */
  app: number
  /** 1 if it is deleted. */
  gone: number
}

const start = sql`coalesce(line_items.start_time, 0)`
const end = sql`coalesce(line_items.end_time, ${sql.lit(Number.MAX_SAFE_INTEGER)})`
const app = sql`case when line_items.objective like 'APP%' then 1 else 0 end`
const present = (table: string) =>
  sql`${sql.ref(`${table}.visibility`)} in (${sql.lit(VISIBLE)}, ${sql.lit(DRAFT)})`

const testedCampaigns = query<EntitiesArgs, TestedRow>('testedCampaigns', (db, at) => ({
  compile: () =>
    sql`select campaigns.id, campaigns.id as campaign_id, min(${start}) as start_time, max(${end}) as end_time,
        max(${app}) as app, case when ${present('campaigns')} then 0 else 1 end as gone
      from campaigns
      left join line_items on line_items.account_id = campaigns.account_id
        and line_items.campaign_id = campaigns.id and ${present('line_items')}
      where campaigns.account_id = ${at.account} and ${anyOf(db, sql.ref('campaigns.id'), at.ids)}
      group by campaigns.id, campaigns.visibility`.compile(db),
}))

const testedLineItems = query<EntitiesArgs, TestedRow>('testedLineItems', (db, at) => ({
  compile: () =>
    sql`select line_items.id, line_items.campaign_id, ${start} as start_time, ${end} as end_time, ${app} as app,
        case when ${present('line_items')} and ${present('campaigns')} then 0 else 1 end as gone
      from line_items
      inner join campaigns on campaigns.account_id = line_items.account_id and campaigns.id = line_items.campaign_id
      where line_items.account_id = ${at.account} and ${anyOf(db, sql.ref('line_items.id'), at.ids)}`.compile(
      db,
    ),
}))

/** Campaigns or line items by their ids, deleted ones too. */
export const testedEntities = { CAMPAIGN: testedCampaigns, LINE_ITEM: testedLineItems } as const

/** The line items of a campaign that are not deleted. */
export const lineItemsOfCampaign = query<{ account: string; campaign: string }, { id: string }>(
  'lineItemsOfCampaign',
  (db, at) =>
    db
      .selectFrom('line_items')
      .select('id')
      .where('account_id', '=', at.account)
      .where('campaign_id', '=', at.campaign)
      .where('visibility', 'in', [VISIBLE, DRAFT])
      .orderBy('id'),
)

/** An entity that belongs to a test. */
type EntityOfTest = Pick<RowOf<typeof abTestEntities>, 'entity_id' | 'ab_test_id'>

/** One of some entities that belongs to another test. */
export const otherTest = query<EntitiesArgs & { test: string }, EntityOfTest>('otherTest', (db, at) =>
  db
    .selectFrom('ab_test_entities')
    .select(['entity_id', 'ab_test_id'])
    .where('account_id', '=', at.account)
    .where(anyOf(db, sql.ref('entity_id'), at.ids))
    .where('ab_test_id', '<>', at.test)
    .limit(1),
)

/** A line item of some campaigns that belongs to a test. */
export const testOfLineItems = query<EntitiesArgs, EntityOfTest>('testOfLineItems', (db, at) =>
  db
    .selectFrom('line_items')
    .innerJoin('ab_test_entities', (join) =>
      join
        .onRef('ab_test_entities.account_id', '=', 'line_items.account_id')
        .onRef('ab_test_entities.entity_id', '=', 'line_items.id'),
    )
    .select(['ab_test_entities.entity_id', 'ab_test_entities.ab_test_id'])
    .where('line_items.account_id', '=', at.account)
    .where(anyOf(db, sql.ref('line_items.campaign_id'), at.ids))
    .limit(1),
)

export const addEntities = insertion<RowOf<typeof abTestEntities>>('addABTestEntities', abTestEntities, [
  'account_id',
  'entity_id',
  'ab_test_id',
])

export const removeEntities = query<{ account: string; test: string }>('removeABTestEntities', (db, at) =>
  db.deleteFrom('ab_test_entities').where('account_id', '=', at.account).where('ab_test_id', '=', at.test),
)

/** Records who deleted a test. */
export const setUpdater = query<{ account: string; id: string; user: string }>('setABTestUpdater', (db, at) =>
  db
    .updateTable('ab_tests')
    .set({ updater_id: at.user })
    .where('account_id', '=', at.account)
    .where('id', '=', at.id),
)

const forget = (column: 'creator_id' | 'updater_id') =>
  query<{ user: string; limit: number }>(`forgetABTest ${column}`, (db, at) => ({
    compile: () =>
      sql`update ab_tests set ${sql.ref(column)} = null where (account_id, id) in (
        select account_id, id from ab_tests where ${sql.ref(column)} = ${at.user} limit ${at.limit})`.compile(
        db,
      ),
  }))

/** Remove a user from some tests, in which others see who made them. */
export const forgetCreator = forget('creator_id')
export const forgetUpdater = forget('updater_id')
