import { Type } from 'typebox'
import { MEDIA_KEY } from '../../../domain/media/media.ts'
import { MAX_LENGTH, MAX_WEIGHT } from '../../../domain/posts/weight.ts'
import { choice, instant, long, text } from '../../../platform/http/schema.ts'
import { cardUri } from '../cards/card-fields.ts'
import { optional, removable, required } from '../entity/fields.ts'

const MAX_NAME_LENGTH = 80
export const postName = text(1, MAX_NAME_LENGTH, 'Human-readable name, which only this account sees.')

/** Room for the longest text of characters that take twelve bytes each. */
export const MAX_BYTES = 512 * 1024

export const postText = Type.String({
  maxLength: MAX_LENGTH,
  description: `Text with a weight of at most ${MAX_WEIGHT}. Required without media.`,
})

export const postMedia = Type.Array(Type.String({ pattern: MEDIA_KEY, format: 'media_key' }), {
  maxItems: 20,
  uniqueItems: true,
  ordered: true,
  description: 'Up to 4 images, or 1 GIF, or 1 video: from the library, or uploaded by the caller.',
})

/** What drafts and scheduled posts have in common (reference: draft posts, scheduled posts). */
const plannedFields = {
  as_user_id: {
    schema: long('Author of the post: the user that the account belongs to.'),
    create: 'optional',
    derived: 'fixed',
    unshown: true,
  },
  name: { schema: postName, ...removable },
  text: { schema: postText, ...optional },
  user_id: { schema: long('Author of the post.') },
  nullcast: {
    schema: Type.Boolean({
      description:
        'Whether the post is shown only in advertisements; true by default. False is allowed only for posts of the authenticated user.',
    }),
    ...optional,
  },
  media_keys: { schema: postMedia, ...optional },
  card_uri: { schema: cardUri('The card that it shows.'), ...removable },
  /** The app through which it was written, and the user who wrote it if that was not the author. */
  app_id: { schema: Type.String(), unshown: true },
  contributor_id: { schema: Type.String(), null: true, unshown: true },
} as const

export const draftFields = {
  ...plannedFields,
  status: {
    schema: choice(['DELETED'], 'Present in the reply to its deletion.'),
    derived: true,
    sparse: true,
  },
} as const

export const scheduledFields = {
  ...plannedFields,
  scheduled_at: {
    schema: instant('When to publish it: within the next 365 days, to the minute.'),
    ...required,
  },
  scheduled_status: {
    schema: choice(['SCHEDULED', 'SUCCESS', 'FAILED', 'DELETED'], 'Status of its publication.'),
    moves: true,
  },
  completed_at: {
    schema: instant('When it was published, or when publishing failed.'),
    null: true,
    moves: true,
  },
  post_id: { schema: long('The published post.'), null: true, moves: true, column: { type: 'id64' } },
} as const
