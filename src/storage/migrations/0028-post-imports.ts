import type { Migration } from './migration.ts'

/** How far imports of posts have come, and which process goes on with each. There are none yet. */
export const postImports: Migration = {
  name: '0028-post-imports',
  statements: (dialect) => (dialect === 'sqlite' ? SQLITE : POSTGRES),
}

const SQLITE = [
  'create table "post_imports" ("id" text primary key, "name" text not null, "holder" text not null, "host" text not null, "pid" integer not null, "expires_at" bigint not null, "pass" text not null, "line" bigint not null, "byte" bigint not null, "added" bigint not null, "known" bigint not null, "rejected" bigint not null, "started_at" bigint not null)',
]

const POSTGRES = [
  'create table "post_imports" ("id" text primary key, "name" text not null, "holder" text not null, "host" text not null, "pid" integer not null, "expires_at" bigint not null, "pass" text not null, "line" bigint not null, "byte" bigint not null, "added" bigint not null, "known" bigint not null, "rejected" bigint not null, "started_at" bigint not null)',
]
