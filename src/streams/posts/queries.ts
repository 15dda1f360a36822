import { sql } from 'kysely'
import { NO_APP } from '../../posts/insert.ts'
import type { Database } from '../../storage/query.ts'
import { anyIn, postgres, query } from '../../storage/query.ts'
import type { PostRow } from '../../storage/tables.ts'

/** A post with everything that rules look at. */
export interface MatchedRow extends PostRow {
  author_username: string
  author_name: string
  author_description: string
  author_location: string
  author_verified: number
  author_followers: number
  author_following: number
  author_posts: number
  author_listed: number
  author_protected: number
  author_suspended: number
  replied_username: string | null
  original_author_id: string | null
  original_username: string | null
  original_text: string | null
  original_entities: string | null
  quoted_text: string | null
  quoted_entities: string | null
  app_name: string | null
  app_website: string | null
}

const matched = (db: Database) =>
  db
    .selectFrom('posts')
    .innerJoin('users', 'users.id', 'posts.author_id')
    .leftJoin('users as replied', 'replied.id', 'posts.in_reply_to_user_id')
    .leftJoin('posts as originals', 'originals.id', 'posts.reposted_post_id')
    .leftJoin('users as original_authors', 'original_authors.id', 'originals.author_id')
    .leftJoin('posts as quoted', 'quoted.id', 'posts.quoted_post_id')
    .leftJoin('apps', 'apps.id', 'posts.app_id')
    .selectAll('posts')
    .select([
      'users.screen_name as author_username',
      'users.name as author_name',
      'users.description as author_description',
      'users.location as author_location',
      'users.verified as author_verified',
      'users.followers_count as author_followers',
      'users.following_count as author_following',
      'users.post_count as author_posts',
      'users.listed_count as author_listed',
      'users.protected as author_protected',
      'users.suspended as author_suspended',
      'replied.screen_name as replied_username',
      'originals.author_id as original_author_id',
      'original_authors.screen_name as original_username',
      'originals.text as original_text',
      'originals.entities as original_entities',
      'quoted.text as quoted_text',
      'quoted.entities as quoted_entities',
      'apps.name as app_name',
      'apps.website as app_website',
    ])

/** Posts by their ids. `ids` is a JSON list. */
export const postsToMatch = query<{ ids: string }, MatchedRow>('postsToMatch', (db, at) =>
  matched(db)
    .where(anyIn(postgres(db), sql.ref('posts.id'), at.ids))
    .orderBy('posts.id'),
)

/** The next posts of a span of ids, oldest first: those that were published then, not imported posts of that time. */
export const postsOfSpan = query<{ after: string; before: string; limit: number }, MatchedRow>(
  'postsOfSpan',
  (db, at) =>
    matched(db)
      .where('posts.id', '>', at.after)
      .where('posts.id', '<', at.before)
      .where('posts.app_id', '<>', sql.lit(NO_APP))
      .orderBy('posts.id')
      .limit(at.limit),
)
