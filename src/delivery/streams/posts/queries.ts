import { sql } from 'kysely'
import { NO_APP } from '../../../domain/posts/insert.ts'
import { isSeenByEveryone, seenByEveryone } from '../../../domain/posts/public-sql.ts'
import type { PostRow } from '../../../domain/posts/tables.ts'
import { anyIdIn, postgres } from '../../../platform/storage/query.ts'
import { type Database, query } from '../../tables.ts'

/** A post, with everything that rules match. */
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
  /** 1 if the post is public and, for a repost, the original too. */
  public: number
  author_affiliation_id: string | null
  author_affiliation_username: string | null
  replied_username: string | null
  replied_affiliation_id: string | null
  replied_affiliation_username: string | null
  original_author_id: string | null
  original_username: string | null
  original_text: string | null
  original_entities: string | null
  /** Null if the quoted post is not public. */
  quoted_text: string | null
  quoted_entities: string | null
  app_name: string | null
  app_website: string | null
}

const ORIGINALS = { posts: 'originals', authors: 'original_authors' }

/** Rules must not reveal the content of a quoted post that is not public. */
const whereQuotedIsSeen = (column: 'text' | 'entities') =>
  sql<
    string | null
  >`case when ${isSeenByEveryone({ posts: 'quoted', authors: 'quoted_authors' })} then ${sql.ref(`quoted.${column}`)} end`

const matched = (db: Database) =>
  db
    .selectFrom('posts')
    .innerJoin('users', 'users.id', 'posts.author_id')
    .leftJoin('users as affiliations', 'affiliations.id', 'users.affiliation_user_id')
    .leftJoin('users as replied', 'replied.id', 'posts.in_reply_to_user_id')
    .leftJoin('users as replied_affiliations', 'replied_affiliations.id', 'replied.affiliation_user_id')
    .leftJoin('posts as originals', 'originals.id', 'posts.reposted_post_id')
    .leftJoin('users as original_authors', 'original_authors.id', 'originals.author_id')
    .leftJoin('posts as quoted', 'quoted.id', 'posts.quoted_post_id')
    .leftJoin('users as quoted_authors', 'quoted_authors.id', 'quoted.author_id')
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
      seenByEveryone({ posts: 'posts', authors: 'users' }, ORIGINALS).as('public'),
      'affiliations.id as author_affiliation_id',
      'affiliations.screen_name as author_affiliation_username',
      'replied.screen_name as replied_username',
      'replied_affiliations.id as replied_affiliation_id',
      'replied_affiliations.screen_name as replied_affiliation_username',
      'originals.author_id as original_author_id',
      'original_authors.screen_name as original_username',
      'originals.text as original_text',
      'originals.entities as original_entities',
      whereQuotedIsSeen('text').as('quoted_text'),
      whereQuotedIsSeen('entities').as('quoted_entities'),
      'apps.name as app_name',
      'apps.website as app_website',
    ])

/** Posts by id. `ids` is a JSON list. */
export const postsToMatch = query<{ ids: string }, MatchedRow>('postsToMatch', (db, at) =>
  matched(db)
    .where(anyIdIn(postgres(db), sql.ref('posts.id'), at.ids))
    .orderBy('posts.id'),
)

/**
 * The next posts within a range of ids, oldest first: those that were published then, without
 * imported posts of that time.
 */
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
