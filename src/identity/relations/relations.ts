import { emit } from '../../platform/events/log.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import type { ProfileRow } from '../users/tables.ts'
import {
  followAccepted,
  followRequestEnded,
  followRequested,
  userBlocked,
  userFollowed,
  userMuted,
  userUnblocked,
  userUnfollowed,
  userUnmuted,
} from './events.ts'
import {
  addRelation,
  countFollow,
  lockUsers,
  pairsAround,
  type RelationKind,
  type Relations,
  readRelations,
  removeRelation,
  type UserPair,
} from './queries.ts'

/**
 * Maximum number of users that one user may follow. A page of the home timeline does a lookup for
 * each of them.
 */
export const MAX_FOLLOWING = 5_000

/** Two locked users, whose relations do not change until the transaction ends. */
export interface LockedPair extends UserPair {
  readonly tx: Transaction
  readonly sourceUser: ProfileRow
  readonly targetUser: ProfileRow
  readonly relations: Relations
}

/** Locks two different users. Undefined if one of them does not exist, or is deleted. */
export async function lockPair(
  tx: Transaction,
  { source, target }: UserPair,
): Promise<LockedPair | undefined> {
  const users = await tx.all(lockUsers, { ids: JSON.stringify([source, target]) })
  const present = users.filter(({ deleted_at }) => deleted_at === null)
  const [sourceUser, targetUser] = [source, target].map((id) => present.find((user) => user.id === id))
  if (!sourceUser || !targetUser) return undefined
  const relations = await readRelations(tx, pairsAround(source, [target]))
  return { tx, source, target, sourceUser, targetUser, relations }
}

/** The outcome of a follow. */
export type FollowOutcome = 'following' | 'requested' | 'blocked by target' | 'target is blocked' | 'too many'

/**
 * Makes one user follow another. A protected user has to accept first. Repeating it changes
 * nothing.
 */
export async function follow(pair: LockedPair): Promise<FollowOutcome> {
  const { source, target, sourceUser, targetUser, relations } = pair
  if (relations.has('block', target, source)) return 'blocked by target'
  if (relations.has('block', source, target)) return 'target is blocked'
  if (relations.has('follow', source, target)) return 'following'
  if (followsTooMany(sourceUser)) return 'too many'
  if (targetUser.protected === 0) {
    await addFollow(pair)
    return 'following'
  }
  if (relations.has('request', source, target)) return 'requested'
  await add(pair, 'request')
  await emit(pair.tx, followRequested, relationOf(pair))
  return 'requested'
}

/** The outcome of accepting a request. */
export type AcceptOutcome = 'following' | 'no request' | 'too many'

/** The target accepts the request of the source to follow. */
export async function acceptFollow(pair: LockedPair): Promise<AcceptOutcome> {
  const { tx, source, target, sourceUser, relations } = pair
  if (!relations.has('request', source, target)) return 'no request'
  if (followsTooMany(sourceUser)) return 'too many'
  await emit(tx, followAccepted, { user_id: target, target_id: source })
  await addFollow(pair)
  return 'following'
}

/**
 * Turns the request of the source into a follow, because the target is no longer protected. If the
 * source follows too many users, the request ends.
 */
export async function acceptPending(pair: LockedPair): Promise<void> {
  const { tx, source, target, sourceUser, relations } = pair
  if (!relations.has('request', source, target)) return
  if (!followsTooMany(sourceUser)) await addFollow(pair)
  else if (await remove(pair, 'request'))
    await emit(tx, followRequestEnded, { ...relationOf(pair), by_block: false })
}

const followsTooMany = ({ following_count }: ProfileRow): boolean => following_count >= MAX_FOLLOWING

/** Ends a follow, or withdraws the request. */
export const unfollow = (pair: LockedPair): Promise<void> => endFollow(pair, false)

/** Blocks a user, and ends follows in both directions. */
export async function block(pair: LockedPair): Promise<void> {
  const { tx, source, target, relations } = pair
  if (relations.has('block', source, target)) return
  await add(pair, 'block')
  await emit(tx, userBlocked, relationOf(pair))
  await endFollow(pair, true)
  await endFollow({ ...pair, source: target, target: source }, true)
}

export const unblock = (pair: LockedPair) => end(pair, 'block', userUnblocked)

export async function mute(pair: LockedPair): Promise<void> {
  const { tx, source, target, relations } = pair
  if (relations.has('mute', source, target)) return
  await add(pair, 'mute')
  await emit(tx, userMuted, relationOf(pair))
}

export const unmute = (pair: LockedPair) => end(pair, 'mute', userUnmuted)

/** Blocks the direct messages between two users. */
export async function blockMessages(pair: LockedPair): Promise<void> {
  if (!pair.relations.has('dm_block', pair.source, pair.target)) await add(pair, 'dm_block')
}

export async function unblockMessages(pair: LockedPair): Promise<void> {
  await remove(pair, 'dm_block')
}

/** Ends all relations between two users of whom one was deleted. */
export async function endRelations(tx: Transaction, user: string, other: string): Promise<void> {
  for (const [source, target] of [
    [user, other],
    [other, user],
  ] as const) {
    const relations = await readRelations(tx, [{ source, target }])
    const pair = { tx, source, target, relations }
    await endFollow(pair, false)
    await end(pair, 'block', userUnblocked)
    await end(pair, 'mute', userUnmuted)
    await remove(pair, 'dm_block')
  }
}

const relationOf = ({ source, target }: UserPair) => ({ user_id: source, target_id: target })

type RelationPair = Pick<LockedPair, 'tx' | 'source' | 'target' | 'relations'>

const add = ({ tx, source, target }: RelationPair, kind: RelationKind) =>
  tx.run(addRelation, { source_id: source, target_id: target, kind, created_at: tx.now })

/** Resolves to whether there was one. */
const remove = async ({ tx, source, target }: RelationPair, kind: RelationKind): Promise<boolean> =>
  (await tx.run(removeRelation, { source_id: source, target_id: target, kind })) > 0

async function end(pair: RelationPair, kind: 'block' | 'mute', event: typeof userUnblocked): Promise<void> {
  if (await remove(pair, kind)) await emit(pair.tx, event, relationOf(pair))
}

async function addFollow(pair: RelationPair): Promise<void> {
  const { tx, source, target } = pair
  await remove(pair, 'request')
  await add(pair, 'follow')
  await tx.run(countFollow, { source, target, by: 1 })
  await emit(tx, userFollowed, relationOf(pair))
}

async function endFollow(pair: RelationPair, by_block: boolean): Promise<void> {
  const { tx, source, target, relations } = pair
  if (relations.has('follow', source, target)) {
    await remove(pair, 'follow')
    await tx.run(countFollow, { source, target, by: -1 })
    await emit(tx, userUnfollowed, { ...relationOf(pair), by_block })
  }
  if (relations.has('request', source, target)) {
    await remove(pair, 'request')
    await emit(tx, followRequestEnded, { ...relationOf(pair), by_block })
  }
}
