import type { Migration } from './migration.ts'

/** Tags of websites, which line items aim at, and tags that track line items. */
export const tags: Migration = {
  name: '0009-tags',
  statements: (dialect) => (dialect === 'sqlite' ? SQLITE : POSTGRES),
}

const SQLITE = [
  'create table "web_event_tags" ("account_id" text not null, "id" text not null, "visibility" integer not null, "created_at" bigint not null, "updated_at" bigint not null, "deleted" integer not null, "name" text not null, "type" text not null, "click_window" integer not null, "view_through_window" integer not null, "retargeting_enabled" integer not null, "status" text not null, "embed_code" text, "website_tag_id" text, constraint "web_event_tags_key" primary key ("account_id", "id"))',
  'create index "web_event_tags_by_age" on "web_event_tags" (account_id, visibility, id)',
  'create index "web_event_tags_by_update" on "web_event_tags" (account_id, visibility, updated_at, id)',
  'create table "tracking_tags" ("account_id" text not null, "id" text not null, "visibility" integer not null, "created_at" bigint not null, "updated_at" bigint not null, "deleted" integer not null, "line_item_id" text not null, "tracking_tag_type" text not null, "tracking_tag_url" text not null, constraint "tracking_tags_key" primary key ("account_id", "id"))',
  'create index "tracking_tags_by_age" on "tracking_tags" (account_id, visibility, id)',
  'create index "tracking_tags_by_update" on "tracking_tags" (account_id, visibility, updated_at, id)',
  'create index "tracking_tags_by_line_item_id" on "tracking_tags" (account_id, line_item_id, visibility, id)',
]

const POSTGRES = [
  'create table "web_event_tags" ("account_id" text collate "C" not null, "id" text collate "C" not null, "visibility" integer not null, "created_at" bigint not null, "updated_at" bigint not null, "deleted" integer not null, "name" text not null, "type" text not null, "click_window" integer not null, "view_through_window" integer not null, "retargeting_enabled" integer not null, "status" text not null, "embed_code" text, "website_tag_id" text, constraint "web_event_tags_key" primary key ("account_id", "id"))',
  'create index "web_event_tags_by_age" on "web_event_tags" (account_id, visibility, id)',
  'create index "web_event_tags_by_update" on "web_event_tags" (account_id, visibility, updated_at, id)',
  'create table "tracking_tags" ("account_id" text collate "C" not null, "id" text collate "C" not null, "visibility" integer not null, "created_at" bigint not null, "updated_at" bigint not null, "deleted" integer not null, "line_item_id" text collate "C" not null, "tracking_tag_type" text not null, "tracking_tag_url" text not null, constraint "tracking_tags_key" primary key ("account_id", "id"))',
  'create index "tracking_tags_by_age" on "tracking_tags" (account_id, visibility, id)',
  'create index "tracking_tags_by_update" on "tracking_tags" (account_id, visibility, updated_at, id)',
  'create index "tracking_tags_by_line_item_id" on "tracking_tags" (account_id, line_item_id, visibility, id)',
]
