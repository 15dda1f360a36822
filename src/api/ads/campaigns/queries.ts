import { sql } from 'kysely'
import { locked } from '../../../platform/storage/query.ts'
import { query } from '../../tables.ts'
import { DRAFT, VISIBLE } from '../entity/queries.ts'

/**
 * The number of campaigns of an account, counted no further than its limit, without drafts and
 * deleted ones.
 */
export const countCampaigns = query<{ account: string; limit: number }, { total: number }>(
  'countCampaigns',
  (db, at) =>
    db
      .selectFrom(
        db
          .selectFrom('campaigns')
          .select(sql.lit(1).as('one'))
          .where('account_id', '=', at.account)
          .where('visibility', '=', VISIBLE)
          .limit(at.limit)
          .as('counted'),
      )
      .select(sql<number>`count(*)`.as('total')),
)

/** A line item of a campaign with a daily budget of its own. */
export const dailyBudgetIn = query<{ account: string; campaign: string }, { id: string }>(
  'dailyBudgetIn',
  (db, at) =>
    db
      .selectFrom('line_items')
      .select('id')
      .where('account_id', '=', at.account)
      .where('campaign_id', '=', at.campaign)
      .where('visibility', 'in', [VISIBLE, DRAFT])
      .where('daily_budget_amount_local_micro', 'is not', null)
      .limit(1),
)

/**
 * Locks the account, so that two concurrent requests cannot both create the last campaign that is
 * allowed.
 */
export const lockAccount = query<{ id: string }, { id: string }>('lockAccount', (db, at) =>
  locked(db, db.selectFrom('accounts').select('id').where('id', '=', at.id)),
)
