import { query } from '../../../platform/storage/query.ts'
import type { AccountRow } from '../../../platform/storage/tables.ts'

/** An account that is not deleted. */
export const accountOfPreview = query<{ id: string }, AccountRow>('accountOfPreview', (db, at) =>
  db.selectFrom('accounts').selectAll().where('id', '=', at.id).where('deleted', '=', 0),
)
