import { type TProperties, type TSchema, Type } from 'typebox'
import { endOfTurn } from '../../../platform/common/turn.ts'
import {
  choice,
  closedComponent,
  closedObject,
  component,
  nullable,
  raw,
  text,
} from '../../../platform/http/schema.ts'
import type { Store, Transaction } from '../../../platform/storage/store.ts'
import { adsEndpoint } from '../endpoint.ts'
import { cursorOf, positionOf } from '../entity/cursor.ts'
import { cutToPage, paging } from '../entity/list.ts'
import { catalogLock, catalogParams, findCatalog, limited, ONE, SOURCE } from './catalog.ts'
import { firstVariantsOf, updateGroups } from './groups.ts'
import { PRODUCT_FIELDS, type ProductField, type ProductItem } from './product-fields.ts'
import {
  pageOfProducts,
  pageOfVariants,
  productsByKeys,
  removeFromSets,
  removeImagesOfProducts,
  removeProducts,
} from './queries.ts'
import { productReader } from './read-product.ts'
import type { ProductCatalogRow } from './tables.ts'
import { upsertProducts } from './upsert.ts'

const PATH = `${ONE}/products`
const MAX_COUNT = 100
const MAX_PRODUCTS = 25
/** Room for the maximum number of products with the longest texts, every character escaped. */
const MAX_BYTES = 4 * 1024 * 1024

/** Keys of one request. */
const MAX_KEYS = 1000
/** Few enough that other requests need not wait for all of them. */
const KEYS_AT_ONCE = 100

const FIELDS = Object.entries(PRODUCT_FIELDS)

function shape({ type, choices, maxLength, rule }: ProductField) {
  if (type === 'integer') return Type.Integer({ minimum: 0, description: rule })
  if (choices) return Type.Enum([...choices], { description: rule })
  return Type.String({ description: rule, ...(maxLength !== undefined && { maxLength }) })
}

const properties = (of: (field: ProductField) => TSchema): TProperties =>
  Object.fromEntries(FIELDS.map(([name, field]) => [name, of(field)]))

/** A product in a reply: every field, `null` if it has no value. */
const Product = closedComponent(
  'Product',
  properties((field) => nullable(shape(field))),
)

/**
 * A submitted product. Each is parsed separately, because an invalid one does not affect the
 * others.
 */
const SubmittedProduct = component(
  'NewProduct',
  Type.Object(properties((field) => (field.required === 'yes' ? shape(field) : Type.Optional(shape(field))))),
)

const NOTHING = Object.fromEntries(FIELDS.map(([name]) => [name, null]))

const shown = (row: { item: string; product_key: string; item_group_key: string | null }) => ({
  ...NOTHING,
  ...(JSON.parse(row.item) as ProductItem),
  product_key: row.product_key,
  item_group_key: row.item_group_key,
})

export const listProducts = adsEndpoint({
  id: 'listProducts',
  method: 'GET',
  path: PATH,
  summary: 'List products',
  description:
    'Returns products in the order in which they were first submitted. Of a group of variants only the first is returned, unless `item_group_key` requests all of them.',
  source: SOURCE,
  limits: limited(1000),
  params: catalogParams,
  query: {
    item_group_key: Type.Optional(text(1, 100, 'Returns all variants of this group.')),
    ...paging(MAX_COUNT, MAX_COUNT),
  },
  codes: ['NOT_FOUND', 'UNAUTHORIZED_CLIENT_APPLICATION'],
  data: Type.Array(Product),
  beside: ['cursor'],
  async handle(call, context) {
    const { id: catalog } = await findCatalog(call, context)
    const { store, sealer } = context
    const { query } = call
    const { item_group_key: group, count = MAX_COUNT, cursor } = query
    const list = JSON.stringify(['products', catalog, group])
    const [after = ''] = cursor === undefined ? [] : positionOf(sealer, list, cursor, 1)
    const page = { catalog, after: String(after), limit: count + 1 }
    const rows =
      group === undefined
        ? await store.all(pageOfProducts, page)
        : await store.all(pageOfVariants, { ...page, group })
    const last = cutToPage(rows, count)
    return {
      data: rows.map(shown),
      next_cursor: last ? cursorOf(sealer, list, [last.product_key]) : null,
    }
  },
})

const sentences = (description: string) => Type.Array(Type.String(), { description })

