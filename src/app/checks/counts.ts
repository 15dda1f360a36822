import { type RawBuilder, sql } from 'kysely'
import { lockList } from '../../domain/lists/queries.ts'
import { lockPost } from '../../domain/posts/queries.ts'
import { ORGANIC_TO_SOMEBODY } from '../../domain/posts/visibility.ts'
import { lockAuthor } from '../../identity/users/queries.ts'
import { picked } from '../../platform/storage/query.ts'
import { query } from '../tables.ts'
import { type Comparison, differencesIn, differingRows } from './comparison.ts'

// Stored counts, compared with the numbers of rows. One statement reads both. Imported and
// generated posts and users have additional counts without rows.

const USER_COUNTS = [
  'followers_count',
  'following_count',
  'post_count',
  'like_count',
  'listed_count',
] as const
const LIST_COUNTS = ['member_count', 'follower_count'] as const
const POST_COUNTS = ['repost_count', 'reply_count', 'like_count', 'quote_count', 'bookmark_count'] as const

type CountsRow<Name extends string> = { id: string } & Record<Name | `${Name}_of_rows`, number>

/** The counts of rows, without the names of the stored ones. */
const expectedOf = <Name extends string>(names: readonly Name[], row: CountsRow<Name>) =>
  Object.fromEntries(names.map((name) => [name, Number(row[`${name}_of_rows`])])) as Record<Name, number>

/** Selects each stored count, and the number of its rows. */
const columns = <Name extends string>(
  table: string,
  names: readonly Name[],
  ofRows: Readonly<Record<Name, RawBuilder<unknown>>>,
) =>
  sql.join(
    names.flatMap((name) => [
      sql`${sql.ref(`${table}.${name}`)}`,
      sql`${ofRows[name]} as ${sql.ref(`${name}_of_rows`)}`,
    ]),
  )

const imported = (column: string) => sql`coalesce(${sql.ref(`imported.${column}`)}, 0)`
const isPublished = sql`visibility <= ${sql.lit(ORGANIC_TO_SOMEBODY)}`

const userCounts = sql`select users.id, ${columns('users', USER_COUNTS, {
  followers_count: sql`(select count(*) from relations where target_id = users.id and kind = 'follow')
    + ${imported('followers_count')}`,
  following_count: sql`(select count(*) from relations where source_id = users.id and kind = 'follow')
    + ${imported('following_count')}`,
  post_count: sql`(select count(*) from posts
    where author_id = users.id and environment = 'production' and ${isPublished})`,
  like_count: sql`(select count(*) from likes where user_id = users.id) + ${imported('like_count')}`,
  listed_count: sql`(select count(*) from list_relations join lists on lists.id = list_relations.list_id
    where list_relations.user_id = users.id and list_relations.kind = 'member' and lists.private = 0)
    + ${imported('listed_count')}`,
})} from users left join imported_user_counts as imported on imported.user_id = users.id`

type UserCountsRow = CountsRow<(typeof USER_COUNTS)[number]>

const pageOfUserCounts = query<{ after: string; limit: number }, UserCountsRow>(
  'checkedUserCounts',
  (db, at) => ({
    compile: () =>
      sql`${userCounts} where users.id > ${at.after} order by users.id limit ${at.limit}`.compile(db),
  }),
)

const countsOfUser = query<{ id: string }, UserCountsRow>('checkedCountsOfUser', (db, at) => ({
  compile: () => sql`${userCounts} where users.id = ${at.id}`.compile(db),
}))

const setUserCounts = query<{ id: string } & Record<(typeof USER_COUNTS)[number], number>>(
  'repairUserCounts',
  (db, at) => db.updateTable('users').set(picked(at, USER_COUNTS)).where('id', '=', at.id),
)

const differsIn =
  <Name extends string>(names: readonly Name[], what: string) =>
  (row: CountsRow<Name>) =>
    differencesIn(`${what} ${row.id}`, names, row, expectedOf(names, row))

const usersDiffer = differsIn(USER_COUNTS, 'user')

export const countsOfUsers: Comparison = {
  name: 'counts of users',
  pages: differingRows((store, page) => store.all(pageOfUserCounts, page), usersDiffer),
  async compare(tx, id) {
    await tx.first(lockAuthor, { id })
    return (await tx.all(countsOfUser, { id })).flatMap(usersDiffer)
  },
  async repair(tx, id) {
    for (const row of await tx.all(countsOfUser, { id }))
      await tx.run(setUserCounts, { id, ...expectedOf(USER_COUNTS, row) })
  },
}

