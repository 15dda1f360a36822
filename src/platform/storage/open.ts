import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'
import type { Store, StoreOptions } from './store.ts'
import { postgresUnusable, sqliteUnusable } from './unusable.ts'

export type StoreLocation =
  /** `copyOf`: the path or name of a database that it begins with. */
  | { kind: 'memory'; copyOf?: string | undefined }
  | { kind: 'file'; path: string }
  | { kind: 'postgres'; url: string; schema: string }

/**
 * Opens the store and migrates its schema to the newest version. `cacheKilobytes`: memory for the
 * pages that are written on SQLite, 2,000 by default. `connections`: how many may be open to
 * PostgreSQL, 20 by default.
 * @throws DatabaseUnusable with one line that says what to do
 */
export function openStore(
  location: StoreLocation,
  options: StoreOptions & { cacheKilobytes?: number; connections?: number },
): Promise<Store> {
  switch (location.kind) {
    case 'memory':
      return openSqlite(':memory:', { ...options, copyOf: location.copyOf })
    case 'file':
      return openSqlite(location.path, options).catch((error) => {
        throw sqliteUnusable(error, location.path)
      })
    case 'postgres':
      return openPostgres({ url: location.url, schema: location.schema, ...options }).catch((error) => {
        throw postgresUnusable(error, location.url)
      })
  }
}
