import { sql } from 'kysely'
import { locked } from '../../../platform/storage/query.ts'
import { query } from '../../tables.ts'
import { VISIBLE } from '../entity/queries.ts'

/** Records that a scheduled post was published, or why not. */
export const completeScheduled = query<{
  account: string
  id: string
  status: 'SUCCESS' | 'FAILED'
  post: string | null
  now: number
}>('completeScheduled', (db, at) =>
  db
    .updateTable('scheduled_posts')
    .set({ scheduled_status: at.status, post_id: at.post, completed_at: at.now, updated_at: at.now })
    .where('account_id', '=', at.account)
    .where('id', '=', at.id),
)

/**
 * How many other posts of a user are scheduled for each time between two times, both exclusive, by
 * all accounts of an environment.
 */
export const scheduledBetween = query<
  { user: string; environment: string; after: number; before: number; except: string },
  { scheduled_at: number; total: number }
>('scheduledBetween', (db, at) =>
  db
    .selectFrom('scheduled_posts')
    .innerJoin('accounts', 'accounts.id', 'scheduled_posts.account_id')
    .select(['scheduled_at', sql<number>`count(*)`.as('total')])
    .where('scheduled_posts.user_id', '=', at.user)
    .where('scheduled_at', '>', at.after)
    .where('scheduled_at', '<', at.before)
    .where('scheduled_posts.id', '<>', at.except)
    .where('accounts.environment', '=', at.environment)
    .where('accounts.deleted', '=', 0)
    .groupBy('scheduled_at'),
)

interface ScheduledPostArgs {
  account: string
  scheduledPost: string
}

/** The promotions of a scheduled post that take place once it is published. */
export const promotionsOfScheduled = query<ScheduledPostArgs, { id: string; line_item_id: string }>(
  'promotionsOfScheduled',
  (db, at) =>
    db
      .selectFrom('scheduled_promoted_posts')
      .select(['id', 'line_item_id'])
      .where('account_id', '=', at.account)
      .where('scheduled_post_id', '=', at.scheduledPost)
      .where('visibility', '=', VISIBLE)
      .orderBy('line_item_id'),
)

/** Locks the line items that wait for a scheduled post. */
export const lockWaitingLineItems = query<ScheduledPostArgs, { id: string }>(
  'lockWaitingLineItems',
  (db, at) =>
    locked(
      db,
      db
        .selectFrom('line_items')
        .select('id')
        .where('account_id', '=', at.account)
        .where('id', 'in', (on) =>
          on
            .selectFrom('scheduled_promoted_posts')
            .select('line_item_id')
            .where('account_id', '=', at.account)
            .where('scheduled_post_id', '=', at.scheduledPost)
            .where('visibility', '=', VISIBLE),
        )
        .orderBy('id'),
    ),
)

/** Records the published post in a promotion that took place. */
export const recordPublishedPost = query<{ account: string; id: string; post: string; now: number }>(
  'recordPublishedPost',
  (db, at) =>
    db
      .updateTable('scheduled_promoted_posts')
      .set({ post_id: at.post, updated_at: at.now })
      .where('account_id', '=', at.account)
      .where('id', '=', at.id),
)
