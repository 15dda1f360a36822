import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { DialectName } from '../query.ts'
import type { Tables } from '../tables.ts'
import { bytewise, entityTable } from './entity-table.ts'
import type { Migration } from './migrate.ts'

/** Audiences, lists of people who are not to be reached, and who may use whose audiences. */
export const audiences: Migration = {
  name: '0007-audiences',
  up: (db, dialect) => [
    ...entityTable(
      db,
      dialect,
      'custom_audiences',
      (table) =>
        table
          .addColumn('name', 'text', (c) => c.notNull())
          .addColumn('name_key', bytewise(dialect), (c) => c.notNull())
          .addColumn('description', 'text'),
      { sort: ['name_key'] },
    ),
    onlyOne(db, 'custom_audiences', ['account_id', 'name']),
    db.schema.createIndex('custom_audiences_by_id').unique().on('custom_audiences').column('id'),
    ...entityTable(db, dialect, 'do_not_reach_lists', (table) => table.addColumn('description', 'text')),
    onlyOne(db, 'do_not_reach_lists', ['account_id']),
    ...permissions(db, dialect),
    db.schema
      .createTable('audience_removals')
      .addColumn('audience_id', bytewise(dialect), (c) => c.primaryKey())
      .addColumn('due_at', 'bigint', (c) => c.notNull()),
    db.schema.createIndex('audience_removals_due').on('audience_removals').column('due_at'),
    db.schema
      .createIndex('targeting_criteria_by_target')
      .on('targeting_criteria')
      .columns(['account_id', 'targeting_type', 'targeting_value', 'visibility', 'line_item_id']),
    // The embedded store keeps members in a file of their own.
    ...(dialect === 'postgres' ? members(db) : []),
  ],
}

/** Of what is not deleted, no two are alike. */
const onlyOne = (db: Kysely<Tables>, table: string, columns: readonly string[]) =>
  db.schema
    .createIndex(`${table}_only`)
    .unique()
    .on(table)
    .columns([...columns])
    .where(sql.ref('deleted'), '=', sql.lit(0))

