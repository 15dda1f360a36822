import type { Migration } from './migration.ts'

/** Product catalogs of users: their products, groups of variants, sets, and what is known of images. */
export const catalogs: Migration = {
  name: '0006-catalogs',
  statements: (dialect) => (dialect === 'sqlite' ? SQLITE : POSTGRES),
}

const SQLITE = [
  'create table "product_catalogs" ("id" text primary key, "environment" text not null, "user_id" text not null, "name" text not null, "revision" bigint not null, "sets" integer not null, "filtered_sets" integer not null, "created_at" bigint not null)',
  'create unique index "product_catalogs_by_user" on "product_catalogs" ("user_id", "environment")',
  'create table "products" ("catalog_id" text not null, "product_key" text not null, "id" text not null, "revision" bigint not null, "item_group_key" text, "shown" integer not null, "item" text not null, "price_currency" text not null, "price_amount" bigint not null, "sale_price_amount" bigint, "inventory" bigint, "product_type_key" text, "google_product_category_key" text, "custom_label_0_key" text, "custom_label_1_key" text, "custom_label_2_key" text, "custom_label_3_key" text, "custom_label_4_key" text, constraint "products_key" primary key ("catalog_id", "product_key"))',
  'create unique index "products_by_id" on "products" ("catalog_id", "id")',
  'create index "products_shown" on "products" ("catalog_id", "shown", "product_key")',
  'create index "products_by_revision" on "products" ("catalog_id", "revision", "product_key")',
  'create index "products_by_group" on "products" ("catalog_id", "item_group_key", "product_key") where "item_group_key" is not null',
  'create table "product_groups" ("catalog_id" text not null, "item_group_id" text not null, "item_group_key" text not null, constraint "product_groups_key" primary key ("catalog_id", "item_group_id"))',
  'create table "product_sets" ("id" text primary key, "catalog_id" text not null, "name" text not null, "description" text, "type" text not null, "filters" text not null, "processing_status" text not null, "made_revision" bigint not null, "position_revision" bigint not null, "position_key" text not null, "failures" integer not null, "lease_until" bigint not null)',
  'create index "product_sets_by_catalog" on "product_sets" ("catalog_id", "id")',
  'create index "product_sets_to_process" on "product_sets" ("processing_status", "lease_until")',
  'create table "product_set_members" ("set_id" text not null, "product_key" text not null, constraint "product_set_members_key" primary key ("set_id", "product_key"))',
  'create index "product_set_members_by_product" on "product_set_members" ("product_key", "set_id")',
  'create table "product_images" ("catalog_id" text not null, "product_key" text not null, "url" text not null, "problem" text, "tries" integer not null, "due_at" bigint, constraint "product_images_key" primary key ("catalog_id", "product_key", "url"))',
  'create index "product_images_due" on "product_images" ("due_at")',
  'create table "catalog_removals" ("id" text primary key, "kind" text not null, "lease_until" bigint not null)',
  'create index "catalog_removals_to_do" on "catalog_removals" ("lease_until")',
]

const POSTGRES = [
  'create table "product_catalogs" ("id" text collate "C" primary key, "environment" text not null, "user_id" text collate "C" not null, "name" text not null, "revision" bigint not null, "sets" integer not null, "filtered_sets" integer not null, "created_at" bigint not null)',
  'create unique index "product_catalogs_by_user" on "product_catalogs" ("user_id", "environment")',
  'create table "products" ("catalog_id" text collate "C" not null, "product_key" text collate "C" not null, "id" text collate "C" not null, "revision" bigint not null, "item_group_key" text collate "C", "shown" integer not null, "item" text not null, "price_currency" text not null, "price_amount" bigint not null, "sale_price_amount" bigint, "inventory" bigint, "product_type_key" text, "google_product_category_key" text, "custom_label_0_key" text, "custom_label_1_key" text, "custom_label_2_key" text, "custom_label_3_key" text, "custom_label_4_key" text, constraint "products_key" primary key ("catalog_id", "product_key"))',
  'create unique index "products_by_id" on "products" ("catalog_id", "id")',
  'create index "products_shown" on "products" ("catalog_id", "shown", "product_key")',
  'create index "products_by_revision" on "products" ("catalog_id", "revision", "product_key")',
  'create index "products_by_group" on "products" ("catalog_id", "item_group_key", "product_key") where "item_group_key" is not null',
  'create table "product_groups" ("catalog_id" text collate "C" not null, "item_group_id" text collate "C" not null, "item_group_key" text collate "C" not null, constraint "product_groups_key" primary key ("catalog_id", "item_group_id"))',
  'create table "product_sets" ("id" text collate "C" primary key, "catalog_id" text collate "C" not null, "name" text not null, "description" text, "type" text not null, "filters" text not null, "processing_status" text not null, "made_revision" bigint not null, "position_revision" bigint not null, "position_key" text collate "C" not null, "failures" integer not null, "lease_until" bigint not null)',
  'create index "product_sets_by_catalog" on "product_sets" ("catalog_id", "id")',
  'create index "product_sets_to_process" on "product_sets" ("processing_status", "lease_until")',
  'create table "product_set_members" ("set_id" text collate "C" not null, "product_key" text collate "C" not null, constraint "product_set_members_key" primary key ("set_id", "product_key"))',
  'create index "product_set_members_by_product" on "product_set_members" ("product_key", "set_id")',
  'create table "product_images" ("catalog_id" text collate "C" not null, "product_key" text collate "C" not null, "url" text collate "C" not null, "problem" text, "tries" integer not null, "due_at" bigint, constraint "product_images_key" primary key ("catalog_id", "product_key", "url"))',
  'create index "product_images_due" on "product_images" ("due_at")',
  'create table "catalog_removals" ("id" text collate "C" primary key, "kind" text not null, "lease_until" bigint not null)',
  'create index "catalog_removals_to_do" on "catalog_removals" ("lease_until")',
]
