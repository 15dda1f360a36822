import { POST_KIND } from '../post-kind.ts'
import { bigint, bytewise, flag, integer, real, table, text } from '../table.ts'
import { accounts } from './accounts.ts'
import { users } from './identity.ts'

/**
 * One version of a post. Ids have 19 digits since 2018, so their order as text is their order in time; an id that a
 * caller sends is padded to 19 digits before it is compared with them.
 */
export const posts = table(
  'posts',
  {
    id: bytewise(),
    /** `production` or `sandbox`: no post is of both. */
    environment: text(),
    author_id: text({ belongsTo: users }),
    /** Its visibility class, see `src/storage/visibility.ts`. */
    visibility: integer(),
    /** Normalised (NFC), with links as they were written. */
    text: text(),
    /** Equal for two posts with the same text. */
    fingerprint: text(),
    lang: text(),
    /** JSON: hashtags, cashtags, mentions and links, with the code points where they stand. */
    entities: text(),
    /** Of the post that began the conversation, which may be this one. */
    conversation_id: bytewise(),
    in_reply_to_post_id: bytewise({ null: true }),
    in_reply_to_user_id: text({ null: true }),
    quoted_post_id: bytewise({ null: true }),
    reposted_post_id: bytewise({ null: true }),
    /** Each edit is a post of its own; all versions name the first. */
    first_version_id: bytewise(),
    edits_remaining: integer(),
    editable_until: bigint(),
    /** Promoted only: in no timeline. */
    nullcast: flag(),
    /** `everyone`, `following`, `mentionedUsers`, `subscribers` or `verified`. */
    reply_settings: text(),
    possibly_sensitive: flag(),
    card_uri: text({ null: true }),
    /** A JSON list. */
    media_keys: text(),
    /** The app that it was sent with. */
    app_id: text(),
    /** Who wrote it in the author's name; null when the author did. */
    contributor_id: text({ null: true }),
    /** A JSON list of the ids of all versions, oldest first; null while this is the only one. */
    version_ids: text({ null: true }),
    community_id: text({ null: true }),
    /** A post of a community that followers of the author see too. */
    share_with_followers: flag({ default: 0 }),
    /** Labelled as paid promotion. */
    paid_partnership: flag({ default: 0 }),
    /** Labelled as made by a machine. */
    made_with_ai: flag({ default: 0 }),
    super_followers_only: flag({ default: 0 }),
    direct_message_deep_link: text({ null: true }),
    place_id: text({ null: true }),
    /** Where exactly it was written, in degrees. Both or neither. */
    longitude: real({ null: true }),
    latitude: real({ null: true }),
    poll_id: text({ null: true }),
    /** A JSON list of users who are tagged in its media. */
    tagged_user_ids: text({ default: '[]' }),
    repost_count: bigint(),
    reply_count: bigint(),
    like_count: bigint(),
    quote_count: bigint(),
    bookmark_count: bigint(),
    impression_count: bigint(),
    created_at: bigint(),
    deleted: flag(),
    /** A reply that the author of its conversation hides. */
    hidden: flag({ default: 0 }),
  },
  {
    key: ['id'],
    indexes: {
      posts_by_author: ['author_id', 'environment', 'visibility', 'id'],
      posts_by_author_kind: {
        on: ['author_id', 'visibility', { sql: `(${POST_KIND})` }, 'id'],
        where: "environment = 'production'",
      },
      posts_by_age: ['environment', 'visibility', 'id'],
      posts_by_fingerprint: ['author_id', 'environment', 'fingerprint', 'id'],
      posts_by_conversation: ['conversation_id', 'id'],
      posts_by_version: ['first_version_id', 'id'],
      posts_by_reposted: ['reposted_post_id', 'author_id', 'id'],
      posts_by_repost: {
        on: ['reposted_post_id', 'visibility', 'id'],
        where: 'reposted_post_id is not null',
      },
      posts_by_quoted: { on: ['quoted_post_id', 'visibility', 'id'], where: 'quoted_post_id is not null' },
      posts_by_card: { on: ['card_uri'], where: 'card_uri is not null' },
    },
  },
)

/** Whom posts of production mention, or reply to. Reposts are not in it, nor posts that are gone. */
export const postMentions = table(
  'post_mentions',
  {
    user_id: text({ belongsTo: users }),
    post_id: bytewise(),
  },
  {
    key: ['user_id', 'post_id'],
    indexes: {
      post_mentions_by_post: ['post_id'],
    },
  },
)

/** A question of a post with answers to choose from. */
export const polls = table(
  'polls',
  {
    id: bytewise(),
    duration_minutes: integer(),
    /** When it closes. */
    ends_at: bigint(),
  },
  {
    key: ['id'],
  },
)

/** An answer of a poll. */
export const pollOptions = table(
  'poll_options',
  {
    poll_id: bytewise({ belongsTo: polls }),
    /** From 1. */
    position: integer(),
    label: text(),
    votes: bigint({ default: 0 }),
  },
  {
    key: ['poll_id', 'position'],
  },
)

/** The name of a post in an advertising account. No other account sees it. */
export const postNames = table(
  'post_names',
  {
    account_id: bytewise({ belongsTo: accounts }),
    post_id: bytewise(),
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

/** Metadata of the video of a post. */
export const postVideos = table(
  'post_videos',
  {
    post_id: bytewise({ belongsTo: posts }),
    title: text({ null: true }),
    description: text({ null: true }),
    embeddable: flag({ null: true }),
    /** JSON: `CallToActions` in `src/posts/call-to-actions.ts`. */
    call_to_actions: text({ null: true }),
  },
  {
    key: ['post_id'],
  },
)

/** An unpublished post of an advertising account. */
const unpublished = {
  account_id: bytewise({ belongsTo: accounts }),
  id: bytewise(),
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
    post_id: text({ null: true }),
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
