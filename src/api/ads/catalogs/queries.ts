import { type RawBuilder, sql } from 'kysely'
import { anyIn, locked, picked, postgres, type Query } from '../../../platform/storage/query.ts'
import { columnNames } from '../../../platform/storage/table.ts'
import { adHocQuery, query } from '../../tables.ts'
import {
  type ProductCatalogRow,
  type ProductFeedRow,
  type ProductImageRow,
  type ProductRow,
  type ProductSetRow,
  productCatalogs,
  productFeeds,
  productImages,
  productSets,
  products,
} from './tables.ts'

// Schedules of feeds

export const feedOfCatalog = query<{ catalog: string }, ProductFeedRow>('feedOfCatalog', (db, at) =>
  db.selectFrom('product_feeds').selectAll().where('catalog_id', '=', at.catalog),
)

export const addFeed = query<ProductFeedRow>('addFeed', (db, at) =>
  db.insertInto('product_feeds').values(picked(at, columnNames(productFeeds))),
)

export const changeFeed = query<ProductFeedRow>('changeFeed', (db, at) =>
  db
    .updateTable('product_feeds')
    .set(picked(at, columnNames(productFeeds)))
    .where('id', '=', at.id),
)

export const removeFeed = query<{ id: string }>('removeFeed', (db, at) =>
  db.deleteFrom('product_feeds').where('id', '=', at.id),
)

// Catalogs

interface OwnedCatalogArgs {
  id: string
  environment: string
  user: string
}

export const catalogsOfUser = query<{ environment: string; user: string }, ProductCatalogRow>(
  'catalogsOfUser',
  (db, at) =>
    db
      .selectFrom('product_catalogs')
      .selectAll()
      .where('user_id', '=', at.user)
      .where('environment', '=', at.environment),
)

export const catalogOfUser = query<OwnedCatalogArgs, ProductCatalogRow>('catalogOfUser', (db, at) =>
  db
    .selectFrom('product_catalogs')
    .selectAll()
    .where('id', '=', at.id)
    .where('user_id', '=', at.user)
    .where('environment', '=', at.environment),
)

/** Locks the catalog for a change of it or its contents: one at a time, across all nodes. */
export const lockCatalogOfUser = query<OwnedCatalogArgs, ProductCatalogRow>('lockCatalogOfUser', (db, at) =>
  locked(
    db,
    db
      .selectFrom('product_catalogs')
      .selectAll()
      .where('id', '=', at.id)
      .where('user_id', '=', at.user)
      .where('environment', '=', at.environment),
  ),
)

/** For background work. */
export const lockCatalog = query<{ id: string }, ProductCatalogRow>('lockCatalog', (db, at) =>
  locked(db, db.selectFrom('product_catalogs').selectAll().where('id', '=', at.id)),
)

export const addCatalog = query<ProductCatalogRow>('addCatalog', (db, at) =>
  db.insertInto('product_catalogs').values(picked(at, columnNames(productCatalogs))),
)

export const changeCatalog = query<
  Pick<ProductCatalogRow, 'id' | 'name' | 'revision' | 'sets' | 'filtered_sets'>
>('changeCatalog', (db, at) =>
  db
    .updateTable('product_catalogs')
    .set(picked(at, ['name', 'revision', 'sets', 'filtered_sets']))
    .where('id', '=', at.id),
)

export const removeCatalog = query<{ id: string }>('removeCatalog', (db, at) =>
  db.deleteFrom('product_catalogs').where('id', '=', at.id),
)

// Products

type StoredProduct = Pick<ProductRow, 'product_key' | 'id' | 'item_group_key' | 'item'>

/** Products by their own ids. `ids` is a JSON list. */
export const productsByIds = query<{ catalog: string; ids: string }, StoredProduct>(
  'productsByIds',
  (db, at) =>
    db
      .selectFrom('products')
      .select(['product_key', 'id', 'item_group_key', 'item'])
      .where('catalog_id', '=', at.catalog)
      .where(anyIn(postgres(db), sql.ref('id'), at.ids)),
)

/** Products by the keys that Plaza assigned. `keys` is a JSON list. */
export const productsByKeys = query<
  { catalog: string; keys: string },
  Pick<ProductRow, 'product_key' | 'item_group_key'>
>('productsByKeys', (db, at) =>
  db
    .selectFrom('products')
    .select(['product_key', 'item_group_key'])
    .where('catalog_id', '=', at.catalog)
    .where(anyIn(postgres(db), sql.ref('product_key'), at.keys)),
)

interface ProductPageArgs {
  catalog: string
  after: string
  limit: number
}

