import { LRUCache } from 'lru-cache'
import type { Sealer } from '../../platform/storage/seal.ts'
import type { Store } from '../../platform/storage/store.ts'
import type { App, AppKind, Client, ClientType, Permission } from '../apps/app.ts'
import type { AccessTokenWithUser, UserTokenRow } from '../apps/queries.ts'
import {
  accessTokenByHash,
  appByBearer,
  appByClient,
  appByConsumerKey,
  appById,
  credentialEpoch,
  userTokenByHash,
} from '../apps/queries.ts'
import type { AppRow } from '../apps/tables.ts'
import type { TokenScopes } from './scopes.ts'
import { readScopes } from './scopes.ts'
import { digestOf } from './user-tokens.ts'

/** A valid access token. */
export interface AccessToken {
  readonly appId: string
  readonly userId: string
  readonly secret: string
  readonly access: Permission
  readonly userSuspended: boolean
}

/** An OAuth 2.0 access token. */
export interface UserToken {
  readonly app: App
  readonly userId: string
  readonly scopes: TokenScopes
  /** The level of the OAuth 1.0a token that the app also has for the user. */
  readonly level: Permission | undefined
  /** In epoch milliseconds. */
  readonly expiresAt: number
  readonly userSuspended: boolean
}

/**
 * Looks up credentials. Results are cached, so that a busy caller costs neither a query nor a decryption. A revocation
 * increments the credential epoch in its own transaction, and every node compares the epoch before it uses its cache.
 * So a revoked credential is rejected everywhere as soon as the revocation has returned.
 */
export interface Credentials {
  /** Call once per request, before any lookup, and await the result if it is a promise. */
  refresh(): Promise<void> | undefined
  appByKey(consumerKey: string): Lookup<App>
  appByBearer(bearer: string): Lookup<App>
  accessToken(token: string): Lookup<AccessToken>
  /** An OAuth 2.0 access token, which may have expired. */
  userToken(token: string): Lookup<UserToken>
  /** The app with an OAuth 2.0 client id. */
  appByClient(clientId: string): Lookup<App>
  /** Never cached. */
  appById(id: string): Promise<App | undefined>
}

/** Synchronous when it is cached. */
type Lookup<Value> = Value | Promise<Value | undefined>

/** Maximum number of cached credentials of each kind. The least recently used ones are evicted. */
const MAX_REMEMBERED = 20_000

