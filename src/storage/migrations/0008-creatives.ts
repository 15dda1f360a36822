import type { Kysely } from 'kysely'
import type { DialectName } from '../query.ts'
import type { Tables } from '../tables.ts'
import { bytewise, entityTable } from './entity-table.ts'
import type { Migration } from './migrate.ts'

/** Media of users and the libraries of accounts, cards, drafts, what posts carry, and what videos call to. */
export const creatives: Migration = {
  name: '0008-creatives',
  up: (db, dialect) => [
    ...media(db, dialect),
    ...library(db, dialect),
    ...cards(db, dialect),
    ...posts(db, dialect),
    ...calls(db, dialect),
  ],
}

type Schema = [db: Kysely<Tables>, dialect: DialectName]

const media = (...[db, dialect]: Schema) => [
  db.schema
    .createTable('media_files')
    .addColumn('hash', 'text', (c) => c.primaryKey())
    .addColumn('bytes', 'bigint', (c) => c.notNull())
    .addColumn('suspect_at', 'bigint')
    .addColumn('going', 'integer', (c) => c.notNull()),
  db.schema.createIndex('media_files_by_suspicion').on('media_files').columns(['going', 'suspect_at']),
  db.schema
    .createTable('media')
    .addColumn('id', bytewise(dialect), (c) => c.primaryKey())
    .addColumn('media_key', 'text', (c) => c.notNull())
    .addColumn('owner_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('additional_owners', 'text', (c) => c.notNull())
    .addColumn('category', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('bytes', 'bigint', (c) => c.notNull())
    .addColumn('hash', 'text')
    .addColumn('content_type', 'text')
    .addColumn('width', 'integer')
    .addColumn('height', 'integer')
    .addColumn('duration_ms', 'bigint')
    .addColumn('poster_hash', 'text')
    .addColumn('poster_type', 'text')
    .addColumn('posted', 'integer', (c) => c.notNull())
    .addColumn('lease_until', 'bigint', (c) => c.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('created_at', 'bigint', (c) => c.notNull()),
  db.schema.createIndex('media_by_owner').on('media').columns(['owner_id', 'bytes']),
  db.schema.createIndex('media_by_state').on('media').columns(['state', 'lease_until']),
  db.schema.createIndex('media_by_expiry').on('media').columns(['expires_at']),
  db.schema.createIndex('media_by_hash').on('media').columns(['hash']),
  db.schema.createIndex('media_by_poster').on('media').columns(['poster_hash']),
  db.schema
    .createTable('media_segments')
    .addColumn('media_id', bytewise(dialect), (c) => c.notNull().references('media.id').onDelete('cascade'))
    .addColumn('segment_index', 'integer', (c) => c.notNull())
    .addColumn('hash', 'text', (c) => c.notNull())
    .addColumn('bytes', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('media_segments_key', ['media_id', 'segment_index']),
  db.schema.createIndex('media_segments_by_hash').on('media_segments').columns(['hash']),
  db.schema
    .createTable('media_uses')
    .addColumn('account_id', bytewise(dialect), (c) => c.notNull())
    .addColumn('holder', 'text', (c) => c.notNull())
    .addColumn('holder_id', bytewise(dialect), (c) => c.notNull())
    .addColumn('media_id', bytewise(dialect), (c) => c.notNull().references('media.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('media_uses_key', ['account_id', 'holder', 'holder_id', 'media_id']),
  db.schema.createIndex('media_uses_by_medium').on('media_uses').columns(['media_id', 'account_id']),
  db.schema
    .createTable('media_releases')
    .addColumn('account_id', bytewise(dialect), (c) => c.primaryKey())
    .addColumn('due_at', 'bigint', (c) => c.notNull()),
  db.schema.createIndex('media_releases_due').on('media_releases').columns(['due_at']),
]

const library = (...[db, dialect]: Schema) => [
  db.schema
    .createTable('media_library')
    .addColumn('account_id', bytewise(dialect), (c) =>
      c.notNull().references('accounts.id').onDelete('cascade'),
    )
    .addColumn('media_id', bytewise(dialect), (c) => c.notNull().references('media.id').onDelete('cascade'))
    .addColumn('entry_id', bytewise(dialect), (c) => c.notNull())
    .addColumn('media_type', 'text', (c) => c.notNull())
    .addColumn('name', 'text')
    .addColumn('file_name', 'text')
    .addColumn('title', 'text')
    .addColumn('description', 'text')
    .addColumn('poster_media_key', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addColumn('deleted', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('media_library_key', ['account_id', 'media_id']),
  db.schema
    .createIndex('media_library_by_age')
    .on('media_library')
    .columns(['account_id', 'deleted', 'entry_id']),
  db.schema
    .createIndex('media_library_by_type')
    .on('media_library')
    .columns(['account_id', 'deleted', 'media_type', 'entry_id']),
  db.schema.createIndex('media_library_by_medium').on('media_library').columns(['media_id', 'deleted']),
  db.schema
    .createTable('media_library_terms')
    .addColumn('account_id', bytewise(dialect), (c) => c.notNull())
    .addColumn('term', bytewise(dialect), (c) => c.notNull())
    .addColumn('entry_id', bytewise(dialect), (c) => c.notNull())
    .addColumn('media_id', bytewise(dialect), (c) => c.notNull())
    .addColumn('media_type', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('media_library_terms_key', ['account_id', 'term', 'entry_id'])
    .addForeignKeyConstraint(
      'media_library_terms_entry',
      ['account_id', 'media_id'],
      'media_library',
      ['account_id', 'media_id'],
      (c) => c.onDelete('cascade'),
    ),
  db.schema
    .createIndex('media_library_terms_by_medium')
    .on('media_library_terms')
    .columns(['account_id', 'media_id']),
  db.schema.alterTable('account_media').addColumn('media_key', 'text'),
  db.schema
    .createIndex('account_media_by_key')
    .on('account_media')
    .columns(['account_id', 'media_key', 'visibility']),
]

const cards = (...[db, dialect]: Schema) => {
  const named = { sort: ['name_key'] }
  return [
    ...entityTable(
      db,
      dialect,
      'cards',
      (table) =>
        table
          .addColumn('name', 'text', (c) => c.notNull())
          .addColumn('name_key', bytewise(dialect), (c) => c.notNull())
          .addColumn('card_type', 'text', (c) => c.notNull())
          .addColumn('components', 'text')
          .addColumn('slides', 'text'),
      { ...named, along: ['card_type'] },
    ),
    ...entityTable(
      db,
      dialect,
      'poll_cards',
      (table) =>
        table
          .addColumn('name', 'text', (c) => c.notNull())
          .addColumn('name_key', bytewise(dialect), (c) => c.notNull())
          .addColumn('card_type', 'text', (c) => c.notNull())
          .addColumn('first_choice', 'text', (c) => c.notNull())
          .addColumn('second_choice', 'text', (c) => c.notNull())
          .addColumn('third_choice', 'text')
          .addColumn('fourth_choice', 'text')
          .addColumn('start_time', 'bigint', (c) => c.notNull())
          .addColumn('end_time', 'bigint', (c) => c.notNull())
          .addColumn('duration_in_minutes', 'text', (c) => c.notNull())
          .addColumn('media_key', 'text'),
      named,
    ),
    ...['video_conversation_cards', 'image_conversation_cards'].flatMap((table) =>
      entityTable(
        db,
        dialect,
        table,
        (builder) => {
          const columns = [
            ...['title', 'thank_you_text', 'thank_you_url', 'media_key', 'poster_media_key'],
            ...['unlocked_image_media_key', 'unlocked_video_media_key'],
            ...['first', 'second', 'third', 'fourth'].flatMap((nth) => [`${nth}_cta`, `${nth}_cta_post`]),
          ]
          return columns.reduce(
            (made, column) => made.addColumn(column, 'text'),
            builder
              .addColumn('name', 'text', (c) => c.notNull())
              .addColumn('name_key', bytewise(dialect), (c) => c.notNull())
              .addColumn('card_type', 'text', (c) => c.notNull()),
          )
        },
        named,
      ),
    ),
  ]
}

const posts = (...[db, dialect]: Schema) => [
  db.schema.createIndex('posts_by_card').on('posts').columns(['card_uri']).where('card_uri', 'is not', null),
  db.schema
    .createTable('post_videos')
    .addColumn('post_id', bytewise(dialect), (c) => c.primaryKey().references('posts.id').onDelete('cascade'))
    .addColumn('title', 'text')
    .addColumn('description', 'text')
    .addColumn('cta', 'text')
    .addColumn('cta_value', 'text'),
  db.schema
    .createTable('draft_posts')
    .addColumn('account_id', bytewise(dialect), (c) =>
      c.notNull().references('accounts.id').onDelete('cascade'),
    )
    .addColumn('id', bytewise(dialect), (c) => c.notNull())
    .addColumn('user_id', 'text', (c) => c.notNull())
    .addColumn('app_id', 'text', (c) => c.notNull())
    .addColumn('contributor_id', 'text')
    .addColumn('name', 'text')
    .addColumn('name_key', bytewise(dialect))
    .addColumn('text', 'text', (c) => c.notNull())
    .addColumn('card_uri', 'text')
    .addColumn('media_keys', 'text', (c) => c.notNull())
    .addColumn('nullcast', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('draft_posts_key', ['account_id', 'id']),
  db.schema.createIndex('draft_posts_by_user').on('draft_posts').columns(['account_id', 'user_id', 'id']),
  db.schema.alterTable('scheduled_posts').addColumn('name_key', bytewise(dialect)),
  db.schema.createIndex('scheduled_posts_by_time').on('scheduled_posts').columns(['user_id', 'scheduled_at']),
]

const calls = (...[db, dialect]: Schema) =>
  entityTable(
    db,
    dialect,
    'preroll_call_to_actions',
    (table) =>
      table
        .addColumn('line_item_id', bytewise(dialect), (c) => c.notNull())
        .addColumn('call_to_action', 'text', (c) => c.notNull())
        .addColumn('call_to_action_url', 'text', (c) => c.notNull()),
    { along: ['line_item_id'] },
  )
