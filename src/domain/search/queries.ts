import { sql } from 'kysely'
import { anyIdIn, idsIn, postgres } from '../../platform/storage/query.ts'
import { seenByEveryone } from '../posts/public-sql.ts'
import type { PostRow } from '../posts/tables.ts'
import { type Database, query } from '../tables.ts'

/** A post, with what else it is found by and what decides whether it is found at all. */
export interface IndexedRow extends PostRow {
  /** 1 if the post is public and, for a repost, the original too. */
  public: number
  author_verified: number
  /** The location in the profile. */
  author_location: string
  /** The author of the post that this one reposts. */
  reposted_author_id: string | null
}

const indexed = (db: Database) =>
  db
    .selectFrom('posts')
    .innerJoin('users', 'users.id', 'posts.author_id')
    .leftJoin('posts as originals', 'originals.id', 'posts.reposted_post_id')
    .leftJoin('users as originators', 'originators.id', 'originals.author_id')
    .selectAll('posts')
    .select([
      seenByEveryone({ posts: 'posts', authors: 'users' }, { posts: 'originals', authors: 'originators' }).as(
        'public',
      ),
      'users.verified as author_verified',
      'users.location as author_location',
      'originals.author_id as reposted_author_id',
    ])

/** Posts by id, including deleted ones. `ids` is a JSON list. */
export const postsToIndex = query<{ ids: string }, IndexedRow>('postsToIndex', (db, at) =>
  indexed(db).where(anyIdIn(postgres(db), sql.ref('posts.id'), at.ids)),
)

/** The next posts, including deleted ones, ordered by id. */
export const pageToIndex = query<{ after: string; limit: number }, IndexedRow>('pageToIndex', (db, at) =>
  indexed(db).where('posts.id', '>', at.after).orderBy('posts.id').limit(at.limit),
)

/** The next posts of an author of a visibility class. */
export const postIdsOfAuthor = query<
  { author: string; visibility: number; after: string; limit: number },
  { id: string }
>('postIdsOfAuthor', (db, at) =>
  db
    .selectFrom('posts')
    .select('id')
    .where('author_id', '=', at.author)
    .where('environment', '=', 'production')
    .where('visibility', '=', at.visibility)
    .where('id', '>', at.after)
    .orderBy('id')
    .limit(at.limit),
)

/** The posts, of those given, that were reposted. `ids` is a JSON list. */
export const repostedAmong = query<{ ids: string }, { id: string }>('repostedAmong', (db, at) => {
  return {
    compile: () =>
      sql`select cast(asked.value as text) as id from ${idsIn(db, at.ids, 'asked')}
        where exists (select 1 from posts where reposted_post_id = asked.value)`.compile(db),
  }
})

/** The next reposts of a post of a visibility class. */
export const postIdsOfReposts = query<
  { original: string; visibility: number; after: string; limit: number },
  { id: string }
>('postIdsOfReposts', (db, at) =>
  db
    .selectFrom('posts')
    .select('id')
    .where('reposted_post_id', '=', at.original)
    .where('visibility', '=', at.visibility)
    .where('id', '>', at.after)
    .orderBy('id')
    .limit(at.limit),
)
