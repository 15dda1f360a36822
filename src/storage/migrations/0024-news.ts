import type { Migration } from './migration.ts'

/** Stories that are made of posts, and the posts of the last day with what they are about: the server finds both. */
export const news: Migration = {
  name: '0024-news',
  statements: (dialect) => (dialect === 'sqlite' ? SQLITE : POSTGRES),
}

const SQLITE = [
  "insert into settings (name, value) values ('news_generation', '0')",
  'create table "news_posts" ("post_id" text primary key, "author_id" text not null, "terms" text not null, "story_id" text)',
  'create table "news_stories" ("id" text primary key, "category" text not null, "keywords" text not null, "contexts" text not null, "started_at" bigint not null, "updated_at" bigint not null)',
  'create index "news_stories_by_update" on "news_stories" ("updated_at", "id")',
  'create table "news_story_posts" ("story_id" text not null references "news_stories" ("id") on delete cascade, "place" integer not null, "post_id" text not null, constraint "news_story_posts_key" primary key ("story_id", "place"))',
  'create table "news_story_words" ("word" text not null, "story_id" text not null references "news_stories" ("id") on delete cascade, constraint "news_story_words_key" primary key ("word", "story_id"))',
  'create index "news_story_words_by_story" on "news_story_words" ("story_id")',
]

const POSTGRES = [
  "insert into settings (name, value) values ('news_generation', '0')",
  'create table "news_posts" ("post_id" text collate "C" primary key, "author_id" text not null, "terms" text not null, "story_id" text)',
  'create table "news_stories" ("id" text collate "C" primary key, "category" text not null, "keywords" text not null, "contexts" text not null, "started_at" bigint not null, "updated_at" bigint not null)',
  'create index "news_stories_by_update" on "news_stories" ("updated_at", "id")',
  'create table "news_story_posts" ("story_id" text collate "C" not null references "news_stories" ("id") on delete cascade, "place" integer not null, "post_id" text not null, constraint "news_story_posts_key" primary key ("story_id", "place"))',
  'create table "news_story_words" ("word" text collate "C" not null, "story_id" text collate "C" not null references "news_stories" ("id") on delete cascade, constraint "news_story_words_key" primary key ("word", "story_id"))',
  'create index "news_story_words_by_story" on "news_story_words" ("story_id")',
]
