import { sql } from 'kysely'
import type { ProfileRow } from '../../../identity/users/tables.ts'
import { insertion } from '../../../platform/storage/insertion.ts'
import { anyIdIn, anyIn, locked, picked, postgres } from '../../../platform/storage/query.ts'
import { columnNames } from '../../../platform/storage/table.ts'
import { query } from '../../tables.ts'
import type { PostRow } from '../tables.ts'
import { GONE } from '../visibility.ts'
import { type ImportedPostCountRow, importedPostCounts, type PostImportRow, postImports } from './tables.ts'

export const addImport = query<PostImportRow>('addPostImport', (db, at) =>
  db
    .insertInto('post_imports')
    .values(picked(at, columnNames(postImports)))
    .onConflict((on) => on.column('id').doNothing()),
)

export const lockImport = query<{ id: string }, PostImportRow>('lockPostImport', (db, at) =>
  locked(db, db.selectFrom('post_imports').selectAll().where('id', '=', at.id)),
)

export const takeImport = query<Pick<PostImportRow, 'id' | 'holder' | 'host' | 'pid' | 'expires_at'>>(
  'takePostImport',
  (db, at) =>
    db
      .updateTable('post_imports')
      .set(picked(at, ['holder', 'host', 'pid', 'expires_at']))
      .where('id', '=', at.id),
)

/** The progress of an import. */
export type ImportProgress = Pick<PostImportRow, 'pass' | 'line' | 'byte' | 'added' | 'known' | 'rejected'>

/** Changes nothing when another process has the import. */
export const moveImport = query<ImportProgress & Pick<PostImportRow, 'id' | 'holder' | 'expires_at'>>(
  'movePostImport',
  (db, at) =>
    db
      .updateTable('post_imports')
      .set(picked(at, ['pass', 'line', 'byte', 'added', 'known', 'rejected', 'expires_at']))
      .where('id', '=', at.id)
      .where('holder', '=', at.holder),
)

export const releaseImport = query<{ id: string; holder: string }>('releasePostImport', (db, at) =>
  db
    .updateTable('post_imports')
    .set({ holder: '', expires_at: 0 })
    .where('id', '=', at.id)
    .where('holder', '=', at.holder),
)

/** Users by id and by name in lower case. Both are JSON lists. */
export const authorsOfImport = query<
  { ids: string; keys: string },
  Pick<ProfileRow, 'id' | 'screen_name' | 'screen_name_key'>
>('authorsOfImport', (db, at) => {
  const columns = ['id', 'screen_name', 'screen_name_key'] as const
  return db
    .selectFrom('users')
    .select(columns)
    .where(anyIn(postgres(db), sql.ref('id'), at.ids))
    .union(
      db
        .selectFrom('users')
        .select(columns)
        .where(anyIn(postgres(db), sql.ref('screen_name_key'), at.keys)),
    )
})

/** An existing post that posts of an import refer to. */
export interface ReferredPost
  extends Pick<
    PostRow,
    | 'id'
    | 'author_id'
    | 'text'
    | 'lang'
    | 'entities'
    | 'context_annotations'
    | 'conversation_id'
    | 'reposted_post_id'
    | 'possibly_sensitive'
  > {
  author_name: string
}

/** `ids` is a JSON list. */
export const postsReferredTo = query<{ ids: string }, ReferredPost>('postsReferredTo', (db, at) =>
  db
    .selectFrom('posts')
    .innerJoin('users', 'users.id', 'posts.author_id')
    .select([
      'posts.id',
      'posts.author_id',
      'posts.text',
      'posts.lang',
      'posts.entities',
      'posts.context_annotations',
      'posts.conversation_id',
      'posts.reposted_post_id',
      'posts.possibly_sensitive',
      'users.screen_name as author_name',
    ])
    .where(anyIdIn(postgres(db), sql.ref('posts.id'), at.ids))
    .where('posts.environment', '=', 'production')
    .where('posts.visibility', '<', GONE),
)

/** The ids in use. `ranges` is a JSON list of objects with a `first` and a `last` id. */
export const takenPostIds = query<{ ranges: string }, { id: string }>('takenPostIds', (db, at) => {
  const ranges = postgres(db)
    ? sql`jsonb_to_recordset(${at.ranges}::jsonb) as id_range(first numeric, last numeric)`
    : sql`(select value->>'first' as first, value->>'last' as last from json_each(${at.ranges})) as id_range`
  return {
    compile: () =>
      sql`select posts.id as id from ${ranges} join posts on posts.id >= id_range.first and posts.id <= id_range.last`.compile(
        db,
      ),
  }
})

/** Existing reposts. `pairs` is a JSON list of objects with `post` and `author`. */
export const repostsAmong = query<{ pairs: string }, { post: string; author: string }>(
  'repostsAmong',
  (db, at) => {
    const pairs = postgres(db)
      ? sql`jsonb_to_recordset(${at.pairs}::jsonb) as pair(post numeric, author text)`
      : sql`(select value->>'post' as post, value->>'author' as author from json_each(${at.pairs})) as pair`
    return {
      compile: () =>
        sql`select posts.reposted_post_id as post, posts.author_id as author from ${pairs}
          join posts on posts.reposted_post_id = pair.post and posts.author_id = pair.author
          where posts.visibility < ${sql.lit(GONE)}`.compile(db),
    }
  },
)

