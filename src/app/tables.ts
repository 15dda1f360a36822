import type { Kysely } from 'kysely'
import { type ApiTables, apiTables } from '../api/tables.ts'
import { deliveryTables } from '../delivery/tables.ts'
import { domainTables } from '../domain/tables.ts'
import { identityTables } from '../identity/tables.ts'
import { adHocQueriesOver, queriesOver } from '../platform/storage/query.ts'
import { platformTables } from '../platform/tables.ts'

/**
 * Every table with fixed columns. Times are epoch milliseconds, booleans 0 or 1, ids text, the same
 * on SQLite and PostgreSQL. Tables of advertising entities are derived from the fields of the
 * entities.
 */
export const fixedTables = [
  ...platformTables,
  ...identityTables,
  ...domainTables,
  ...deliveryTables,
  ...apiTables,
]

/** Every table, as queries of this part see them. */
export type Database = Kysely<ApiTables>

export const query = queriesOver<ApiTables>()
export const adHocQuery = adHocQueriesOver<ApiTables>()
