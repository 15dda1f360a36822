import { settingByName } from '../../platform/storage/settings.ts'
import type { Store } from '../../platform/storage/store.ts'

/** The setting with the last id that was made before a snapshot was saved. */
export const LAST_ID_SETTING = 'last_id'

/**
 * The id after which the ids of a restored store begin: its clock may show the same time as when
 * they were made.
 */
export async function lastIdOf(store: Pick<Store, 'first'>): Promise<string | undefined> {
  return (await store.first(settingByName, { name: LAST_ID_SETTING }))?.value
}
