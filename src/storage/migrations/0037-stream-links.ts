import type { Migration } from './migration.ts'

/** Webhooks that receive what the filtered stream sends. No row is changed. */
export const streamLinks: Migration = {
  name: '0037-stream-links',
  statements: (dialect) => (dialect === 'sqlite' ? SQLITE : POSTGRES),
}

const SQLITE = [
  'create table "stream_links" ("webhook_id" text primary key references "webhooks" ("id") on delete cascade, "app_id" text not null references "apps" ("id") on delete cascade, "selection" text not null, "created_at" bigint not null)',
  'create index "stream_links_by_app" on "stream_links" ("app_id", "webhook_id")',
]

const POSTGRES = [
  'create table "stream_links" ("webhook_id" text primary key references "webhooks" ("id") on delete cascade, "app_id" text not null references "apps" ("id") on delete cascade, "selection" text not null, "created_at" bigint not null)',
  'create index "stream_links_by_app" on "stream_links" ("app_id", "webhook_id")',
]
