import { sql } from 'kysely'
import { locked, query } from '../../storage/query.ts'
import { DRAFT, VISIBLE } from '../entity/queries.ts'

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

/** A line item of a campaign that has a daily budget of its own. */
export const dailyBudgetIn = query<{ account: string; campaign: string }, { id: string }>(
  'dailyBudgetIn',
  (db, at) =>
    db
      .selectFrom('line_items' as never)
      .select('id' as never)
      .where('account_id' as never, '=', at.account as never)
      .where('campaign_id' as never, '=', at.campaign as never)
      .where('visibility' as never, 'in', [VISIBLE, DRAFT] as never)
      .where('daily_budget_amount_local_micro' as never, 'is not', null as never)
      .limit(1) as never,
)

/** Two campaigns made at once must not both be the last that is allowed: the account is kept until one is there. */
export const lockAccount = query<{ id: string }, { id: string }>('lockAccount', (db, at) =>
  locked(db, db.selectFrom('accounts').select('id').where('id', '=', at.id)),
)
