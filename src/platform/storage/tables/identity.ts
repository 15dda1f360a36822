import { SAMPLE_KEY } from '../sampling.ts'
import { bigint, flag, id64, integer, table, text } from '../table.ts'

export const apps = table(
  'apps',
  {
    id: text(),
    owner_user_id: text(),
    name: text(),
    website: text(),
    consumer_key: text({ unique: true }),
    consumer_secret_sealed: text(),
    permission: text(),
    kind: text(),
    sign_in: flag(),
    suspended: flag(),
    /** Incremented on each invalidation: the app's bearer token is derived from it, so a revoked one never becomes valid again. */
    bearer_generation: bigint(),
    /** The hash of the current bearer token; null if there is none. */
    bearer_hash: text({ null: true, unique: true }),
    created_at: bigint(),
    /** The OAuth 2.0 client id; null if the app does not use OAuth 2.0. */
    client_id: text({ null: true }),
    /** `confidential`, `public` or `native`. */
    client_type: text({ null: true }),
    /** Null unless the client is confidential. */
    client_secret_sealed: text({ null: true }),
    /** Whether the app may use the endpoints under `/2/`. */
    enrolled: flag({ default: 1 }),
  },
  {
    key: ['id'],
    indexes: {
      apps_by_owner: ['owner_user_id', 'id'],
      apps_by_client: { on: ['client_id'], unique: true },
    },
  },
)

export const appCallbacks = table(
  'app_callbacks',
  {
    app_id: text({ belongsTo: apps }),
    url: text(),
  },
  {
    key: ['app_id', 'url'],
  },
)

export const users = table(
  'users',
  {
    id: text(),
    screen_name: text(),
    /** The screen name in lower case: names are compared without case. */
    screen_name_key: text({ unique: true }),
    name: text(),
    password_hash: text(),
    suspended: flag(),
    created_at: bigint(),
    // Profile fields besides the names. Empty for a new user.
    description: text({ default: '' }),
    /** JSON of the entities of the description, as found in it alone; null if it has none. */
    description_entities: text({ null: true }),
    location: text({ default: '' }),
    url: text({ null: true }),
    protected: flag({ default: 0 }),
    verified: flag({ default: 0 }),
    /** `none`, `blue`, `government` or `business`. */
    verified_type: text({ default: 'none' }),
    /** `None`, `Basic`, `Premium` or `PremiumPlus`. */
    subscription_type: text({ default: 'None' }),
    /** Who may send the user direct messages: `everyone`, or `followed`, users whom the user follows. */
    direct_messages_from: text({ default: 'everyone' }),
    profile_image_url: text({ null: true }),
    profile_banner_url: text({ null: true }),
    pinned_post_id: id64({ null: true }),
    /** The organisation that the user belongs to: a user. */
    affiliation_user_id: text({ null: true }),
    followers_count: bigint({ default: 0 }),
    following_count: bigint({ default: 0 }),
    post_count: bigint({ default: 0 }),
    listed_count: bigint({ default: 0 }),
    like_count: bigint({ default: 0 }),
  },
  {
    key: ['id'],
    indexes: {
      users_by_lot: [{ sql: SAMPLE_KEY }],
    },
  },
)

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
 * One row for each user and app that has or had access. Every change of access locks it first, so that of two
 * transactions that end the last two accesses at the same time, the second sees the first.
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

/** What a user granted an app with OAuth 2.0: first a code, then its access tokens and refresh tokens. */
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
