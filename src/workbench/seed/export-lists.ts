import { MAX_MEMBERS } from '../../domain/lists/lists.ts'
import { pageOfLists, usersOfList } from '../../domain/lists/queries.ts'
import { FIRST_ID, LAST_ID } from '../../platform/common/ids.ts'
import { isoTime } from '../../platform/common/time.ts'
import type { Store } from '../../platform/storage/store.ts'
import type { ExportedNames } from './exported-names.ts'

/** Lists of exported users, oldest first, with the exported users in them. */
export async function exportLists(store: Store, names: ExportedNames, limit: number) {
  const lists = []
  for (const row of await store.all(pageOfLists, { after: FIRST_ID, limit })) {
    const owner = names.get(row.owner_id)
    if (owner === undefined) continue
    const users = async (kind: 'member' | 'follower' | 'pin') => {
      const args = { of: row.id, kind, id: LAST_ID, limit: MAX_MEMBERS }
      const found = await store.all(usersOfList.older, args)
      return found.flatMap(({ other }) => names.get(other) ?? []).toReversed()
    }
    const members = {
      members: await users('member'),
      followers: await users('follower'),
      pinned_by: await users('pin'),
    }
    lists.push({
      owner,
      name: row.name,
      ...(row.description !== '' && { description: row.description }),
      ...(row.private === 1 && { private: true }),
      created_at: isoTime(row.created_at),
      ...Object.fromEntries(Object.entries(members).filter(([, listed]) => listed.length > 0)),
    })
  }
  return lists
}
