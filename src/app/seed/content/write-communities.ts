import { ACCESSES, insertCommunity, JOIN_POLICIES } from '../../../domain/communities/communities.ts'
import { addCommunityMembers } from '../../../domain/communities/queries.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import type { Seed } from '../schema.ts'
import type { ContentParts } from './parts.ts'
import { PastIds } from './post-rows.ts'
import { pastTime } from './posts-in-order.ts'
import type { SeedCommunity } from './schema.ts'

interface PlacedCommunity {
  readonly community: SeedCommunity
  readonly id: string
  /** Epoch milliseconds. */
  readonly at: number
}

/** The communities in the order of their times. Those of one time are in the order of the file. */
function placedCommunities({ communities = [] }: Seed, now: number): PlacedCommunity[] {
  const ids = new PastIds()
  return communities
    .map((community) => ({ community, at: pastTime(community.created_at, now) ?? now }))
    .toSorted((a, b) => a.at - b.at)
    .map((placed) => ({ ...placed, id: ids.next(placed.at) }))
}

/** The ids of the communities that posts of a seed name. */
export const communityIdsOf = (seed: Seed, now: number): ReadonlyMap<string, string> =>
  new Map(
    placedCommunities(seed, now).flatMap(({ community, id }) =>
      community.id === undefined ? [] : [[community.id, id] as const],
    ),
  )

export async function writeCommunities(tx: Transaction, seed: Seed, parts: ContentParts): Promise<void> {
  const ids = new PastIds()
  for (const { community, id, at } of placedCommunities(seed, parts.now)) {
    const { name, description = '', access, join_policy, members = [] } = community
    await insertCommunity(tx, {
      ...{ id, name, description, created_at: at, member_count: members.length },
      ...{ access: access ?? ACCESSES[0], join_policy: join_policy ?? JOIN_POLICIES[0] },
    })
    await addCommunityMembers(
      tx,
      members.map((user) => ({
        community_id: id,
        user_id: parts.personNamed(user).id,
        id: ids.next(at),
      })),
    )
  }
}
