import type { Migration } from './migration.ts'

/** Activity subscriptions, and what they matched. There was nothing of the kind before. */
export const activity: Migration = {
  name: '0032-activity',
  statements: (dialect) => (dialect === 'sqlite' ? SQLITE : POSTGRES),
}

const SQLITE = [
  'create table "activity_events" ("app_id" text not null references "apps" ("id") on delete cascade, "position" bigint not null, "number" bigint not null, "body" text not null, "at" bigint not null, constraint "activity_events_key" primary key ("app_id", "position", "number"))',
  'create index "activity_events_by_age" on "activity_events" ("at")',
  'create table "activity_subscriptions" ("id" text primary key, "app_id" text not null references "apps" ("id") on delete cascade, "kind" text not null, "event_type" text not null, "subject" text not null, "user_id" text, "keyword" text, "direction" text, "tag" text, "webhook_id" text, "created_at" bigint not null, "updated_at" bigint not null)',
  'create index "activity_subscriptions_by_app" on "activity_subscriptions" ("app_id", "id")',
  'create index "activity_subscriptions_by_subject" on "activity_subscriptions" ("kind", "subject", "id")',
  'create index "activity_subscriptions_by_webhook" on "activity_subscriptions" ("webhook_id")',
]

const POSTGRES = [
  'create table "activity_events" ("app_id" text not null references "apps" ("id") on delete cascade, "position" bigint not null, "number" bigint not null, "body" text not null, "at" bigint not null, constraint "activity_events_key" primary key ("app_id", "position", "number"))',
  'create index "activity_events_by_age" on "activity_events" ("at")',
  'create table "activity_subscriptions" ("id" text collate "C" primary key, "app_id" text not null references "apps" ("id") on delete cascade, "kind" text not null, "event_type" text not null, "subject" text collate "C" not null, "user_id" text, "keyword" text, "direction" text, "tag" text, "webhook_id" text, "created_at" bigint not null, "updated_at" bigint not null)',
  'create index "activity_subscriptions_by_app" on "activity_subscriptions" ("app_id", "id")',
  'create index "activity_subscriptions_by_subject" on "activity_subscriptions" ("kind", "subject", "id")',
  'create index "activity_subscriptions_by_webhook" on "activity_subscriptions" ("webhook_id")',
]
