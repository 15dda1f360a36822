import { bytewise, entityTable } from './entity-table.ts'
import type { Migration } from './migrate.ts'

/** Profiles, posts, and what advertising accounts keep of them: names, schedules, media of their own. */
export const posts: Migration = {
  name: '0004-posts',
  up: (db, dialect) => [
    // SQLite adds one column at a time.
    db.schema.alterTable('users').addColumn('description', 'text', (c) => c.notNull().defaultTo('')),
    db.schema.alterTable('users').addColumn('location', 'text', (c) => c.notNull().defaultTo('')),
    db.schema.alterTable('users').addColumn('url', 'text'),
    db.schema.alterTable('users').addColumn('protected', 'integer', (c) => c.notNull().defaultTo(0)),
    db.schema.alterTable('users').addColumn('verified', 'integer', (c) => c.notNull().defaultTo(0)),
    db.schema.alterTable('users').addColumn('verified_type', 'text', (c) => c.notNull().defaultTo('none')),
    db.schema
      .alterTable('users')
      .addColumn('subscription_type', 'text', (c) => c.notNull().defaultTo('None')),
    db.schema.alterTable('users').addColumn('profile_image_url', 'text'),
    db.schema.alterTable('users').addColumn('profile_banner_url', 'text'),
    db.schema.alterTable('users').addColumn('pinned_post_id', 'text'),
    db.schema.alterTable('users').addColumn('followers_count', 'bigint', (c) => c.notNull().defaultTo(0)),
    db.schema.alterTable('users').addColumn('following_count', 'bigint', (c) => c.notNull().defaultTo(0)),
    db.schema.alterTable('users').addColumn('post_count', 'bigint', (c) => c.notNull().defaultTo(0)),
    db.schema.alterTable('users').addColumn('listed_count', 'bigint', (c) => c.notNull().defaultTo(0)),
    db.schema.alterTable('users').addColumn('like_count', 'bigint', (c) => c.notNull().defaultTo(0)),
    db.schema
      .createTable('posts')
      .addColumn('id', bytewise(dialect), (c) => c.primaryKey())
      .addColumn('environment', 'text', (c) => c.notNull())
      .addColumn('author_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('visibility', 'integer', (c) => c.notNull())
      .addColumn('text', 'text', (c) => c.notNull())
      .addColumn('fingerprint', 'text', (c) => c.notNull())
      .addColumn('lang', 'text', (c) => c.notNull())
      .addColumn('entities', 'text', (c) => c.notNull())
      .addColumn('conversation_id', bytewise(dialect), (c) => c.notNull())
      .addColumn('in_reply_to_post_id', bytewise(dialect))
      .addColumn('in_reply_to_user_id', 'text')
      .addColumn('quoted_post_id', bytewise(dialect))
      .addColumn('reposted_post_id', bytewise(dialect))
      .addColumn('first_version_id', bytewise(dialect), (c) => c.notNull())
      .addColumn('edits_remaining', 'integer', (c) => c.notNull())
      .addColumn('editable_until', 'bigint', (c) => c.notNull())
      .addColumn('nullcast', 'integer', (c) => c.notNull())
      .addColumn('reply_settings', 'text', (c) => c.notNull())
      .addColumn('possibly_sensitive', 'integer', (c) => c.notNull())
      .addColumn('card_uri', 'text')
      .addColumn('media_keys', 'text', (c) => c.notNull())
      .addColumn('app_id', 'text', (c) => c.notNull())
      .addColumn('contributor_id', 'text')
      .addColumn('repost_count', 'bigint', (c) => c.notNull())
      .addColumn('reply_count', 'bigint', (c) => c.notNull())
      .addColumn('like_count', 'bigint', (c) => c.notNull())
      .addColumn('quote_count', 'bigint', (c) => c.notNull())
      .addColumn('bookmark_count', 'bigint', (c) => c.notNull())
      .addColumn('impression_count', 'bigint', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('deleted', 'integer', (c) => c.notNull()),
    db.schema
      .createIndex('posts_by_author')
      .on('posts')
      .columns(['author_id', 'environment', 'visibility', 'id']),
    db.schema.createIndex('posts_by_age').on('posts').columns(['environment', 'visibility', 'id']),
    db.schema
      .createIndex('posts_by_fingerprint')
      .on('posts')
      .columns(['author_id', 'environment', 'fingerprint', 'id']),
    db.schema.createIndex('posts_by_conversation').on('posts').columns(['conversation_id', 'id']),
    db.schema.createIndex('posts_by_version').on('posts').columns(['first_version_id', 'id']),
    db.schema.createIndex('posts_by_reposted').on('posts').columns(['reposted_post_id', 'author_id', 'id']),
    db.schema
      .createTable('post_names')
      .addColumn('account_id', bytewise(dialect), (c) =>
        c.notNull().references('accounts.id').onDelete('cascade'),
      )
      .addColumn('post_id', bytewise(dialect), (c) => c.notNull())
      .addColumn('author_id', 'text', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('name_key', bytewise(dialect), (c) => c.notNull())
      .addPrimaryKeyConstraint('post_names_key', ['account_id', 'post_id']),
    db.schema
      .createIndex('post_names_by_name')
      .on('post_names')
      .columns(['account_id', 'author_id', 'name_key', 'post_id']),
    db.schema
      .createIndex('promoted_posts_by_post')
      .on('promoted_posts')
      .columns(['account_id', 'line_item_id', 'post_id', 'visibility']),
    ...entityTable(
      db,
      dialect,
      'account_media',
      (table) =>
        table
          .addColumn('creative_type', 'text', (c) => c.notNull())
          .addColumn('media_url', 'text')
          .addColumn('video_id', 'text'),
      { along: ['creative_type'] },
    ),
    db.schema
      .createTable('scheduled_posts')
      .addColumn('account_id', bytewise(dialect), (c) =>
        c.notNull().references('accounts.id').onDelete('cascade'),
      )
      .addColumn('id', bytewise(dialect), (c) => c.notNull())
      .addColumn('user_id', 'text', (c) => c.notNull())
      .addColumn('app_id', 'text', (c) => c.notNull())
      .addColumn('contributor_id', 'text')
      .addColumn('name', 'text')
      .addColumn('text', 'text', (c) => c.notNull())
      .addColumn('card_uri', 'text')
      .addColumn('media_keys', 'text', (c) => c.notNull())
      .addColumn('nullcast', 'integer', (c) => c.notNull())
      .addColumn('scheduled_at', 'bigint', (c) => c.notNull())
      .addColumn('scheduled_status', 'text', (c) => c.notNull())
      .addColumn('completed_at', 'bigint')
      .addColumn('post_id', 'text')
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('updated_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('scheduled_posts_key', ['account_id', 'id']),
    db.schema
      .createIndex('scheduled_posts_by_user')
      .on('scheduled_posts')
      .columns(['account_id', 'user_id', 'id']),
    db.schema
      .createIndex('scheduled_posts_due')
      .on('scheduled_posts')
      .columns(['scheduled_status', 'scheduled_at']),
    db.schema
      .createIndex('scheduled_promoted_posts_by_scheduled_post')
      .on('scheduled_promoted_posts')
      .columns(['account_id', 'scheduled_post_id', 'visibility']),
  ],
}
