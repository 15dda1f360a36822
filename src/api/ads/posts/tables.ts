import type { RowOf } from '../../../platform/storage/table.ts'
import { bigint, bytewise, flag, id64, table, text } from '../../../platform/storage/table.ts'
import { accounts } from '../accounts/tables.ts'

/** The name of a post in an advertising account. Other accounts do not see it. */
export const postNames = table(
  'post_names',
  {
    account_id: bytewise({ belongsTo: accounts }),
    post_id: id64(),
    author_id: text(),
    name: text(),
    /** The name in lower case, for searches. */
    name_key: bytewise(),
  },
  {
    key: ['account_id', 'post_id'],
    indexes: {
      post_names_by_name: ['account_id', 'author_id', 'name_key', 'post_id'],
    },
  },
)

/** An unpublished post of an advertising account. */
const unpublished = {
  account_id: bytewise({ belongsTo: accounts }),
  id: id64(),
  user_id: text(),
  app_id: text(),
  contributor_id: text({ null: true }),
  name: text({ null: true }),
  /** The name in lower case, for searches. */
  name_key: bytewise({ null: true }),
  text: text(),
  card_uri: text({ null: true }),
  /** A JSON list. */
  media_keys: text(),
  nullcast: flag(),
}

/** A draft post. */
export const draftPosts = table(
  'draft_posts',
  {
    ...unpublished,
    created_at: bigint(),
    updated_at: bigint(),
  },
  {
    key: ['account_id', 'id'],
    indexes: {
      draft_posts_by_user: ['account_id', 'user_id', 'id'],
    },
  },
)

/** A scheduled post. */
export const scheduledPosts = table(
  'scheduled_posts',
  {
    ...unpublished,
    scheduled_at: bigint(),
    /** `SCHEDULED`, then `SUCCESS` or `FAILED`. */
    scheduled_status: text(),
    completed_at: bigint({ null: true }),
    /** The published post. */
    post_id: id64({ null: true }),
    created_at: bigint(),
    updated_at: bigint(),
  },
  {
    key: ['account_id', 'id'],
    indexes: {
      scheduled_posts_by_user: ['account_id', 'user_id', 'id'],
      scheduled_posts_by_time: ['user_id', 'scheduled_at'],
    },
  },
)

export type PostNameRow = RowOf<typeof postNames>

export type ScheduledPostRow = RowOf<typeof scheduledPosts>

export type DraftPostRow = RowOf<typeof draftPosts>
