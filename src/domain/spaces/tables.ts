import { users } from '../../identity/users/tables.ts'
import { bigint, bytewise, flag, id64, type RowOf, table, text } from '../../platform/storage/table.ts'
import { posts } from '../posts/tables.ts'

/** A live audio conversation. Its state follows from its times and the clock. */
export const spaces = table(
  'spaces',
  {
    /** Lower-case base 36. Later ids are greater as text. */
    id: bytewise(),
    creator_id: text({ belongsTo: users }),
    title: text(),
    lang: text({ null: true }),
    /** JSON lists of users. The creator is the first host. */
    host_ids: text(),
    speaker_ids: text(),
    invited_user_ids: text(),
    /** A JSON list of topics. */
    topic_ids: text({ default: '[]' }),
    /** Users who want to be told of its start, as the operator says. */
    subscriber_count: bigint({ default: 0 }),
    /** Whether tickets are sold. */
    ticketed: flag({ default: 0 }),
    /** The announced start. */
    scheduled_start: bigint({ null: true }),
    starts_at: bigint(),
    ends_at: bigint({ null: true }),
    /** Whether the start event was emitted. */
    announced: flag({ default: 0 }),
    /** Whether the end event was emitted. From then on, no search finds it. */
    over: flag({ default: 0 }),
    created_at: bigint(),
    updated_at: bigint(),
  },
  {
    key: ['id'],
    indexes: {
      spaces_by_creator: { on: ['creator_id', 'id'], where: 'over = 0' },
      spaces_of_creator: ['creator_id', 'id'],
    },
  },
)

/** What spaces are about. */
export const topics = table(
  'topics',
  {
    /** A digest of the name. */
    id: id64(),
    name: text(),
    description: text({ null: true }),
  },
  { key: ['id'] },
)

/** A word in the title of a space that has not ended. */
export const spaceWords = table(
  'space_words',
  {
    word: bytewise(),
    space_id: bytewise({ belongsTo: spaces }),
  },
  {
    key: ['word', 'space_id'],
    indexes: { space_words_by_space: ['space_id'] },
  },
)

/** A post that was shared in a space. */
export const spacePosts = table(
  'space_posts',
  {
    space_id: bytewise({ belongsTo: spaces }),
    post_id: id64({ belongsTo: posts }),
  },
  {
    key: ['space_id', 'post_id'],
    indexes: { space_posts_by_post: ['post_id'] },
  },
)

/** A user who bought a ticket of a space. */
export const spaceBuyers = table(
  'space_buyers',
  {
    space_id: bytewise({ belongsTo: spaces }),
    user_id: text({ belongsTo: users }),
    /** Later ones have greater ids. */
    id: id64(),
  },
  {
    key: ['space_id', 'user_id'],
    indexes: { space_buyers_by_space: ['space_id', 'id'], space_buyers_by_user: ['user_id'] },
  },
)

export type SpaceBuyerRow = RowOf<typeof spaceBuyers>
export type TopicRow = RowOf<typeof topics>
export type SpaceRow = RowOf<typeof spaces>
