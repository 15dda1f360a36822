import type { Migration } from './migration.ts'

/** Deliveries to webhooks, and which node sends them. There are none yet. */
export const deliveries: Migration = {
  name: '0023-deliveries',
  statements: (dialect) => (dialect === 'sqlite' ? SQLITE : POSTGRES),
}

const SQLITE = [
  'create table "deliveries" ("seq" integer primary key autoincrement, "webhook_id" text not null, "share" integer not null, "event_id" text not null, "subject" text, "body" text not null, "state" text not null, "notice" integer default 0 not null, "attempts" integer default 0 not null, "due_at" bigint not null, "created_at" bigint not null, "ended_at" bigint, "log" text default \'[]\' not null)',
  'create index "deliveries_due" on "deliveries" ("share", "webhook_id", "due_at", "seq") where ended_at is null',
  'create index "deliveries_by_subject" on "deliveries" ("webhook_id", "subject", "seq") where ended_at is null and subject is not null',
  'create index "deliveries_of_webhook" on "deliveries" ("webhook_id", "created_at", "seq")',
  'create index "deliveries_ended" on "deliveries" ("ended_at") where ended_at is not null',
  'create table "delivery_shares" ("share" integer primary key, "holder" text not null, "lease_until" bigint not null)',
]

const POSTGRES = [
  'create table "deliveries" ("seq" bigserial primary key, "webhook_id" text collate "C" not null, "share" integer not null, "event_id" text not null, "subject" text collate "C", "body" text not null, "state" text not null, "notice" integer default 0 not null, "attempts" integer default 0 not null, "due_at" bigint not null, "created_at" bigint not null, "ended_at" bigint, "log" text default \'[]\' not null)',
  'create index "deliveries_due" on "deliveries" ("share", "webhook_id", "due_at", "seq") where ended_at is null',
  'create index "deliveries_by_subject" on "deliveries" ("webhook_id", "subject", "seq") where ended_at is null and subject is not null',
  'create index "deliveries_of_webhook" on "deliveries" ("webhook_id", "created_at", "seq")',
  'create index "deliveries_ended" on "deliveries" ("ended_at") where ended_at is not null',
  'create table "delivery_shares" ("share" integer primary key, "holder" text not null, "lease_until" bigint not null)',
]
