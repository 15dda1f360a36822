import type { Migration } from './migration.ts'

/** Spaces, the words of their titles, and the posts that were shared in them. There are none yet. */
export const spaces: Migration = {
  name: '0030-spaces',
  statements: (dialect) => (dialect === 'sqlite' ? SQLITE : POSTGRES),
}

const SQLITE = [
  'create table "spaces" ("id" text primary key, "creator_id" text not null references "users" ("id") on delete cascade, "title" text not null, "lang" text, "host_ids" text not null, "speaker_ids" text not null, "invited_user_ids" text not null, "scheduled_start" bigint, "starts_at" bigint not null, "ends_at" bigint, "announced" integer default 0 not null, "over" integer default 0 not null, "created_at" bigint not null, "updated_at" bigint not null)',
  'create index "spaces_by_creator" on "spaces" ("creator_id", "id") where over = 0',
  'create table "space_posts" ("space_id" text not null references "spaces" ("id") on delete cascade, "post_id" text not null references "posts" ("id") on delete cascade, constraint "space_posts_key" primary key ("space_id", "post_id"))',
  'create index "space_posts_by_post" on "space_posts" ("post_id")',
  'create table "space_words" ("word" text not null, "space_id" text not null references "spaces" ("id") on delete cascade, constraint "space_words_key" primary key ("word", "space_id"))',
  'create index "space_words_by_space" on "space_words" ("space_id")',
]

const POSTGRES = [
  'create table "spaces" ("id" text collate "C" primary key, "creator_id" text not null references "users" ("id") on delete cascade, "title" text not null, "lang" text, "host_ids" text not null, "speaker_ids" text not null, "invited_user_ids" text not null, "scheduled_start" bigint, "starts_at" bigint not null, "ends_at" bigint, "announced" integer default 0 not null, "over" integer default 0 not null, "created_at" bigint not null, "updated_at" bigint not null)',
  'create index "spaces_by_creator" on "spaces" ("creator_id", "id") where over = 0',
  'create table "space_posts" ("space_id" text collate "C" not null references "spaces" ("id") on delete cascade, "post_id" text collate "C" not null references "posts" ("id") on delete cascade, constraint "space_posts_key" primary key ("space_id", "post_id"))',
  'create index "space_posts_by_post" on "space_posts" ("post_id")',
  'create table "space_words" ("word" text collate "C" not null, "space_id" text collate "C" not null references "spaces" ("id") on delete cascade, constraint "space_words_key" primary key ("word", "space_id"))',
  'create index "space_words_by_space" on "space_words" ("space_id")',
]
