import type { Static } from 'typebox'
import { Type } from 'typebox'
import {
  type AddOutcome,
  addMember,
  createList,
  deleteList,
  followList,
  MAX_DESCRIPTION_LENGTH,
  MAX_LISTS,
  MAX_MEMBERS,
  MAX_NAME_LENGTH,
  MAX_PINS,
  type PinOutcome,
  pinList,
  removeMember,
  unfollowList,
  unpinList,
} from '../../domain/lists/lists.ts'
import { type ListRelationKind, lockList, lockSeenList } from '../../domain/lists/queries.ts'
import type { ListRow } from '../../domain/lists/tables.ts'
import type { ProfileRow } from '../../identity/users/tables.ts'
import type { IdSource } from '../../platform/common/ids.ts'
import { text } from '../../platform/http/schema.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import { userIn } from './find-user.ts'
import { NotThere, WrongValue } from './wrong.ts'

/** Relations of users to a list, as paths name them, with the kinds of their rows. */
export const LIST_RELATIONS = {
  members: 'member',
  followers: 'follower',
  pins: 'pin',
} as const satisfies Record<string, ListRelationKind>
export type ListRelationName = keyof typeof LIST_RELATIONS

/** Members of a new list besides the owner. */
export const LIST_MEMBERS = Type.Object(
  {
    name: text(1, MAX_NAME_LENGTH, 'Name.'),
    description: Type.Optional(text(0, MAX_DESCRIPTION_LENGTH, 'Description; empty by default.')),
    private: Type.Optional(
      Type.Boolean({ description: 'Whether only the owner sees it; false by default.' }),
    ),
  },
  { additionalProperties: false },
)

/**
 * Makes an empty list of a user.
 * @throws WrongValue
 */
export async function addNewList(
  tx: Transaction,
  {
    owner,
    name,
    description = '',
    private: isPrivate = false,
  }: Static<typeof LIST_MEMBERS> & { owner: string },
  parts: { ids: IdSource },
): Promise<ListRow> {
  const user = await userIn(tx, 'owner', owner)
  const values = { owner_id: user.id, name, description, private: Number(isPrivate) }
  const list = await createList(tx, values, parts)
  if (list) return list
  throw new WrongValue('owner', owner, `@${user.screen_name} has ${MAX_LISTS} lists, which is the maximum.`)
}

/**
 * Deletes a list, as its owner would.
 * @throws NotThere
 */
export const removeAnyList = async (tx: Transaction, id: string): Promise<void> =>
  deleteList(tx, await lockedList(tx, id))

interface ListUser {
  listId: string
  user: ProfileRow
}

const NOT_ADDED: Readonly<Record<Exclude<AddOutcome, 'member'>, string>> = {
  'no user': 'does not exist.',
  'not allowed': 'is suspended, protected, or blocks the owner.',
  'too many': `cannot be added: the list has ${MAX_MEMBERS} members, which is the maximum.`,
}
const NOT_PINNED: Readonly<Record<Exclude<PinOutcome, 'pinned'>, string>> = {
  'not own': 'neither owns nor follows the list.',
  'too many': `has ${MAX_PINS} pinned lists, which is the maximum.`,
}

/**
 * Begins a relation of a user to a list, as its owner or the user would. Repeating it changes
 * nothing.
 * @throws NotThere There is no such list, or the user does not see it.
 * @throws WrongValue
 */
export async function relateToList(
  tx: Transaction,
  relation: ListRelationName,
  { listId, user }: ListUser,
  parts: { ids: IdSource },
): Promise<void> {
  const wrong = (sentence: string) =>
    new WrongValue('user', user.screen_name, `@${user.screen_name} ${sentence}`)
  if (relation === 'members') {
    const list = await lockedList(tx, listId)
    const added = await addMember(tx, { list, userId: user.id }, parts)
    if (added !== 'member') throw wrong(NOT_ADDED[added])
    return
  }
  const subject = { list: await seenList(tx, listId, user), userId: user.id }
  if (relation === 'followers') return followList(tx, subject, parts)
  const pinned = await pinList(tx, subject, parts)
  if (pinned !== 'pinned') throw wrong(NOT_PINNED[pinned])
}

/**
 * Ends a relation of a user to a list, if there is one.
 * @throws NotThere
 */
export async function unrelateFromList(
  tx: Transaction,
  relation: ListRelationName,
  { listId, user }: ListUser,
): Promise<void> {
  const end = { members: removeMember, followers: unfollowList, pins: unpinList }[relation]
  await end(tx, { list: await lockedList(tx, listId), userId: user.id })
}

async function lockedList(tx: Transaction, id: string): Promise<ListRow> {
  const list = await tx.first(lockList, { id })
  if (!list) throw new NotThere(`There is no list ${id}.`)
  return list
}

async function seenList(tx: Transaction, id: string, user: ProfileRow): Promise<ListRow> {
  const list = await tx.first(lockSeenList, { id, viewer: user.id })
  if (!list) throw new NotThere(`There is no list ${id} that @${user.screen_name} sees.`)
  return list
}
