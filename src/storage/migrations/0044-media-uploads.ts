import type { Migration } from './migration.ts'

/** Subtitles of videos, and media that several direct messages may show: none of those that are there may. */
export const mediaUploads: Migration = {
  name: '0044-media-uploads',
  statements: (dialect) => (dialect === 'sqlite' ? SQLITE : POSTGRES),
}

const SQLITE = [
  'alter table "media" add column "shared" integer default 0 not null',
  'create table "media_subtitles" ("media_id" text not null references "media" ("id") on delete cascade, "language_key" text not null, "language_code" text not null, "display_name" text not null, "subtitles_id" text not null references "media" ("id") on delete cascade, constraint "media_subtitles_key" primary key ("media_id", "language_key"))',
  'create index "media_subtitles_by_file" on "media_subtitles" ("subtitles_id", "media_id")',
]

const POSTGRES = [
  'alter table "media" add column "shared" integer default 0 not null',
  'create table "media_subtitles" ("media_id" text collate "C" not null references "media" ("id") on delete cascade, "language_key" text collate "C" not null, "language_code" text not null, "display_name" text not null, "subtitles_id" text collate "C" not null references "media" ("id") on delete cascade, constraint "media_subtitles_key" primary key ("media_id", "language_key"))',
  'create index "media_subtitles_by_file" on "media_subtitles" ("subtitles_id", "media_id")',
]
