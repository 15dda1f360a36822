import type { Migration } from './migration.ts'

/** Audiences, lists of people who are not to be reached, and who may use whose audiences. */
export const audiences: Migration = {
  name: '0007-audiences',
  statements: (dialect) => (dialect === 'sqlite' ? SQLITE : POSTGRES),
}

const SQLITE = [
  'create table "custom_audiences" ("account_id" text not null, "id" text not null, "visibility" integer not null, "created_at" bigint not null, "updated_at" bigint not null, "deleted" integer not null, "name" text not null, "name_key" text not null, "description" text, constraint "custom_audiences_key" primary key ("account_id", "id"))',
  'create index "custom_audiences_by_age" on "custom_audiences" (account_id, visibility, id)',
  'create index "custom_audiences_by_update" on "custom_audiences" (account_id, visibility, updated_at, id)',
  'create index "custom_audiences_by_name_key" on "custom_audiences" (account_id, visibility, name_key, id)',
  'create unique index "custom_audiences_only" on "custom_audiences" ("account_id", "name") where "deleted" = 0',
  'create unique index "custom_audiences_by_id" on "custom_audiences" ("id")',
  'create table "do_not_reach_lists" ("account_id" text not null, "id" text not null, "visibility" integer not null, "created_at" bigint not null, "updated_at" bigint not null, "deleted" integer not null, "description" text, constraint "do_not_reach_lists_key" primary key ("account_id", "id"))',
  'create index "do_not_reach_lists_by_age" on "do_not_reach_lists" (account_id, visibility, id)',
  'create index "do_not_reach_lists_by_update" on "do_not_reach_lists" (account_id, visibility, updated_at, id)',
  'create unique index "do_not_reach_lists_only" on "do_not_reach_lists" ("account_id") where "deleted" = 0',
  'create table "audience_permissions" ("audience_id" text not null, "id" text not null, "account_id" text not null, "granted_account_id" text not null, "permission_level" text not null, "visibility" integer not null, "created_at" bigint not null, "updated_at" bigint not null, "deleted" integer not null, constraint "audience_permissions_key" primary key ("audience_id", "id"))',
  'create index "audience_permissions_by_age" on "audience_permissions" ("audience_id", "visibility", "id")',
  'create index "audience_permissions_by_update" on "audience_permissions" ("audience_id", "visibility", "updated_at", "id")',
  'create index "audience_permissions_by_grant" on "audience_permissions" ("granted_account_id", "visibility", "audience_id")',
  'create unique index "audience_permissions_only" on "audience_permissions" ("audience_id", "granted_account_id") where "deleted" = 0',
  `create view shared_audiences as
        select permission.granted_account_id, permission.permission_level, permission.audience_id as id,
          audience.account_id, audience.name, audience.name_key, audience.description, audience.created_at,
          audience.updated_at, audience.deleted, permission.visibility
        from audience_permissions as permission
        inner join custom_audiences as audience on audience.id = permission.audience_id
        inner join accounts as owner on owner.id = audience.account_id and owner.deleted = 0
        where permission.deleted = 0 and audience.deleted = 0`,
  'create table "audience_removals" ("audience_id" text primary key, "due_at" bigint not null)',
  'create index "audience_removals_due" on "audience_removals" ("due_at")',
  'create index "targeting_criteria_by_target" on "targeting_criteria" ("account_id", "targeting_type", "targeting_value", "visibility", "line_item_id")',
]

