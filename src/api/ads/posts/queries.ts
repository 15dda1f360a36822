import { sql } from 'kysely'
import { isPublicPost, seenByEveryone } from '../../../domain/posts/public-sql.ts'
import type { TimelineArgs } from '../../../domain/posts/queries.ts'
import type { PostRow } from '../../../domain/posts/tables.ts'
import { GONE } from '../../../domain/posts/visibility.ts'
import { anyIdIn, anyIn, distinctIdsIn, picked, postgres } from '../../../platform/storage/query.ts'
import { columnNames } from '../../../platform/storage/table.ts'
import { type ApiTables, type Database, query } from '../../tables.ts'
import { VISIBLE } from '../entity/queries.ts'
import type { KnownPostRow } from './promotable.ts'
import { type PostNameRow, postNames } from './tables.ts'

/** The users whose posts an account may promote. */
export const promotableUsersOf = query<
  { account: string },
  { user_id: string; promotable_user_type: 'FULL' | 'REPOSTS_ONLY' }
>('promotableUsersOf', (db, at) =>
  db
    .selectFrom('promotable_users')
    .select(['user_id', 'promotable_user_type'])
    .where('account_id', '=', at.account)
    .where('visibility', '=', VISIBLE),
)

/** Posts, with what decides who may promote them. `ids` is a JSON list. */
export const knownPostsByIds = query<{ environment: string; ids: string }, KnownPostRow>(
  'knownPostsByIds',
  (db, at) =>
    db
      .selectFrom(distinctIdsIn(db, at.ids))
      .crossJoin('posts')
      .innerJoin('users', 'users.id', 'posts.author_id')
      .leftJoin('posts as originals', 'originals.id', 'posts.reposted_post_id')
      .leftJoin('users as originators', 'originators.id', 'originals.author_id')
      .selectAll('posts')
      .select(
        seenByEveryone(
          { posts: 'posts', authors: 'users' },
          { posts: 'originals', authors: 'originators' },
        ).as('seen_by_everyone'),
      )
      .whereRef('posts.id', '=', 'asked.value')
      .where('posts.environment', '=', at.environment)
      .where('posts.visibility', '<', GONE),
)

/** `from` and `to` are the bounds of the name key. `visibilities` is a JSON list. */
type NamedArgs = TimelineArgs & { account: string; from: string; to: string; visibilities: string }

const named = (db: Database, at: NamedArgs) =>
  db
    .selectFrom('post_names')
    .innerJoin('posts', 'posts.id', 'post_names.post_id')
    .selectAll('posts')
    .where('post_names.account_id', '=', at.account)
    .where('post_names.author_id', '=', at.author)
    .where('name_key', '>=', at.from)
    .where('name_key', '<', at.to)
    .where('posts.environment', '=', at.environment)
    .where(anyIn(postgres(db), sql`cast(posts.visibility as text)`, at.visibilities))
    .where('posts.id', '<', at.before)
    .orderBy('posts.id', 'desc')
    .limit(at.limit)

/** Posts of an author whose name in an account begins with a text. */
export const postsByName = query<NamedArgs, PostRow>('postsByName', (db, at) => named(db, at))

/** The same, for public posts only. */
export const publicPostsByName = query<NamedArgs, PostRow>('publicPostsByName', (db, at) =>
  named(db, at).where(isPublicPost('posts.id')),
)

/** The names of some posts in an account. `ids` is a JSON list. */
export const namesOfPosts = query<{ account: string; ids: string }, Pick<PostNameRow, 'post_id' | 'name'>>(
  'namesOfPosts',
  (db, at) =>
    db
      .selectFrom('post_names')
      .select(['post_id', 'name'])
      .where('account_id', '=', at.account)
      .where(anyIdIn(postgres(db), sql.ref('post_id'), at.ids)),
)

/** Names a post, replacing its previous name. */
export const putPostName = query<PostNameRow>('putPostName', (db, at) =>
  db
    .insertInto('post_names')
    .values(picked(at, columnNames(postNames)))
    .onConflict((c) =>
      c.columns(['account_id', 'post_id']).doUpdateSet({ name: at.name, name_key: at.name_key }),
    ),
)

export const removePostName = query<{ account: string; post: string }>('removePostName', (db, at) =>
  db.deleteFrom('post_names').where('account_id', '=', at.account).where('post_id', '=', at.post),
)

/** A draft, or a scheduled post. */
export type PlannedPostRow = ApiTables['draft_posts'] & Partial<ApiTables['scheduled_posts']>

export interface NewestPostsArgs {
  account: string
  user: string
  /** Only those with a smaller id. */
  before: string
  /** JSON lists of text. */
  nullcasts: string
  limit: number
}

/**
 * Planned posts in lists of posts: drafts, and scheduled posts, which have more columns. Those that
 * were published are listed as posts.
 */
const plannedQueries = (table: 'draft_posts' | 'scheduled_posts') => {
  const isScheduled = table === 'scheduled_posts'
  const selected = (db: Database, account: string) =>
    db
      // Scheduled posts have all columns of drafts.
      .selectFrom(table as 'scheduled_posts')
      .selectAll()
      .$castTo<PlannedPostRow>()
      .where('account_id', '=', account)
      .$if(isScheduled, (qb) => qb.where('post_id', 'is', null))
  const newest = (db: Database, at: NewestPostsArgs) =>
    selected(db, at.account)
      .where('user_id', '=', at.user)
      .where('visibility', '=', VISIBLE)
      .where('id', '<', at.before)
      .where(anyIn(postgres(db), sql`cast(nullcast as text)`, at.nullcasts))
      .orderBy('id', 'desc')
      .limit(at.limit)
  return {
    /** Newest first. */
    newest: query<NewestPostsArgs, PlannedPostRow>(`${table}_newest`, (db, at) => newest(db, at)),
    /** The same, for names that begin with a text. */
    named: query<NewestPostsArgs & { from: string; to: string }, PlannedPostRow>(
      `${table}_newest_named`,
      (db, at) => newest(db, at).where('name_key', '>=', at.from).where('name_key', '<', at.to),
    ),
    /** By their ids, which are a JSON list. */
    byIds: query<{ account: string; ids: string }, PlannedPostRow>(`${table}_by_ids`, (db, at) =>
      selected(db, at.account).where(anyIdIn(postgres(db), sql.ref('id'), at.ids)),
    ),
  }
}

export const draftQueries = plannedQueries('draft_posts')
export const scheduledQueries = plannedQueries('scheduled_posts')
