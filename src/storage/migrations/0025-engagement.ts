import type { Migration } from './migration.ts'

/** Likes and bookmarks, hidden replies, and posts by what they repost or quote. There are none yet. */
export const engagement: Migration = {
  name: '0025-engagement',
  statements: (dialect) => (dialect === 'sqlite' ? SQLITE : POSTGRES),
}

const SQLITE = [
  'create table "bookmarks" ("user_id" text not null references "users" ("id") on delete cascade, "post_id" text not null, "created_at" bigint not null, constraint "bookmarks_key" primary key ("user_id", "post_id"))',
  'create index "bookmarks_by_user" on "bookmarks" ("user_id", "created_at", "post_id")',
  'create table "likes" ("user_id" text not null references "users" ("id") on delete cascade, "post_id" text not null, "created_at" bigint not null, constraint "likes_key" primary key ("user_id", "post_id"))',
  'create index "likes_by_user" on "likes" ("user_id", "created_at", "post_id")',
  'create index "likes_by_post" on "likes" ("post_id", "created_at", "user_id")',
  'alter table "posts" add column "hidden" integer default 0 not null',
  'create index "posts_by_repost" on "posts" ("reposted_post_id", "visibility", "id") where reposted_post_id is not null',
  'create index "posts_by_quoted" on "posts" ("quoted_post_id", "visibility", "id") where quoted_post_id is not null',
]

const POSTGRES = [
  'create table "bookmarks" ("user_id" text not null references "users" ("id") on delete cascade, "post_id" text collate "C" not null, "created_at" bigint not null, constraint "bookmarks_key" primary key ("user_id", "post_id"))',
  'create index "bookmarks_by_user" on "bookmarks" ("user_id", "created_at", "post_id")',
  'create table "likes" ("user_id" text not null references "users" ("id") on delete cascade, "post_id" text collate "C" not null, "created_at" bigint not null, constraint "likes_key" primary key ("user_id", "post_id"))',
  'create index "likes_by_user" on "likes" ("user_id", "created_at", "post_id")',
  'create index "likes_by_post" on "likes" ("post_id", "created_at", "user_id")',
  'alter table "posts" add column "hidden" integer default 0 not null',
  'create index "posts_by_repost" on "posts" ("reposted_post_id", "visibility", "id") where reposted_post_id is not null',
  'create index "posts_by_quoted" on "posts" ("quoted_post_id", "visibility", "id") where quoted_post_id is not null',
]
