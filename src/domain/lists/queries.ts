import { sql } from 'kysely'
import { idPages } from '../../platform/storage/id-pages.ts'
import { insertion } from '../../platform/storage/insertion.ts'
import { anyIdIn, locked, picked, postgres } from '../../platform/storage/query.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import { columnNames } from '../../platform/storage/table.ts'
import { query } from '../tables.ts'
import { type ListRelationRow, type ListRow, listRelations, lists } from './tables.ts'

/** What a user is to a list. */
export type ListRelationKind = 'member' | 'follower' | 'pin'

/** A viewer is a user, or empty for an app that calls for itself. */
interface ViewerArgs {
  viewer: string
}

/**
 * Whether a viewer sees a list: private lists are for their owners, and nobody sees those of
 * suspended users.
 */
const isSeenBy = (viewer: unknown) => sql<boolean>`(lists.private = 0 or lists.owner_id = ${viewer})
  and exists (select 1 from users where users.id = lists.owner_id and users.suspended = 0)`

/** All lists, oldest first. */
export const pageOfLists = query<{ after: string; limit: number }, ListRow>('pageOfLists', (db, at) =>
  db.selectFrom('lists').selectAll().where('id', '>', at.after).orderBy('id').limit(at.limit),
)

/** Lists, whoever sees them. `ids` is a JSON list. */
export const listsByIds = query<{ ids: string }, ListRow>('listsByIds', (db, at) =>
  db
    .selectFrom('lists')
    .selectAll()
    .where(anyIdIn(postgres(db), sql.ref('id'), at.ids)),
)

/** Lists that a viewer sees. `ids` is a JSON list. */
export const listsSeenBy = query<ViewerArgs & { ids: string }, ListRow>('listsSeenBy', (db, at) =>
  db
    .selectFrom('lists')
    .selectAll('lists')
    .where(anyIdIn(postgres(db), sql.ref('lists.id'), at.ids))
    .where(isSeenBy(at.viewer)),
)

/** Locks a list that a viewer sees, until the transaction ends. */
export const lockSeenList = query<ViewerArgs & { id: string }, ListRow>('lockSeenList', (db, at) =>
  locked(
    db,
    db.selectFrom('lists').selectAll('lists').where('lists.id', '=', at.id).where(isSeenBy(at.viewer)),
  ),
)

/** Locks a list, whoever sees it. */
export const lockList = query<{ id: string }, ListRow>('lockList', (db, at) =>
  locked(db, db.selectFrom('lists').selectAll().where('id', '=', at.id)),
)

export const addList = query<ListRow>('addList', (db, at) =>
  db.insertInto('lists').values(picked(at, columnNames(lists))),
)

export const setList = query<Pick<ListRow, 'id' | 'name' | 'description' | 'private'>>('setList', (db, at) =>
  db
    .updateTable('lists')
    .set(picked(at, ['name', 'description', 'private']))
    .where('id', '=', at.id),
)

/** Removes a list with everything that belongs to it. */
export const removeList = query<{ id: string }>('removeList', (db, at) =>
  db.deleteFrom('lists').where('id', '=', at.id),
)

export const countLists = query<{ owner: string }, { count: number }>('countLists', (db, at) =>
  db
    .selectFrom('lists')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('owner_id', '=', at.owner),
)

type ListRelationKey = Omit<ListRelationRow, 'id'>

export const listRelation = query<ListRelationKey, Pick<ListRelationRow, 'id'>>('listRelation', (db, at) =>
  db
    .selectFrom('list_relations')
    .select('id')
    .where('list_id', '=', at.list_id)
    .where('kind', '=', at.kind)
    .where('user_id', '=', at.user_id),
)

export const addListRelation = query<ListRelationRow>('addListRelation', (db, at) =>
  db
    .insertInto('list_relations')
    .values(picked(at, columnNames(listRelations)))
    .onConflict((conflict) => conflict.doNothing()),
)

/** Adds relations to new lists. */
export const addListRelations = insertion<ListRelationRow>(
  'addListRelations',
  listRelations,
  columnNames(listRelations),
)

export const removeListRelation = query<ListRelationKey>('removeListRelation', (db, at) =>
  db
    .deleteFrom('list_relations')
    .where('list_id', '=', at.list_id)
    .where('kind', '=', at.kind)
    .where('user_id', '=', at.user_id),
)

