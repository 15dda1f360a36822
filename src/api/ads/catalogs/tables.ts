import { bigint, bytewise, flag, integer, type RowOf, table, text } from '../../../platform/storage/table.ts'

/** A user's catalog, of production or of the sandbox. */
export const productCatalogs = table(
  'product_catalogs',
  {
    id: bytewise(),
    environment: text(),
    user_id: bytewise(),
    name: text(),
    /** Incremented whenever products change. */
    revision: bigint(),
    sets: integer(),
    /** The number of its sets with filters. */
    filtered_sets: integer(),
    created_at: bigint(),
  },
  {
    key: ['id'],
    indexes: {
      product_catalogs_by_user: { on: ['user_id', 'environment'], unique: true },
    },
  },
)

/** When the file of products of a catalog is to be read: one schedule for a catalog. */
export const productFeeds = table(
  'product_feeds',
  {
    id: bytewise(),
    catalog_id: bytewise({ belongsTo: productCatalogs }),
    feed_url: text(),
    feed_format: text(),
    frequency: text(),
    repeat: text({ null: true }),
    /** Hour and minute. */
    start_time: text(),
    time_zone: text(),
    created_at: bigint(),
    updated_at: bigint(),
  },
  { key: ['id'], indexes: { product_feeds_by_catalog: { on: ['catalog_id'], unique: true } } },
)
export type ProductFeedRow = RowOf<typeof productFeeds>

export const products = table(
  'products',
  {
    catalog_id: bytewise(),
    product_key: bytewise(),
    id: bytewise(),
    /** The version of the catalog when it last changed. */
    revision: bigint(),
    item_group_key: bytewise({ null: true }),
    /** 1 unless it is a variant other than the first of its group. */
    shown: flag(),
    /** The submitted product as JSON with neutral names. */
    item: text(),
    price_currency: text(),
    /** In the smallest unit of the currency. */
    price_amount: bigint(),
    sale_price_amount: bigint({ null: true }),
    inventory: bigint({ null: true }),
    /** Text that filters compare, in lower case. */
    product_type_key: text({ null: true }),
    google_product_category_key: text({ null: true }),
    custom_label_0_key: text({ null: true }),
    custom_label_1_key: text({ null: true }),
    custom_label_2_key: text({ null: true }),
    custom_label_3_key: text({ null: true }),
    custom_label_4_key: text({ null: true }),
  },
  {
    key: ['catalog_id', 'product_key'],
    indexes: {
      products_by_id: { on: ['catalog_id', 'id'], unique: true },
      products_shown: ['catalog_id', 'shown', 'product_key'],
      products_by_revision: ['catalog_id', 'revision', 'product_key'],
      products_by_group: {
        on: ['catalog_id', 'item_group_key', 'product_key'],
        where: 'item_group_key is not null',
      },
    },
  },
)

/**
 * A set of products of a catalog: listed, or found by filters up to a position in the order of
 * changes.
 */
export const productSets = table(
  'product_sets',
  {
    id: bytewise(),
    catalog_id: bytewise(),
    name: text(),
    description: text({ null: true }),
    /** `MANUAL` or `FILTERED`. */
    type: text(),
    /** A JSON list. */
    filters: text(),
    /** `DONE`, `PROCESSING` or `FAILED`. */
    processing_status: text(),
    /** The version of the catalog when the set was created. */
    made_revision: bigint(),
    position_revision: bigint(),
    position_key: bytewise(),
  },
  {
    key: ['id'],
    indexes: {
      product_sets_by_catalog: ['catalog_id', 'id'],
    },
  },
)

export const productSetMembers = table(
  'product_set_members',
  {
    set_id: bytewise(),
    product_key: bytewise(),
  },
  {
    key: ['set_id', 'product_key'],
    indexes: {
      product_set_members_by_product: ['product_key', 'set_id'],
    },
  },
)

/** A product image, to be fetched or fetched already. */
export const productImages = table(
  'product_images',
  {
    catalog_id: bytewise(),
    product_key: bytewise(),
    url: bytewise(),
    /** The problem found when it was last fetched. */
    problem: text({ null: true }),
  },
  {
    key: ['catalog_id', 'product_key', 'url'],
  },
)

export type ProductCatalogRow = RowOf<typeof productCatalogs>

export type ProductRow = RowOf<typeof products>

export type ProductSetRow = RowOf<typeof productSets>

export type ProductImageRow = RowOf<typeof productImages>
