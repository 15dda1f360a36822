import { sql } from 'kysely'
import { query } from '../../tables.ts'
import { DRAFT, hideChildrenQuery, VISIBLE } from '../entity/queries.ts'

/**
 * Any other line item of a campaign that is not deleted. All of them agree in the relevant columns.
 */
export const siblingLineItem = query<
  { account: string; campaign: string; id: string },
  { objective: string; product_type: string; placements: string }
>('siblingLineItem', (db, at) =>
  db
    .selectFrom('line_items')
    .select(['objective', 'product_type', 'placements'])
    .where('account_id', '=', at.account)
    .where('campaign_id', '=', at.campaign)
    .where('visibility', 'in', [VISIBLE, DRAFT])
    .where('id', '<>', at.id)
    .limit(1),
)

/** The number of line items of a campaign that are not deleted. */
export const countLineItems = query<{ account: string; campaign: string }, { total: number }>(
  'countLineItems',
  (db, at) =>
    db
      .selectFrom('line_items')
      .select(sql<number>`count(*)`.as('total'))
      .where('account_id', '=', at.account)
      .where('campaign_id', '=', at.campaign)
      .where('visibility', 'in', [VISIBLE, DRAFT]),
)

/** Whether the account may promote a user. */
export const promotableUser = query<{ account: string; userId: string }, { promotable_user_type: string }>(
  'promotableUser',
  (db, at) =>
    db
      .selectFrom('promotable_users')
      .select('promotable_user_type')
      .where('account_id', '=', at.account)
      .where('user_id', '=', at.userId)
      .where('visibility', '=', VISIBLE),
)

/** The user that the account belongs to. */
export const fullUser = query<{ account: string }, { user_id: string }>('fullUser', (db, at) =>
  db
    .selectFrom('promotable_users')
    .select('user_id')
    .where('account_id', '=', at.account)
    .where('visibility', '=', VISIBLE)
    .where('promotable_user_type', '=', 'FULL')
    .limit(1),
)

/** Hides the children of a deleted line item: lists return them only with `with_deleted`. */
export const hideChildren = [
  'targeting_criteria',
  'promoted_posts',
  'promoted_accounts',
  'media_creatives',
  'scheduled_promoted_posts',
  'line_item_curated_categories',
  'preroll_call_to_actions',
  'tracking_tags',
  'line_item_apps',
].map((table) => hideChildrenQuery(table, 'line_item_id'))
