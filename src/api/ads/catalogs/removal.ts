import type { UserRemoval } from '../../../identity/users/deletion.ts'
import { enqueue } from '../../../platform/queue/enqueue.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import { catalogsOfUser, removeCatalog, removeSetsOfCatalog } from './queries.ts'
import type { ProductCatalogRow } from './tables.ts'
import { removeRows } from './tasks.ts'

/**
 * Removes a catalog. Its contents are no longer visible; tasks remove their rows in small steps.
 */
export async function dropCatalog(
  tx: Transaction,
  { id, user_id: user }: Pick<ProductCatalogRow, 'id' | 'user_id'>,
): Promise<void> {
  await tx.run(removeCatalog, { id })
  const sets = await tx.all(removeSetsOfCatalog, { catalog: id })
  const ofSets = sets.map((set) => removeRows.task({ of: 'set', id: set.id, user }))
  await enqueue(tx, removeRows.task({ of: 'catalog', id, user }), ...ofSets)
}

/** The catalogs of a deleted user. */
export const catalogsRemoval: UserRemoval = async (tx, user) => {
  for (const environment of ['production', 'sandbox'])
    for (const catalog of await tx.all(catalogsOfUser, { user, environment })) await dropCatalog(tx, catalog)
  return false
}
