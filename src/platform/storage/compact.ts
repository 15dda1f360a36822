import { DatabaseSync } from 'node:sqlite'
import type { StoreLocation } from './open.ts'

/**
 * Rewrites tables without deleted or overwritten data, so that it cannot be recovered from the
 * files of the database. Requires exclusive use of the database.
 */
export async function compact(location: StoreLocation, tables: readonly string[]): Promise<void> {
  if (location.kind === 'memory') return
  if (location.kind === 'file') {
    const database = new DatabaseSync(location.path)
    try {
      database.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)')
    } finally {
      database.close()
    }
    return
  }
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: location.url })
  await client.connect()
  try {
    for (const table of tables) await client.query(`VACUUM (FULL) "${location.schema}"."${table}"`)
  } finally {
    await client.end()
  }
}
