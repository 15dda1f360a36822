import { sql } from 'kysely'
import { bytewise } from './entity-table.ts'
import type { Migration } from './migrate.ts'

/** Lists of the accounts of a user, the history of an account by time, and settings of accounts. */
export const accounts: Migration = {
  name: '0003-accounts',
  up: (db, dialect) => [
    // Rows in the form that lists walk along: whose they are, and where in their life.
    db.schema.createView('accounts_of_users').as(
      db
        .selectFrom('account_access')
        .innerJoin('accounts', 'accounts.id', 'account_access.account_id')
        .select([
          'account_access.user_id',
          'account_access.account_id as id',
          'accounts.environment',
          'accounts.name',
          'accounts.name_key',
          'accounts.business_name',
          'accounts.business_id',
          'accounts.timezone',
          'accounts.timezone_switch_at',
          'accounts.approval_status',
          'accounts.industry_type',
          'accounts.created_at',
          'accounts.updated_at',
          'accounts.deleted',
          sql<number>`case accounts.deleted when 1 then 3 else 0 end`.as('visibility'),
        ]),
    ),
    db.schema
      .createIndex('account_history_by_time')
      .on('account_history')
      .columns(['account_id', 'entity', 'entity_id', 'change_time', 'id']),
    db.schema
      .createTable('account_user_settings')
      .addColumn('account_id', bytewise(dialect), (c) =>
        c.notNull().references('accounts.id').onDelete('cascade'),
      )
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('notification_email', 'text')
      .addColumn('contact_phone', 'text', (c) => c.notNull())
      .addColumn('contact_phone_extension', 'text', (c) => c.notNull())
      .addColumn('subscribed_email_types', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('account_user_settings_key', ['account_id', 'user_id']),
    db.schema.createIndex('account_user_settings_user').on('account_user_settings').column('user_id'),
    db.schema
      .createTable('account_tax_settings')
      .addColumn('account_id', bytewise(dialect), (c) =>
        c.primaryKey().references('accounts.id').onDelete('cascade'),
      )
      .addColumn('settings', 'text', (c) => c.notNull()),
  ],
}
