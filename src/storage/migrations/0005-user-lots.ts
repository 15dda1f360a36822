import { sql } from 'kysely'
import { lot } from '../batches.ts'
import type { Migration } from './migrate.ts'

/** An order of users that has nothing to do with them, for samples. */
export const userLots: Migration = {
  name: '0005-user-lots',
  up: (db) => [db.schema.createIndex('users_by_lot').on('users').expression(sql`${lot}`)],
}
