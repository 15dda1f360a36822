import type { Static } from 'typebox'
import {
  ACCESSES,
  type CommunityText,
  changeCommunity,
  createCommunity,
  deleteCommunity,
  JOIN_POLICIES,
  joinCommunity,
  leaveCommunity,
  MAX_DESCRIPTION_LENGTH,
  MAX_NAME_LENGTH,
} from '../../domain/communities/communities.ts'
import { communitiesByIds, lockCommunity } from '../../domain/communities/queries.ts'
import type { CommunityRow } from '../../domain/communities/tables.ts'
import type { ProfileRow } from '../../identity/users/tables.ts'
import type { IdSource } from '../../platform/common/ids.ts'
import { isBlank } from '../../platform/common/visible.ts'
import { choice, text } from '../../platform/http/schema.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import { lockedUserIn, userIn } from './find-user.ts'
import { NotThere, WrongValue } from './wrong.ts'

/** Members of a community that can be chosen. */
export const COMMUNITY_MEMBERS = {
  name: text(1, MAX_NAME_LENGTH, 'Name. Several communities may have the same.'),
  description: text(0, MAX_DESCRIPTION_LENGTH, 'Description; empty by default.'),
  access: choice(
    [...ACCESSES],
    'Who sees its posts: everyone, or its members if it is `Closed`. `Public` by default.',
  ),
  join_policy: choice(
    [...JOIN_POLICIES],
    'What is shown about joining; `Open` by default. Members are added here, whatever it says.',
  ),
}

type CommunityChanges = {
  [Name in keyof typeof COMMUNITY_MEMBERS]?: Static<(typeof COMMUNITY_MEMBERS)[Name]>
}

/** Users who join a community when it is made. */
export const MAX_FIRST_MEMBERS = 1_000

interface NewCommunity extends Partial<CommunityText> {
  readonly name: string
  readonly id?: string | undefined
  readonly members?: readonly string[] | undefined
}

/**
 * Makes a community. `id`: the one that imported posts name; a new one by default.
 * @throws WrongValue
 */
export async function addNewCommunity(
  tx: Transaction,
  { id, members = [], ...given }: NewCommunity,
  { ids }: { ids: IdSource },
): Promise<CommunityRow> {
  checkName(given.name)
  const { name, description = '', access = 'Public', join_policy = 'Open' } = given
  const row = await createCommunity(tx, { id: id ?? ids.next(), name, description, access, join_policy })
  if (!row) throw new WrongValue('id', id, `There is or was a community ${id}.`)
  const userIds = await membersIn(tx, members)
  const added = await joinCommunity(tx, { community: row.id, userIds }, { ids })
  return { ...row, member_count: added }
}

/** The users, locked in the order in which every transaction locks them. */
async function membersIn(tx: Transaction, members: readonly string[]): Promise<string[]> {
  const userIds: string[] = []
  for (const who of members) userIds.push((await userIn(tx, 'members', who)).id)
  for (const id of userIds.toSorted()) await lockedUserIn(tx, 'members', id)
  return userIds
}

function checkName(name: string | undefined): void {
  if (name !== undefined && isBlank(name))
    throw new WrongValue('name', name, '`name` must have a visible character.')
}

/**
 * Changes a community. Members that are absent keep their values.
 * @throws NotThere
 * @throws WrongValue
 */
export async function changeAnyCommunity(
  tx: Transaction,
  id: string,
  changes: CommunityChanges,
): Promise<CommunityRow> {
  checkName(changes.name)
  return changeCommunity(tx, await lockedCommunity(tx, id), changes)
}

/** @throws NotThere */
export const removeAnyCommunity = async (tx: Transaction, id: string): Promise<void> =>
  deleteCommunity(tx, await lockedCommunity(tx, id))

interface CommunityUser {
  readonly communityId: string
  readonly user: Pick<ProfileRow, 'id' | 'screen_name'>
}

/**
 * Makes a user a member. Repeating it changes nothing.
 * @throws NotThere
 */
export async function addMember(
  tx: Transaction,
  { communityId, user }: CommunityUser,
  parts: { ids: IdSource },
): Promise<void> {
  const community = await lockedCommunity(tx, communityId)
  const { id } = await lockedUserIn(tx, 'user', user.id)
  await joinCommunity(tx, { community: community.id, userIds: [id] }, parts)
}

/**
 * Ends a membership, if there is one.
 * @throws NotThere
 */
export async function removeMember(tx: Transaction, { communityId, user }: CommunityUser): Promise<void> {
  const { id } = await lockedCommunity(tx, communityId)
  await leaveCommunity(tx, { community: id, userId: user.id })
}

const noCommunity = (id: string) => new NotThere(`There is no community ${id}.`)

async function lockedCommunity(tx: Transaction, id: string): Promise<CommunityRow> {
  const row = await tx.first(lockCommunity, { id })
  if (!row) throw noCommunity(id)
  return row
}

/**
 * The community that is read.
 * @throws NotThere
 */
export async function theCommunity(reader: Pick<Transaction, 'first'>, id: string): Promise<CommunityRow> {
  const row = await reader.first(communitiesByIds, { ids: JSON.stringify([id]) })
  if (!row) throw noCommunity(id)
  return row
}
