import type { Migration } from './migration.ts'

/** Rules of streams, and the apps of an owner by an index: their rules are counted together. There are no rules yet. */
export const streamRules: Migration = {
  name: '0018-stream-rules',
  statements: (dialect) => (dialect === 'sqlite' ? SQLITE : POSTGRES),
}

const SQLITE = [
  'create index "apps_by_owner" on "apps" ("owner_user_id", "id")',
  'create table "stream_rules" ("id" text primary key, "app_id" text not null references "apps" ("id") on delete cascade, "stream" text not null, "value" text not null, "tag" text, "fingerprint" text not null, "created_at" bigint not null)',
  'create index "stream_rules_by_app" on "stream_rules" ("app_id", "stream", "id")',
  'create unique index "stream_rules_by_value" on "stream_rules" ("app_id", "stream", "fingerprint")',
]

const POSTGRES = [
  'create index "apps_by_owner" on "apps" ("owner_user_id", "id")',
  'create table "stream_rules" ("id" text collate "C" primary key, "app_id" text not null references "apps" ("id") on delete cascade, "stream" text not null, "value" text not null, "tag" text, "fingerprint" text not null, "created_at" bigint not null)',
  'create index "stream_rules_by_app" on "stream_rules" ("app_id", "stream", "id")',
  'create unique index "stream_rules_by_value" on "stream_rules" ("app_id", "stream", "fingerprint")',
]
