import { users } from '../../identity/users/tables.ts'
import { bigint, id64, type RowOf, table, text } from '../../platform/storage/table.ts'

/** Who likes which posts. A like belongs to a post, not to one of its versions. */
export const likes = table(
  'likes',
  {
    user_id: text({ belongsTo: users }),
    /** The first version of the post. */
    post_id: id64(),
    created_at: bigint(),
  },
  {
    key: ['user_id', 'post_id'],
    indexes: {
      likes_by_user: ['user_id', 'created_at', 'post_id'],
      likes_by_post: ['post_id', 'created_at', 'user_id'],
      likes_by_time: ['created_at', 'user_id', 'post_id'],
    },
  },
)

/** Posts that users keep for themselves. */
export const bookmarks = table(
  'bookmarks',
  {
    user_id: text({ belongsTo: users }),
    /** The first version of the post. */
    post_id: id64(),
    created_at: bigint(),
  },
  {
    key: ['user_id', 'post_id'],
    indexes: {
      bookmarks_by_user: ['user_id', 'created_at', 'post_id'],
      bookmarks_by_post: ['post_id', 'user_id'],
    },
  },
)

export type ReactionRow = RowOf<typeof likes>
