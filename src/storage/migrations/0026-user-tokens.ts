import type { Migration } from './migration.ts'

/**
 * OAuth 2.0 user tokens. Apps that exist have no client id until they are given one; every access token that exists is an
 * access of its app to its user.
 */
export const userTokens: Migration = {
  name: '0026-user-tokens',
  statements: (dialect) => (dialect === 'sqlite' ? SQLITE : POSTGRES),
}

const SQLITE = [
  'alter table "apps" add column "client_id" text',
  'alter table "apps" add column "client_type" text',
  'alter table "apps" add column "client_secret_sealed" text',
  'create unique index "apps_by_client" on "apps" ("client_id")',
  'create table "app_access" ("user_id" text not null references "users" ("id") on delete cascade, "app_id" text not null references "apps" ("id") on delete cascade, "created_at" bigint not null, constraint "app_access_key" primary key ("user_id", "app_id"))',
  'insert into "app_access" ("user_id", "app_id", "created_at") select "user_id", "app_id", "created_at" from "access_tokens"',
  'create table "oauth2_grants" ("id" text primary key, "handle_hash" text not null unique, "app_id" text not null references "apps" ("id") on delete cascade, "user_id" text not null references "users" ("id") on delete cascade, "scopes" text not null, "redirect_uri" text not null, "code_challenge" text not null, "challenge_method" text not null, "code_hash" text not null, "code_used" integer not null, "refresh_hash" text, "created_at" bigint not null, "expires_at" bigint)',
  'create index "oauth2_grants_user" on "oauth2_grants" ("user_id", "app_id", "created_at")',
  'create index "oauth2_grants_expiry" on "oauth2_grants" ("expires_at")',
  'create table "oauth2_access_tokens" ("token_hash" text primary key, "grant_id" text not null references "oauth2_grants" ("id") on delete cascade, "expires_at" bigint not null)',
  'create index "oauth2_access_tokens_grant" on "oauth2_access_tokens" ("grant_id", "expires_at")',
  'create index "oauth2_access_tokens_expiry" on "oauth2_access_tokens" ("expires_at")',
]

const POSTGRES = [
  'alter table "apps" add column "client_id" text',
  'alter table "apps" add column "client_type" text',
  'alter table "apps" add column "client_secret_sealed" text',
  'create unique index "apps_by_client" on "apps" ("client_id")',
  'create table "app_access" ("user_id" text not null references "users" ("id") on delete cascade, "app_id" text not null references "apps" ("id") on delete cascade, "created_at" bigint not null, constraint "app_access_key" primary key ("user_id", "app_id"))',
  'insert into "app_access" ("user_id", "app_id", "created_at") select "user_id", "app_id", "created_at" from "access_tokens"',
  'create table "oauth2_grants" ("id" text primary key, "handle_hash" text not null unique, "app_id" text not null references "apps" ("id") on delete cascade, "user_id" text not null references "users" ("id") on delete cascade, "scopes" text not null, "redirect_uri" text not null, "code_challenge" text not null, "challenge_method" text not null, "code_hash" text not null, "code_used" integer not null, "refresh_hash" text, "created_at" bigint not null, "expires_at" bigint)',
  'create index "oauth2_grants_user" on "oauth2_grants" ("user_id", "app_id", "created_at")',
  'create index "oauth2_grants_expiry" on "oauth2_grants" ("expires_at")',
  'create table "oauth2_access_tokens" ("token_hash" text primary key, "grant_id" text not null references "oauth2_grants" ("id") on delete cascade, "expires_at" bigint not null)',
  'create index "oauth2_access_tokens_grant" on "oauth2_access_tokens" ("grant_id", "expires_at")',
  'create index "oauth2_access_tokens_expiry" on "oauth2_access_tokens" ("expires_at")',
]
