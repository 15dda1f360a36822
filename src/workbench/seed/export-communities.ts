import { communitiesBeside, membersOfCommunity } from '../../domain/communities/queries.ts'
import { FIRST_ID, LAST_ID } from '../../platform/common/ids.ts'
import { isoTime } from '../../platform/common/time.ts'
import type { Store } from '../../platform/storage/store.ts'
import type { ExportedNames } from './exported-names.ts'

const MAX_COMMUNITIES = 1_000
/** As many as a list of users of a seed may name. */
const MAX_MEMBERS = 1_000

/**
 * Communities, oldest first, with the exported users among their newest members; and the names by
 * which the posts of the seed refer to them.
 */
export async function exportCommunities(store: Store, names: ExportedNames) {
  const rows = await store.all(communitiesBeside.newer, { id: FIRST_ID, limit: MAX_COMMUNITIES })
  const communityNames = new Map(rows.map(({ id }, index) => [id, `community${index + 1}`]))
  const communities = []
  for (const row of rows) {
    const found = await store.all(membersOfCommunity.older, { of: row.id, id: LAST_ID, limit: MAX_MEMBERS })
    const members = found.flatMap(({ other }) => names.get(other) ?? []).toReversed()
    communities.push({
      id: communityNames.get(row.id),
      name: row.name,
      ...(row.description !== '' && { description: row.description }),
      ...(row.access !== 'Public' && { access: row.access }),
      ...(row.join_policy !== 'Open' && { join_policy: row.join_policy }),
      created_at: isoTime(row.created_at),
      ...(members.length > 0 && { members }),
    })
  }
  return { communities, communityNames }
}