/** Ends the relations of a kind to a list, except those of its owner. */
export const removeListRelationsOfOthers = query<{ list: string; kind: ListRelationKind; owner: string }>(
  'removeListRelationsOfOthers',
  (db, at) =>
    db
      .deleteFrom('list_relations')
      .where('list_id', '=', at.list)
      .where('kind', '=', at.kind)
      .where('user_id', '<>', at.owner),
)

/** Some lists of a deleted user. */
export const someListsOf = query<{ owner: string; limit: number }, Pick<ListRow, 'id'>>(
  'someListsOf',
  (db, at) => db.selectFrom('lists').select('id').where('owner_id', '=', at.owner).limit(at.limit),
)

/** Some relations of a deleted user to lists. */
export const someListRelationsOf = query<{ user: string; limit: number }, { list_id: string; kind: string }>(
  'someListRelationsOf',
  (db, at) =>
    db
      .selectFrom('list_relations')
      .select(['list_id', 'kind'])
      .where('user_id', '=', at.user)
      .orderBy('list_id')
      .limit(at.limit),
)

export const countPins = query<{ user: string }, { count: number }>('countPins', (db, at) =>
  db
    .selectFrom('list_relations')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', at.user)
    .where('kind', '=', 'pin'),
)

/** Changes the numbers of members and followers of a list. */
export const countInList = query<{ id: string; members: number; followers: number }>(
  'countInList',
  (db, at) =>
    db
      .updateTable('lists')
      .set({
        member_count: sql<number>`member_count + ${at.members}`,
        follower_count: sql<number>`follower_count + ${at.followers}`,
      })
      .where('id', '=', at.id),
)

/** Changes the number of public lists that a user is a member of. */
export const countListed = query<{ id: string; by: number }>('countListed', (db, at) =>
  db
    .updateTable('users')
    .set({ listed_count: sql<number>`listed_count + ${at.by}` })
    .where('id', '=', at.id),
)

/** The members of a list that a viewer sees. */
export const membersOfSeenList = query<ViewerArgs & { list: string }, Pick<ListRelationRow, 'user_id'>>(
  'membersOfSeenList',
  (db, at) =>
    db
      .selectFrom('lists')
      .innerJoin('list_relations', 'list_relations.list_id', 'lists.id')
      .select('list_relations.user_id')
      .where('lists.id', '=', at.list)
      .where('list_relations.kind', '=', 'member')
      .where(isSeenBy(at.viewer)),
)

const membersOf = (list: unknown) =>
  sql<string>`(select user_id from list_relations where list_id = ${list} and kind = 'member')`

const lockMembers = query<{ list: string }, { id: string }>('lockMembersOfList', (db, at) =>
  locked(
    db,
    db
      .selectFrom('users')
      .select('id')
      .where('id', 'in', membersOf(at.list))
      // Always in the same order, so that transactions cannot deadlock.
      .orderBy('id'),
  ),
)

const countMembers = query<{ list: string; by: number }>('countMembersAsListed', (db, at) =>
  db
    .updateTable('users')
    .set({ listed_count: sql<number>`listed_count + ${at.by}` })
    .where('id', 'in', membersOf(at.list)),
)

/** Changes the numbers of public lists of all members of a list. */
export async function countAllMembers(tx: Transaction, list: string, by: number): Promise<void> {
  await tx.all(lockMembers, { list })
  await tx.run(countMembers, { list, by })
}

/** The lists of an owner, newest first. */
export const listsOfOwner = idPages('listsOfOwner', { table: 'lists', of: 'owner_id', other: 'id' })

interface KindArgs {
  kind: ListRelationKind
}

/** The members or followers of a list, newest first. */
export const usersOfList = idPages<KindArgs>('usersOfList', {
  table: 'list_relations',
  of: 'list_id',
  other: 'user_id',
  where: ['kind'],
})

/** The lists that a user is a member of, follows or has pinned, newest first. */
export const listsOfUser = idPages<KindArgs>('listsOfUser', {
  table: 'list_relations',
  of: 'user_id',
  other: 'list_id',
  where: ['kind'],
})
