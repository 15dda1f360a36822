import type { UpsertResult } from '../../src/api/ads/catalogs/image-list.ts'
import { addCatalog, addSet, catalogsOfUser, lockCatalog } from '../../src/api/ads/catalogs/queries.ts'
import { productReader } from '../../src/api/ads/catalogs/read-product.ts'
import type { ProductSetRow } from '../../src/api/ads/catalogs/tables.ts'
import { upsertProducts } from '../../src/api/ads/catalogs/upsert.ts'
import type { Context } from '../../src/app/start/context.ts'
import { neutralVocabulary } from '../../src/platform/http/vocabulary.ts'

/** A set whose products are named one by one. */
export const manualSet = (ids: Pick<ProductSetRow, 'id' | 'catalog_id'>): ProductSetRow => ({
  ...ids,
  name: 'A set',
  description: null,
  type: 'MANUAL',
  filters: '[]',
  processing_status: 'DONE',
  made_revision: 0,
  position_revision: 0,
  position_key: '',
})

/** A valid product. */
export const product = (id = 'sku-1', more: Readonly<Record<string, unknown>> = {}) => ({
  id,
  title: 'Running shoes',
  description: 'Light shoes for long ways',
  availability: 'in stock',
  condition: 'new',
  price: '60.00 USD',
  link: 'https://shop.example.com/p/1',
  image_link: 'https://shop.example.com/p/1.jpg',
  brand: 'Acme',
  ...more,
})

/** A catalog of a user, created without a call. */
export async function catalogOf(
  { store, ids, clock }: Context,
  user: string,
  environment: 'production' | 'sandbox' = 'production',
): Promise<string> {
  const id = ids.next()
  await store.write((tx) =>
    tx.run(addCatalog, {
      id,
      environment,
      user_id: user,
      name: 'Test catalog',
      revision: 0,
      sets: 0,
      filtered_sets: 0,
      created_at: clock.now(),
    }),
  )
  return id
}

/** A new set of the catalog of a user, as a line item names it. */
export async function productSetOf(
  context: Context,
  user: string,
  environment: 'production' | 'sandbox' = 'production',
): Promise<{ catalog_id: string; product_set_id: string }> {
  const [known] = await context.store.all(catalogsOfUser, { user, environment })
  const catalog_id = known?.id ?? (await catalogOf(context, user, environment))
  const id = context.ids.next()
  await context.store.write((tx) => tx.run(addSet, manualSet({ id, catalog_id })))
  return { catalog_id, product_set_id: id }
}

/** Adds products to a catalog by the rules of the API, but without calls. */
export async function stock(
  { store, ids }: Context,
  catalogId: string,
  products: readonly object[],
): Promise<UpsertResult[]> {
  const reader = productReader(neutralVocabulary)
  return store.write(async (tx) => {
    const catalog = await tx.first(lockCatalog, { id: catalogId })
    if (!catalog) throw new Error(`there is no catalog ${catalogId}`)
    const read = products.map(reader.read)
    return upsertProducts(read, { tx, catalog, reader, ids, fetchImages: false })
  })
}
