import { enqueue } from '../../../platform/queue/enqueue.ts'
import { folded } from './filters.ts'
import { firstVariantsOf, groupKeyOf, updateGroups } from './groups.ts'
import { imageWarnings, type UpsertContext, type UpsertResult, type UpsertStatus } from './image-list.ts'
import { readPrice } from './price.ts'
import type { ProductItem } from './product-fields.ts'
import { addProduct, changeCatalog, changeProduct, productsByIds, reprocessSets } from './queries.ts'
import type { ProductReader, ReadProduct } from './read-product.ts'
import type { ProductRow } from './tables.ts'
import { processSet } from './tasks.ts'

/** A product in progress: its stored and its new state. */
interface Draft {
  product: ReadProduct
  known: { product_key: string; item_group_key: string | null; item: string } | undefined
  item: ProductItem
  errors: string[]
  warnings: string[]
  groupKey: string | null
}

/**
 * Creates and changes products. Each has its own result; an invalid product does not affect the
 * others.
 */
export async function upsertProducts(
  products: readonly ReadProduct[],
  at: UpsertContext,
): Promise<UpsertResult[]> {
  const drafts = await draftsOf(products, at)
  findGroups(drafts, at)
  const revision = at.catalog.revision + 1
  const touched = new Set(
    drafts.flatMap(({ known, groupKey }) => [known?.item_group_key, groupKey]).filter((key) => key != null),
  )
  const firsts = await firstVariantsOf([...touched], at.catalog.id, at.tx)
  const results: UpsertResult[] = []
  for (const draft of drafts) results.push(await write(draft, revision, at))
  await updateGroups(firsts, at.catalog.id, at.tx)
  const changed = results.some(({ status }) => status === 'CREATE_SUCCESS' || status === 'UPDATE_SUCCESS')
  if (changed) {
    await at.tx.run(changeCatalog, { ...at.catalog, revision })
  }
  if (at.fetchImages)
    await imageWarnings(
      drafts.map(({ item }) => item),
      results,
      at,
    )
  if (changed && at.catalog.filtered_sets > 0) await reprocess(at)
  return results
}

/** Has the filters of sets evaluated again. */
async function reprocess({ tx, catalog: { id: catalog, user_id: user } }: UpsertContext): Promise<void> {
  const sets = await tx.all(reprocessSets, { catalog })
  await enqueue(tx, ...sets.map(({ id }) => processSet.task({ catalog, set: id, user })))
}

/** Compares each product with the catalog, with one query for all of them. */
async function draftsOf(
  products: readonly ReadProduct[],
  { tx, catalog, reader }: UpsertContext,
): Promise<Draft[]> {
  const ids = [...new Set(products.flatMap(({ id }) => (id === undefined ? [] : [id])))]
  const rows = await tx.all(productsByIds, { catalog: catalog.id, ids: JSON.stringify(ids) })
  const byId = new Map(rows.map((row) => [row.id, row]))
  const repeated = repeatedIds(products)
  return products.map((product) => {
    const known = product.id === undefined ? undefined : byId.get(product.id)
    const item = merged(known, product)
    const errors = [...product.errors]
    const warnings = [...product.warnings]
    if (product.id !== undefined && repeated.has(product.id))
      errors.splice(
        0,
        errors.length,
        `this ${reader.name('id')} occurs several times in the request: all of them are ignored`,
      )
    else if (errors.length === 0) {
      const whole = reader.check(item)
      errors.push(...whole.errors, ...wrongKey(product, known, reader))
      warnings.push(...whole.warnings)
    }
    return { product, known, item, errors, warnings, groupKey: null }
  })
}

function repeatedIds(products: readonly ReadProduct[]): Set<string> {
  const seen = new Set<string>()
  const repeated = new Set<string>()
  for (const { id } of products) {
    if (id === undefined) continue
    if (seen.has(id)) repeated.add(id)
    seen.add(id)
  }
  return repeated
}

