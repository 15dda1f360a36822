import { sql } from 'kysely'
import { pairsIn, picked } from '../../platform/storage/query.ts'
import { columnNames } from '../../platform/storage/table.ts'
import { query } from '../tables.ts'
import {
  type AccessTokenRow,
  accessTokens,
  type Oauth2AccessTokenRow,
  type Oauth2GrantRow,
  oauth2Grants,
} from '../tokens/tables.ts'
import type { Permission } from './app.ts'
import { type AppRow, apps } from './tables.ts'

export const appByConsumerKey = query<{ consumerKey: string }, AppRow>('appByConsumerKey', (db, at) =>
  db.selectFrom('apps').selectAll().where('consumer_key', '=', at.consumerKey),
)

export const appById = query<{ id: string }, AppRow>('appById', (db, at) =>
  db.selectFrom('apps').selectAll().where('id', '=', at.id),
)

export const appByBearer = query<{ bearerHash: string }, AppRow>('appByBearer', (db, at) =>
  db.selectFrom('apps').selectAll().where('bearer_hash', '=', at.bearerHash),
)

export const appByClient = query<{ clientId: string }, AppRow>('appByClient', (db, at) =>
  db.selectFrom('apps').selectAll().where('client_id', '=', at.clientId),
)

/**
 * Blocks other writers of the app's data until the transaction ends, so that a count stays correct.
 */
export const lockApp = query<{ appId: string }>('lockApp', (db, at) =>
  db.updateTable('apps').set({ name: sql<string>`name` }).where('id', '=', at.appId),
)

export const pageOfApps = query<{ after: string; limit: number }, AppRow>('pageOfApps', (db, at) =>
  db.selectFrom('apps').selectAll().where('id', '>', at.after).orderBy('id').limit(at.limit),
)

export const addApp = query<AppRow>('addApp', (db, at) =>
  db.insertInto('apps').values(picked(at, columnNames(apps))),
)

/**
 * A new consumer secret and key. The old pair and the bearer token derived from it become invalid.
 */
export const rotateAppSecret = query<{ id: string; consumerKey: string; secretSealed: string }>(
  'rotateAppSecret',
  (db, at) =>
    db
      .updateTable('apps')
      .set({
        consumer_key: at.consumerKey,
        consumer_secret_sealed: at.secretSealed,
        bearer_hash: null,
        bearer_generation: sql<number>`bearer_generation + 1`,
      })
      .where('id', '=', at.id),
)

/** Makes an app a client of OAuth 2.0. */
export const setAppClient = query<Pick<AppRow, 'id' | 'client_id' | 'client_type' | 'client_secret_sealed'>>(
  'setAppClient',
  (db, at) =>
    db
      .updateTable('apps')
      .set({
        client_id: at.client_id,
        client_type: at.client_type,
        client_secret_sealed: at.client_secret_sealed,
      })
      .where('id', '=', at.id),
)

/**
 * Issues the bearer token of a generation. Changes nothing when a concurrent request was faster.
 */
export const issueBearer = query<{ id: string; generation: number; bearerHash: string }>(
  'issueBearer',
  (db, at) =>
    db
      .updateTable('apps')
      .set({ bearer_hash: at.bearerHash })
      .where('id', '=', at.id)
      .where('bearer_generation', '=', at.generation)
      .where('bearer_hash', 'is', null),
)

/** Ends the current bearer token, if it is this one. */
export const revokeBearer = query<{ id: string; bearerHash: string }>('revokeBearer', (db, at) =>
  db
    .updateTable('apps')
    .set({ bearer_hash: null, bearer_generation: sql<number>`bearer_generation + 1` })
    .where('id', '=', at.id)
    .where('bearer_hash', '=', at.bearerHash),
)

export const callbacksOfApp = query<{ appId: string }, { url: string }>('callbacksOfApp', (db, at) =>
  db.selectFrom('app_callbacks').select('url').where('app_id', '=', at.appId).orderBy('url'),
)

export const addCallback = query<{ appId: string; url: string }>('addCallback', (db, at) =>
  db.insertInto('app_callbacks').values({ app_id: at.appId, url: at.url }),
)

export const removeCallbacks = query<{ appId: string }>('removeCallbacks', (db, at) =>
  db.deleteFrom('app_callbacks').where('app_id', '=', at.appId),
)

/** What the developer of an app may change. */
export const setAppDetails = query<
  Pick<AppRow, 'id' | 'name' | 'website' | 'permission' | 'sign_in' | 'enterprise'>
