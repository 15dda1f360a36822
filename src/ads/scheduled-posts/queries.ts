import { sql } from 'kysely'
import { locked } from '../../storage/query.ts'
import type { AccountRow, ScheduledPostRow } from '../../storage/tables.ts'
import { VISIBLE } from '../entity/queries.ts'
import { plannedQueries } from '../posts/queries.ts'
import { query } from '../tables.ts'

export const scheduledPosts = plannedQueries<ScheduledPostRow>('scheduled_posts', [
  'scheduled_at',
  'scheduled_status',
  'completed_at',
  'post_id',
])

/** The number of other posts of a user that are scheduled between two times, by all accounts of an environment. */
export const countScheduled = query<
  { user: string; environment: string; from: number; to: number; except: string },
  { total: number }
>('countScheduled', (db, at) =>
  db
    .selectFrom('scheduled_posts')
    .innerJoin('accounts', 'accounts.id', 'scheduled_posts.account_id')
    .select(sql<number>`count(*)`.as('total'))
    .where('scheduled_posts.user_id', '=', at.user)
    .where('scheduled_at', '>=', at.from)
    .where('scheduled_at', '<', at.to)
    .where('scheduled_posts.id', '<>', at.except)
    .where('accounts.environment', '=', at.environment)
    .where('accounts.deleted', '=', 0),
)

export const accountById = query<{ id: string }, AccountRow>('accountById', (db, at) =>
  db.selectFrom('accounts').selectAll().where('id', '=', at.id),
)

interface OfScheduled {
  account: string
  scheduledPost: string
}

/** The promotions of a scheduled post that take place once it is published. */
export const promotionsOfScheduled = query<OfScheduled, { id: string; line_item_id: string }>(
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
export const lockWaitingLineItems = query<OfScheduled, { id: string }>('lockWaitingLineItems', (db, at) =>
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
