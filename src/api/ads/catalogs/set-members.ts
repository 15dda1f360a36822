import { msg } from '../../../platform/http/message.ts'
import { adsApiError } from '../../../platform/protocols/ads/api-error.ts'
import { wrongParameter } from '../../../platform/protocols/ads/codes.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import { addMembers, productsByKeys, removeMembers } from './queries.ts'
import type { ProductSetRow } from './tables.ts'

/** Replaces the products of a manual set. Throws if the catalog does not have them. */
export async function replaceMembers(
  tx: Transaction,
  { id: set, catalog_id: catalog }: Pick<ProductSetRow, 'id' | 'catalog_id'>,
  productKeys: readonly string[],
): Promise<void> {
  const distinct = [...new Set(productKeys)]
  const keys = JSON.stringify(distinct)
  const found = new Set((await tx.all(productsByKeys, { catalog, keys })).map((row) => row.product_key))
  const missing = distinct.filter((key) => !found.has(key))
  if (missing.length > 0)
    throw adsApiError(
      wrongParameter('product_keys', msg`The catalog has no product with the key ${missing.join(', ')}`),
    )
  await tx.run(removeMembers, { set })
  await tx.run(addMembers, { set, keys })
}
