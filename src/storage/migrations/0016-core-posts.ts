import type { Migration } from './migration.ts'

/**
 * What posts of the core API hold beside those of the advertising API, their polls, and who follows whom. Posts that are
 * there have one version and none of the rest; nobody follows anybody.
 */
export const corePosts: Migration = {
  name: '0016-core-posts',
  statements: (dialect) => (dialect === 'sqlite' ? SQLITE : POSTGRES),
}

const SQLITE = [
  'create table "follows" ("follower_id" text not null references "users" ("id") on delete cascade, "followed_id" text not null references "users" ("id") on delete cascade, "created_at" bigint not null, constraint "follows_key" primary key ("follower_id", "followed_id"))',
  'create index "follows_by_followed" on "follows" ("followed_id", "follower_id")',
  'alter table "media" add column "alt_text" text',
  'alter table "media" add column "source_post_id" text',
  'create table "polls" ("id" text primary key, "duration_minutes" integer not null, "ends_at" bigint not null)',
  'create table "poll_options" ("poll_id" text not null references "polls" ("id") on delete cascade, "position" integer not null, "label" text not null, "votes" bigint default 0 not null, constraint "poll_options_key" primary key ("poll_id", "position"))',
  'alter table "posts" add column "version_ids" text',
  'alter table "posts" add column "community_id" text',
  'alter table "posts" add column "share_with_followers" integer default 0 not null',
  'alter table "posts" add column "paid_partnership" integer default 0 not null',
  'alter table "posts" add column "made_with_ai" integer default 0 not null',
  'alter table "posts" add column "super_followers_only" integer default 0 not null',
  'alter table "posts" add column "direct_message_deep_link" text',
  'alter table "posts" add column "place_id" text',
  'alter table "posts" add column "poll_id" text',
  'alter table "posts" add column "tagged_user_ids" text default \'[]\' not null',
]

const POSTGRES = [
  'create table "follows" ("follower_id" text not null references "users" ("id") on delete cascade, "followed_id" text not null references "users" ("id") on delete cascade, "created_at" bigint not null, constraint "follows_key" primary key ("follower_id", "followed_id"))',
  'create index "follows_by_followed" on "follows" ("followed_id", "follower_id")',
  'alter table "media" add column "alt_text" text',
  'alter table "media" add column "source_post_id" text',
  'create table "polls" ("id" text collate "C" primary key, "duration_minutes" integer not null, "ends_at" bigint not null)',
  'create table "poll_options" ("poll_id" text collate "C" not null references "polls" ("id") on delete cascade, "position" integer not null, "label" text not null, "votes" bigint default 0 not null, constraint "poll_options_key" primary key ("poll_id", "position"))',
  'alter table "posts" add column "version_ids" text',
  'alter table "posts" add column "community_id" text',
  'alter table "posts" add column "share_with_followers" integer default 0 not null',
  'alter table "posts" add column "paid_partnership" integer default 0 not null',
  'alter table "posts" add column "made_with_ai" integer default 0 not null',
  'alter table "posts" add column "super_followers_only" integer default 0 not null',
  'alter table "posts" add column "direct_message_deep_link" text',
  'alter table "posts" add column "place_id" text',
  'alter table "posts" add column "poll_id" text',
  'alter table "posts" add column "tagged_user_ids" text default \'[]\' not null',
]