>('setAppDetails', (db, at) =>
  db
    .updateTable('apps')
    .set(picked(at, ['name', 'website', 'permission', 'sign_in', 'enterprise']))
    .where('id', '=', at.id),
)

/** Removes an app, with all rows that belong to it. */
export const removeApp = query<{ id: string }>('removeApp', (db, at) =>
  db.deleteFrom('apps').where('id', '=', at.id),
)

export const setAppSuspended = query<{ id: string; suspended: number }>('setAppSuspended', (db, at) =>
  db.updateTable('apps').set({ suspended: at.suspended }).where('id', '=', at.id),
)

export const setAppEnrolled = query<{ id: string; enrolled: number }>('setAppEnrolled', (db, at) =>
  db.updateTable('apps').set({ enrolled: at.enrolled }).where('id', '=', at.id),
)

/** An access token, with everything that decides whether it may be used. */
export interface AccessTokenWithUser extends AccessTokenRow {
  user_suspended: number
}

export const accessTokenByHash = query<{ tokenHash: string }, AccessTokenWithUser>(
  'accessTokenByHash',
  (db, at) =>
    db
      .selectFrom('access_tokens')
      .innerJoin('users', 'users.id', 'access_tokens.user_id')
      .selectAll('access_tokens')
      .select('users.suspended as user_suspended')
      .where('token_hash', '=', at.tokenHash)
      .where('users.deleted_at', 'is', null),
)

/** The only access token that an app has for a user. */
export const grantOf = query<{ appId: string; userId: string }, AccessTokenRow>('grantOf', (db, at) =>
  db.selectFrom('access_tokens').selectAll().where('user_id', '=', at.userId).where('app_id', '=', at.appId),
)

/** The levels of access tokens. `pairs` is a JSON list of `[user, app]`. */
export const accessTokensOfPairs = query<
  { pairs: string },
  { user_id: string; app_id: string; access: Permission }
>('accessTokensOfPairs', (db, at) =>
  db
    .selectFrom('access_tokens')
    .innerJoin(pairsIn(db, at.pairs, ['user_id', 'app_id']).as('wanted'), (on) =>
      on
        .onRef('wanted.user_id', '=', 'access_tokens.user_id')
        .onRef('wanted.app_id', '=', 'access_tokens.app_id'),
    )
    .select([
      'access_tokens.user_id',
      'access_tokens.app_id',
      sql<Permission>`access_tokens.access`.as('access'),
    ]),
)

/** Grants that give access now. `pairs` is a JSON list of `[user, app]`. */
export const userGrantsOfPairs = query<
  { pairs: string; now: number },
  Pick<Oauth2GrantRow, 'user_id' | 'app_id' | 'scopes'>
>('userGrantsOfPairs', (db, at) =>
  db
    .selectFrom('oauth2_grants')
    .innerJoin(pairsIn(db, at.pairs, ['user_id', 'app_id']).as('wanted'), (on) =>
      on
        .onRef('wanted.user_id', '=', 'oauth2_grants.user_id')
        .onRef('wanted.app_id', '=', 'oauth2_grants.app_id'),
    )
    .select(['oauth2_grants.user_id', 'oauth2_grants.app_id', 'oauth2_grants.scopes'])
    .where('oauth2_grants.code_used', '=', 1)
    .where((or) =>
      or.or([or('oauth2_grants.expires_at', 'is', null), or('oauth2_grants.expires_at', '>', at.now)]),
    ),
)

/** Access tokens in an order that a change of their hashes does not affect. */
export const pageOfTokens = query<{ user: string; app: string; limit: number }, AccessTokenRow>(
  'pageOfTokens',
  (db, at) =>
    db
      .selectFrom('access_tokens')
      .selectAll()
      .where(sql<boolean>`(user_id, app_id) > (${at.user}, ${at.app})`)
      .orderBy('user_id')
      .orderBy('app_id')
      .limit(at.limit),
)

/** Encrypts an access token with another master key. */
export const resealToken = query<{
  formerHash: string
  tokenHash: string
  tokenSealed: string
  secretSealed: string
}>('resealToken', (db, at) =>
  db
    .updateTable('access_tokens')
    .set({ token_hash: at.tokenHash, token_sealed: at.tokenSealed, secret_sealed: at.secretSealed })
    .where('token_hash', '=', at.formerHash),
)

/**
 * Encrypts an app's secrets with another master key. Its bearer token was derived from the former
 * one, so it becomes invalid.
 */
