import { sql } from 'kysely'
import { visibilityOf } from '../../domain/posts/insert.ts'
import { mentionsOf } from '../../domain/posts/mentions.ts'
import { addMentions, lockPost, removeMentions, versionsOf } from '../../domain/posts/queries.ts'
import { removeReactions } from '../../domain/posts/remove.ts'
import type { MentionRow, PostRow } from '../../domain/posts/tables.ts'
import { GONE, ORGANIC_TO_SOMEBODY } from '../../domain/posts/visibility.ts'
import { enqueue } from '../../platform/queue/enqueue.ts'
import { waitingTask } from '../../platform/queue/queries.ts'
import { anyIdIn, postgres } from '../../platform/storage/query.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import type { Entities } from '../../platform/text/entities.ts'
import { query } from '../tables.ts'
import { type Comparison, type Difference, differencesIn, inPages } from './comparison.ts'

interface CheckPage {
  after: string
  limit: number
}

// Reactions to deleted posts.

interface ReactionsRow {
  id: string
  author_id: string
  likes: number
  bookmarks: number
  reposts: number
}

/** Whether a deleted post has reactions: 1 or 0 for each kind. */
const leftReactions = sql`select posts.id, posts.author_id,
  case when exists (select 1 from likes where post_id = posts.id) then 1 else 0 end as likes,
  case when exists (select 1 from bookmarks where post_id = posts.id) then 1 else 0 end as bookmarks,
  case when exists (select 1 from posts as versions
    join posts as reposts on reposts.reposted_post_id = versions.id and reposts.visibility < ${sql.lit(GONE)}
    where versions.first_version_id = posts.id) then 1 else 0 end as reposts
  from posts where posts.deleted = 1 and posts.first_version_id = posts.id`

const pageOfDeleted = query<CheckPage, ReactionsRow>('checkedDeletedPosts', (db, at) => ({
  compile: () =>
    sql`${leftReactions} and posts.id > ${at.after} order by posts.id limit ${at.limit}`.compile(db),
}))
const deletedPost = query<{ id: string }, ReactionsRow>('checkedDeletedPost', (db, at) => ({
  compile: () => sql`${leftReactions} and posts.id = ${at.id}`.compile(db),
}))

const LEFT = ['likes', 'bookmarks', 'reposts'] as const

/** Deleted posts without reactions, except those whose reactions a task is removing. */
export const reactionsToDeletedPosts: Comparison = {
  name: 'reactions to deleted posts',
  async *pages(store) {
    for await (const rows of inPages(
      (page) => store.all(pageOfDeleted, page),
      ({ id }) => id,
    )) {
      const left = rows.filter((row) => LEFT.some((name) => Number(row[name]) > 0))
      yield { compared: rows.length, suspects: left.map(({ id }) => id) }
    }
  },
  async compare(tx, id) {
    const row = await tx.first(deletedPost, { id })
    if (!row) return []
    const { kind, subject } = removeReactions.task({ post: id, author: row.author_id })
    if (await tx.first(waitingTask, { kind, subject: subject ?? '' })) return []
    return LEFT.filter((name) => Number(row[name]) > 0).map((name) => ({
      ...{ of: `deleted post ${id}`, name, stored: 'some', expected: 'none' },
    }))
  },
  async repair(tx, id) {
    const row = await tx.first(deletedPost, { id })
    if (row) await enqueue(tx, removeReactions.task({ post: id, author: row.author_id }))
  },
}

// Mentions.

const mentioning = sql`posts.environment = 'production' and posts.visibility <= ${sql.lit(ORGANIC_TO_SOMEBODY)}`

const pageOfPosts = query<CheckPage, PostRow>('checkedMentioningPosts', (db, at) => ({
  compile: () =>
    sql`select * from posts where id > ${at.after} and ${mentioning} order by id limit ${at.limit}`.compile(
      db,
    ),
}))

const pageOfMentioned = query<CheckPage, { post_id: string }>('checkedMentionedPosts', (db, at) => ({
  compile: () =>
    sql`select post_id from post_mentions where post_id > ${at.after} group by post_id order by post_id limit ${at.limit}`.compile(
      db,
    ),
}))

const mentionsIn = query<{ ids: string }, MentionRow>('checkedMentions', (db, at) =>
  db
    .selectFrom('post_mentions')
    .selectAll()
    .where(anyIdIn(postgres(db), sql.ref('post_id'), at.ids)),
)

const publishedAmong = query<{ ids: string }, PostRow>('checkedPublishedPosts', (db, at) => ({
  compile: () =>
    sql`select * from posts where ${anyIdIn(postgres(db), sql.ref('id'), at.ids)} and ${mentioning}`.compile(
      db,
    ),
}))

const usersIn = (rows: readonly MentionRow[], post: string) =>
  rows
    .filter(({ post_id }) => post_id === post)
    .map(({ user_id }) => user_id)
    .sort()
    .join()

