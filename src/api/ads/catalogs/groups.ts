import { createHash } from 'node:crypto'
import type { Transaction } from '../../../platform/storage/store.ts'
import { firstOfGroup, hideInGroup, showInGroup } from './queries.ts'

/**
 * The key of a group of variants. It follows from the group, so nothing has to be stored for it,
 * and a group that gets variants again has the same key.
 */
export const groupKeyOf = (catalog: string, itemGroupId: string): string =>
  (createHash('sha256').update(`${catalog} ${itemGroupId}`).digest().readBigUInt64BE() >> 1n).toString()

/** The first submitted variant of each group; undefined while it has none. */
export type FirstVariants = ReadonlyMap<string, string | undefined>

/** The first variants of groups, before products change. */
export async function firstVariantsOf(
  groups: readonly string[],
  catalog: string,
  tx: Transaction,
): Promise<FirstVariants> {
  const firsts = new Map<string, string | undefined>()
  for (const group of groups)
    firsts.set(group, (await tx.first(firstOfGroup, { catalog, group }))?.product_key)
  return firsts
}

/** After products have changed: lists show only the first submitted variant of each group. */
export async function updateGroups(before: FirstVariants, catalog: string, tx: Transaction): Promise<void> {
  for (const [group, former] of before) {
    const first = (await tx.first(firstOfGroup, { catalog, group }))?.product_key
    if (first === undefined) continue
    // An earlier variant has moved into the group.
    if (former !== undefined && first < former) await tx.run(hideInGroup, { catalog, group, key: former })
    await tx.run(showInGroup, { catalog, key: first })
  }
}