/** Products in the order of their first submission; of each group only the first variant. */
export const pageOfProducts = query<ProductPageArgs, StoredProduct>('pageOfProducts', (db, at) =>
  db
    .selectFrom('products')
    .select(['product_key', 'id', 'item_group_key', 'item'])
    .where('catalog_id', '=', at.catalog)
    .where('shown', '=', 1)
    .where('product_key', '>', at.after)
    .orderBy('product_key')
    .limit(at.limit),
)

/** All variants of a group. */
export const pageOfVariants = query<ProductPageArgs & { group: string }, StoredProduct>(
  'pageOfVariants',
  (db, at) =>
    db
      .selectFrom('products')
      .select(['product_key', 'id', 'item_group_key', 'item'])
      .where('catalog_id', '=', at.catalog)
      .where('item_group_key', '=', at.group)
      .where('product_key', '>', at.after)
      .orderBy('product_key')
      .limit(at.limit),
)

/** The columns that change with a product. */
const CHANGING = [
  'revision',
  'item_group_key',
  'shown',
  'item',
  'price_currency',
  'price_amount',
  'sale_price_amount',
  'inventory',
  'product_type_key',
  'google_product_category_key',
  'custom_label_0_key',
  'custom_label_1_key',
  'custom_label_2_key',
  'custom_label_3_key',
  'custom_label_4_key',
] as const

export const addProduct = query<ProductRow>('addProduct', (db, at) =>
  db.insertInto('products').values(picked(at, columnNames(products))),
)

export const changeProduct = query<ProductRow>('changeProduct', (db, at) =>
  db
    .updateTable('products')
    .set(picked(at, CHANGING))
    .where('catalog_id', '=', at.catalog_id)
    .where('product_key', '=', at.product_key),
)

/** `keys` is a JSON list. */
export const removeProducts = query<{ catalog: string; keys: string }>('removeProducts', (db, at) =>
  db
    .deleteFrom('products')
    .where('catalog_id', '=', at.catalog)
    .where(anyIn(postgres(db), sql.ref('product_key'), at.keys)),
)

// Groups of variants

interface GroupArgs {
  catalog: string
  group: string
}

/** The first submitted variant of a group. */
export const firstOfGroup = query<GroupArgs, Pick<ProductRow, 'product_key'>>('firstOfGroup', (db, at) =>
  db
    .selectFrom('products')
    .select('product_key')
    .where('catalog_id', '=', at.catalog)
    .where('item_group_key', '=', at.group)
    .orderBy('product_key')
    .limit(1),
)

export const showInGroup = query<{ catalog: string; key: string }>('showInGroup', (db, at) =>
  db
    .updateTable('products')
    .set({ shown: 1 })
    .where('catalog_id', '=', at.catalog)
    .where('product_key', '=', at.key)
    .where('shown', '=', 0),
)

/** Hides or shows a variant: only the first of a group is shown. */
export const hideInGroup = query<GroupArgs & { key: string }>('hideInGroup', (db, at) =>
  db
    .updateTable('products')
    .set({ shown: 0 })
    .where('catalog_id', '=', at.catalog)
    .where('product_key', '=', at.key)
    .where('item_group_key', '=', at.group),
)

// Sets

export const addSet = query<ProductSetRow>('addSet', (db, at) =>
  db.insertInto('product_sets').values(picked(at, columnNames(productSets))),
)

interface CatalogItemArgs {
  catalog: string
  id: string
}

export const setById = query<CatalogItemArgs, ProductSetRow>('setById', (db, at) =>
  db.selectFrom('product_sets').selectAll().where('id', '=', at.id).where('catalog_id', '=', at.catalog),
)

export const lockSet = query<CatalogItemArgs, ProductSetRow>('lockSet', (db, at) =>
  locked(
    db,
    db.selectFrom('product_sets').selectAll().where('id', '=', at.id).where('catalog_id', '=', at.catalog),
  ),
)

export const pageOfSets = query<ProductPageArgs, ProductSetRow>('pageOfSets', (db, at) =>
  db
    .selectFrom('product_sets')
    .selectAll()
    .where('catalog_id', '=', at.catalog)
    .where('id', '>', at.after)
    .orderBy('id')
    .limit(at.limit),
)

export const renameSet = query<{ id: string; name: string; description: string | null }>(
  'renameSet',
  (db, at) =>
    db
      .updateTable('product_sets')
      .set({ name: at.name, description: at.description })
      .where('id', '=', at.id),
)

export const removeSet = query<{ id: string }>('removeSet', (db, at) =>
  db.deleteFrom('product_sets').where('id', '=', at.id),
)

export const removeSetsOfCatalog = query<{ catalog: string }, { id: string }>(
  'removeSetsOfCatalog',
  (db, at) => db.deleteFrom('product_sets').where('catalog_id', '=', at.catalog).returning('id'),
)