async function mentionsDiffer(tx: Pick<Transaction, 'all'>, ids: readonly string[]): Promise<Difference[]> {
  const list = JSON.stringify(ids)
  const stored = await tx.all(mentionsIn, { ids: list })
  const expected = (await tx.all(publishedAmong, { ids: list })).flatMap(mentionsOf)
  return ids.flatMap((id) => {
    const [before, after] = [usersIn(stored, id), usersIn(expected, id)]
    return before === after ? [] : [{ of: `post ${id}`, name: 'mentions', stored: before, expected: after }]
  })
}

const idIn = ({ of }: Difference) => of.slice('post '.length)

/** The index of mentions: the rows of published posts, and none of others. */
export const mentionsOfPosts: Comparison = {
  name: 'mentions',
  async *pages(store) {
    for await (const rows of inPages(
      (page) => store.all(pageOfPosts, page),
      ({ id }) => id,
    )) {
      const ids = rows.map(({ id }) => id)
      yield { compared: ids.length, suspects: (await mentionsDiffer(store, ids)).map(idIn) }
    }
    for await (const rows of inPages(
      (page) => store.all(pageOfMentioned, page),
      ({ post_id }) => post_id,
    )) {
      const ids = rows.map(({ post_id }) => post_id)
      const published = new Set(
        (await store.all(publishedAmong, { ids: JSON.stringify(ids) })).map(({ id }) => id),
      )
      // Those of published posts were compared above.
      yield { compared: 0, suspects: ids.filter((id) => !published.has(id)) }
    }
  },
  async compare(tx, id) {
    await tx.first(lockPost, { id })
    return mentionsDiffer(tx, [id])
  },
  async repair(tx, id) {
    const ids = JSON.stringify([id])
    await tx.run(removeMentions, { posts: ids })
    await addMentions(tx, (await tx.all(publishedAmong, { ids })).flatMap(mentionsOf))
  },
}

// Versions.

/** The first versions of posts that were edited, and of those whose state contradicts itself. */
const pageOfFirsts = query<CheckPage, { id: string }>('checkedFirstVersions', (db, at) => ({
  compile: () =>
    sql`select id from posts where id > ${at.after} and first_version_id = id and (version_ids is not null
      or (visibility = ${sql.lit(GONE)}) <> (deleted = 1)
      or exists (select 1 from posts as others where others.first_version_id = posts.id and others.id <> posts.id))
      order by id limit ${at.limit}`.compile(db),
}))

const versionsAmong = query<{ ids: string }, PostRow>('checkedVersions', (db, at) =>
  db
    .selectFrom('posts')
    .selectAll()
    .where(anyIdIn(postgres(db), sql.ref('first_version_id'), at.ids))
    .orderBy('id'),
)

const setVersions = query<{
  first: string
  newest: string
  versions: string | null
  visibility: number
  deleted: number
}>('setVersions', (db, at) =>
  db
    .updateTable('posts')
    .set({
      version_ids: at.versions,
      deleted: at.deleted,
      visibility: sql<number>`case when id = ${at.newest} then ${at.visibility} else ${sql.lit(GONE)} end`,
    })
    .where('first_version_id', '=', at.first),
)

/** The expected state of the versions of a post. */
function expectedOf(versions: readonly PostRow[]) {
  const [first] = versions
  const newest = versions.at(-1)
  if (!first || !newest) return undefined
  return {
    first: first.id,
    newest: newest.id,
    versions: versions.length > 1 ? JSON.stringify(versions.map(({ id }) => id)) : null,
    visibility: first.deleted === 1 ? GONE : visibilityOf(newest, JSON.parse(newest.entities) as Entities),
    deleted: first.deleted,
  }
}

function versionsDiffer(versions: readonly PostRow[]): Difference[] {
  const expected = expectedOf(versions)
  if (!expected) return []
  return versions.flatMap((row) =>
    differencesIn(
      `post ${row.id}`,
      ['version_ids', 'deleted', 'visibility'],
      { version_ids: row.version_ids ?? 'null', deleted: row.deleted, visibility: row.visibility },
      {
        version_ids: expected.versions ?? 'null',
        deleted: expected.deleted,
        visibility: row.id === expected.newest ? expected.visibility : GONE,
      },
    ),
  )
}

/** The list of versions in every version of a post, and that lists contain only the newest one. */
export const versionsOfPosts: Comparison = {
  name: 'versions of posts',
  async *pages(store) {
    for await (const rows of inPages(
      (page) => store.all(pageOfFirsts, page),
      ({ id }) => id,
    )) {
      const ids = rows.map(({ id }) => id)
      const all = new Map<string, PostRow[]>(ids.map((id) => [id, []]))
      for (const row of await store.all(versionsAmong, { ids: JSON.stringify(ids) }))
        all.get(row.first_version_id)?.push(row)
      yield {
        compared: ids.length,
        suspects: ids.filter((id) => versionsDiffer(all.get(id) ?? []).length > 0),
      }
    }
  },
  async compare(tx, id) {
    await tx.first(lockPost, { id })
    return versionsDiffer(await tx.all(versionsOf, { first: id }))
  },
  async repair(tx, id) {
    const expected = expectedOf(await tx.all(versionsOf, { first: id }))
    if (expected) await tx.run(setVersions, expected)
  },
}
