import type { Migration } from './migration.ts'

/** Rollups of the words of posts. They are built from the posts by the next start. */
export const keywordInsights: Migration = {
  name: '0033-keyword-insights',
  statements: (dialect) => (dialect === 'sqlite' ? SQLITE : POSTGRES),
}

const SQLITE = [
  'create table "insight_blocks" ("country" text not null, "block" integer not null, "posts" blob not null, constraint "insight_blocks_key" primary key ("country", "block"))',
  'create index "insight_blocks_by_age" on "insight_blocks" ("block", "country")',
  'create table "insight_posts" ("post_id" text primary key, "country" text not null, "block" integer not null, "place" integer not null)',
  'create unique index "insight_posts_by_place" on "insight_posts" ("country", "block", "place")',
  'create table "insight_terms" ("country" text not null, "block" integer not null, "term" text not null, "places" blob not null, constraint "insight_terms_key" primary key ("country", "block", "term"))',
]

const POSTGRES = [
  'create table "insight_blocks" ("country" text collate "C" not null, "block" integer not null, "posts" bytea not null, constraint "insight_blocks_key" primary key ("country", "block"))',
  'create index "insight_blocks_by_age" on "insight_blocks" ("block", "country")',
  'create table "insight_posts" ("post_id" text collate "C" primary key, "country" text collate "C" not null, "block" integer not null, "place" integer not null)',
  'create unique index "insight_posts_by_place" on "insight_posts" ("country", "block", "place")',
  'create table "insight_terms" ("country" text collate "C" not null, "block" integer not null, "term" text collate "C" not null, "places" bytea not null, constraint "insight_terms_key" primary key ("country", "block", "term"))',
]
