import type { Transaction } from '../../storage/store.ts'
import type { ProductCatalogRow, ProductSetRow } from '../../storage/tables.ts'
import type { FilterValue } from './filters.ts'
import { comparisonsOf } from './filters.ts'
import { membershipOf, positionAfter, recordProgress } from './queries.ts'

/** Products processed in one step: few enough not to delay other requests. */
const PRODUCTS_AT_ONCE = 500
/** What one step may spend on searching, in all of its products together: some milliseconds. */
const SEARCHING_AT_ONCE = 40_000
/** Behind every product key. */
const BEYOND = '~'

/** How many products a step looks at: the more text its filters search for, the fewer. */
export const productsAtOnce = (searching: number): number =>
  Math.max(1, Math.min(PRODUCTS_AT_ONCE, Math.floor(SEARCHING_AT_ONCE / Math.max(1, searching))))

/**
 * Looks at the next products that changed since a set looked last, in the order in which they changed. A new set has
 * looked at none. The catalog is locked, so nothing changes meanwhile and none is missed.
 */
export async function processStep(
  tx: Transaction,
  catalog: ProductCatalogRow,
  set: ProductSetRow,
): Promise<ProductSetRow> {
  const from = { catalog: catalog.id, revision: set.position_revision, key: set.position_key }
  const { comparisons, args, searching } = comparisonsOf(JSON.parse(set.filters) as FilterValue[])
  const last = await tx.first(positionAfter, { ...from, skip: productsAtOnce(searching) - 1 })
  const to = last ?? { revision: catalog.revision, product_key: BEYOND }
  const { enter, leave } = membershipOf(comparisons)
  const range = { ...args, ...from, set: set.id, toRevision: to.revision, toKey: to.product_key }
  // What has not changed since the set was made was never looked at, so it cannot be in the set.
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
