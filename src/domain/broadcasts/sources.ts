import { lockAuthor } from '../../identity/users/queries.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import { addSource, countSources } from './queries.ts'
import type { BroadcastSourceRow } from './tables.ts'

/** Sources that a user can have. */
export const MAX_SOURCES = 100

/** The format of the id of a source. */
export const SOURCE_ID = '^[a-zA-Z0-9_-]{1,64}$'

/** Adds a source, unless there is one with the id, or the user has too many. */
export async function makeSource(
  tx: Transaction,
  row: BroadcastSourceRow,
): Promise<'made' | 'exists' | 'too many'> {
  await tx.first(lockAuthor, { id: row.user_id })
  const owned = await tx.first(countSources, { user: row.user_id })
  if (Number(owned?.count) >= MAX_SOURCES) return 'too many'
  return (await tx.run(addSource, row)) === 1 ? 'made' : 'exists'
}