/** Products of a catalog have changed: the filters of its sets must be evaluated again. */
export const reprocessSets = query<{ catalog: string }, { id: string }>('reprocessSets', (db, at) =>
  db
    .updateTable('product_sets')
    .set({ processing_status: 'PROCESSING' })
    .where('catalog_id', '=', at.catalog)
    .where('type', '=', 'FILTERED')
    .where('processing_status', '<>', 'PROCESSING')
    .returning('id'),
)

/** The progress of a set. */
export const recordProgress = query<
  Pick<ProductSetRow, 'id' | 'processing_status' | 'position_revision' | 'position_key'>
>('recordProgress', (db, at) =>
  db
    .updateTable('product_sets')
    .set(picked(at, ['processing_status', 'position_revision', 'position_key']))
    .where('id', '=', at.id),
)

/** A set that could not be processed. */
export const failSet = query<{ id: string }>('failSet', (db, at) =>
  db
    .updateTable('product_sets')
    .set({ processing_status: 'FAILED' })
    .where('id', '=', at.id)
    .where('processing_status', '=', 'PROCESSING'),
)

// The products of sets

export const addMembers = query<{ set: string; keys: string }>('addMembers', (db, at) => ({
  compile: () =>
    (postgres(db)
      ? sql`insert into product_set_members (set_id, product_key)
          select ${at.set}, value from jsonb_array_elements_text(${at.keys}::jsonb) as keys(value)`
      : sql`insert into product_set_members (set_id, product_key)
          select ${at.set}, value from json_each(${at.keys})`
    ).compile(db),
}))

export const removeMembers = query<{ set: string }>('removeMembers', (db, at) =>
  db.deleteFrom('product_set_members').where('set_id', '=', at.set),
)

/** Removes products from every set. `keys` is a JSON list. */
export const removeFromSets = query<{ keys: string }>('removeFromSets', (db, at) =>
  db.deleteFrom('product_set_members').where(anyIn(postgres(db), sql.ref('product_key'), at.keys)),
)

/** The number of products of a set, counted no further than a limit. */
export const countMembers = query<{ set: string; limit: number }, { total: number }>(
  'countMembers',
  (db, at) =>
    db
      .selectFrom(
        db
          .selectFrom('product_set_members')
          .select('product_key')
          .where('set_id', '=', at.set)
          .limit(at.limit)
          .as('counted'),
      )
      .select(sql<number>`count(*)`.as('total')),
)

export const pageOfMembers = query<
  { set: string; catalog: string; after: string; limit: number },
  Pick<ProductRow, 'id' | 'product_key'>
>('pageOfMembers', (db, at) =>
  db
    .selectFrom('product_set_members as m')
    .innerJoin('products as p', (on) =>
      on.onRef('p.product_key', '=', 'm.product_key').on('p.catalog_id', '=', at.catalog),
    )
    .select(['p.id', 'm.product_key'])
    .where('m.set_id', '=', at.set)
    .where('m.product_key', '>', at.after)
    .orderBy('m.product_key')
    .limit(at.limit),
)

/** A position in the order in which products of a catalog changed. */
export interface ProductPosition {
  catalog: string
  revision: number
  key: string
}

/** The product at an offset after a position. */
export const positionAfter = query<
  ProductPosition & { skip: number },
  Pick<ProductRow, 'revision' | 'product_key'>
>('positionAfter', (db, at) => ({
  compile: () =>
    sql`select revision, product_key from products
      where catalog_id = ${at.catalog} and (revision, product_key) > (${at.revision}, ${at.key})
      order by revision, product_key limit 1 offset ${at.skip}`.compile(db),
}))

/** A comparison of a filter. Its value is the argument `v` with its number; for money also `c`. */
export interface Comparison {
  column: string
  operator: 'above' | 'equal' | 'below' | 'contains' | 'lacks'
  money: boolean
}

type RangeArgs = ProductPosition & { set: string; toRevision: number; toKey: string } & Record<
    string,
    string | number
  >

interface Membership {
  /** Adds the matching products of a range to a set. */
  enter: Query<RangeArgs, unknown>
  /** Removes the products of the range that do not match. */
  leave: Query<RangeArgs, unknown>
}

/**
 * The statements for filters with certain columns and comparisons. They are compiled for each step:
 * that takes 15 to 35 µs, and a step of 500 products at least 300.
 */
