import { lockAuthor, userById, userByScreenName } from '../../identity/users/queries.ts'
import type { ProfileRow, UserRow } from '../../identity/users/tables.ts'
import { SCREEN_NAME } from '../../identity/users/users.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import { NotThere, WrongValue } from './wrong.ts'

/** An id or a screen name, with or without `@`. */
export const USER_NAME = '^@?[A-Za-z0-9_]{1,19}$'

/**
 * The user with an id, or with a screen name in any case. Ids are longer than screen names, so the
 * two cannot be confused.
 */
function findUser(reader: Pick<Transaction, 'first'>, who: string): Promise<UserRow | undefined> {
  const key = who.replace(/^@/, '').toLowerCase()
  return SCREEN_NAME.test(key) ? reader.first(userByScreenName, { key }) : reader.first(userById, { id: who })
}

const noUser = (who: string) => `There is no user ${who}.`

/**
 * The user that is read or changed.
 * @throws NotThere
 */
export async function theUser(reader: Pick<Transaction, 'first'>, who: string): Promise<ProfileRow> {
  const row = await findUser(reader, who)
  if (!row) throw new NotThere(noUser(who))
  // Both queries select the whole row.
  return row as ProfileRow
}

/**
 * The user that a member of a new object names.
 * @throws WrongValue
 */
export async function userIn(
  reader: Pick<Transaction, 'first'>,
  member: string,
  who: string,
): Promise<ProfileRow> {
  const row = await findUser(reader, who)
  if (!row) throw new WrongValue(member, who, noUser(who))
  return row as ProfileRow
}

/**
 * The user who becomes the owner of something, locked: whoever deletes the user at the same time
 * waits, and then sees it.
 * @throws WrongValue
 */
export async function lockedUserIn(tx: Transaction, member: string, who: string): Promise<ProfileRow> {
  const { id } = await userIn(tx, member, who)
  const row = await tx.first(lockAuthor, { id })
  if (!row) throw new WrongValue(member, who, noUser(who))
  return row
}
