import { endOfTurn } from '../../../platform/common/turn.ts'
import type { Store, Transaction } from '../../../platform/storage/store.ts'
import { firstVariantsOf, updateGroups } from './groups.ts'
import { productsByKeys, removeFromSets, removeImagesOfProducts, removeProducts } from './queries.ts'
import type { ProductCatalogRow } from './tables.ts'

/** Keys of one request. */
export const MAX_KEYS = 1000
/** Few enough that other requests need not wait for all of them. */
const KEYS_AT_ONCE = 100

/** Removes products by their keys, some at a time. Resolves to the keys that existed. */
export async function removeByKeys(
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
