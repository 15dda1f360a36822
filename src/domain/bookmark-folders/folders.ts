import { lockAuthor } from '../../identity/users/queries.ts'
import type { IdSource } from '../../platform/common/ids.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import { addFolder, countFolders } from './queries.ts'
import type { BookmarkFolderRow } from './tables.ts'

/** Folders that a user can have. */
const MAX_FOLDERS = 1_000
export const MAX_NAME_LENGTH = 25

/** Makes an empty folder. Names may repeat. Undefined if the user has too many. */
export async function createFolder(
  tx: Transaction,
  { userId, name }: { userId: string; name: string },
  { ids }: { ids: IdSource },
): Promise<BookmarkFolderRow | undefined> {
  await tx.first(lockAuthor, { id: userId })
  const known = await tx.first(countFolders, { user: userId })
  if (Number(known?.count) >= MAX_FOLDERS) return undefined
  const row = { id: ids.next(), user_id: userId, name }
  await tx.run(addFolder, row)
  return row
}
