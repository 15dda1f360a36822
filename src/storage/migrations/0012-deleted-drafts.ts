import type { Kysely } from 'kysely'
import type { Migration } from './migrate.ts'

const DELETED = 3
const DELETED_DRAFT = 4

const ofTable = (db: Kysely<never>, table: string) =>
  db
    .updateTable(table as never)
    .set({ visibility: DELETED_DRAFT } as never)
    .where('visibility' as never, '=', DELETED as never)
    .where('entity_status' as never, '=', 'DRAFT' as never)

/** What was deleted as a draft is listed only with drafts. */
export const deletedDrafts: Migration = {
  name: '0012-deleted-drafts',
  up: (db) => ['campaigns', 'line_items'].map((table) => ofTable(db as never, table)),
}
