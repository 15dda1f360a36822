import type { ListRelationKind } from '../../../domain/lists/queries.ts'
import { addList, addListRelations, countListed } from '../../../domain/lists/queries.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import type { Seed } from '../schema.ts'
import type { ContentParts } from './parts.ts'
import { PastIds } from './post-rows.ts'
import { pastTime } from './posts-in-order.ts'
import type { SeedList } from './schema.ts'

/** Members of a list of a seed with the users who have a relation to it. */
const KIND_OF = { members: 'member', followers: 'follower', pinned_by: 'pin' } as const satisfies Partial<
  Record<keyof SeedList, ListRelationKind>
>

/** The lists in the order of their times. Those of one time are in the order of the file. */
export async function writeLists(tx: Transaction, { lists = [] }: Seed, parts: ContentParts): Promise<void> {
  const timed = lists.map((list) => ({ ...list, at: pastTime(list.created_at, parts.now) ?? parts.now }))
  const ids = new PastIds()
  const listed = new Map<string, number>()
  for (const { at, ...list } of timed.toSorted((a, b) => a.at - b.at)) {
    const { name, description = '', members = [], followers = [] } = list
    const id = ids.next(at)
    await tx.run(addList, {
      ...{ id, name, description, created_at: at },
      owner_id: parts.personNamed(list.owner).id,
      private: Number(list.private ?? false),
      member_count: members.length,
      follower_count: followers.length,
    })
    const relations = (['members', 'followers', 'pinned_by'] as const).flatMap((member) =>
      (list[member] ?? []).map((user) => ({
        list_id: id,
        user_id: parts.personNamed(user).id,
        kind: KIND_OF[member],
        id: ids.next(at),
      })),
    )
    await addListRelations(tx, relations)
    if (list.private) continue
    for (const { kind, user_id } of relations)
      if (kind === 'member') listed.set(user_id, (listed.get(user_id) ?? 0) + 1)
  }
  for (const [id, by] of listed) await tx.run(countListed, { id, by })
}