/** `counts` is a JSON list of objects with `id` and counts. */
const countsList = (isPostgres: boolean, counts: string, names: readonly string[], id: 'numeric' | 'text') =>
  isPostgres
    ? sql`jsonb_to_recordset(${counts}::jsonb) as more(id ${sql.raw(id)}, ${sql.join(names.map((name) => sql`${sql.ref(name)} bigint`))})`
    : sql`(select value->>'id' as id, ${sql.join(names.map((name) => sql`value->>${sql.lit(name)} as ${sql.ref(name)}`))}
        from json_each(${counts})) as more`

const REFERENCE_COUNTS = ['repost_count', 'reply_count', 'quote_count'] as const

/** The counts of a list by the first version of the post that each of its elements names. */
const byPost = (isPostgres: boolean, counts: string, fold: 'sum' | 'max') =>
  sql`(select named.first_version_id as first, ${sql.join(
    REFERENCE_COUNTS.map((name) => sql`${sql.raw(fold)}(${sql.ref(`more.${name}`)}) as ${sql.ref(name)}`),
  )} from ${countsList(isPostgres, counts, REFERENCE_COUNTS, 'numeric')} join posts as named on named.id = more.id
    group by named.first_version_id) as given`

/** Adds to the counts of referenced posts. `counts` is a JSON list of ids with these counts. */
export const countReferencesOfMany = query<{ counts: string }>('countReferencesOfMany', (db, at) => ({
  compile: () =>
    sql`update posts set ${sql.join(REFERENCE_COUNTS.map((name) => sql`${sql.ref(name)} = ${sql.ref(`posts.${name}`)} + ${sql.ref(`given.${name}`)}`))}
      from ${byPost(postgres(db), at.counts, 'sum')} where posts.first_version_id = given.first`.compile(db),
}))

export const addImportedCounts = insertion<ImportedPostCountRow>(
  'addImportedPostCounts',
  importedPostCounts,
  columnNames(importedPostCounts),
)

/** Locks the first versions of posts, and so their counts. `ids` is a JSON list of versions. */
export const lockPosts = query<{ ids: string }, { id: string }>('lockPostsOfImport', (db, at) =>
  locked(
    db,
    db
      .selectFrom('posts')
      .select('id')
      .where('id', 'in', (on) =>
        on
          .selectFrom('posts as named')
          .select('named.first_version_id')
          .where(anyIdIn(postgres(db), sql.ref('named.id'), at.ids)),
      )
      .orderBy('id'),
  ),
)

/**
 * Records by how much `raiseCounts` will raise the counts of posts, because there are no rows for
 * the difference. It has the same list.
 */
export const noteRaisedCounts = query<{ counts: string }>('noteRaisedPostCounts', (db, at) => {
  const most = postgres(db) ? sql`greatest` : sql`max`
  const names = sql.join(REFERENCE_COUNTS.map((name) => sql.ref(name)))
  const raised = REFERENCE_COUNTS.map(
    (name) => sql`${most}(${sql.ref(`given.${name}`)} - ${sql.ref(`posts.${name}`)}, 0)`,
  )
  const sums = REFERENCE_COUNTS.map(
    (name) =>
      sql`${sql.ref(name)} = ${sql.ref(`imported_post_counts.${name}`)} + ${sql.ref(`excluded.${name}`)}`,
  )
  return {
    compile: () =>
      sql`insert into imported_post_counts (post_id, ${names}, like_count, bookmark_count)
        select posts.id, ${sql.join(raised)}, 0, 0
          from ${byPost(postgres(db), at.counts, 'max')} join posts on posts.id = given.first
        where true on conflict (post_id) do update set ${sql.join(sums)}`.compile(db),
  }
})

/**
 * Counts the same in the hours of the posts. It comes before `raiseCounts`, and has the same list.
 */
const addRaisedHours = (column: (typeof REFERENCE_COUNTS)[number], metric: string) =>
  query<{ counts: string }>(`addRaisedHours_${column}`, (db, at) => {
    const more = sql`${sql.ref(`given.${column}`)} - ${sql.ref(`posts.${column}`)}`
    return {
      compile: () =>
        sql`insert into post_hours (post_id, hour, metric, amount)
          select posts.id, posts.created_at / 3600000, ${sql.lit(metric)}, cast(${more} as bigint)
            from ${byPost(postgres(db), at.counts, 'max')} join posts on posts.id = given.first
            where ${more} > 0 order by posts.id
          on conflict (post_id, hour, metric) do update set amount = post_hours.amount + excluded.amount`.compile(
          db,
        ),
    }
  })

export const addHoursOfRaised = [
  addRaisedHours('reply_count', 'replies'),
  addRaisedHours('repost_count', 'reposts'),
  addRaisedHours('quote_count', 'quote_posts'),
] as const

/** Raises the counts of references of posts to those in a JSON list of ids with counts. */
export const raiseCounts = query<{ counts: string }>('raisePostCounts', (db, at) => {
  const most = postgres(db) ? sql`greatest` : sql`max`
  return {
    compile: () =>
      sql`update posts set ${sql.join(REFERENCE_COUNTS.map((name) => sql`${sql.ref(name)} = ${most}(${sql.ref(`posts.${name}`)}, ${sql.ref(`given.${name}`)})`))}
        from ${byPost(postgres(db), at.counts, 'max')} where posts.first_version_id = given.first`.compile(
        db,
      ),
  }
})

/** Adds to the post counts of authors. `counts` is a JSON list of ids with `posts`. */
export const countPostsOfMany = query<{ counts: string }>('countPostsOfMany', (db, at) => ({
  compile: () =>
    sql`update users set post_count = users.post_count + more.posts
      from ${countsList(postgres(db), at.counts, ['posts'], 'text')} where users.id = more.id`.compile(db),
}))
