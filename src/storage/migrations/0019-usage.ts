import type { Migration } from './migration.ts'

/** How many posts apps and their projects were shown. Nothing was counted before. */
export const usage: Migration = {
  name: '0019-usage',
  statements: (dialect) => (dialect === 'sqlite' ? SQLITE : POSTGRES),
}

const SQLITE = [
  'create table "app_usage" ("app_id" text not null references "apps" ("id") on delete cascade, "day" integer not null, "posts" bigint not null, constraint "app_usage_key" primary key ("app_id", "day"))',
  'create index "app_usage_by_day" on "app_usage" ("day", "app_id")',
  'create table "counted_posts" ("day" integer not null, "app_id" text not null, "post_id" text not null, constraint "counted_posts_key" primary key ("day", "app_id", "post_id"))',
  'create table "project_usage" ("project_id" text not null, "day" integer not null, "posts" bigint not null, constraint "project_usage_key" primary key ("project_id", "day"))',
  'create index "project_usage_by_day" on "project_usage" ("day", "project_id")',
  'create table "usage_projects" ("id" text primary key)',
]

const POSTGRES = [
  'create table "app_usage" ("app_id" text not null references "apps" ("id") on delete cascade, "day" integer not null, "posts" bigint not null, constraint "app_usage_key" primary key ("app_id", "day"))',
  'create index "app_usage_by_day" on "app_usage" ("day", "app_id")',
  'create table "counted_posts" ("day" integer not null, "app_id" text not null, "post_id" text collate "C" not null, constraint "counted_posts_key" primary key ("day", "app_id", "post_id"))',
  'create table "project_usage" ("project_id" text not null, "day" integer not null, "posts" bigint not null, constraint "project_usage_key" primary key ("project_id", "day"))',
  'create index "project_usage_by_day" on "project_usage" ("day", "project_id")',
  'create table "usage_projects" ("id" text primary key)',
]
