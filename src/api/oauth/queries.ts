import { sql } from 'kysely'
import type { BrowserSessionRow, RequestTokenRow } from '../../identity/tokens/tables.ts'
import type { UserRow } from '../../identity/users/tables.ts'
import { anyIn, postgres } from '../../platform/storage/query.ts'
import { query } from '../tables.ts'

export const requestTokenByHash = query<{ tokenHash: string }, RequestTokenRow>(
  'requestTokenByHash',
  (db, at) => db.selectFrom('request_tokens').selectAll().where('token_hash', '=', at.tokenHash),
)

export const addRequestToken = query<RequestTokenRow>('addRequestToken', (db, at) =>
  db.insertInto('request_tokens').values({
    token_hash: at.token_hash,
    secret_sealed: at.secret_sealed,
    app_id: at.app_id,
    callback: at.callback,
    access: at.access,
    state: at.state,
    user_id: at.user_id,
    verifier_hash: at.verifier_hash,
    verifier_misses: at.verifier_misses,
    created_at: at.created_at,
    expires_at: at.expires_at,
  }),
)

/**
 * Records the user's decision. Changes nothing when there already is one, or the token has expired.
 */
export const decideRequest = query<{
  tokenHash: string
  state: string
  userId: string | null
  verifierHash: string | null
  now: number
}>('decideRequest', (db, at) =>
  db
    .updateTable('request_tokens')
    .set({ state: at.state, user_id: at.userId, verifier_hash: at.verifierHash })
    .where('token_hash', '=', at.tokenHash)
    .where('state', '=', 'pending')
    .where('expires_at', '>', at.now),
)

/**
 * Counts an attempt of an approved request token, before the verifier is compared, so that
 * concurrent attempts cannot exceed the limit. Changes nothing when no attempt is left.
 */
export const takeAttempt = query<{ tokenHash: string; attempts: number; now: number }, RequestTokenRow>(
  'takeAttempt',
  (db, at) =>
    db
      .updateTable('request_tokens')
      .set({ verifier_misses: sql<number>`verifier_misses + 1` })
      .where('token_hash', '=', at.tokenHash)
      .where('state', '=', 'approved')
      .where('verifier_misses', '<', at.attempts)
      .where('expires_at', '>', at.now)
      .returningAll(),
)

export const useRequest = query<{ tokenHash: string }>('useRequest', (db, at) =>
  db.updateTable('request_tokens').set({ state: 'used' }).where('token_hash', '=', at.tokenHash),
)

export const forgetRequests = query<{ now: number }>('forgetRequests', (db, at) =>
  db.deleteFrom('request_tokens').where('expires_at', '<=', at.now),
)

export const addSession = query<BrowserSessionRow>('addSession', (db, at) =>
  db.insertInto('browser_sessions').values({
    session_hash: at.session_hash,
    user_id: at.user_id,
    created_at: at.created_at,
    expires_at: at.expires_at,
  }),
)

/** The user of a valid session, unless suspended. */
export const userOfSession = query<{ sessionHash: string; now: number }, UserRow>('userOfSession', (db, at) =>
  db
    .selectFrom('browser_sessions')
    .innerJoin('users', 'users.id', 'browser_sessions.user_id')
    .selectAll('users')
    .where('session_hash', '=', at.sessionHash)
    .where('expires_at', '>', at.now)
    .where('suspended', '=', 0),
)

export const removeSession = query<{ sessionHash: string }>('removeSession', (db, at) =>
  db.deleteFrom('browser_sessions').where('session_hash', '=', at.sessionHash),
)

export const forgetSessions = query<{ now: number }>('forgetSessions', (db, at) =>
  db.deleteFrom('browser_sessions').where('expires_at', '<=', at.now),
)

/** An app that a user has given access to. */
export interface GrantedApp {
  app_id: string
  name: string
  website: string
  suspended: number
  /** The level of its OAuth 1.0a token; null if it has none. */
  access: string | null
  created_at: number
}

/** The apps with access to a user's account, ordered by id. */
export const grantedApps = query<{ userId: string; after: string; limit: number; now: number }, GrantedApp>(
  'grantedApps',
  (db, at) =>
    db
      .selectFrom('app_access')
      .innerJoin('apps', 'apps.id', 'app_access.app_id')
      .leftJoin('access_tokens as signing', (join) =>
        join
          .onRef('signing.user_id', '=', 'app_access.user_id')
          .onRef('signing.app_id', '=', 'app_access.app_id'),
      )
      .select(['app_access.app_id', 'apps.name', 'website', 'suspended', 'access', 'app_access.created_at'])
      .where('app_access.user_id', '=', at.userId)
      .where('app_access.app_id', '>', at.after)
      .where((or) =>
        or.or([
          or('signing.token_hash', 'is not', null),
          or.exists(
            or
              .selectFrom('oauth2_grants')
              .select('id')
              .whereRef('oauth2_grants.user_id', '=', 'app_access.user_id')
              .whereRef('oauth2_grants.app_id', '=', 'app_access.app_id')
              .where('code_used', '=', 1)
              .where((live) => live.or([live('expires_at', 'is', null), live('expires_at', '>', at.now)])),
          ),
        ]),
      )
      .orderBy('app_access.app_id')
      .limit(at.limit),
)

/** The scopes of the OAuth 2.0 grants that apps have for a user. */
export const grantedScopes = query<
  { userId: string; appIds: string; now: number },
  { app_id: string; scopes: string }
>('grantedScopes', (db, at) =>
  db
    .selectFrom('oauth2_grants')
    .select(['app_id', 'scopes'])
    .distinct()
    .where('user_id', '=', at.userId)
    .where(anyIn(postgres(db), sql.ref('app_id'), at.appIds))
    .where('code_used', '=', 1)
    .where((live) => live.or([live('expires_at', 'is', null), live('expires_at', '>', at.now)])),
)

/**
 * Ends request tokens that a user approved for an app: exchanging them after a revocation would
 * give the app access again.
 */
export const removeApprovals = query<{ userId: string; appId: string }>('removeApprovals', (db, at) =>
  db.deleteFrom('request_tokens').where('user_id', '=', at.userId).where('app_id', '=', at.appId),
)

/** Any advertising account that a user may use. */
export const someAccount = query<{ userId: string }, { account_id: string }>('someAccount', (db, at) =>
  db.selectFrom('account_access').select('account_id').where('user_id', '=', at.userId).limit(1),
)