export const upsertCatalogProducts = adsEndpoint({
  id: 'upsertProducts',
  method: 'PUT',
  path: PATH,
  summary: 'Create and change products',
  description:
    'Up to 25 products. A product whose `id` is in the catalog is updated; otherwise it is created. Fields that are sent replace the stored values; other fields stay. The required fields must always be sent. An invalid product is reported and does not affect the others. An `id` that occurs several times is an error each time.',
  source: SOURCE,
  limits: limited(600),
  params: catalogParams,
  body: Type.Object({
    products: Type.Array(raw(SubmittedProduct), {
      minItems: 1,
      maxItems: MAX_PRODUCTS,
      description: 'Products to create or update.',
    }),
  }),
  maxBodyBytes: MAX_BYTES,
  codes: ['NOT_FOUND', 'UNAUTHORIZED_CLIENT_APPLICATION'],
  data: closedObject({
    products_response: Type.Array(
      closedObject({
        warnings: sentences('Warnings about accepted values that are probably unintended.'),
        errors: sentences('Errors of the product.'),
        product_key: nullable(Type.String({ description: 'Key given by the service.' })),
        id: nullable(Type.String({ description: 'The `id` as it was sent.' })),
        status: choice(['CREATE_SUCCESS', 'UPDATE_SUCCESS', 'ERROR', 'NO_CHANGE'], 'Result for the product.'),
      }),
      { description: 'Results in the order of the request.' },
    ),
  }),
  async handle(call, { store, config, naming, ids }) {
    const lock = catalogLock(call, config)
    const reader = productReader(naming.vocabulary)
    const products = call.body.products.map(reader.read)
    const { fetchImages } = config
    const results = await store.write(async (tx) => {
      const catalog = await lock(tx)
      return upsertProducts(products, { tx, catalog, reader, ids, fetchImages })
    })
    return { data: { products_response: results } }
  },
})

export const deleteProducts = adsEndpoint({
  id: 'deleteProducts',
  method: 'DELETE',
  path: PATH,
  summary: 'Delete products',
  description:
    'Deletion is final. Each key has an entry in the reply, which also reports keys without a product.',
  source: SOURCE,
  limits: limited(150),
  params: catalogParams,
  body: Type.Object({
    product_keys: Type.Array(text(1, 100, 'Key given by the service.'), {
      minItems: 1,
      maxItems: MAX_KEYS,
      description: 'Keys of the products to delete.',
    }),
  }),
  echo: { body: true },
  maxBodyBytes: 1024 * 1024,
  codes: ['NOT_FOUND', 'UNAUTHORIZED_CLIENT_APPLICATION'],
  data: closedObject({
    delete_products: Type.Array(
      closedObject({
        product_key: nullable(Type.String({ description: 'Key of a product that was deleted.' })),
        failed_product_key: nullable(Type.String({ description: 'Key without a product.' })),
        message: nullable(Type.String({ description: 'Why it failed.' })),
      }),
      { description: 'Results in the order of the request.' },
    ),
  }),
  async handle(call, { store, config }) {
    const keys = call.body.product_keys
    const removed = await removeByKeys(keys, store, catalogLock(call, config))
    return {
      data: {
        delete_products: keys.map((key) =>
          // A repeated key was already deleted.
          removed.delete(key)
            ? { product_key: key, failed_product_key: null, message: null }
            : { product_key: null, failed_product_key: key, message: 'Product not found' },
        ),
      },
    }
  },
})

/** Removes products by their keys, some at a time. Resolves to the keys that existed. */
async function removeByKeys(
  keys: readonly string[],
  store: Store,
  lock: (tx: Transaction) => Promise<ProductCatalogRow>,
): Promise<Set<string>> {
  const removed = new Set<string>()
  for (let at = 0; at < keys.length; at += KEYS_AT_ONCE) {
    if (at > 0) await endOfTurn()
    const batch = keys.slice(at, at + KEYS_AT_ONCE)
    const gone = await store.write(async (tx) => removeSome(batch, (await lock(tx)).id, tx))
    for (const key of gone) removed.add(key)
  }
  return removed
}

async function removeSome(keys: readonly string[], catalog: string, tx: Transaction): Promise<string[]> {
  const rows = await tx.all(productsByKeys, { catalog, keys: JSON.stringify(keys) })
  if (rows.length === 0) return []
  const groups = new Set(rows.flatMap((row) => (row.item_group_key === null ? [] : [row.item_group_key])))
  const firsts = await firstVariantsOf([...groups], catalog, tx)
  const found = rows.map((row) => row.product_key)
  const gone = { catalog, keys: JSON.stringify(found) }
  await tx.run(removeProducts, gone)
  await tx.run(removeFromSets, { keys: gone.keys })
  await tx.run(removeImagesOfProducts, gone)
  await updateGroups(firsts, catalog, tx)
  return found
}