/** Lists of permissions walk along the audience, lists of shared audiences along the account that was let in. */
const permissions = (db: Kysely<Tables>, dialect: DialectName) => [
  db.schema
    .createTable('audience_permissions')
    .addColumn('audience_id', bytewise(dialect), (c) => c.notNull())
    .addColumn('id', bytewise(dialect), (c) => c.notNull())
    .addColumn('account_id', bytewise(dialect), (c) => c.notNull())
    .addColumn('granted_account_id', bytewise(dialect), (c) => c.notNull())
    .addColumn('permission_level', 'text', (c) => c.notNull())
    .addColumn('visibility', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addColumn('deleted', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('audience_permissions_key', ['audience_id', 'id']),
  db.schema
    .createIndex('audience_permissions_by_age')
    .on('audience_permissions')
    .columns(['audience_id', 'visibility', 'id']),
  db.schema
    .createIndex('audience_permissions_by_update')
    .on('audience_permissions')
    .columns(['audience_id', 'visibility', 'updated_at', 'id']),
  db.schema
    .createIndex('audience_permissions_by_grant')
    .on('audience_permissions')
    .columns(['granted_account_id', 'visibility', 'audience_id']),
  onlyOne(db, 'audience_permissions', ['audience_id', 'granted_account_id']),
  // The audiences that an account was let into, in the form that its lists walk along.
  {
    compile: () =>
      sql`create view shared_audiences as
        select permission.granted_account_id, permission.permission_level, permission.audience_id as id,
          audience.account_id, audience.name, audience.name_key, audience.description, audience.created_at,
          audience.updated_at, audience.deleted, permission.visibility
        from audience_permissions as permission
        inner join custom_audiences as audience on audience.id = permission.audience_id
        inner join accounts as owner on owner.id = audience.account_id and owner.deleted = 0
        where permission.deleted = 0 and audience.deleted = 0`.compile(db),
  },
]

/**
 * Members, by the keys that they are known by, and the log of what waits to be merged into them. Times are seconds.
 * Of an audience, `ended_at` is when somebody ceased to count last. What is over is dropped from `sweep_at` on: in a
 * sweep that is under way, whoever ended until `sweep_before`. Batches that cannot be merged are set aside.
 */
const members = (db: Kysely<Tables>) => [
  db.schema
    .createTable('membership_log')
    .addColumn('seq', 'bigserial', (c) => c.primaryKey())
    .addColumn('account', sql`text collate "C"`, (c) => c.notNull())
    .addColumn('audience', sql`text collate "C"`, (c) => c.notNull())
    .addColumn('accepted_at', 'bigint', (c) => c.notNull())
    .addColumn('keys', 'integer', (c) => c.notNull())
    .addColumn('bytes', 'integer', (c) => c.notNull())
    .addColumn('data', 'bytea'),
  db.schema.createIndex('membership_log_by_audience').on('membership_log').columns(['audience', 'seq']),
  db.schema.createIndex('membership_log_by_account').on('membership_log').columns(['account', 'bytes']),
  db.schema
    .createTable('membership_audiences')
    .addColumn('audience', sql`text collate "C"`, (c) => c.primaryKey())
    .addColumn('size', 'bigint', (c) => c.notNull())
    .addColumn('counted_at', 'bigint', (c) => c.notNull())
    .addColumn('people', 'bigint', (c) => c.notNull())
    .addColumn('ended_at', 'bigint', (c) => c.notNull())
    .addColumn('sweep_at', 'bigint')
    .addColumn('sweep_before', 'bigint')
    .addColumn('swept_people', 'bigint')
    .addColumn('swept_until', 'bytea')
    .addColumn('forgotten', 'integer', (c) => c.notNull()),
  db.schema
    .createIndex('membership_audiences_forgotten')
    .on('membership_audiences')
    .column('audience')
    .where(sql.ref('forgotten'), '=', sql.lit(1)),
  db.schema
    .createIndex('membership_audiences_to_sweep')
    .on('membership_audiences')
    .column('sweep_at')
    .where(sql.ref('sweep_at'), 'is not', null),
  db.schema
    .createTable('membership_keys')
    .addColumn('audience', sql`text collate "C"`, (c) => c.notNull())
    .addColumn('key', 'bytea', (c) => c.notNull())
    .addColumn('kind', 'integer', (c) => c.notNull())
    .addColumn('effective', 'bigint', (c) => c.notNull())
    .addColumn('expires', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('membership_keys_key', ['audience', 'key']),
  db.schema
    .createTable('membership_people')
    .addColumn('audience', sql`text collate "C"`, (c) => c.notNull())
    .addColumn('id', 'bigint', (c) => c.notNull())
    .addColumn('effective', 'bigint', (c) => c.notNull())
    .addColumn('expires', 'bigint', (c) => c.notNull())
    .addColumn('keys', 'bytea', (c) => c.notNull())
    .addPrimaryKeyConstraint('membership_people_key', ['audience', 'id']),
  db.schema
    .createTable('membership_changes')
    .addColumn('audience', sql`text collate "C"`, (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('delta', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('membership_changes_key', ['audience', 'at']),
  db.schema.createIndex('membership_changes_by_time').on('membership_changes').columns(['at', 'audience']),
  db.schema
    .createTable('membership_set_aside')
    .addColumn('audience', sql`text collate "C"`, (c) => c.notNull())
    .addColumn('seq', 'bigint', (c) => c.notNull())
    .addColumn('accepted_at', 'bigint', (c) => c.notNull())
    .addColumn('reason', 'text', (c) => c.notNull())
    .addColumn('data', 'bytea', (c) => c.notNull())
    .addPrimaryKeyConstraint('membership_set_aside_key', ['audience', 'seq']),
]
