import { type IdSource, LAST_ID } from '../../platform/common/ids.ts'
import { emit } from '../../platform/events/log.ts'
import { enqueue } from '../../platform/queue/enqueue.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import { communityAccessChanged } from './events.ts'
import {
  addCommunity,
  addCommunityMember,
  countInCommunity,
  membersOfCommunity,
  communityTerms,
  moveCommunityTerms,
  removeCommunity,
  removeCommunityMember,
  setCommunity,
} from './queries.ts'
import { type SearchableCommunity, searchTermsOf } from './search-terms.ts'
import type { CommunityRow } from './tables.ts'
import { removeMembers } from './tasks.ts'

// Who changes a community has locked it. A transaction locks a community before users, so that two
// of them cannot deadlock.

export const MAX_NAME_LENGTH = 60
export const MAX_DESCRIPTION_LENGTH = 300

export const ACCESSES = ['Public', 'Closed'] as const
/** Who may join. Only the operator adds members, whatever the policy is. */
export const JOIN_POLICIES = [
  'Open',
  'RestrictedJoinRequestsDisabled',
  'RestrictedJoinRequestsRequireAdminApproval',
  'RestrictedJoinRequestsRequireModeratorApproval',
  'SuperFollowRequired',
] as const

/** What is said about a community. */
export type CommunityText = Pick<CommunityRow, 'name' | 'description' | 'access' | 'join_policy'>

/**
 * Makes a community without members. Undefined if there is one with this id, or one was deleted and
 * still has members.
 */
export async function createCommunity(
  tx: Transaction,
  community: CommunityText & { id: string },
): Promise<CommunityRow | undefined> {
  const former = await tx.first(membersOfCommunity.older, { of: community.id, id: LAST_ID, limit: 1 })
  if (former) return undefined
  const row = { ...community, member_count: 0, created_at: tx.now }
  return (await insertCommunity(tx, row)) ? row : undefined
}

/**
 * Adds a community, whose members may be added afterwards without being counted. Resolves to false
 * if there is one with this id.
 */
export async function insertCommunity(tx: Transaction, row: CommunityRow): Promise<boolean> {
  if ((await tx.run(addCommunity, row)) === 0) return false
  await communityTerms.add(tx, [{ id: row.id, terms: searchTermsOf(row) }])
  await emitAccess(tx, row)
  return true
}

/** Changes a community. Resolves to its new state. */
export async function changeCommunity(
  tx: Transaction,
  community: CommunityRow,
  changes: Partial<CommunityText>,
): Promise<CommunityRow> {
  const changed = { ...community, ...changes }
  await tx.run(setCommunity, changed)
  await updateTerms(tx, changed)
  if (changed.access !== community.access) await emitAccess(tx, changed)
  return changed
}

/**
 * Deletes a community. Its posts stay, and are shown to their authors only, unless they were shared
 * with followers. A task removes the memberships.
 */
export async function deleteCommunity(tx: Transaction, { id }: CommunityRow): Promise<void> {
  await tx.run(removeCommunity, { id })
  await emitAccess(tx, { id, access: '' })
  await enqueue(tx, removeMembers.task({ community: id }, tx.now))
}

const emitAccess = (tx: Transaction, { id, access }: Pick<CommunityRow, 'id' | 'access'>) =>
  emit(tx, communityAccessChanged, { community_id: id, access })

/** Makes users members, in this order. Resolves to how many of them were none. */
export async function joinCommunity(
  tx: Transaction,
  { community, userIds }: { community: string; userIds: readonly string[] },
  { ids }: { ids: IdSource },
): Promise<number> {
  let by = 0
  for (const user_id of userIds)
    by += await tx.run(addCommunityMember, { community_id: community, user_id, id: ids.next() })
  await countMembers(tx, community, by)
  return by
}

/** Ends a membership, if there is one. */
export async function leaveCommunity(
  tx: Transaction,
  { community, userId }: { community: string; userId: string },
): Promise<void> {
  const by = await tx.run(removeCommunityMember, { community_id: community, user_id: userId })
  await countMembers(tx, community, -by)
}

async function countMembers(tx: Transaction, community: string, by: number): Promise<void> {
  if (by === 0) return
  await tx.run(countInCommunity, { id: community, by })
  await tx.run(moveCommunityTerms, { community, by })
}

/** Updates the search terms of a community. */
export const updateTerms = (
  tx: Transaction,
  community: SearchableCommunity & { id: string },
): Promise<void> => communityTerms.put(tx, community.id, searchTermsOf(community))
