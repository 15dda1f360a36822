import {
  addFeed,
  addSet,
  catalogsOfUser,
  feedOfCatalog,
  removeCatalog,
  removeFeed,
} from '../../../src/api/ads/catalogs/queries.ts'
import { catalogOf, manualSet, product, stock } from '../../support/catalogs.ts'
import type { World } from '../world.ts'
import type { Recipe } from './recipe.ts'

/** A recipe for a call about the caller's own catalog. */
const own =
  (make: (catalog: string, world: World) => Promise<object> = async () => ({})): Recipe =>
  async (world, { user }) => {
    const { context } = world.plaza
    const [known] = await context.store.all(catalogsOfUser, { user: user.id, environment: 'production' })
    const catalog = known?.id ?? (await catalogOf(context, user.id))
    const good: { params?: Record<string, string> } = await make(catalog, world)
    return { ...good, params: { product_catalog_id: catalog, ...good.params } }
  }

/** The key of a product of a catalog. */
async function aProduct(catalog: string, { plaza }: World): Promise<string> {
  const [made] = await stock(plaza.context, catalog, [product()])
  return String(made?.product_key)
}

const aSet = own(async (catalog, world) => {
  const { store, ids } = world.plaza.context
  const id = ids.next()
  await store.write((tx) => tx.run(addSet, manualSet({ id, catalog_id: catalog })))
  return { params: { product_set_id: id } }
})

const schedule = {
  feed_url: 'https://shop.example.com/products.csv',
  feed_format: 'CSV',
  frequency: 'DAILY',
  start_time: '05:00',
  time_zone: 'Europe/Berlin',
}

/** A catalog has one schedule, which calls create and delete. */
const aFeed =
  (isThere: boolean, form: object = {}): Recipe =>
  async (world, caller) => {
    const { store, ids } = world.plaza.context
    const base = (await own()(world, caller)) as { params: { product_catalog_id: string } }
    const catalog = base.params.product_catalog_id
    const before = await store.first(feedOfCatalog, { catalog })
    const feed = {
      ...schedule,
      id: ids.next(),
      catalog_id: catalog,
      repeat: null,
      created_at: 0,
      updated_at: 0,
    }
    await store.write(async (tx) => {
      if (before) await tx.run(removeFeed, { id: before.id })
      if (isThere) await tx.run(addFeed, feed)
    })
    return { ...form, params: { ...base.params, ...(isThere && { scheduled_feed_id: feed.id }) } }
  }

/** Calls of endpoints about product catalogs. */
export const catalogRecipes: Readonly<Record<string, Recipe>> = {
  listProductCatalogs: async () => ({}),
  createProductCatalog: async ({ plaza }, { user }) => {
    const { store } = plaza.context
    // A user has one catalog, and the call creates it each time.
    const [known] = await store.all(catalogsOfUser, { user: user.id, environment: 'production' })
    if (known) await store.write((tx) => tx.run(removeCatalog, { id: known.id }))
    return { form: { name: 'A catalog' } }
  },
  updateProductCatalog: own(async () => ({ form: { name: 'Another name' } })),
  deleteProductCatalog: own(),
  listProducts: own(),
  upsertProducts: own(async () => ({ json: { products: [product()] } })),
  deleteProducts: own(async (catalog, world) => ({
    json: { product_keys: [await aProduct(catalog, world)] },
  })),
  listProductSets: own(),
  getProductSet: aSet,
  createProductSet: own(async (catalog, world) => ({
    json: { name: 'A set', type: 'MANUAL', product_keys: [await aProduct(catalog, world)] },
  })),
  updateProductSet: async (world, caller) => ({
    ...(await aSet(world, caller)),
    json: { name: 'Another name' },
  }),
  deleteProductSet: aSet,
  listScheduledFeeds: own(),
  createScheduledFeed: aFeed(false, { form: schedule }),
  updateScheduledFeed: aFeed(true, { form: { start_time: '06:00' } }),
  deleteScheduledFeed: aFeed(true),
}
