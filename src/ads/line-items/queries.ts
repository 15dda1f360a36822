import { sql } from 'kysely'
import { query } from '../../storage/query.ts'
import { DRAFT, orphanQuery, VISIBLE } from '../entity/queries.ts'

/** Any other line item of a campaign that is not deleted: all of them are alike in what matters. */
export const siblingLineItem = query<
  { account: string; campaign: string; id: string },
  { objective: string; product_type: string; placements: string }
>(
  'siblingLineItem',
  (db, at) =>
    db
      .selectFrom('line_items' as never)
      .select(['objective', 'product_type', 'placements'] as never)
      .where('account_id' as never, '=', at.account as never)
      .where('campaign_id' as never, '=', at.campaign as never)
      .where('visibility' as never, 'in', [VISIBLE, DRAFT] as never)
      .where('id' as never, '<>', at.id as never)
      .limit(1) as never,
)

/** How many line items a campaign has that are not deleted. */
export const countLineItems = query<{ account: string; campaign: string }, { total: number }>(
  'countLineItems',
  (db, at) =>
    db
      .selectFrom('line_items' as never)
      .select(sql<number>`count(*)`.as('total'))
      .where('account_id' as never, '=', at.account as never)
      .where('campaign_id' as never, '=', at.campaign as never)
      .where('visibility' as never, 'in', [VISIBLE, DRAFT] as never),
)

/** Whether one of the users that the account may promote is this one. */
export const promotableUser = query<{ account: string; userId: string }, { promotable_user_type: string }>(
  'promotableUser',
  (db, at) =>
    db
      .selectFrom('promotable_users' as never)
      .select('promotable_user_type' as never)
      .where('account_id' as never, '=', at.account as never)
      .where('user_id' as never, '=', at.userId as never)
      .where('visibility' as never, '=', VISIBLE as never) as never,
)

/** The user that the account belongs to. */
export const fullUser = query<{ account: string }, { user_id: string }>(
  'fullUser',
  (db, at) =>
    db
      .selectFrom('promotable_users' as never)
      .select('user_id' as never)
      .where('account_id' as never, '=', at.account as never)
      .where('visibility' as never, '=', VISIBLE as never)
      .where('promotable_user_type' as never, '=', 'FULL' as never)
      .limit(1) as never,
)

/** What hangs on a line item: while it is deleted, they are shown only to who asks for deleted ones. */
export const orphans = [
  'targeting_criteria',
  'promoted_posts',
  'promoted_accounts',
  'media_creatives',
  'scheduled_promoted_posts',
  'line_item_curated_categories',
  'preroll_call_to_actions',
  'tracking_tags',
].map((table) => orphanQuery(table, 'line_item_id'))
