import { sql } from 'kysely'
import { rankedTerms } from '../../platform/storage/ranked-terms.ts'
import { insertion } from '../../platform/storage/insertion.ts'
import { pairPages } from '../../platform/storage/pair-pages.ts'
import { anyIn, locked, picked, postgres } from '../../platform/storage/query.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import { columnNames, type RowOf } from '../../platform/storage/table.ts'
import { query } from '../tables.ts'
import { NO_PASSWORD } from './password.ts'
import { type SearchableUser, searchTermsOf } from './search-terms.ts'
import { importedUserCounts, type ProfileRow, type UserRow, userSearchTerms, users } from './tables.ts'

export const userById = query<{ id: string }, UserRow>('userById', (db, at) =>
  db.selectFrom('users').selectAll().where('id', '=', at.id).where('deleted_at', 'is', null),
)

export const userByScreenName = query<{ key: string }, UserRow>('userByScreenName', (db, at) =>
  db.selectFrom('users').selectAll().where('screen_name_key', '=', at.key),
)

/** Users who can sign in, which excludes synthetic and deleted ones. */
export const pageOfUsers = query<{ after: string; limit: number }, UserRow>('pageOfUsers', (db, at) =>
  db
    .selectFrom('users')
    .selectAll()
    .where('id', '>', at.after)
    .where('password_hash', '<>', NO_PASSWORD)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .limit(at.limit),
)

/** All users whose names begin with a prefix, both in lower case, in the order of these names. */
export const usersWithPrefix = query<{ prefix: string; after: string; limit: number }, ProfileRow>(
  'usersWithPrefix',
  (db, at) =>
    db
      .selectFrom('users')
      .selectAll()
      .where('screen_name_key', '>=', at.prefix)
      // No name has a character after this one.
      .where('screen_name_key', '<', sql<string>`${at.prefix} || '{'`)
      .where('screen_name_key', '>', at.after)
      .orderBy('screen_name_key')
      .limit(at.limit),
)

const addUserRow = query<UserRow>('addUser', (db, at) =>
  db.insertInto('users').values({
    id: at.id,
    screen_name: at.screen_name,
    screen_name_key: at.screen_name_key,
    name: at.name,
    password_hash: at.password_hash,
    suspended: at.suspended,
    created_at: at.created_at,
  }),
)

/** The columns of generated and imported users. */
export type AddedUser = UserRow &
  Pick<
    ProfileRow,
    'description' | 'description_entities' | 'location' | Extract<keyof ProfileRow, `${string}_count`>
  >

const addUserRows = insertion<AddedUser>('addUsers', users, [
  'id',
  'screen_name',
  'screen_name_key',
  'name',
  'password_hash',
  'suspended',
  'created_at',
  'description',
  'description_entities',
  'location',
  'followers_count',
  'following_count',
  'post_count',
  'listed_count',
  'like_count',
])

/** What users are found by. */
export const userTerms = rankedTerms('userSearchTerms', userSearchTerms, 'user_id')

const termsOf = (user: SearchableUser) => ({ id: user.id, terms: searchTermsOf(user) })

/** Adds a user with an empty profile. */
export async function addUser(tx: Transaction, row: UserRow): Promise<void> {
  await tx.run(addUserRow, row)
  await userTerms.add(tx, [termsOf({ ...row, description: '', followers_count: 0 })])
}

/** Adds generated or imported users. */
export async function addUsers(tx: Transaction, rows: readonly AddedUser[]): Promise<void> {
  await addUserRows(tx, rows)
  await userTerms.add(tx, rows.map(termsOf))
}

/** Updates the search terms of a user whose profile or number of followers has changed. */
export const updateTerms = (tx: Transaction, user: SearchableUser): Promise<void> =>
  userTerms.put(tx, user.id, searchTermsOf(user))

const addUserCounts = insertion<RowOf<typeof importedUserCounts>>(
  'addImportedUserCounts',
  importedUserCounts,
  columnNames(importedUserCounts),
)

/**
 * Adds generated users, whose counts stand for follows and likes without rows, except those whose
 * screen names are taken. Returns the ids of the added ones.
 */
