import { bigint, flag, integer, type RowOf, table, text } from '../../platform/storage/table.ts'
import { apps } from '../apps/tables.ts'
import { users } from '../users/tables.ts'

export const requestTokens = table(
  'request_tokens',
  {
    token_hash: text(),
    secret_sealed: text(),
    app_id: text({ belongsTo: apps }),
    callback: text(),
    access: text(),
    /** `pending`, then `approved` or `denied`; an approved one is `used` once. */
    state: text(),
    user_id: text({ null: true }),
    verifier_hash: text({ null: true }),
    verifier_misses: integer(),
    created_at: bigint(),
    expires_at: bigint(),
  },
  {
    key: ['token_hash'],
    indexes: {
      request_tokens_expiry: ['expires_at'],
      request_tokens_user: ['user_id', 'app_id'],
    },
  },
)

export const accessTokens = table(
  'access_tokens',
  {
    token_hash: text(),
    token_sealed: text(),
    secret_sealed: text(),
    app_id: text({ belongsTo: apps }),
    user_id: text({ belongsTo: users }),
    access: text(),
    created_at: bigint(),
  },
  {
    key: ['token_hash'],
    indexes: {
      access_tokens_grant: { on: ['user_id', 'app_id'], unique: true },
    },
  },
)

/**
 * One row for each user and app that has or had access. Every change of access locks it first, so
 * that of two transactions that end the last two accesses at the same time, the second sees the
 * first.
 */
export const appAccess = table(
  'app_access',
  {
    user_id: text({ belongsTo: users }),
    app_id: text({ belongsTo: apps }),
    created_at: bigint(),
  },
  {
    key: ['user_id', 'app_id'],
  },
)

/**
 * What a user granted an app with OAuth 2.0: first a code, then its access tokens and refresh
 * tokens.
 */
export const oauth2Grants = table(
  'oauth2_grants',
  {
    id: text(),
    /** The hash of the prefix of the code and of every refresh token. */
    handle_hash: text({ unique: true }),
    app_id: text({ belongsTo: apps }),
    user_id: text({ belongsTo: users }),
    /** Separated by spaces, as requested. */
    scopes: text(),
    redirect_uri: text(),
    code_challenge: text(),
    /** `S256` or `plain`. */
    challenge_method: text(),
    code_hash: text(),
    code_used: flag(),
    /** The hash of the current refresh token. */
    refresh_hash: text({ null: true }),
    created_at: bigint(),
    /** When all of it has expired; null while there is a refresh token. */
    expires_at: bigint({ null: true }),
  },
  {
    key: ['id'],
    indexes: {
      oauth2_grants_user: ['user_id', 'app_id', 'created_at'],
      oauth2_grants_expiry: ['expires_at'],
    },
  },
)

export const oauth2AccessTokens = table(
  'oauth2_access_tokens',
  {
    token_hash: text(),
    grant_id: text({ belongsTo: oauth2Grants }),
    expires_at: bigint(),
  },
  {
    key: ['token_hash'],
    indexes: {
      oauth2_access_tokens_grant: ['grant_id', 'expires_at'],
      oauth2_access_tokens_expiry: ['expires_at'],
    },
  },
)

export const browserSessions = table(
  'browser_sessions',
  {
    session_hash: text(),
    user_id: text({ belongsTo: users }),
    created_at: bigint(),
    expires_at: bigint(),
  },
  {
    key: ['session_hash'],
    indexes: {
      browser_sessions_user: ['user_id'],
      browser_sessions_expiry: ['expires_at'],
    },
  },
)

export type RequestTokenRow = RowOf<typeof requestTokens>

export type AccessTokenRow = RowOf<typeof accessTokens>

export type Oauth2GrantRow = RowOf<typeof oauth2Grants>

export type Oauth2AccessTokenRow = RowOf<typeof oauth2AccessTokens>

export type BrowserSessionRow = RowOf<typeof browserSessions>
