import { sql } from 'kysely'
import { query } from '../store/query.ts'
import type { AccessTokenRow, BrowserSessionRow, RequestTokenRow, UserRow } from '../store/tables.ts'

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

/** The user's decision; changes nothing when one was made before, or the token has expired. */
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
 * Takes one of the tries that an approved request token allows, before the verifier is looked at: tries that
 * come together cannot be more than the allowed ones. Nothing when there is none left.
 */
export const takeTry = query<{ tokenHash: string; tries: number; now: number }, RequestTokenRow>(
  'takeTry',
  (db, at) =>
    db
      .updateTable('request_tokens')
      .set({ verifier_misses: sql<number>`verifier_misses + 1` })
      .where('token_hash', '=', at.tokenHash)
      .where('state', '=', 'approved')
      .where('verifier_misses', '<', at.tries)
      .where('expires_at', '>', at.now)
      .returningAll(),
)

export const useRequest = query<{ tokenHash: string }>('useRequest', (db, at) =>
  db.updateTable('request_tokens').set({ state: 'used' }).where('token_hash', '=', at.tokenHash),
)

/** Stored by hash; the sealed texts let the same pair be told again. */
export const grantOf = query<{ appId: string; userId: string; access: string }, AccessTokenRow>(
  'grantOf',
  (db, at) =>
    db
      .selectFrom('access_tokens')
      .selectAll()
      .where('app_id', '=', at.appId)
      .where('user_id', '=', at.userId)
      .where('access', '=', at.access),
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

/** The user of a live session, unless suspended. */
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

/** Signs a user out everywhere. */
export const endSessionsOfUser = query<{ userId: string }>('endSessionsOfUser', (db, at) =>
  db.deleteFrom('browser_sessions').where('user_id', '=', at.userId),
)
