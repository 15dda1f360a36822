import type { Migration } from './migration.ts'

/** Blocks, mutes and requests beside follows, in one table, which holds the follows that there are. */
export const relations: Migration = {
  name: '0020-relations',
  statements: (dialect) => (dialect === 'sqlite' ? SQLITE : POSTGRES),
}

const SQLITE = [
  'create table "relations" ("source_id" text not null references "users" ("id") on delete cascade, "target_id" text not null references "users" ("id") on delete cascade, "kind" text not null, "created_at" bigint not null, constraint "relations_key" primary key ("source_id", "target_id", "kind"))',
  'create index "relations_by_source" on "relations" ("source_id", "kind", "created_at", "target_id")',
  'create index "relations_by_target" on "relations" ("target_id", "kind", "created_at", "source_id")',
  "insert into relations (source_id, target_id, kind, created_at) select follower_id, followed_id, 'follow', created_at from follows",
  'drop table "follows"',
]

const POSTGRES = [
  'create table "relations" ("source_id" text not null references "users" ("id") on delete cascade, "target_id" text not null references "users" ("id") on delete cascade, "kind" text not null, "created_at" bigint not null, constraint "relations_key" primary key ("source_id", "target_id", "kind"))',
  'create index "relations_by_source" on "relations" ("source_id", "kind", "created_at", "target_id")',
  'create index "relations_by_target" on "relations" ("target_id", "kind", "created_at", "source_id")',
  "insert into relations (source_id, target_id, kind, created_at) select follower_id, followed_id, 'follow', created_at from follows",
  'drop table "follows"',
]
