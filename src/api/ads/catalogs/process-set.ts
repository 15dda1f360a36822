import type { Transaction } from '../../../platform/storage/store.ts'
import { comparisonsOf, type FilterValue } from './filters.ts'
import { membershipOf, positionAfter, recordProgress } from './queries.ts'
import type { ProductCatalogRow, ProductSetRow } from './tables.ts'

/** Products processed in one step: few enough not to delay other requests. */
const PRODUCTS_AT_ONCE = 500
/** The total search cost of one step, which takes some milliseconds. */
const SEARCHING_AT_ONCE = 40_000
/** Sorts after every product key. */
const AFTER_ALL_KEYS = '~'

/** The number of products in one step: the higher the search cost of the filters, the fewer. */
export const productsAtOnce = (searching: number): number =>
  Math.max(1, Math.min(PRODUCTS_AT_ONCE, Math.floor(SEARCHING_AT_ONCE / Math.max(1, searching))))

/**
 * Processes the next products that changed since the set last did, in the order of their changes. A
 * new set has processed none. The catalog is locked, so that no change is missed.
 */
export async function processStep(
  tx: Transaction,
  catalog: ProductCatalogRow,
  set: ProductSetRow,
): Promise<ProductSetRow> {
  const from = { catalog: catalog.id, revision: set.position_revision, key: set.position_key }
  const { comparisons, args, searching } = comparisonsOf(JSON.parse(set.filters) as FilterValue[])
  const last = await tx.first(positionAfter, { ...from, skip: productsAtOnce(searching) - 1 })
  const to = last ?? { revision: catalog.revision, product_key: AFTER_ALL_KEYS }
  const { enter, leave } = membershipOf(comparisons)
  const range = { ...args, ...from, set: set.id, toRevision: to.revision, toKey: to.product_key }
  // Products that have not changed since the set was created are processed for the first time: it
  // contains none.
  if (to.revision > set.made_revision) await tx.run(leave, range)
  await tx.run(enter, range)
  const progress = {
    ...set,
    processing_status: last ? 'PROCESSING' : 'DONE',
    position_revision: to.revision,
    position_key: to.product_key,
  }
  await tx.run(recordProgress, progress)
  return progress
}