export function createCredentials(store: Store, sealer: Sealer): Credentials {
  const apps = new LRUCache<string, App>({ max: MAX_REMEMBERED })
  const bearers = new LRUCache<string, App>({ max: MAX_REMEMBERED })
  const tokens = new LRUCache<string, AccessToken>({ max: MAX_REMEMBERED })
  const userTokens = new LRUCache<string, UserToken>({ max: MAX_REMEMBERED })
  const clients = new LRUCache<string, App>({ max: MAX_REMEMBERED })
  /** OAuth 2.0 tokens share the record of their app. */
  const appsById = new LRUCache<string, App>({ max: MAX_REMEMBERED })
  const remembered = [apps, bearers, tokens, userTokens, clients, appsById]
  const readEpoch = shared(() => store.first(credentialEpoch, {}))
  let epoch: string | undefined
  let comparedAt: number | undefined

  const unsealApp = (row: AppRow | undefined) => row && appOf(row, sealer)

  const unsealToken = (row: AccessTokenWithUser | undefined): AccessToken | undefined =>
    row && {
      appId: row.app_id,
      userId: row.user_id,
      secret: sealer.unseal(row.secret_sealed, `access token secret ${row.token_hash}`),
      access: row.access as Permission,
      userSuspended: row.user_suspended === 1,
    }

  async function withApp(row: UserTokenRow | undefined): Promise<UserToken | undefined> {
    if (!row) return undefined
    const read = async () => unsealApp(await store.first(appById, { id: row.app_id }))
    const app = appsById.get(row.app_id) ?? (await learn(appsById, row.app_id, read))
    return (
      app && {
        app,
        userId: row.user_id,
        scopes: readScopes(row.scopes),
        level: (row.access ?? undefined) as Permission | undefined,
        expiresAt: row.expires_at,
        userSuspended: row.user_suspended === 1,
      }
    )
  }

  async function compareEpoch(version: number | undefined): Promise<void> {
    const now = (await readEpoch())?.value
    comparedAt = version
    if (now === epoch) return
    for (const memory of remembered) memory.clear()
    epoch = now
  }

  /**
   * Caches the result of a read, unless a revocation was seen since: the read may be older. Absent credentials are not
   * cached, so that guesses cannot evict valid credentials.
   */
  async function learn<Value extends object>(
    memory: LRUCache<string, Value>,
    key: string,
    read: () => Promise<Value | undefined>,
  ): Promise<Value | undefined> {
    const asOf = epoch
    const value = await read()
    if (value !== undefined && asOf === epoch) memory.set(key, value)
    return value
  }

  return {
    refresh() {
      const version = store.snapshotVersion()
      // Nothing was written since the epoch was read.
      if (version !== undefined && version === comparedAt) return undefined
      return compareEpoch(version)
    },
    appByKey(consumerKey) {
      const read = async () =>
        isStorable(consumerKey) ? unsealApp(await store.first(appByConsumerKey, { consumerKey })) : undefined
      return apps.get(consumerKey) ?? learn(apps, consumerKey, read)
    },
    appByBearer(bearer) {
      const read = async () =>
        unsealApp(await store.first(appByBearer, { bearerHash: sealer.hashToken(bearer) }))
      return bearers.get(bearer) ?? learn(bearers, bearer, read)
    },
    accessToken(token) {
      const read = async () =>
        unsealToken(await store.first(accessTokenByHash, { tokenHash: sealer.hashToken(token) }))
      return tokens.get(token) ?? learn(tokens, token, read)
    },
    userToken(token) {
      const read = async () => withApp(await store.first(userTokenByHash, { tokenHash: digestOf(token) }))
      return userTokens.get(token) ?? learn(userTokens, token, read)
    },
    appByClient(clientId) {
      const read = async () =>
        isStorable(clientId) ? unsealApp(await store.first(appByClient, { clientId })) : undefined
      return clients.get(clientId) ?? learn(clients, clientId, read)
    },
    async appById(id) {
      return unsealApp(await store.first(appById, { id }))
    },
  }
}

/** PostgreSQL rejects a text with a null character, and so nothing is stored under one. */
const isStorable = (key: string): boolean => !key.includes('\0')

/** The consumer secret of an app. */
export const consumerSecretOf = (
  { id, consumer_secret_sealed }: Pick<AppRow, 'id' | 'consumer_secret_sealed'>,
  sealer: Sealer,
): string => sealer.unseal(consumer_secret_sealed, `consumer secret ${id}`)

/** An app's record with its secrets decrypted. */
export function appOf(row: AppRow, sealer: Sealer): App {
  return {
    id: row.id,
    ownerUserId: row.owner_user_id,
    name: row.name,
    website: row.website,
    consumerKey: row.consumer_key,
    consumerSecret: consumerSecretOf(row, sealer),
    permission: row.permission as Permission,
    kind: row.kind as AppKind,
    signIn: row.sign_in === 1,
    suspended: row.suspended === 1,
    enrolled: row.enrolled === 1,
    bearerGeneration: row.bearer_generation,
    bearerHash: row.bearer_hash ?? undefined,
    client: clientOf(row, sealer),
  }
}

const clientOf = (row: AppRow, sealer: Sealer): Client | undefined =>
  row.client_id === null
    ? undefined
    : {
        id: row.client_id,
        type: row.client_type as ClientType,
        secret:
          row.client_secret_sealed === null
            ? undefined
            : sealer.unseal(row.client_secret_sealed, `client secret ${row.id}`),
      }

/**
 * Callers that arrive during a read share the next one. The current read may have seen the state before a revocation
 * that has already returned.
 */
function shared<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  let next: Promise<T> | undefined
  return () => {
    if (!running) {
      running = read().finally(() => {
        running = undefined
      })
      return running
    }
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined
        running = read().finally(() => {
          running = undefined
        })
        return running
      })
    return next
  }
}
