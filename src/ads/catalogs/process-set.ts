import type { Transaction } from '../../store/store.ts'
import type { ProductCatalogRow, ProductSetRow } from '../../store/tables.ts'
import type { FilterValue } from './filters.ts'
import { comparisonsOf } from './filters.ts'
import { membershipOf, positionAfter, recordProgress } from './queries.ts'

/** Products of one step: so few that nobody waits for it. */
const PRODUCTS_AT_ONCE = 500
/** Behind every product key. */
const BEYOND = '~'

/**
 * Looks at the next products that changed since a set looked last, in the order in which they changed. A new set has
 * looked at none. The catalog is locked, so nothing changes meanwhile and none is missed.
 */
export async function processStep(
  tx: Transaction,
  catalog: ProductCatalogRow,
  set: ProductSetRow,
  leaseUntil: number,
): Promise<ProductSetRow> {
  const from = { catalog: catalog.id, revision: set.position_revision, key: set.position_key }
  const last = await tx.first(positionAfter, { ...from, skip: PRODUCTS_AT_ONCE - 1 })
  const to = last ?? { revision: catalog.revision, product_key: BEYOND }
  const { comparisons, args } = comparisonsOf(JSON.parse(set.filters) as FilterValue[])
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
    failures: 0,
    lease_until: last ? leaseUntil : 0,
  }
  await tx.run(recordProgress, progress)
  return progress
}
