import { openPostgres } from './dialect/postgres.ts'
import { openSqlite } from './dialect/sqlite.ts'
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
