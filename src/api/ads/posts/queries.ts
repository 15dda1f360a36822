import { sql } from 'kysely'
import { isPublicPost, seenByEveryone } from '../../../domain/posts/public-sql.ts'
import type { TimelineArgs } from '../../../domain/posts/queries.ts'
import type { PostRow } from '../../../domain/posts/tables.ts'
import { GONE } from '../../../domain/posts/visibility.ts'
import { anyIdIn, anyIn, distinctIdsIn, locked, picked, postgres } from '../../../platform/storage/query.ts'
import type { Database } from '../../tables.ts'
import { query } from '../../tables.ts'
import { VISIBLE } from '../entity/queries.ts'
import type { KnownPostRow } from './promotable.ts'
import type { DraftPostRow, PostNameRow } from './tables.ts'

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
    .values({
      account_id: at.account_id,
      post_id: at.post_id,
      author_id: at.author_id,
      name: at.name,
      name_key: at.name_key,
    })
    .onConflict((c) =>
      c.columns(['account_id', 'post_id']).doUpdateSet({ name: at.name, name_key: at.name_key }),
    ),
)

export const removePostName = query<{ account: string; post: string }>('removePostName', (db, at) =>
  db.deleteFrom('post_names').where('account_id', '=', at.account).where('post_id', '=', at.post),
)

/** Columns of a planned post that can change. */
const PLANNED_FIXED = ['account_id', 'id', 'user_id', 'created_at'] as const
const PLANNED_MUTABLE = [
  ...['app_id', 'contributor_id', 'name', 'name_key', 'text', 'card_uri', 'media_keys', 'nullcast'],
  'updated_at',
] as const

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
 * The statements for planned posts: drafts, and scheduled posts, which have additional columns. Scheduled posts that
 * were published no longer appear in lists of planned posts.
 */
export function plannedQueries<Row extends DraftPostRow>(
  table: 'draft_posts' | 'scheduled_posts',
  more: readonly Exclude<keyof Row & string, keyof DraftPostRow>[],
) {
  const mutable = [...PLANNED_MUTABLE, ...more]
  // Scheduled posts have all columns of drafts. A new row has at least those; a row that is read may have more.
  const asDraft = table as 'draft_posts'
  const asScheduled = table as 'scheduled_posts'
  const selected = (db: Database) => db.selectFrom(asScheduled).selectAll().$castTo<Row>()
  const own = (db: Database, at: { account: string; id: string }) =>
    selected(db).where('account_id', '=', at.account).where('id', '=', at.id)
  const unpublished = (qb: ReturnType<typeof selected>) =>
    table === 'scheduled_posts' ? qb.where('post_id', 'is', null) : qb
  const newest = (db: Database, at: NewestPostsArgs) =>
    unpublished(selected(db))
      .where('account_id', '=', at.account)
      .where('user_id', '=', at.user)
      .where('id', '<', at.before)
      .where(anyIn(postgres(db), sql`cast(nullcast as text)`, at.nullcasts))
      .orderBy('id', 'desc')
      .limit(at.limit)
  return {
    byId: query<{ account: string; id: string }, Row>(`${table}_by_id`, (db, at) => own(db, at)),
    /** Locks it for a change, so that it is neither changed nor published concurrently. */
    lock: query<{ account: string; id: string }, Row>(`${table}_lock`, (db, at) => locked(db, own(db, at))),
    add: query<Row>(`${table}_add`, (db, at) =>
      db.insertInto(asDraft).values(picked(at, [...PLANNED_FIXED, ...mutable])),
    ),
    change: query<Row>(`${table}_change`, (db, at) =>
      db
        .updateTable(asScheduled)
        .set(picked(at, mutable))
        .where('account_id', '=', at.account_id)
        .where('id', '=', at.id),
    ),
    remove: query<{ account: string; id: string }>(`${table}_remove`, (db, at) =>
      db.deleteFrom(asScheduled).where('account_id', '=', at.account).where('id', '=', at.id),
    ),
    /** Of a user, oldest first. */
    page: query<{ account: string; user: string; after: string; limit: number }, Row>(
      `${table}_page`,
      (db, at) =>
        selected(db)
          .where('account_id', '=', at.account)
          .where('user_id', '=', at.user)
          .where('id', '>', at.after)
          .orderBy('id')
          .limit(at.limit),
    ),
    /** In a list of posts, newest first. */
    newest: query<NewestPostsArgs, Row>(`${table}_newest`, (db, at) => newest(db, at)),
    /** The same, for names that begin with a text. */
    named: query<NewestPostsArgs & { from: string; to: string }, Row>(`${table}_newest_named`, (db, at) =>
      newest(db, at).where('name_key', '>=', at.from).where('name_key', '<', at.to),
    ),
    /** By their ids, which are a JSON list. */
    byIds: query<{ account: string; ids: string }, Row>(`${table}_by_ids`, (db, at) =>
      unpublished(selected(db))
        .where('account_id', '=', at.account)
        .where(anyIdIn(postgres(db), sql.ref('id'), at.ids)),
    ),
  }
}