export const resealApp = query<{
  id: string
  secretSealed: string
  clientSecretSealed: string | null
}>('resealApp', (db, at) =>
  db
    .updateTable('apps')
    .set({
      consumer_secret_sealed: at.secretSealed,
      client_secret_sealed: at.clientSecretSealed,
      bearer_hash: null,
      bearer_generation: sql<number>`bearer_generation + 1`,
    })
    .where('id', '=', at.id),
)

/** Deletes the access token that an app has for a user. */
export const removeGrant = query<{ appId: string; userId: string }>('removeGrant', (db, at) =>
  db.deleteFrom('access_tokens').where('user_id', '=', at.userId).where('app_id', '=', at.appId),
)

export const addAccessToken = query<AccessTokenRow>('addAccessToken', (db, at) =>
  db.insertInto('access_tokens').values(picked(at, columnNames(accessTokens))),
)

export const removeAccessToken = query<{ tokenHash: string }>('removeAccessToken', (db, at) =>
  db.deleteFrom('access_tokens').where('token_hash', '=', at.tokenHash),
)

/**
 * Locks the access of an app to a user until the transaction ends, and creates its row if
 * necessary.
 */
export const lockGivenAccess = query<{ userId: string; appId: string; now: number }>(
  'lockGivenAccess',
  (db, at) =>
    db
      .insertInto('app_access')
      .values({ user_id: at.userId, app_id: at.appId, created_at: at.now })
      .onConflict((on) =>
        on.columns(['user_id', 'app_id']).doUpdateSet({ created_at: sql`app_access.created_at` }),
      ),
)

/** The same, for access that ends. */
export const lockAccess = query<{ userId: string; appId: string }>('lockAccess', (db, at) =>
  db
    .updateTable('app_access')
    .set({ created_at: sql<number>`created_at` })
    .where('user_id', '=', at.userId)
    .where('app_id', '=', at.appId),
)

export const removeAppAccess = query<{ userId: string; appId: string }>('removeAppAccess', (db, at) =>
  db.deleteFrom('app_access').where('user_id', '=', at.userId).where('app_id', '=', at.appId),
)

/** Some apps that have or had access to a user. */
export const someAccessOf = query<{ userId: string; limit: number }, { app_id: string }>(
  'someAccessOf',
  (db, at) =>
    db
      .selectFrom('app_access')
      .select('app_id')
      .where('user_id', '=', at.userId)
      .orderBy('app_id')
      .limit(at.limit),
)

/** Ends the requests that a user has approved or denied. */
export const removeRequestTokensOf = query<{ userId: string }>('removeRequestTokensOf', (db, at) =>
  db.deleteFrom('request_tokens').where('user_id', '=', at.userId),
)

/** Some apps of a developer. */
export const appsOfOwner = query<{ owner: string; limit: number }, { id: string }>('appsOfOwner', (db, at) =>
  db.selectFrom('apps').select('id').where('owner_user_id', '=', at.owner).orderBy('id').limit(at.limit),
)

/** An OAuth 2.0 token, with everything that decides whether it may be used. */
export interface UserTokenRow {
  expires_at: number
  app_id: string
  user_id: string
  scopes: string
  user_suspended: number
  /** The level of the OAuth 1.0a token that the same app has for the same user. */
  access: string | null
}

export const userTokenByHash = query<{ tokenHash: string }, UserTokenRow>('userTokenByHash', (db, at) =>
  db
    .selectFrom('oauth2_access_tokens as token')
    .innerJoin('oauth2_grants as grant', 'grant.id', 'token.grant_id')
    .innerJoin('users', 'users.id', 'grant.user_id')
    .leftJoin('access_tokens as signing', (join) =>
      join.onRef('signing.user_id', '=', 'grant.user_id').onRef('signing.app_id', '=', 'grant.app_id'),
    )
    .select([
      'token.expires_at',
      'grant.app_id',
      'grant.user_id',
      'grant.scopes',
      'users.suspended as user_suspended',
      'signing.access',
    ])
    .where('token.token_hash', '=', at.tokenHash)
    .where('users.deleted_at', 'is', null),
)

export const addUserGrant = query<Oauth2GrantRow>('addUserGrant', (db, at) =>
  db.insertInto('oauth2_grants').values(picked(at, columnNames(oauth2Grants))),
)

export const userGrantByHandle = query<{ handleHash: string }, Oauth2GrantRow>(
  'userGrantByHandle',
  (db, at) => db.selectFrom('oauth2_grants').selectAll().where('handle_hash', '=', at.handleHash),
)

