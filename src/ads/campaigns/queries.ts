import { sql } from 'kysely'
import { locked, postgres, query } from '../../store/query.ts'
import { anyOf, VISIBLE } from '../entity/queries.ts'

/** How many campaigns an account has, counted no further than its limit: drafts and deleted ones are none. */
export const countCampaigns = query<{ account: string; limit: number }, { total: number }>(
  'countCampaigns',
  (db, at) =>
    db
      .selectFrom(
        db
          .selectFrom('campaigns' as never)
          .select(sql.lit(1).as('one'))
          .where('account_id' as never, '=', at.account as never)
          .where('visibility' as never, '=', VISIBLE as never)
          .limit(at.limit)
          .as('counted'),
      )
      .select(sql<number>`count(*)`.as('total')),
)

/** Two campaigns made at once must not both be the last that is allowed: the account is kept until one is there. */
export const lockAccount = query<{ id: string }, { id: string }>('lockAccount', (db, at) =>
  locked(db, db.selectFrom('accounts').select('id').where('id', '=', at.id)),
)

const HOLDERS = ['promoted_posts', 'promoted_accounts', 'media_creatives'] as const

/** Which of some campaigns have a line item with something to show. `ids` is a JSON list. */
export const completeCampaigns = query<{ account: string; ids: string }, { id: string }>(
  'completeCampaigns',
  (db, at) => ({
    compile: () => {
      const listed = postgres(db)
        ? sql`jsonb_array_elements_text(${at.ids}::jsonb) as wanted(value)`
        : sql`json_each(${at.ids}) as wanted`
      const holding = HOLDERS.map(
        (table) => sql`exists (select 1 from ${sql.table(table)} as held
          where held.account_id = line_items.account_id and held.line_item_id = line_items.id and held.visibility = 0)`,
      )
      return sql`select wanted.value as id from ${listed} where exists (
        select 1 from line_items
        where line_items.account_id = ${at.account} and line_items.campaign_id = wanted.value
          and line_items.visibility = 0 and (${sql.join(holding, sql` or `)}))`.compile(db)
    },
  }),
)

/** The funding instruments of some campaigns. `ids` is a JSON list. */
export const fundingOf = query<
  { account: string; ids: string },
  { id: string; deleted: number; start_time: number; end_time: number | null; entity_status: string }
>('fundingOf', (db, at) => ({
  compile: () =>
    sql`select id, deleted, start_time, end_time, entity_status from funding_instruments
      where account_id = ${at.account} and ${anyOf(db, sql.ref('id'), at.ids)}`.compile(db),
}))