const POSTGRES = [
  'create table "custom_audiences" ("account_id" text collate "C" not null, "id" text collate "C" not null, "visibility" integer not null, "created_at" bigint not null, "updated_at" bigint not null, "deleted" integer not null, "name" text not null, "name_key" text collate "C" not null, "description" text, constraint "custom_audiences_key" primary key ("account_id", "id"))',
  'create index "custom_audiences_by_age" on "custom_audiences" (account_id, visibility, id)',
  'create index "custom_audiences_by_update" on "custom_audiences" (account_id, visibility, updated_at, id)',
  'create index "custom_audiences_by_name_key" on "custom_audiences" (account_id, visibility, name_key, id)',
  'create unique index "custom_audiences_only" on "custom_audiences" ("account_id", "name") where "deleted" = 0',
  'create unique index "custom_audiences_by_id" on "custom_audiences" ("id")',
  'create table "do_not_reach_lists" ("account_id" text collate "C" not null, "id" text collate "C" not null, "visibility" integer not null, "created_at" bigint not null, "updated_at" bigint not null, "deleted" integer not null, "description" text, constraint "do_not_reach_lists_key" primary key ("account_id", "id"))',
  'create index "do_not_reach_lists_by_age" on "do_not_reach_lists" (account_id, visibility, id)',
  'create index "do_not_reach_lists_by_update" on "do_not_reach_lists" (account_id, visibility, updated_at, id)',
  'create unique index "do_not_reach_lists_only" on "do_not_reach_lists" ("account_id") where "deleted" = 0',
  'create table "audience_permissions" ("audience_id" text collate "C" not null, "id" text collate "C" not null, "account_id" text collate "C" not null, "granted_account_id" text collate "C" not null, "permission_level" text not null, "visibility" integer not null, "created_at" bigint not null, "updated_at" bigint not null, "deleted" integer not null, constraint "audience_permissions_key" primary key ("audience_id", "id"))',
  'create index "audience_permissions_by_age" on "audience_permissions" ("audience_id", "visibility", "id")',
  'create index "audience_permissions_by_update" on "audience_permissions" ("audience_id", "visibility", "updated_at", "id")',
  'create index "audience_permissions_by_grant" on "audience_permissions" ("granted_account_id", "visibility", "audience_id")',
  'create unique index "audience_permissions_only" on "audience_permissions" ("audience_id", "granted_account_id") where "deleted" = 0',
  `create view shared_audiences as
        select permission.granted_account_id, permission.permission_level, permission.audience_id as id,
          audience.account_id, audience.name, audience.name_key, audience.description, audience.created_at,
          audience.updated_at, audience.deleted, permission.visibility
        from audience_permissions as permission
        inner join custom_audiences as audience on audience.id = permission.audience_id
        inner join accounts as owner on owner.id = audience.account_id and owner.deleted = 0
        where permission.deleted = 0 and audience.deleted = 0`,
  'create table "audience_removals" ("audience_id" text collate "C" primary key, "due_at" bigint not null)',
  'create index "audience_removals_due" on "audience_removals" ("due_at")',
  'create index "targeting_criteria_by_target" on "targeting_criteria" ("account_id", "targeting_type", "targeting_value", "visibility", "line_item_id")',
  'create table "membership_log" ("seq" bigserial primary key, "account" text collate "C" not null, "audience" text collate "C" not null, "accepted_at" bigint not null, "keys" integer not null, "bytes" integer not null, "data" bytea)',
  'create index "membership_log_by_audience" on "membership_log" ("audience", "seq")',
  'create index "membership_log_by_account" on "membership_log" ("account", "bytes")',
  'create table "membership_audiences" ("audience" text collate "C" primary key, "size" bigint not null, "counted_at" bigint not null, "people" bigint not null, "ended_at" bigint not null, "sweep_at" bigint, "sweep_before" bigint, "swept_people" bigint, "swept_until" bytea, "forgotten" integer not null)',
  'create index "membership_audiences_forgotten" on "membership_audiences" ("audience") where "forgotten" = 1',
  'create index "membership_audiences_to_sweep" on "membership_audiences" ("sweep_at") where "sweep_at" is not null',
  'create table "membership_keys" ("audience" text collate "C" not null, "key" bytea not null, "kind" integer not null, "effective" bigint not null, "expires" bigint not null, constraint "membership_keys_key" primary key ("audience", "key"))',
  'create table "membership_people" ("audience" text collate "C" not null, "id" bigint not null, "effective" bigint not null, "expires" bigint not null, "keys" bytea not null, constraint "membership_people_key" primary key ("audience", "id"))',
  'create table "membership_changes" ("audience" text collate "C" not null, "at" bigint not null, "delta" bigint not null, constraint "membership_changes_key" primary key ("audience", "at"))',
  'create index "membership_changes_by_time" on "membership_changes" ("at", "audience")',
  'create table "membership_set_aside" ("audience" text collate "C" not null, "seq" bigint not null, "accepted_at" bigint not null, "reason" text not null, "data" bytea not null, constraint "membership_set_aside_key" primary key ("audience", "seq"))',
]
