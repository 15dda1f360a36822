import type { Migration } from './migration.ts'

/** Users whose whole activity goes to a webhook. No row is changed. */
export const accountSubscriptions: Migration = {
  name: '0036-account-subscriptions',
  statements: (dialect) => (dialect === 'sqlite' ? SQLITE : POSTGRES),
}

const SQLITE = [
  'create table "account_subscriptions" ("webhook_id" text not null references "webhooks" ("id") on delete cascade, "user_id" text not null references "users" ("id") on delete cascade, "app_id" text not null references "apps" ("id") on delete cascade, "created_at" bigint not null, constraint "account_subscriptions_key" primary key ("webhook_id", "user_id"))',
  'create index "account_subscriptions_by_user" on "account_subscriptions" ("user_id", "webhook_id")',
  'create index "account_subscriptions_by_app" on "account_subscriptions" ("app_id", "user_id")',
]

const POSTGRES = [
  'create table "account_subscriptions" ("webhook_id" text not null references "webhooks" ("id") on delete cascade, "user_id" text not null references "users" ("id") on delete cascade, "app_id" text not null references "apps" ("id") on delete cascade, "created_at" bigint not null, constraint "account_subscriptions_key" primary key ("webhook_id", "user_id"))',
  'create index "account_subscriptions_by_user" on "account_subscriptions" ("user_id", "webhook_id")',
  'create index "account_subscriptions_by_app" on "account_subscriptions" ("app_id", "user_id")',
]
