import { sql } from 'kysely'
import { bytewise } from './entity-table.ts'
import type { Migration } from './migrate.ts'

/** Product catalogs of users: their products, groups of variants, sets, and what is known of images. */
export const catalogs: Migration = {
  name: '0006-catalogs',
  up: (db, dialect) => [
    db.schema
      .createTable('product_catalogs')
      .addColumn('id', bytewise(dialect), (c) => c.primaryKey())
      .addColumn('environment', 'text', (c) => c.notNull())
      .addColumn('user_id', bytewise(dialect), (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('revision', 'bigint', (c) => c.notNull())
      .addColumn('sets', 'integer', (c) => c.notNull())
      .addColumn('filtered_sets', 'integer', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull()),
    db.schema
      .createIndex('product_catalogs_by_user')
      .unique()
      .on('product_catalogs')
      .columns(['user_id', 'environment']),
    db.schema
      .createTable('products')
      .addColumn('catalog_id', bytewise(dialect), (c) => c.notNull())
      .addColumn('product_key', bytewise(dialect), (c) => c.notNull())
      .addColumn('id', bytewise(dialect), (c) => c.notNull())
      .addColumn('revision', 'bigint', (c) => c.notNull())
      .addColumn('item_group_key', bytewise(dialect))
      .addColumn('shown', 'integer', (c) => c.notNull())
      .addColumn('item', 'text', (c) => c.notNull())
      .addColumn('price_currency', 'text', (c) => c.notNull())
      .addColumn('price_amount', 'bigint', (c) => c.notNull())
      .addColumn('sale_price_amount', 'bigint')
      .addColumn('inventory', 'bigint')
      .addColumn('product_type_key', 'text')
      .addColumn('google_product_category_key', 'text')
      .addColumn('custom_label_0_key', 'text')
      .addColumn('custom_label_1_key', 'text')
      .addColumn('custom_label_2_key', 'text')
      .addColumn('custom_label_3_key', 'text')
      .addColumn('custom_label_4_key', 'text')
      .addPrimaryKeyConstraint('products_key', ['catalog_id', 'product_key']),
    db.schema.createIndex('products_by_id').unique().on('products').columns(['catalog_id', 'id']),
    db.schema.createIndex('products_shown').on('products').columns(['catalog_id', 'shown', 'product_key']),
    db.schema
      .createIndex('products_by_revision')
      .on('products')
      .columns(['catalog_id', 'revision', 'product_key']),
    // Most products have no variants.
    db.schema
      .createIndex('products_by_group')
      .on('products')
      .columns(['catalog_id', 'item_group_key', 'product_key'])
      .where(sql.ref('item_group_key'), 'is not', null),
    db.schema
      .createTable('product_groups')
      .addColumn('catalog_id', bytewise(dialect), (c) => c.notNull())
      .addColumn('item_group_id', bytewise(dialect), (c) => c.notNull())
      .addColumn('item_group_key', bytewise(dialect), (c) => c.notNull())
      .addPrimaryKeyConstraint('product_groups_key', ['catalog_id', 'item_group_id']),
    db.schema
      .createTable('product_sets')
      .addColumn('id', bytewise(dialect), (c) => c.primaryKey())
      .addColumn('catalog_id', bytewise(dialect), (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('description', 'text')
      .addColumn('type', 'text', (c) => c.notNull())
      .addColumn('filters', 'text', (c) => c.notNull())
      .addColumn('processing_status', 'text', (c) => c.notNull())
      .addColumn('made_revision', 'bigint', (c) => c.notNull())
      .addColumn('position_revision', 'bigint', (c) => c.notNull())
      .addColumn('position_key', bytewise(dialect), (c) => c.notNull())
      .addColumn('failures', 'integer', (c) => c.notNull())
      .addColumn('lease_until', 'bigint', (c) => c.notNull()),
    db.schema.createIndex('product_sets_by_catalog').on('product_sets').columns(['catalog_id', 'id']),
    db.schema
      .createIndex('product_sets_to_process')
      .on('product_sets')
      .columns(['processing_status', 'lease_until']),
    db.schema
      .createTable('product_set_members')
      .addColumn('set_id', bytewise(dialect), (c) => c.notNull())
      .addColumn('product_key', bytewise(dialect), (c) => c.notNull())
      .addPrimaryKeyConstraint('product_set_members_key', ['set_id', 'product_key']),
    db.schema
      .createIndex('product_set_members_by_product')
      .on('product_set_members')
      .columns(['product_key', 'set_id']),
    db.schema
      .createTable('product_images')
      .addColumn('catalog_id', bytewise(dialect), (c) => c.notNull())
      .addColumn('product_key', bytewise(dialect), (c) => c.notNull())
      .addColumn('url', bytewise(dialect), (c) => c.notNull())
      .addColumn('problem', 'text')
      .addColumn('tries', 'integer', (c) => c.notNull())
      .addColumn('due_at', 'bigint')
      .addPrimaryKeyConstraint('product_images_key', ['catalog_id', 'product_key', 'url']),
    db.schema.createIndex('product_images_due').on('product_images').columns(['due_at']),
    db.schema
      .createTable('catalog_removals')
      .addColumn('id', bytewise(dialect), (c) => c.primaryKey())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('lease_until', 'bigint', (c) => c.notNull()),
    db.schema.createIndex('catalog_removals_to_do').on('catalog_removals').columns(['lease_until']),
  ],
}
