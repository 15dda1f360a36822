import { sql } from 'kysely'
import { query as deliveryQuery } from '../../delivery/tables.ts'
import type { DmEventRow } from '../../domain/direct-messages/tables.ts'
import type { PostRow } from '../../domain/posts/tables.ts'
import { GONE } from '../../domain/posts/visibility.ts'
import { query } from '../../domain/tables.ts'
import type { RelationRow } from '../../identity/relations/tables.ts'
import type { Oauth2GrantRow } from '../../identity/tokens/tables.ts'
import { anyIdIn, anyIn, postgres } from '../../platform/storage/query.ts'

/** Posts of users, the newest first. `authors` is a JSON list. */
export const newestPostsOf = query<{ authors: string; before: string; limit: number }, PostRow>(
  'newestPostsOfAuthors',
  (db, at) =>
    db
      .selectFrom('posts')
      .selectAll()
      .where('id', '<', at.before)
      .where(anyIn(postgres(db), sql.ref('author_id'), at.authors))
      .where('environment', '=', 'production')
      .where('nullcast', '=', 0)
      .where('visibility', '<', GONE)
      .orderBy('id', 'desc')
      .limit(at.limit),
)

/** Whom users follow, block and mute. `sources` is a JSON list. */
export const relationsOfUsers = query<
  { sources: string },
  Pick<RelationRow, 'source_id' | 'target_id' | 'kind'>
>('relationsOfUsers', (db, at) =>
  db
    .selectFrom('relations')
    .select(['source_id', 'target_id', 'kind'])
    .where(anyIn(postgres(db), sql.ref('source_id'), at.sources)),
)

const reactionsOf = (table: 'likes' | 'bookmarks') =>
  query<{ posts: string }, { user_id: string; post_id: string }>(`${table}OfManyPosts`, (db, at) =>
    db
      .selectFrom(table)
      .select(['user_id', 'post_id'])
      .where(anyIdIn(postgres(db), sql.ref('post_id'), at.posts)),
  )

/** Who likes posts, by their first versions. `posts` is a JSON list. */
export const likesOfPosts = reactionsOf('likes')
export const bookmarksOfPosts = reactionsOf('bookmarks')

/** Direct messages, the newest first. */
export const newestMessages = query<{ before: string; limit: number }, DmEventRow>(
  'newestMessages',
  (db, at) =>
    db
      .selectFrom('dm_events')
      .selectAll()
      .where('id', '<', at.before)
      .where('event_type', '=', 'MessageCreate')
      .orderBy('id', 'desc')
      .limit(at.limit),
)

/** Who takes part in conversations. `ids` is a JSON list. */
export const participantsOfMany = query<{ ids: string }, { conversation_id: string; user_id: string }>(
  'participantsOfConversations',
  (db, at) =>
    db
      .selectFrom('dm_participants')
      .select(['conversation_id', 'user_id'])
      .where(anyIn(postgres(db), sql.ref('conversation_id'), at.ids)),
)

/** An OAuth 2.0 grant. */
export interface UserGrantRow
  extends Pick<Oauth2GrantRow, 'id' | 'app_id' | 'user_id' | 'scopes' | 'refresh_hash' | 'created_at'> {
  /** Of its newest access token; null if all have ended. */
  token_expires_at: number | null
}

/**
 * OAuth 2.0 grants of users that have not ended. `users` is a JSON list.
 */
export const userGrantsOfUsers = query<{ users: string; now: number }, UserGrantRow>(
  'userGrantsOfUsers',
  (db, at) =>
    db
      .selectFrom('oauth2_grants')
      .select(['id', 'app_id', 'user_id', 'scopes', 'refresh_hash', 'created_at'])
      .select((of) =>
        of
          .selectFrom('oauth2_access_tokens')
          .select((max) => max.fn.max('oauth2_access_tokens.expires_at').as('last'))
          .whereRef('oauth2_access_tokens.grant_id', '=', 'oauth2_grants.id')
          .as('token_expires_at'),
      )
      .where(anyIn(postgres(db), sql.ref('user_id'), at.users))
      .where('code_used', '=', 1)
      .where((or) => or.or([or('expires_at', 'is', null), or('expires_at', '>', at.now)])),
)

/** The webhooks of an app, the oldest first. */
export const webhooksToExport = deliveryQuery<{ app: string; limit: number }, { id: string; url: string }>(
  'webhooksToExport',
  (db, at) =>
    db
      .selectFrom('webhooks')
      .select(['id', 'url'])
      .where('app_id', '=', at.app)
      .orderBy('id')
      .limit(at.limit),
)
