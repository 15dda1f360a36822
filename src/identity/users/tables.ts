import { bigint, bytewise, flag, id64, type RowOf, table, text } from '../../platform/storage/table.ts'
import { SAMPLE_KEY } from './sample-sql.ts'

export const users = table(
  'users',
  {
    id: text(),
    screen_name: text(),
    /** The screen name in lower case: names are compared without case. */
    screen_name_key: bytewise({ unique: true }),
    name: text(),
    password_hash: text(),
    suspended: flag(),
    /** When the user was deleted. The row stays until a task has removed what belongs to it. */
    deleted_at: bigint({ null: true }),
    created_at: bigint(),
    // Profile fields besides the names. Empty for a new user.
    description: text({ default: '' }),
    /** JSON of the entities of the description, as found in it alone; null if it has none. */
    description_entities: text({ null: true }),
    location: text({ default: '' }),
    url: text({ null: true }),
    protected: flag({ default: 0 }),
    verified: flag({ default: 0 }),
    /** `none`, `blue`, `government` or `business`. */
    verified_type: text({ default: 'none' }),
    /** `None`, `Basic`, `Premium` or `PremiumPlus`. */
    subscription_type: text({ default: 'None' }),
    /**
     * Who may send the user direct messages: `everyone`, or `followed`, users whom the user
     * follows.
     */
    direct_messages_from: text({ default: 'everyone' }),
    profile_image_url: text({ null: true }),
    profile_banner_url: text({ null: true }),
    /** Says that it is a parody. */
    parody: flag({ default: 0 }),
    /** The operator knows who the user is. */
    identity_verified: flag({ default: 0 }),
    /** A JSON list of countries in which the user is withheld; null for none. */
    withheld_in: text({ null: true }),
    pinned_post_id: id64({ null: true }),
    /** The organisation that the user belongs to: a user. */
    affiliation_user_id: text({ null: true }),
    followers_count: bigint({ default: 0 }),
    following_count: bigint({ default: 0 }),
    post_count: bigint({ default: 0 }),
    listed_count: bigint({ default: 0 }),
    like_count: bigint({ default: 0 }),
  },
  {
    key: ['id'],
    indexes: {
      users_by_lot: [{ sql: SAMPLE_KEY }],
      users_by_affiliation: {
        on: ['affiliation_user_id', 'created_at', 'id'],
        where: 'affiliation_user_id is not null',
      },
    },
  },
)

/** A user, with the profile. */
export type ProfileRow = RowOf<typeof users>

export type UserRow = Pick<
  ProfileRow,
  'id' | 'screen_name' | 'screen_name_key' | 'name' | 'password_hash' | 'suspended' | 'created_at'
>

/**
 * The beginnings of words by which users are found, see `search-terms.ts`. Derived from profiles.
 */
export const userSearchTerms = table(
  'user_search_terms',
  {
    user_id: text({ belongsTo: users }),
    term: bytewise(),
    rank: bigint(),
  },
  {
    key: ['term', 'rank', 'user_id'],
    indexes: { user_search_terms_by_user: ['user_id'] },
  },
)

/** The part of the counts of generated users for which there are no rows. */
export const importedUserCounts = table(
  'imported_user_counts',
  {
    user_id: text({ belongsTo: users }),
    followers_count: bigint(),
    following_count: bigint(),
    listed_count: bigint(),
    like_count: bigint(),
  },
  { key: ['user_id'] },
)