export async function addGeneratedUsers(
  tx: Transaction,
  users: readonly AddedUser[],
): Promise<ReadonlySet<string>> {
  const keys = JSON.stringify(users.map(({ screen_name_key }) => screen_name_key))
  const taken = new Set((await tx.all(usersByScreenNames, { keys })).map((user) => user.screen_name_key))
  const added = users.filter((user) => !taken.has(user.screen_name_key))
  await addUsers(tx, added)
  await addUserCounts(
    tx,
    added.map(({ id, followers_count, following_count, listed_count, like_count }) => ({
      ...{ user_id: id, followers_count, following_count, listed_count, like_count },
    })),
  )
  return new Set(added.map(({ id }) => id))
}

export const setPassword = query<{ id: string; passwordHash: string }>('setPassword', (db, at) =>
  db.updateTable('users').set({ password_hash: at.passwordHash }).where('id', '=', at.id),
)

/** Ends all browser sessions of a user. */
export const endSessionsOfUser = query<{ userId: string }>('endSessionsOfUser', (db, at) =>
  db.deleteFrom('browser_sessions').where('user_id', '=', at.userId),
)

/** Sets who may send a user direct messages. */
export const setDirectMessagesFrom = query<{ id: string; from: string }>('setDirectMessagesFrom', (db, at) =>
  db.updateTable('users').set({ direct_messages_from: at.from }).where('id', '=', at.id),
)

export const setUserSuspended = query<{ id: string; suspended: number }>('setUserSuspended', (db, at) =>
  db.updateTable('users').set({ suspended: at.suspended }).where('id', '=', at.id),
)

/**
 * Marks a user as deleted. Nobody finds the screen name any more, and it is free. Changes no row if
 * that has happened before.
 */
export const markUserDeleted = query<{ id: string; now: number }>('markUserDeleted', (db, at) =>
  db
    .updateTable('users')
    .set({
      deleted_at: at.now,
      suspended: 1,
      password_hash: NO_PASSWORD,
      // No screen name has this character.
      screen_name_key: sql<string>`'-' || id`,
    })
    .where('id', '=', at.id)
    .where('deleted_at', 'is', null),
)

/** Removes the row of a deleted user. */
export const removeUser = query<{ id: string }>('removeUser', (db, at) =>
  db.deleteFrom('users').where('id', '=', at.id).where('deleted_at', 'is not', null),
)

/** Some users of an organization who are not deleted. */
export const someAffiliatesOf = query<{ organization: string; limit: number }, { id: string }>(
  'someAffiliatesOf',
  (db, at) =>
    db
      .selectFrom('users')
      .select('id')
      .where('affiliation_user_id', '=', at.organization)
      .where('deleted_at', 'is', null)
      .limit(at.limit),
)

/** `keys` is a JSON list of screen names in lower case. */
export const usersByScreenNames = query<{ keys: string }, { id: string; screen_name_key: string }>(
  'usersByScreenNames',
  (db, at) =>
    db
      .selectFrom('users')
      .select(['id', 'screen_name_key'])
      .where(anyIn(postgres(db), sql.ref('screen_name_key'), at.keys)),
)

/** Users who are not deleted. `ids` is a JSON list. */
export const profilesByIds = query<{ ids: string }, ProfileRow>('profilesByIds', (db, at) =>
  db
    .selectFrom('users')
    .selectAll()
    .where(anyIn(postgres(db), sql.ref('id'), at.ids))
    .where('deleted_at', 'is', null),
)

/**
 * Locks an author who is not deleted, so that two concurrent posts cannot have the same text.
 */
export const lockAuthor = query<{ id: string }, ProfileRow>('lockAuthor', (db, at) =>
  locked(db, db.selectFrom('users').selectAll().where('id', '=', at.id).where('deleted_at', 'is', null)),
)

/** Sets the post at the top of a profile. */
export const setPinnedPost = query<{ id: string; post: string }>('setPinnedPost', (db, at) =>
  db.updateTable('users').set({ pinned_post_id: at.post }).where('id', '=', at.id),
)

/** What a new user counts. */
const setCountsRow = query<
  Pick<ProfileRow, 'id' | 'followers_count' | 'following_count' | 'post_count' | 'like_count'>
>('setUserCounts', (db, at) =>
  db
    .updateTable('users')
    .set(picked(at, ['followers_count', 'following_count', 'post_count', 'like_count']))
    .where('id', '=', at.id),
)

