import { openPostgres } from './dialect/postgres.ts'
import { openSqlite } from './dialect/sqlite.ts'
import { query } from './query.ts'
import type { Store } from './store.ts'

export type StoreLocation =
  | { kind: 'memory' }
  | { kind: 'file'; path: string }
  | { kind: 'postgres'; url: string; schema: string }

/** Opens the store and brings its schema to the newest version. */
export function openStore(location: StoreLocation, onError: (error: Error) => void): Promise<Store> {
  switch (location.kind) {
    case 'memory':
      return openSqlite(':memory:')
    case 'file':
      return openSqlite(location.path)
    case 'postgres':
      return openPostgres({ url: location.url, schema: location.schema, onError })
  }
}

export const settingByName = query<{ name: string }, { value: string }>('settingByName', (db, at) =>
  db.selectFrom('settings').select('value').where('name', '=', at.name),
)

export const addSetting = query<{ name: string; value: string }>('addSetting', (db, at) =>
  db.insertInto('settings').values({ name: at.name, value: at.value }),
)

/** Ties the store to its master key at the first start, and refuses another key afterwards. */
export async function checkMasterKey(store: Store, fingerprint: string): Promise<void> {
  const known = await store.first(settingByName, { name: 'master_key_check' })
  if (!known) {
    await store.write((tx) => tx.run(addSetting, { name: 'master_key_check', value: fingerprint }))
  } else if (known.value !== fingerprint) {
    throw new Error(
      'the master key is not the one that this store was made with: pass the right one with --master-key',
    )
  }
}

const changeSetting = query<{ name: string; value: string }>('changeSetting', (db, at) =>
  db.updateTable('settings').set({ value: at.value }).where('name', '=', at.name),
)

/** How often this store was started before with seeded randomness. */
export function countStart(store: Store): Promise<number> {
  return store.write(async (tx) => {
    const known = await tx.first(settingByName, { name: 'seeded_starts' })
    const start = known ? Number(known.value) : 0
    await tx.run(known ? changeSetting : addSetting, { name: 'seeded_starts', value: String(start + 1) })
    return start
  })
}
