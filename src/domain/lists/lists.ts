import { readRelations } from '../../identity/relations/queries.ts'
import { lockAuthor } from '../../identity/users/queries.ts'
import type { ProfileRow } from '../../identity/users/tables.ts'
import type { IdSource } from '../../platform/common/ids.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import {
  addList,
  addListRelation,
  countAllMembers,
  countInList,
  countListed,
  countLists,
  countPins,
  listRelation,
  removeList,
  removeListRelation,
  removeListRelationsOfOthers,
  setList,
} from './queries.ts'
import type { ListRow } from './tables.ts'

// Who changes a list has locked it. A transaction locks a list before users, so that two of them
// cannot deadlock.

/** Lists that a user can own. */
export const MAX_LISTS = 1_000
/** Members that a list can have. */
export const MAX_MEMBERS = 5_000
/** Lists that a user can pin. */
export const MAX_PINS = 5

export const MAX_NAME_LENGTH = 25
export const MAX_DESCRIPTION_LENGTH = 100

/** What its owner says about a list. */
export type ListText = Pick<ListRow, 'name' | 'description' | 'private'>

/** Makes an empty list. Undefined if the owner has too many. */
export async function createList(
  tx: Transaction,
  text: ListText & { owner_id: string },
  { ids }: { ids: IdSource },
): Promise<ListRow | undefined> {
  await tx.first(lockAuthor, { id: text.owner_id })
  const owned = await tx.first(countLists, { owner: text.owner_id })
  if (Number(owned?.count) >= MAX_LISTS) return undefined
  const row = { ...text, id: ids.next(), member_count: 0, follower_count: 0, created_at: tx.now }
  await tx.run(addList, row)
  return row
}

/**
 * Changes a list. One that becomes private loses its followers and the pins of others, and its
 * members are no longer counted as listed.
 */
export async function changeList(tx: Transaction, list: ListRow, changes: Partial<ListText>): Promise<void> {
  const changed = { ...list, ...changes }
  await tx.run(setList, changed)
  if (changed.private === list.private) return
  await countAllMembers(tx, list.id, changed.private === 1 ? -1 : 1)
  if (changed.private === 0) return
  const others = { list: list.id, owner: list.owner_id }
  const followers = await tx.run(removeListRelationsOfOthers, { ...others, kind: 'follower' })
  await tx.run(countInList, { id: list.id, members: 0, followers: -followers })
  await tx.run(removeListRelationsOfOthers, { ...others, kind: 'pin' })
}

export async function deleteList(tx: Transaction, list: ListRow): Promise<void> {
  if (list.private === 0) await countAllMembers(tx, list.id, -1)
  await tx.run(removeList, { id: list.id })
}

interface ListUser {
  list: ListRow
  userId: string
}

const keyOf = ({ list, userId }: ListUser) => ({ list_id: list.id, user_id: userId })

/** The outcome of adding a member. */
export type AddOutcome = 'member' | 'no user' | 'not allowed' | 'too many'

/**
 * Adds a user to a list. Users who are suspended, protected, or block the owner cannot be added.
 * Repeating it changes nothing.
 */
export async function addMember(
  tx: Transaction,
  { list, userId }: ListUser,
  { ids }: { ids: IdSource },
): Promise<AddOutcome> {
  const user = await tx.first(lockAuthor, { id: userId })
  if (!user) return 'no user'
  const key = { ...keyOf({ list, userId }), kind: 'member' }
  if (await tx.first(listRelation, key)) return 'member'
  if (!(await canBeAdded(tx, list, user))) return 'not allowed'
  if (list.member_count >= MAX_MEMBERS) return 'too many'
  await tx.run(addListRelation, { ...key, id: ids.next() })
  await tx.run(countInList, { id: list.id, members: 1, followers: 0 })
  if (list.private === 0) await tx.run(countListed, { id: userId, by: 1 })
  return 'member'
}

async function canBeAdded(tx: Transaction, { owner_id: owner }: ListRow, user: ProfileRow): Promise<boolean> {
  if (user.suspended === 1) return false
  if (user.id === owner) return true
  const relations = await readRelations(tx, [{ source: user.id, target: owner }])
  return user.protected === 0 && !relations.has('block', user.id, owner)
}

/** Removes a member, if the user is one. */
export async function removeMember(tx: Transaction, { list, userId }: ListUser): Promise<void> {
  if ((await tx.run(removeListRelation, { ...keyOf({ list, userId }), kind: 'member' })) === 0) return
  await tx.run(countInList, { id: list.id, members: -1, followers: 0 })
  if (list.private === 0) await tx.run(countListed, { id: userId, by: -1 })
}

/** Follows a list that the user sees. Repeating it changes nothing. */
export async function followList(
  tx: Transaction,
  { list, userId }: ListUser,
  { ids }: { ids: IdSource },
): Promise<void> {
  const row = { ...keyOf({ list, userId }), kind: 'follower', id: ids.next() }
  const followers = await tx.run(addListRelation, row)
  await tx.run(countInList, { id: list.id, members: 0, followers })
}

/** Ends a follow. Others than the owner pin only what they follow, so the pin ends too. */
export async function unfollowList(tx: Transaction, { list, userId }: ListUser): Promise<void> {
  const followers = await tx.run(removeListRelation, { ...keyOf({ list, userId }), kind: 'follower' })
  await tx.run(countInList, { id: list.id, members: 0, followers: -followers })
  if (userId !== list.owner_id) await unpinList(tx, { list, userId })
}

/** The outcome of pinning a list. */
export type PinOutcome = 'pinned' | 'not own' | 'too many'

/** Pins a list that the user owns or follows. Repeating it changes nothing. */
export async function pinList(
  tx: Transaction,
  { list, userId }: ListUser,
  { ids }: { ids: IdSource },
): Promise<PinOutcome> {
  await tx.first(lockAuthor, { id: userId })
  const key = keyOf({ list, userId })
  if (await tx.first(listRelation, { ...key, kind: 'pin' })) return 'pinned'
  const isOwn = list.owner_id === userId || (await tx.first(listRelation, { ...key, kind: 'follower' }))
  if (!isOwn) return 'not own'
  const pins = await tx.first(countPins, { user: userId })
  if (Number(pins?.count) >= MAX_PINS) return 'too many'
  await tx.run(addListRelation, { ...key, kind: 'pin', id: ids.next() })
  return 'pinned'
}

export async function unpinList(tx: Transaction, { list, userId }: ListUser): Promise<void> {
  await tx.run(removeListRelation, { ...keyOf({ list, userId }), kind: 'pin' })
}
