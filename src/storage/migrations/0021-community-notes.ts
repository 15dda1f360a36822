import type { Migration } from './migration.ts'

/** Community notes, who writes them, and posts that they may be written on, which the server finds by itself. */
export const communityNotes: Migration = {
  name: '0021-community-notes',
  statements: (dialect) => (dialect === 'sqlite' ? SQLITE : POSTGRES),
}

const SQLITE = [
  'create table "note_candidates" ("post_id" text primary key, "lang" text not null, "requests" bigint not null, "demand" bigint not null, "created_at" bigint not null)',
  'create index "note_candidates_by_demand" on "note_candidates" ("demand", "post_id")',
  'create index "note_candidates_by_lang" on "note_candidates" ("lang", "demand", "post_id")',
  'create index "note_candidates_by_age" on "note_candidates" ("created_at", "post_id")',
  'create table "notes" ("id" text primary key, "user_id" text not null references "users" ("id") on delete cascade, "post_id" text not null, "test_mode" integer not null, "text" text not null, "classification" text not null, "misleading_tags" text not null, "trustworthy_sources" integer not null, "is_media_note" integer not null, "status" text not null, "evaluation" text not null, "ratings" text not null, "created_at" bigint not null)',
  'create index "notes_by_writer" on "notes" ("user_id", "test_mode", "id")',
  'create unique index "notes_by_post" on "notes" ("user_id", "test_mode", "post_id")',
  'create table "note_ratings" ("note_id" text not null references "notes" ("id") on delete cascade, "user_id" text not null references "users" ("id") on delete cascade, "helpfulness" text not null, "viewpoint" text not null, "tags" text not null, "rated_at" bigint not null, constraint "note_ratings_key" primary key ("note_id", "user_id"))',
  'create table "note_requests" ("post_id" text not null references "note_candidates" ("post_id") on delete cascade, "user_id" text not null references "users" ("id") on delete cascade, "requested_at" bigint not null, constraint "note_requests_key" primary key ("post_id", "user_id"))',
  'create table "note_writers" ("user_id" text primary key references "users" ("id") on delete cascade, "is_top" integer not null, "enrolled_at" bigint not null)',
]

const POSTGRES = [
  'create table "note_candidates" ("post_id" text collate "C" primary key, "lang" text not null, "requests" bigint not null, "demand" bigint not null, "created_at" bigint not null)',
  'create index "note_candidates_by_demand" on "note_candidates" ("demand", "post_id")',
  'create index "note_candidates_by_lang" on "note_candidates" ("lang", "demand", "post_id")',
  'create index "note_candidates_by_age" on "note_candidates" ("created_at", "post_id")',
  'create table "notes" ("id" text collate "C" primary key, "user_id" text not null references "users" ("id") on delete cascade, "post_id" text not null, "test_mode" integer not null, "text" text not null, "classification" text not null, "misleading_tags" text not null, "trustworthy_sources" integer not null, "is_media_note" integer not null, "status" text not null, "evaluation" text not null, "ratings" text not null, "created_at" bigint not null)',
  'create index "notes_by_writer" on "notes" ("user_id", "test_mode", "id")',
  'create unique index "notes_by_post" on "notes" ("user_id", "test_mode", "post_id")',
  'create table "note_ratings" ("note_id" text collate "C" not null references "notes" ("id") on delete cascade, "user_id" text not null references "users" ("id") on delete cascade, "helpfulness" text not null, "viewpoint" text not null, "tags" text not null, "rated_at" bigint not null, constraint "note_ratings_key" primary key ("note_id", "user_id"))',
  'create table "note_requests" ("post_id" text collate "C" not null references "note_candidates" ("post_id") on delete cascade, "user_id" text not null references "users" ("id") on delete cascade, "requested_at" bigint not null, constraint "note_requests_key" primary key ("post_id", "user_id"))',
  'create table "note_writers" ("user_id" text primary key references "users" ("id") on delete cascade, "is_top" integer not null, "enrolled_at" bigint not null)',
]