/** The posts that refer to a version of a post through a column, as its counts include them. */
const referring = (column: 'reposted_post_id' | 'in_reply_to_post_id' | 'quoted_post_id') =>
  sql`(select count(*) from posts as others where ${sql.ref(`others.${column}`)} in (
      select id from posts as versions where versions.first_version_id = posts.first_version_id)
    and others.${isPublished}) + ${imported(COUNT_OF[column])}`

const COUNT_OF = {
  reposted_post_id: 'repost_count',
  in_reply_to_post_id: 'reply_count',
  quoted_post_id: 'quote_count',
} as const

const postCounts = sql`select posts.id, ${columns('posts', POST_COUNTS, {
  repost_count: referring('reposted_post_id'),
  reply_count: referring('in_reply_to_post_id'),
  quote_count: referring('quoted_post_id'),
  like_count: sql`(select count(*) from likes where post_id = posts.first_version_id) + ${imported('like_count')}`,
  bookmark_count: sql`(select count(*) from bookmarks where post_id = posts.first_version_id)
    + ${imported('bookmark_count')}`,
})} from posts left join imported_post_counts as imported on imported.post_id = posts.first_version_id`

type PostCountsRow = CountsRow<(typeof POST_COUNTS)[number]>

const pageOfPostCounts = query<{ after: string; limit: number }, PostCountsRow>(
  'checkedPostCounts',
  (db, at) => ({
    compile: () =>
      sql`${postCounts} where posts.id > ${at.after} and posts.deleted = 0 order by posts.id limit ${at.limit}`.compile(
        db,
      ),
  }),
)

const countsOfPost = query<{ id: string }, PostCountsRow>('checkedCountsOfPost', (db, at) => ({
  compile: () => sql`${postCounts} where posts.id = ${at.id} and posts.deleted = 0`.compile(db),
}))

const setPostCounts = query<{ id: string } & Record<(typeof POST_COUNTS)[number], number>>(
  'setPostCounts',
  (db, at) => db.updateTable('posts').set(picked(at, POST_COUNTS)).where('id', '=', at.id),
)

const postsDiffer = differsIn(POST_COUNTS, 'post')

/** The counts of every version of every post. */
export const countsOfPosts: Comparison = {
  name: 'counts of posts',
  pages: differingRows((store, page) => store.all(pageOfPostCounts, page), postsDiffer),
  async compare(tx, id) {
    await tx.first(lockPost, { id })
    return (await tx.all(countsOfPost, { id })).flatMap(postsDiffer)
  },
  async repair(tx, id) {
    for (const row of await tx.all(countsOfPost, { id }))
      await tx.run(setPostCounts, { id, ...expectedOf(POST_COUNTS, row) })
  },
}

const ofList = (kind: 'member' | 'follower') =>
  sql`(select count(*) from list_relations where list_id = lists.id and kind = ${sql.lit(kind)})`

const listCounts = sql`select lists.id, ${columns('lists', LIST_COUNTS, {
  member_count: ofList('member'),
  follower_count: ofList('follower'),
})} from lists`

type ListCountsRow = CountsRow<(typeof LIST_COUNTS)[number]>

const pageOfListCounts = query<{ after: string; limit: number }, ListCountsRow>(
  'checkedListCounts',
  (db, at) => ({
    compile: () =>
      sql`${listCounts} where lists.id > ${at.after} order by lists.id limit ${at.limit}`.compile(db),
  }),
)

const countsOfList = query<{ id: string }, ListCountsRow>('checkedCountsOfList', (db, at) => ({
  compile: () => sql`${listCounts} where lists.id = ${at.id}`.compile(db),
}))

const setListCounts = query<{ id: string } & Record<(typeof LIST_COUNTS)[number], number>>(
  'setListCounts',
  (db, at) => db.updateTable('lists').set(picked(at, LIST_COUNTS)).where('id', '=', at.id),
)

const listsDiffer = differsIn(LIST_COUNTS, 'list')

export const countsOfLists: Comparison = {
  name: 'counts of lists',
  pages: differingRows((store, page) => store.all(pageOfListCounts, page), listsDiffer),
  async compare(tx, id) {
    await tx.first(lockList, { id })
    return (await tx.all(countsOfList, { id })).flatMap(listsDiffer)
  },
  async repair(tx, id) {
    for (const row of await tx.all(countsOfList, { id }))
      await tx.run(setListCounts, { id, ...expectedOf(LIST_COUNTS, row) })
  },
}
