import { sql } from 'kysely'
import { picked, query } from '../storage/query.ts'
import { columnNames } from '../storage/table.ts'
import type { AccessTokenRow, AppRow } from '../storage/tables.ts'
import { accessTokens, apps } from '../storage/tables/identity.ts'

export const appByConsumerKey = query<{ consumerKey: string }, AppRow>('appByConsumerKey', (db, at) =>
  db.selectFrom('apps').selectAll().where('consumer_key', '=', at.consumerKey),
)

export const appById = query<{ id: string }, AppRow>('appById', (db, at) =>
  db.selectFrom('apps').selectAll().where('id', '=', at.id),
)

export const appByBearer = query<{ bearerHash: string }, AppRow>('appByBearer', (db, at) =>
  db.selectFrom('apps').selectAll().where('bearer_hash', '=', at.bearerHash),
)

export const pageOfApps = query<{ after: string; limit: number }, AppRow>('pageOfApps', (db, at) =>
  db.selectFrom('apps').selectAll().where('id', '>', at.after).orderBy('id').limit(at.limit),
)

export const addApp = query<AppRow>('addApp', (db, at) =>
  db.insertInto('apps').values(picked(at, columnNames(apps))),
)

/** A new consumer secret and key; the old pair and the bearer that came from it end with it. */
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

/** Issues the bearer token of a generation; changes nothing when a concurrent request was faster. */
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

/** Ends the outstanding bearer, if it is this one. */
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

export const setAppSuspended = query<{ id: string; suspended: number }>('setAppSuspended', (db, at) =>
  db.updateTable('apps').set({ suspended: at.suspended }).where('id', '=', at.id),
)

/** An access token with what else decides whether it may be used. */
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
      .where('token_hash', '=', at.tokenHash),
)

/** The only access token that an app holds for a user. */
export const grantOf = query<{ appId: string; userId: string }, AccessTokenRow>('grantOf', (db, at) =>
  db.selectFrom('access_tokens').selectAll().where('user_id', '=', at.userId).where('app_id', '=', at.appId),
)

/** Access tokens in an order that their hashes do not change. */
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

/** An access token under another master key. */
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

/** An app's secret under another master key. Its bearer was derived from the former one: it ends. */
export const resealApp = query<{ id: string; secretSealed: string }>('resealApp', (db, at) =>
  db
    .updateTable('apps')
    .set({
      consumer_secret_sealed: at.secretSealed,
      bearer_hash: null,
      bearer_generation: sql<number>`bearer_generation + 1`,
    })
    .where('id', '=', at.id),
)

/** Ends what an app may do for a user. */
export const removeGrant = query<{ appId: string; userId: string }>('removeGrant', (db, at) =>
  db.deleteFrom('access_tokens').where('user_id', '=', at.userId).where('app_id', '=', at.appId),
)

export const addAccessToken = query<AccessTokenRow>('addAccessToken', (db, at) =>
  db.insertInto('access_tokens').values(picked(at, columnNames(accessTokens))),
)

export const removeAccessToken = query<{ tokenHash: string }>('removeAccessToken', (db, at) =>
  db.deleteFrom('access_tokens').where('token_hash', '=', at.tokenHash),
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
