import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import { objectTime } from '../../platform/common/time.ts'
import { id, time } from '../../platform/http/schema.ts'
import { fieldsOf, objectShape } from '../../platform/objects/shape.ts'
import { type PublicLikeRow, publicLikes } from './queries.ts'
import { newestVersionOf } from './versions.ts'

const ID_LENGTH = 32

interface LikeIdentity {
  user_id: string
  post_id: string
  /** When, in epoch milliseconds. */
  at: number
}

/** Likes have no ids. The id is derived from the user, the post and the time. */
export const idOfLike = ({ user_id, post_id, at }: LikeIdentity): string =>
  createHash('sha256').update(`${user_id} ${post_id} ${at}`).digest('hex').slice(0, ID_LENGTH)

/** The key of a like: its user, and the first version of its post. */
export const keyOfLike = (userId: string, firstVersionId: string): string => `${userId} ${firstVersionId}`

const mediaOf = ({ media_keys }: PublicLikeRow) => JSON.parse(media_keys) as string[]

const { field } = fieldsOf<PublicLikeRow>()

/**
 * A public like (core reference, 07 section 2): of a user whose posts everyone sees, on a post that
 * everyone sees. The user who likes is only in the expansion of users.
 */
export const likeWithPostAuthor = objectShape<PublicLikeRow>({
  name: 'like_with_post_author',
  plural: 'likes',
  component: 'LikeWithPostAuthor',
  description: 'A like of a post. Fields that were not requested are omitted.',
  fields: {
    id: field(Type.String({ pattern: '^[0-9a-f]{32}$', description: 'The like.' }), (row) =>
      idOfLike({ user_id: row.liked_by, post_id: newestVersionOf(row), at: row.liked_at }),
    ),
    created_at: field(time('When it was liked.'), (row) => objectTime(row.liked_at)),
    timestamp_ms: field(Type.String({ description: 'The same in epoch milliseconds.' }), (row) =>
      String(row.liked_at),
    ),
    liked_post_id: field(id('The newest version of the post.'), newestVersionOf),
    liked_post_author_id: field(id('The author of the post.'), (row) => row.author_id),
    attachments_media_keys: field(
      Type.Array(Type.String(), { description: 'The media of the post.' }),
      (row) => {
        const keys = mediaOf(row)
        return keys.length === 0 ? undefined : keys
      },
    ),
  },
  defaults: ['id', 'created_at', 'timestamp_ms', 'liked_post_id', 'liked_post_author_id'],
  required: ['id'],
  expansions: {
    'attachments.media_keys': { to: 'media', field: 'attachments_media_keys', ids: mediaOf },
    liked_post_author_id: {
      to: 'user',
      field: 'liked_post_author_id',
      ids: (row) => [...new Set([row.liked_by, row.author_id])],
    },
    liked_post_id: { to: 'post', field: 'liked_post_id', ids: 'value' },
  },
  lookups: {
    id: {
      load: (keys, { store }) =>
        store.all(publicLikes, { pairs: JSON.stringify(keys.map((key) => key.split(' '))) }),
      keyOf: (row) => keyOfLike(row.liked_by, row.first_version_id),
    },
  },
})
