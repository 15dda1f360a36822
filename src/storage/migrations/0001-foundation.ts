import type { Migration } from './migrate.ts'

/** Apps, users, their tokens and their webhooks. */
export const foundation: Migration = {
  name: '0001-foundation',
  up: (db) => [
    db.schema
      .createTable('apps')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('owner_user_id', 'text', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('website', 'text', (c) => c.notNull())
      .addColumn('consumer_key', 'text', (c) => c.notNull().unique())
      .addColumn('consumer_secret_sealed', 'text', (c) => c.notNull())
      .addColumn('permission', 'text', (c) => c.notNull())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('sign_in', 'integer', (c) => c.notNull())
      .addColumn('suspended', 'integer', (c) => c.notNull())
      .addColumn('bearer_generation', 'bigint', (c) => c.notNull())
      .addColumn('bearer_hash', 'text', (c) => c.unique())
      .addColumn('created_at', 'bigint', (c) => c.notNull()),
    db.schema
      .createTable('app_callbacks')
      .addColumn('app_id', 'text', (c) => c.notNull().references('apps.id').onDelete('cascade'))
      .addColumn('url', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('app_callbacks_key', ['app_id', 'url']),
    db.schema
      .createTable('users')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('screen_name', 'text', (c) => c.notNull())
      .addColumn('screen_name_key', 'text', (c) => c.notNull().unique())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('password_hash', 'text', (c) => c.notNull())
      .addColumn('suspended', 'integer', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull()),
    db.schema
      .createTable('request_tokens')
      .addColumn('token_hash', 'text', (c) => c.primaryKey())
      .addColumn('secret_sealed', 'text', (c) => c.notNull())
      .addColumn('app_id', 'text', (c) => c.notNull().references('apps.id').onDelete('cascade'))
      .addColumn('callback', 'text', (c) => c.notNull())
      .addColumn('access', 'text', (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('user_id', 'text')
      .addColumn('verifier_hash', 'text')
      .addColumn('verifier_misses', 'integer', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('expires_at', 'bigint', (c) => c.notNull()),
    db.schema.createIndex('request_tokens_expiry').on('request_tokens').column('expires_at'),
    db.schema
      .createTable('access_tokens')
      .addColumn('token_hash', 'text', (c) => c.primaryKey())
      .addColumn('token_sealed', 'text', (c) => c.notNull())
      .addColumn('secret_sealed', 'text', (c) => c.notNull())
      .addColumn('app_id', 'text', (c) => c.notNull().references('apps.id').onDelete('cascade'))
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('access', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull()),
    db.schema
      .createIndex('access_tokens_grant')
      .unique()
      .on('access_tokens')
      .columns(['app_id', 'user_id', 'access']),
    db.schema
      .createTable('browser_sessions')
      .addColumn('session_hash', 'text', (c) => c.primaryKey())
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('expires_at', 'bigint', (c) => c.notNull()),
    db.schema.createIndex('browser_sessions_user').on('browser_sessions').column('user_id'),
    db.schema.createIndex('browser_sessions_expiry').on('browser_sessions').column('expires_at'),
    db.schema
      .createTable('settings')
      .addColumn('name', 'text', (c) => c.primaryKey())
      .addColumn('value', 'text', (c) => c.notNull()),
    db.insertInto('settings').values({ name: 'credential_epoch', value: '1' }),
    db.schema
      .createTable('webhooks')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('app_id', 'text', (c) => c.notNull().references('apps.id').onDelete('cascade'))
      .addColumn('url', 'text', (c) => c.notNull())
      .addColumn('valid', 'integer', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('last_success_at', 'bigint', (c) => c.notNull())
      .addColumn('next_check_at', 'bigint', (c) => c.notNull())
      .addColumn('check_lease_until', 'bigint', (c) => c.notNull()),
    db.schema.createIndex('webhooks_url').unique().on('webhooks').columns(['app_id', 'url']),
    db.schema.createIndex('webhooks_list').on('webhooks').columns(['app_id', 'id']),
    db.schema.createIndex('webhooks_due').on('webhooks').column('next_check_at'),
  ],
}
