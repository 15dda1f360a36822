import { query } from '../tables.ts'
import { type Store, type Transaction, UniqueViolation } from './store.ts'

/** The setting that verifies the master key of this store. */
export const MASTER_KEY_CHECK = 'master_key_check'

export const settingByName = query<{ name: string }, { value: string }>('settingByName', (db, at) =>
  db.selectFrom('settings').select('value').where('name', '=', at.name),
)

export const settingsBetween = query<{ from: string; to: string }, { name: string; value: string }>(
  'settingsBetween',
  (db, at) =>
    db
      .selectFrom('settings')
      .select(['name', 'value'])
      .where('name', '>=', at.from)
      .where('name', '<', at.to),
)

export const addSetting = query<{ name: string; value: string }>('addSetting', (db, at) =>
  db.insertInto('settings').values({ name: at.name, value: at.value }),
)

const changeSetting = query<{ name: string; value: string }>('changeSetting', (db, at) =>
  db.updateTable('settings').set({ value: at.value }).where('name', '=', at.name),
)

/** Inserts or updates a setting. */
export async function putSetting(tx: Transaction, name: string, value: string): Promise<void> {
  const changed = await tx.run(changeSetting, { name, value })
  if (changed === 0) await tx.run(addSetting, { name, value })
}

/**
 * Binds the store to its master key at the first start, and rejects another key afterwards.
 * Resolves to whether this was the first start.
 */
export async function checkMasterKey(store: Store, fingerprint: string): Promise<boolean> {
  const name = MASTER_KEY_CHECK
  const known = await store.first(settingByName, { name })
  if (!known) {
    try {
      await store.write((tx) => tx.run(addSetting, { name, value: fingerprint }))
      return true
    } catch (error) {
      // Another node starts at the same time: its value is used.
      if (!(error instanceof UniqueViolation)) throw error
      return checkMasterKey(store, fingerprint)
    }
  }
  if (known.value !== fingerprint) {
    throw new Error(
      'the master key is not the one of this database: pass the correct one with --master-key, or run "plaza key rotate" again if it was interrupted',
    )
  }
  return false
}

/** How many times this store was started with seeded randomness. */
export function countStart(store: Store): Promise<number> {
  return store.write(async (tx) => {
    const known = await tx.first(settingByName, { name: 'seeded_starts' })
    const start = known ? Number(known.value) : 0
    await putSetting(tx, 'seeded_starts', String(start + 1))
    return start
  })
}
