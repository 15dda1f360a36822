import type { Store } from '../../platform/storage/store.ts'
import { profilesByIds } from './queries.ts'
import type { ProfileRow } from './tables.ts'

/** Profiles by id. */
export async function profilesOf(
  ids: readonly string[],
  store: Pick<Store, 'all'>,
): Promise<ReadonlyMap<string, ProfileRow>> {
  const rows =
    ids.length === 0 ? [] : await store.all(profilesByIds, { ids: JSON.stringify([...new Set(ids)]) })
  return new Map(rows.map((row) => [row.id, row]))
}
