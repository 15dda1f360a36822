import type { Migration } from './migration.ts'

/** Apps, users, their tokens and their webhooks. */
export const foundation: Migration = {
  name: '0001-foundation',
  statements: () => [
    'create table "apps" ("id" text primary key, "owner_user_id" text not null, "name" text not null, "website" text not null, "consumer_key" text not null unique, "consumer_secret_sealed" text not null, "permission" text not null, "kind" text not null, "sign_in" integer not null, "suspended" integer not null, "bearer_generation" bigint not null, "bearer_hash" text unique, "created_at" bigint not null)',
    'create table "app_callbacks" ("app_id" text not null references "apps" ("id") on delete cascade, "url" text not null, constraint "app_callbacks_key" primary key ("app_id", "url"))',
    'create table "users" ("id" text primary key, "screen_name" text not null, "screen_name_key" text not null unique, "name" text not null, "password_hash" text not null, "suspended" integer not null, "created_at" bigint not null)',
    'create table "request_tokens" ("token_hash" text primary key, "secret_sealed" text not null, "app_id" text not null references "apps" ("id") on delete cascade, "callback" text not null, "access" text not null, "state" text not null, "user_id" text, "verifier_hash" text, "verifier_misses" integer not null, "created_at" bigint not null, "expires_at" bigint not null)',
    'create index "request_tokens_expiry" on "request_tokens" ("expires_at")',
    'create table "access_tokens" ("token_hash" text primary key, "token_sealed" text not null, "secret_sealed" text not null, "app_id" text not null references "apps" ("id") on delete cascade, "user_id" text not null references "users" ("id") on delete cascade, "access" text not null, "created_at" bigint not null)',
    'create unique index "access_tokens_grant" on "access_tokens" ("app_id", "user_id", "access")',
    'create table "browser_sessions" ("session_hash" text primary key, "user_id" text not null references "users" ("id") on delete cascade, "created_at" bigint not null, "expires_at" bigint not null)',
    'create index "browser_sessions_user" on "browser_sessions" ("user_id")',
    'create index "browser_sessions_expiry" on "browser_sessions" ("expires_at")',
    'create table "settings" ("name" text primary key, "value" text not null)',
    `insert into "settings" ("name", "value") values ('credential_epoch', '1')`,
    'create table "webhooks" ("id" text primary key, "app_id" text not null references "apps" ("id") on delete cascade, "url" text not null, "valid" integer not null, "created_at" bigint not null, "last_success_at" bigint not null, "next_check_at" bigint not null, "check_lease_until" bigint not null)',
    'create unique index "webhooks_url" on "webhooks" ("app_id", "url")',
    'create index "webhooks_list" on "webhooks" ("app_id", "id")',
    'create index "webhooks_due" on "webhooks" ("next_check_at")',
  ],
}