export function membershipOf(comparisons: readonly Comparison[]): Membership {
  return {
    enter: adHocQuery('enterSet', (db, at) => ({
      compile: () =>
        sql`insert into product_set_members (set_id, product_key)
          select ${at.set}, product_key from products
          where ${rangeOf(at)} and ${allOf(comparisons, at, postgres(db))}
          on conflict do nothing`.compile(db),
    })),
    leave: adHocQuery('leaveSet', (db, at) => ({
      compile: () =>
        sql`delete from product_set_members where set_id = ${at.set} and product_key in (
          select product_key from products
          where ${rangeOf(at)} and not (${allOf(comparisons, at, postgres(db))}))`.compile(db),
    })),
  }
}

const rangeOf = (at: RangeArgs) => sql`catalog_id = ${at.catalog}
  and (revision, product_key) > (${at.revision}, ${at.key})
  and (revision, product_key) <= (${at.toRevision}, ${at.toKey})`

const allOf = (comparisons: readonly Comparison[], at: RangeArgs, isPostgres: boolean) =>
  sql.join(
    comparisons.map((comparison, index) => comparisonSql(comparison, index, at, isPostgres)),
    sql` and `,
  )

const SIGNS = { above: sql`>`, equal: sql`=`, below: sql`<` } as const

/** True or false, never null: a missing value is not above, below or part of anything. */
function comparisonSql(
  { column, operator, money }: Comparison,
  index: number,
  at: RangeArgs,
  isPostgres: boolean,
): RawBuilder<unknown> {
  const ref = sql.ref(column)
  const value = at[`v${index}`]
  if (operator === 'contains' || operator === 'lacks') {
    const place = isPostgres ? sql`strpos(${ref}, ${value})` : sql`instr(${ref}, ${value})`
    return operator === 'contains'
      ? sql`(${ref} is not null and ${place} > 0)`
      : sql`(${ref} is null or ${place} = 0)`
  }
  const compared = sql`(${ref} is not null and ${ref} ${SIGNS[operator]} ${value})`
  return money ? sql`(price_currency = ${at[`c${index}`]} and ${compared})` : compared
}

// Images

export const imagesOfProducts = query<{ catalog: string; keys: string }, ProductImageRow>(
  'imagesOfProducts',
  (db, at) =>
    db
      .selectFrom('product_images')
      .selectAll()
      .where('catalog_id', '=', at.catalog)
      .where(anyIn(postgres(db), sql.ref('product_key'), at.keys)),
)

export const addImage = query<ProductImageRow>('addImage', (db, at) =>
  db.insertInto('product_images').values(picked(at, columnNames(productImages))),
)

interface Image {
  catalog_id: string
  product_key: string
  url: string
}

export const removeImage = query<Image>('removeImage', (db, at) =>
  db
    .deleteFrom('product_images')
    .where('catalog_id', '=', at.catalog_id)
    .where('product_key', '=', at.product_key)
    .where('url', '=', at.url),
)

export const removeImagesOfProducts = query<{ catalog: string; keys: string }>(
  'removeImagesOfProducts',
  (db, at) =>
    db
      .deleteFrom('product_images')
      .where('catalog_id', '=', at.catalog)
      .where(anyIn(postgres(db), sql.ref('product_key'), at.keys)),
)

export const productImage = query<Image, Image>('productImage', (db, at) =>
  db
    .selectFrom('product_images')
    .select(['catalog_id', 'product_key', 'url'])
    .where('catalog_id', '=', at.catalog_id)
    .where('product_key', '=', at.product_key)
    .where('url', '=', at.url),
)

/** The outcome of fetching an image. */
export const recordImage = query<ProductImageRow>('recordImage', (db, at) =>
  db
    .updateTable('product_images')
    .set({ problem: at.problem })
    .where('catalog_id', '=', at.catalog_id)
    .where('product_key', '=', at.product_key)
    .where('url', '=', at.url),
)

// Rows of deleted catalogs and sets

/** Removes some rows of a table that belong to a deleted catalog or set. */
const removeSome = (
  name: string,
  table: 'products' | 'product_images' | 'product_set_members',
  owner: string,
  key: readonly string[],
) =>
  query<{ id: string; limit: number }>(name, (db, at) => {
    const keys = sql.join(key.map((column) => sql.ref(column)))
    const whole = key.length === 1 ? keys : sql`(${keys})`
    return {
      compile: () =>
        sql`delete from ${sql.table(table)} where ${sql.ref(owner)} = ${at.id} and ${whole} in (
          select ${keys} from ${sql.table(table)} where ${sql.ref(owner)} = ${at.id} limit ${at.limit})`.compile(
          db,
        ),
    }
  })

export const removeSomeProducts = removeSome('removeSomeProducts', 'products', 'catalog_id', ['product_key'])
export const removeSomeImages = removeSome('removeSomeImages', 'product_images', 'catalog_id', [
  'product_key',
  'url',
])
export const removeSomeMembers = removeSome('removeSomeMembers', 'product_set_members', 'set_id', [
  'product_key',
])
