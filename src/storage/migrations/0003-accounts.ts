import type { Migration } from './migration.ts'

/** Lists of the accounts of a user, the history of an account by time, and settings of accounts. */
export const accounts: Migration = {
  name: '0003-accounts',
  statements: (dialect) => (dialect === 'sqlite' ? SQLITE : POSTGRES),
}

const SQLITE = [
  'create view "accounts_of_users" as select "account_access"."user_id", "account_access"."account_id" as "id", "accounts"."environment", "accounts"."name", "accounts"."name_key", "accounts"."business_name", "accounts"."business_id", "accounts"."timezone", "accounts"."timezone_switch_at", "accounts"."approval_status", "accounts"."industry_type", "accounts"."created_at", "accounts"."updated_at", "accounts"."deleted", case accounts.deleted when 1 then 3 else 0 end as "visibility" from "account_access" inner join "accounts" on "accounts"."id" = "account_access"."account_id"',
  'create index "account_history_by_time" on "account_history" ("account_id", "entity", "entity_id", "change_time", "id")',
  'create table "account_user_settings" ("account_id" text not null references "accounts" ("id") on delete cascade, "user_id" text not null references "users" ("id") on delete cascade, "notification_email" text, "contact_phone" text not null, "contact_phone_extension" text not null, "subscribed_email_types" text not null, constraint "account_user_settings_key" primary key ("account_id", "user_id"))',
  'create index "account_user_settings_user" on "account_user_settings" ("user_id")',
  'create table "account_tax_settings" ("account_id" text primary key references "accounts" ("id") on delete cascade, "settings" text not null)',
]

const POSTGRES = [
  'create view "accounts_of_users" as select "account_access"."user_id", "account_access"."account_id" as "id", "accounts"."environment", "accounts"."name", "accounts"."name_key", "accounts"."business_name", "accounts"."business_id", "accounts"."timezone", "accounts"."timezone_switch_at", "accounts"."approval_status", "accounts"."industry_type", "accounts"."created_at", "accounts"."updated_at", "accounts"."deleted", case accounts.deleted when 1 then 3 else 0 end as "visibility" from "account_access" inner join "accounts" on "accounts"."id" = "account_access"."account_id"',
  'create index "account_history_by_time" on "account_history" ("account_id", "entity", "entity_id", "change_time", "id")',
  'create table "account_user_settings" ("account_id" text collate "C" not null references "accounts" ("id") on delete cascade, "user_id" text not null references "users" ("id") on delete cascade, "notification_email" text, "contact_phone" text not null, "contact_phone_extension" text not null, "subscribed_email_types" text not null, constraint "account_user_settings_key" primary key ("account_id", "user_id"))',
  'create index "account_user_settings_user" on "account_user_settings" ("user_id")',
  'create table "account_tax_settings" ("account_id" text collate "C" primary key references "accounts" ("id") on delete cascade, "settings" text not null)',
]
