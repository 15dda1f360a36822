import type { Migration } from './migration.ts'

/**
 * The primary key of the account history is in the order in which it is read, so that each change writes one index instead of
 * two. SQLite copies the rows.
 */
export const historyKey: Migration = {
  name: '0046-history-key',
  statements: (dialect) => (dialect === 'sqlite' ? SQLITE : POSTGRES),
}

const SQLITE = [
  'create table "account_history_copy" ("account_id" text not null, "entity" text not null, "entity_id" text not null, "id" text not null, "change_time" bigint not null, "change_type" text not null, "user_id" text not null, "app_id" text not null, "item" text not null, "before" text not null, constraint "account_history_key" primary key ("account_id", "entity", "entity_id", "change_time", "id"))',
  'insert into "account_history_copy" select "account_id", "entity", "entity_id", "id", "change_time", "change_type", "user_id", "app_id", "item", "before" from "account_history" order by rowid',
  'drop table "account_history"',
  'alter table "account_history_copy" rename to "account_history"',
]

const POSTGRES = [
  'alter table "account_history" drop constraint "account_history_key"',
  'alter table "account_history" add constraint "account_history_key" primary key ("account_id", "entity", "entity_id", "change_time", "id")',
  'drop index "account_history_by_time"',
]
