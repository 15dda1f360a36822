import { sql } from 'kysely'
import { anyIn, locked, postgres, query } from '../storage/query.ts'
import { ORGANIC, ORGANIC_TO_SOMEBODY } from '../storage/visibility.ts'
import type { FollowRow, ProfileRow, UserRow } from '../storage/tables.ts'
import { NO_PASSWORD } from './password.ts'

export const userById = query<{ id: string }, UserRow>('userById', (db, at) =>
  db.selectFrom('users').selectAll().where('id', '=', at.id),
)

export const userByScreenName = query<{ key: string }, UserRow>('userByScreenName', (db, at) =>
  db.selectFrom('users').selectAll().where('screen_name_key', '=', at.key),
)

/** Users who can sign in: those of a synthetic population cannot. */
export const pageOfUsers = query<{ after: string; limit: number }, UserRow>('pageOfUsers', (db, at) =>
  db
    .selectFrom('users')
    .selectAll()
    .where('id', '>', at.after)
    .where('password_hash', '<>', NO_PASSWORD)
    .orderBy('id')
    .limit(at.limit),
)

export const addUser = query<UserRow>('addUser', (db, at) =>
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

export const setPassword = query<{ id: string; passwordHash: string }>('setPassword', (db, at) =>
  db.updateTable('users').set({ password_hash: at.passwordHash }).where('id', '=', at.id),
)

export const setUserSuspended = query<{ id: string; suspended: number }>('setUserSuspended', (db, at) =>
  db.updateTable('users').set({ suspended: at.suspended }).where('id', '=', at.id),
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

/** `ids` is a JSON list. */
export const profilesByIds = query<{ ids: string }, ProfileRow>('profilesByIds', (db, at) =>
  db
    .selectFrom('users')
    .selectAll()
    .where(anyIn(postgres(db), sql.ref('id'), at.ids)),
)

/** Keeps an author to the transaction: two posts at once must not both be the only one of their text. */
export const lockAuthor = query<{ id: string }, ProfileRow>('lockAuthor', (db, at) =>
  locked(db, db.selectFrom('users').selectAll().where('id', '=', at.id)),
)

/** More posts in the profile of their author, or fewer. */
export const countPost = query<{ author: string; by: number }>('countPost', (db, at) =>
  db
    .updateTable('users')
    .set({ post_count: sql<number>`post_count + ${at.by}` })
    .where('id', '=', at.author),
)

/** `keys` is a JSON list of screen names in lower case. */
export const profilesByNames = query<{ keys: string }, ProfileRow>('profilesByNames', (db, at) =>
  db
    .selectFrom('users')
    .selectAll()
    .where(anyIn(postgres(db), sql.ref('screen_name_key'), at.keys)),
)

/** Who of some users follows a user, and whom of them that user follows. `ids` is a JSON list. */
export const followsBetween = query<
  { user: string; ids: string },
  Pick<FollowRow, 'follower_id' | 'followed_id'>
>('followsBetween', (db, at) =>
  db
    .selectFrom('follows')
    .select(['follower_id', 'followed_id'])
    .where('follower_id', '=', at.user)
    .where(anyIn(postgres(db), sql.ref('followed_id'), at.ids))
    .unionAll(
      db
        .selectFrom('follows')
        .select(['follower_id', 'followed_id'])
        .where('followed_id', '=', at.user)
        .where(anyIn(postgres(db), sql.ref('follower_id'), at.ids)),
    ),
)

/** The newest post of each of some users, in public and to somebody. `ids` is a JSON list. */
export const newestPosts = query<
  { ids: string },
  { author_id: string; organic: string | null; to_somebody: string | null }
>('newestPosts', (db, at) => {
  const newest = (shelf: number) => sql`(select max(id) from posts where author_id = users.id
    and environment = 'production' and visibility = ${sql.lit(shelf)})`
  return {
    compile: () =>
      sql`select id as author_id, ${newest(ORGANIC)} as organic, ${newest(ORGANIC_TO_SOMEBODY)} as to_somebody
        from users where ${anyIn(postgres(db), sql.ref('id'), at.ids)}`.compile(db),
  }
})
