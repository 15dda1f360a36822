import { query } from '../../tables.ts'
import type { AccountRow } from '../accounts/tables.ts'

/** An account that is not deleted. */
export const accountOfPreview = query<{ id: string }, AccountRow>('accountOfPreview', (db, at) =>
  db.selectFrom('accounts').selectAll().where('id', '=', at.id).where('deleted', '=', 0),
)
