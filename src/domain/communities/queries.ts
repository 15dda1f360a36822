import { sql } from 'kysely'
import { idPages } from '../../platform/storage/id-pages.ts'
import { insertion } from '../../platform/storage/insertion.ts'
import { anyIdIn, locked, picked, postgres } from '../../platform/storage/query.ts'
import { columnNames } from '../../platform/storage/table.ts'
import { GONE } from '../posts/visibility.ts'
import { rankedTerms } from '../../platform/storage/ranked-terms.ts'
import { query } from '../tables.ts'
import {
  type CommunityMemberRow,
  type CommunityRow,
  communities,
  communityMembers,
  communitySearchTerms,
} from './tables.ts'

/** Communities. `ids` is a JSON list. */
export const communitiesByIds = query<{ ids: string }, CommunityRow>('communitiesByIds', (db, at) =>
  db
    .selectFrom('communities')
    .selectAll()
    .where(anyIdIn(postgres(db), sql.ref('id'), at.ids)),
)

const beside = (direction: 'older' | 'newer') =>
  query<{ id: string; limit: number }, CommunityRow>(`communitiesBeside_${direction}`, (db, at) =>
    db
      .selectFrom('communities')
      .selectAll()
      .where('id', direction === 'older' ? '<' : '>', at.id)
      .orderBy('id', direction === 'older' ? 'desc' : 'asc')
      .limit(at.limit),
  )

/** All communities in the order of their ids, after one in a direction. */
export const communitiesBeside = { older: beside('older'), newer: beside('newer') }

/** Locks a community until the transaction ends. */
export const lockCommunity = query<{ id: string }, CommunityRow>('lockCommunity', (db, at) =>
  locked(db, db.selectFrom('communities').selectAll().where('id', '=', at.id)),
)

/** Adds a community, unless there is one with the id. */
export const addCommunity = query<CommunityRow>('addCommunity', (db, at) =>
  db
    .insertInto('communities')
    .values(picked(at, columnNames(communities)))
    .onConflict((conflict) => conflict.doNothing()),
)

const CHANGEABLE = ['name', 'description', 'access', 'join_policy'] as const

export const setCommunity = query<Pick<CommunityRow, 'id' | (typeof CHANGEABLE)[number]>>(
  'setCommunity',
  (db, at) => db.updateTable('communities').set(picked(at, CHANGEABLE)).where('id', '=', at.id),
)

/** Removes a community with its search terms. */
export const removeCommunity = query<{ id: string }>('removeCommunity', (db, at) =>
  db.deleteFrom('communities').where('id', '=', at.id),
)

/** Changes the number of members of a community. */
export const countInCommunity = query<{ id: string; by: number }>('countInCommunity', (db, at) =>
  db
    .updateTable('communities')
    .set({ member_count: sql<number>`member_count + ${at.by}` })
    .where('id', '=', at.id),
)

type MemberKey = Omit<CommunityMemberRow, 'id'>

export const communityMember = query<MemberKey, Pick<CommunityMemberRow, 'id'>>('communityMember', (db, at) =>
  db
    .selectFrom('community_members')
    .select('id')
    .where('community_id', '=', at.community_id)
    .where('user_id', '=', at.user_id),
)

export const addCommunityMember = query<CommunityMemberRow>('addCommunityMember', (db, at) =>
  db
    .insertInto('community_members')
    .values(picked(at, columnNames(communityMembers)))
    .onConflict((conflict) => conflict.doNothing()),
)

/** Adds members to new communities. */
export const addCommunityMembers = insertion<CommunityMemberRow>(
  'addCommunityMembers',
  communityMembers,
  columnNames(communityMembers),
)

export const removeCommunityMember = query<MemberKey>('removeCommunityMember', (db, at) =>
  db
    .deleteFrom('community_members')
    .where('community_id', '=', at.community_id)
    .where('user_id', '=', at.user_id),
)

/** Removes some members of a deleted community; none if there is one with its id again. */
export const removeSomeCommunityMembers = query<{ community: string; limit: number }>(
  'removeSomeCommunityMembers',
  (db, at) =>
    db
      .deleteFrom('community_members')
      .where('community_id', '=', at.community)
      .where('user_id', 'in', (on) =>
        on
          .selectFrom('community_members as some')
          .select('some.user_id')
          .where('some.community_id', '=', at.community)
          .limit(at.limit),
      )
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('communities').select('id').where('id', '=', at.community))),
      ),
)

/** The members of a community, newest first. */
export const membersOfCommunity = idPages('membersOfCommunity', {
  table: 'community_members',
  of: 'community_id',
  other: 'user_id',
})

/** The communities of a user, those that the user joined last first. */
export const communitiesOfUser = idPages('communitiesOfUser', {
  table: 'community_members',
  of: 'user_id',
  other: 'community_id',
})

/** The next posts of a community in one direction, without those that are gone. */
const postsIn = (direction: 'older' | 'newer') =>
  query<{ community: string; id: string; limit: number }, { id: string }>(
    `postsOfCommunity_${direction}`,
    (db, at) =>
      db
        .selectFrom('posts')
        .select('id')
        .where('community_id', '=', at.community)
        .where('id', direction === 'older' ? '<' : '>', at.id)
        // Literal, as in the condition of the index.
        .where('visibility', '<', sql.lit(GONE))
        .orderBy('id', direction === 'older' ? 'desc' : 'asc')
        .limit(at.limit),
  )

export const postsOfCommunity = { older: postsIn('older'), newer: postsIn('newer') }

/** What communities are found by. */
export const communityTerms = rankedTerms('communitySearchTerms', communitySearchTerms, 'community_id')

/** Moves a community in all searches, by a number of members. */
export const moveCommunityTerms = query<{ community: string; by: number }>('moveCommunityTerms', (db, at) =>
  db
    .updateTable('community_search_terms')
    .set({ rank: sql<number>`rank + ${at.by}` })
    .where('community_id', '=', at.community),
)