/** The submitted fields merged into the stored ones. */
function merged(known: Draft['known'], { supplied }: ReadProduct): ProductItem {
  const { product_key: _, item_group_key: __, ...sent } = supplied
  const item: ProductItem = known ? JSON.parse(known.item) : {}
  for (const [name, value] of Object.entries(sent)) {
    if (value === null || value === undefined) delete item[name]
    else item[name] = value
  }
  return item
}

/** Plaza assigns the key: it is ignored on a new product, and must match on an existing one. */
function wrongKey({ supplied }: ReadProduct, known: Draft['known'], { name }: ProductReader): string[] {
  const sent = supplied.product_key
  if (typeof sent !== 'string' || !known || sent === known.product_key) return []
  return [`${name('product_key')} of this ${name('id')} is ${known.product_key}`]
}

/** Assigns every variant the key of its group. */
function findGroups(drafts: readonly Draft[], { catalog, reader }: UpsertContext): void {
  for (const draft of drafts) {
    const { product, item, errors } = draft
    if (errors.length > 0) continue
    const key = item.item_group_id === undefined ? null : groupKeyOf(catalog.id, String(item.item_group_id))
    const sent = product.supplied.item_group_key
    if (typeof sent === 'string' && sent !== key)
      errors.push(`${reader.name('item_group_key')} is not that of the product's group`)
    else draft.groupKey = key
  }
}

/** Writes one product, unless there is nothing to write. */
async function write(
  draft: Draft,
  revision: number,
  { tx, catalog, ids }: UpsertContext,
): Promise<UpsertResult> {
  const { product, known, item, errors, warnings, groupKey } = draft
  const result = (status: UpsertStatus, product_key: string | null): UpsertResult => ({
    warnings,
    errors,
    product_key,
    id: product.id ?? null,
    status,
  })
  if (errors.length > 0) return result('ERROR', known?.product_key ?? null)
  if (known && isSame(JSON.parse(known.item), item)) return result('NO_CHANGE', known.product_key)
  const product_key = known?.product_key ?? ids.next()
  const row = rowOf(item, { catalog_id: catalog.id, product_key, revision, item_group_key: groupKey })
  await tx.run(known ? changeProduct : addProduct, row)
  return result(known ? 'UPDATE_SUCCESS' : 'CREATE_SUCCESS', product_key)
}

function isSame(item: ProductItem, other: ProductItem): boolean {
  const names = Object.keys(item)
  return names.length === Object.keys(other).length && names.every((name) => item[name] === other[name])
}

/** The row of a valid product. */
export function rowOf(
  item: ProductItem,
  place: Pick<ProductRow, 'catalog_id' | 'product_key' | 'revision' | 'item_group_key'>,
): ProductRow {
  const price = priceOf(item.price)
  if (!price) throw new Error('a product without a price was to be written')
  return {
    ...place,
    id: String(item.id),
    // Whether a variant is shown is determined later, with its group.
    shown: place.item_group_key === null ? 1 : 0,
    item: JSON.stringify(item),
    price_currency: price.currency,
    price_amount: price.amount,
    sale_price_amount: priceOf(item.sale_price)?.amount ?? null,
    inventory: typeof item.inventory === 'number' ? item.inventory : null,
    product_type_key: keyOf(item.product_type),
    google_product_category_key: keyOf(item.google_product_category),
    custom_label_0_key: keyOf(item.custom_label_0),
    custom_label_1_key: keyOf(item.custom_label_1),
    custom_label_2_key: keyOf(item.custom_label_2),
    custom_label_3_key: keyOf(item.custom_label_3),
    custom_label_4_key: keyOf(item.custom_label_4),
  }
}

function priceOf(value: string | number | undefined) {
  const price = readPrice(String(value ?? ''))
  return typeof price === 'string' ? undefined : price
}

const keyOf = (value: string | number | undefined) => (value === undefined ? null : folded(String(value)))