/** Sets what a new user counts. */
export async function setCounts(
  tx: Transaction,
  counts: Pick<ProfileRow, 'id' | 'followers_count' | 'following_count' | 'post_count' | 'like_count'>,
): Promise<void> {
  await tx.run(setCountsRow, counts)
  const [user] = await tx.all(profilesByIds, { ids: JSON.stringify([counts.id]) })
  if (user) await updateTerms(tx, user)
}

const setProfileRow = query<ProfileRow>('setProfile', (db, at) =>
  db
    .updateTable('users')
    .set({
      affiliation_user_id: at.affiliation_user_id,
      description: at.description,
      description_entities: at.description_entities,
      location: at.location,
      name: at.name,
      profile_banner_url: at.profile_banner_url,
      profile_image_url: at.profile_image_url,
      protected: at.protected,
      screen_name: at.screen_name,
      screen_name_key: at.screen_name_key,
      subscription_type: at.subscription_type,
      url: at.url,
      verified: at.verified,
      verified_type: at.verified_type,
    })
    .where('id', '=', at.id),
)

/** Writes the profile of a user. */
export async function setProfile(tx: Transaction, row: ProfileRow): Promise<void> {
  await tx.run(setProfileRow, row)
  await updateTerms(tx, row)
}

/** Changes labels of a profile. Undefined ones stay as they are. */
export const setLabels = query<{ id: string; parody: number | null; identity_verified: number | null }>(
  'setUserLabels',
  (db, at) =>
    db
      .updateTable('users')
      .set({
        parody: sql<number>`coalesce(${at.parody}, parody)`,
        identity_verified: sql<number>`coalesce(${at.identity_verified}, identity_verified)`,
      })
      .where('id', '=', at.id),
)

/** Changes no row if it is the same. `countries`: a JSON list; null for none. */
export const setWithheldIn = query<{ id: string; countries: string | null }>('setUserWithheldIn', (db, at) =>
  db
    .updateTable('users')
    .set({ withheld_in: at.countries })
    .where('id', '=', at.id)
    .where(sql`coalesce(withheld_in, '')`, '<>', sql`coalesce(${at.countries}, '')`),
)

/** Changes the number of posts in a profile. */
export const countPost = query<{ author: string; by: number }>('countPost', (db, at) =>
  db
    .updateTable('users')
    .set({ post_count: sql<number>`post_count + ${at.by}` })
    .where('id', '=', at.author),
)

/** Changes the number of likes in a profile. */
export const countLike = query<{ id: string; by: number }>('countLike', (db, at) =>
  db
    .updateTable('users')
    .set({ like_count: sql<number>`like_count + ${at.by}` })
    .where('id', '=', at.id),
)

/** Changes the numbers of likes in some profiles. `ids` is a JSON list. */
export const countLikesOfMany = query<{ ids: string; by: number }>('countLikesOfMany', (db, at) =>
  db
    .updateTable('users')
    .set({ like_count: sql<number>`like_count + ${at.by}` })
    .where(anyIn(postgres(db), sql.ref('id'), at.ids)),
)

/** `keys` is a JSON list of screen names in lower case. */
export const profilesByNames = query<{ keys: string }, ProfileRow>('profilesByNames', (db, at) =>
  db
    .selectFrom('users')
    .selectAll()
    .where(anyIn(postgres(db), sql.ref('screen_name_key'), at.keys)),
)

/** A user, with the viewer's relation to them. */
export interface SeenUserRow extends ProfileRow {
  /** Null if the viewer does not follow the user. */
  viewer: string | null
}

/** Users as another user sees them. `ids` is a JSON list; `viewer` is a user, or empty. */
export const usersSeenBy = query<{ ids: string; viewer: string }, SeenUserRow>('usersSeenBy', (db, at) =>
  db
    .selectFrom('users')
    .leftJoin('relations', (on) =>
      on
        .on('relations.source_id', '=', at.viewer)
        .onRef('relations.target_id', '=', 'users.id')
        .on('relations.kind', '=', 'follow'),
    )
    .selectAll('users')
    .select('relations.source_id as viewer')
    .where(anyIn(postgres(db), sql.ref('users.id'), at.ids))
    .where('users.deleted_at', 'is', null),
)

/** The users of an organisation, newest first. */
export const affiliatesOf = pairPages('affiliatesOf', {
  table: 'users',
  of: 'affiliation_user_id',
  other: 'id',
})