/** Consumes a code. Changes nothing when another exchange was faster. */
export const useCode = query<{ id: string; refreshHash: string | null; expiresAt: number | null }>(
  'useCode',
  (db, at) =>
    db
      .updateTable('oauth2_grants')
      .set({ code_used: 1, refresh_hash: at.refreshHash, expires_at: at.expiresAt })
      .where('id', '=', at.id)
      .where('code_used', '=', 0),
)

/** Replaces the current refresh token. Changes nothing when it was already replaced. */
export const rotateRefresh = query<{ id: string; formerHash: string; refreshHash: string }>(
  'rotateRefresh',
  (db, at) =>
    db
      .updateTable('oauth2_grants')
      .set({ refresh_hash: at.refreshHash })
      .where('id', '=', at.id)
      .where('refresh_hash', '=', at.formerHash),
)

export const addUserToken = query<Oauth2AccessTokenRow>('addUserToken', (db, at) =>
  db.insertInto('oauth2_access_tokens').values({
    token_hash: at.token_hash,
    grant_id: at.grant_id,
    expires_at: at.expires_at,
  }),
)

/** The access token at an offset in the order of expiry, latest first. */
export const userTokenAt = query<{ grantId: string; skip: number }, Oauth2AccessTokenRow>(
  'userTokenAt',
  (db, at) =>
    db
      .selectFrom('oauth2_access_tokens')
      .selectAll()
      .where('grant_id', '=', at.grantId)
      .orderBy('expires_at', 'desc')
      .limit(1)
      .offset(at.skip),
)

export const removeUserToken = query<{ tokenHash: string }>('removeUserToken', (db, at) =>
  db.deleteFrom('oauth2_access_tokens').where('token_hash', '=', at.tokenHash),
)

/** The grant of an access token. */
export const userGrantByToken = query<{ tokenHash: string }, Oauth2GrantRow>('userGrantByToken', (db, at) =>
  db
    .selectFrom('oauth2_access_tokens as token')
    .innerJoin('oauth2_grants as grant', 'grant.id', 'token.grant_id')
    .selectAll('grant')
    .where('token.token_hash', '=', at.tokenHash),
)

/** Any valid grant that an app has for a user. */
export const liveUserGrant = query<{ userId: string; appId: string; now: number }, { id: string }>(
  'liveUserGrant',
  (db, at) =>
    db
      .selectFrom('oauth2_grants')
      .select('id')
      .where('user_id', '=', at.userId)
      .where('app_id', '=', at.appId)
      .where('code_used', '=', 1)
      .where((or) => or.or([or('expires_at', 'is', null), or('expires_at', '>', at.now)]))
      .limit(1),
)

/** The exchanged grant at an offset in the order of age, newest first. */
export const userGrantAt = query<{ userId: string; appId: string; skip: number }, Oauth2GrantRow>(
  'userGrantAt',
  (db, at) =>
    db
      .selectFrom('oauth2_grants')
      .selectAll()
      .where('user_id', '=', at.userId)
      .where('app_id', '=', at.appId)
      .where('code_used', '=', 1)
      .orderBy('created_at', 'desc')
      .limit(1)
      .offset(at.skip),
)

/** Ends a grant, with its tokens. */
export const removeUserGrant = query<{ id: string }>('removeUserGrant', (db, at) =>
  db.deleteFrom('oauth2_grants').where('id', '=', at.id),
)

/**
 * Ends all grants that an app has for a user: those whose codes were used, or those whose codes
 * were not.
 */
export const removeUserGrants = query<{ userId: string; appId: string; used: number }>(
  'removeUserGrants',
  (db, at) =>
    db
      .deleteFrom('oauth2_grants')
      .where('user_id', '=', at.userId)
      .where('app_id', '=', at.appId)
      .where('code_used', '=', at.used),
)

export const forgetUserGrants = query<{ now: number }>('forgetUserGrants', (db, at) =>
  db.deleteFrom('oauth2_grants').where('expires_at', '<=', at.now),
)

export const forgetUserTokens = query<{ now: number }>('forgetUserTokens', (db, at) =>
  db.deleteFrom('oauth2_access_tokens').where('expires_at', '<=', at.now),
)

export const credentialEpoch = query<Record<never, never>, { value: string }>('credentialEpoch', (db) =>
  db.selectFrom('settings').select('value').where('name', '=', 'credential_epoch'),
)

/** Invalidates cached credentials on every node. */
export const moveCredentialEpoch = query<Record<never, never>>('moveCredentialEpoch', (db) =>
  db
    .updateTable('settings')
    .set({ value: sql<string>`cast(cast(value as bigint) + 1 as text)` })
    .where('name', '=', 'credential_epoch'),
)
