import type { Migration } from './migration.ts'

/** Conversations of direct messages, and who may send a user any: for users who are there, everyone. There are no messages yet. */
export const directMessages: Migration = {
  name: '0022-direct-messages',
  statements: (dialect) => (dialect === 'sqlite' ? SQLITE : POSTGRES),
}

const SQLITE = [
  'alter table "users" add column "direct_messages_from" text default \'everyone\' not null',
  'create table "dm_conversations" ("id" text primary key, "creator_id" text not null references "users" ("id") on delete cascade, "is_group" integer not null, "created_at" bigint not null)',
  'create table "dm_events" ("id" text primary key, "conversation_id" text not null references "dm_conversations" ("id") on delete cascade, "event_type" text not null, "sender_id" text not null references "users" ("id") on delete cascade, "text" text not null, "entities" text not null, "media_keys" text not null, "post_ids" text not null, "participant_ids" text not null, "app_id" text not null, "created_at" bigint not null)',
  'create table "dm_inbox" ("event_id" text not null references "dm_events" ("id") on delete cascade, "user_id" text not null references "users" ("id") on delete cascade, "conversation_id" text not null, "event_type" text not null, constraint "dm_inbox_key" primary key ("event_id", "user_id"))',
  'create index "dm_inbox_by_user" on "dm_inbox" ("user_id", "event_type", "event_id")',
  'create index "dm_inbox_by_conversation" on "dm_inbox" ("user_id", "conversation_id", "event_type", "event_id")',
  'create table "dm_participants" ("conversation_id" text not null references "dm_conversations" ("id") on delete cascade, "user_id" text not null references "users" ("id") on delete cascade, "wrote" integer default 0 not null, "last_read_event_id" text, "joined_at" bigint not null, constraint "dm_participants_key" primary key ("conversation_id", "user_id"))',
]

const POSTGRES = [
  'alter table "users" add column "direct_messages_from" text default \'everyone\' not null',
  'create table "dm_conversations" ("id" text collate "C" primary key, "creator_id" text not null references "users" ("id") on delete cascade, "is_group" integer not null, "created_at" bigint not null)',
  'create table "dm_events" ("id" text collate "C" primary key, "conversation_id" text collate "C" not null references "dm_conversations" ("id") on delete cascade, "event_type" text not null, "sender_id" text not null references "users" ("id") on delete cascade, "text" text not null, "entities" text not null, "media_keys" text not null, "post_ids" text not null, "participant_ids" text not null, "app_id" text not null, "created_at" bigint not null)',
  'create table "dm_inbox" ("event_id" text collate "C" not null references "dm_events" ("id") on delete cascade, "user_id" text not null references "users" ("id") on delete cascade, "conversation_id" text collate "C" not null, "event_type" text not null, constraint "dm_inbox_key" primary key ("event_id", "user_id"))',
  'create index "dm_inbox_by_user" on "dm_inbox" ("user_id", "event_type", "event_id")',
  'create index "dm_inbox_by_conversation" on "dm_inbox" ("user_id", "conversation_id", "event_type", "event_id")',
  'create table "dm_participants" ("conversation_id" text collate "C" not null references "dm_conversations" ("id") on delete cascade, "user_id" text not null references "users" ("id") on delete cascade, "wrote" integer default 0 not null, "last_read_event_id" text collate "C", "joined_at" bigint not null, constraint "dm_participants_key" primary key ("conversation_id", "user_id"))',
]
