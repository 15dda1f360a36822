import type { Migration } from './migration.ts'

/** Replays of deliveries, and the posts that deliveries are about. There are none yet. */
export const webhookReplays: Migration = {
  name: '0031-webhook-replays',
  statements: (dialect) => (dialect === 'sqlite' ? SQLITE : POSTGRES),
}

const SQLITE = [
  'alter table "deliveries" add column "post_id" text',
  'create table "webhook_replays" ("id" text primary key, "webhook_id" text not null references "webhooks" ("id") on delete cascade, "from_at" bigint not null, "to_at" bigint not null, "at_created" bigint not null, "at_seq" bigint not null, "failed" integer default 0 not null, "created_at" bigint not null, "ended_at" bigint)',
  'create unique index "webhook_replays_running" on "webhook_replays" ("webhook_id") where ended_at is null',
  'create index "webhook_replays_of_webhook" on "webhook_replays" ("webhook_id")',
  'create index "webhook_replays_ended" on "webhook_replays" ("ended_at") where ended_at is not null',
]

const POSTGRES = [
  'alter table "deliveries" add column "post_id" text collate "C"',
  'create table "webhook_replays" ("id" text collate "C" primary key, "webhook_id" text not null references "webhooks" ("id") on delete cascade, "from_at" bigint not null, "to_at" bigint not null, "at_created" bigint not null, "at_seq" bigint not null, "failed" integer default 0 not null, "created_at" bigint not null, "ended_at" bigint)',
  'create unique index "webhook_replays_running" on "webhook_replays" ("webhook_id") where ended_at is null',
  'create index "webhook_replays_of_webhook" on "webhook_replays" ("webhook_id")',
  'create index "webhook_replays_ended" on "webhook_replays" ("ended_at") where ended_at is not null',
]
