import { locked, query } from '../../store/query.ts'
import type { ScheduledPostRow } from '../../store/tables.ts'

export const addScheduledPost = query<ScheduledPostRow>('addScheduledPost', (db, at) =>
  db.insertInto('scheduled_posts').values({
    account_id: at.account_id,
    id: at.id,
    user_id: at.user_id,
    app_id: at.app_id,
    contributor_id: at.contributor_id,
    name: at.name,
    name_key: at.name_key,
    text: at.text,
    card_uri: at.card_uri,
    media_keys: at.media_keys,
    nullcast: at.nullcast,
    scheduled_at: at.scheduled_at,
    scheduled_status: at.scheduled_status,
    completed_at: at.completed_at,
    post_id: at.post_id,
    created_at: at.created_at,
    updated_at: at.updated_at,
  }),
)

/** Keeps a scheduled post to the transaction: it must not be published while something is hung on it. */
export const lockScheduledPost = query<{ account: string; id: string }, ScheduledPostRow>(
  'lockScheduledPost',
  (db, at) =>
    locked(
      db,
      db
        .selectFrom('scheduled_posts')
        .selectAll()
        .where('account_id', '=', at.account)
        .where('id', '=', at.id),
    ),
)
