import { LRUCache } from 'lru-cache'
import { SharedRun } from '../../platform/common/shared-run.ts'
import type { Sealer } from '../../platform/storage/seal.ts'
import type { Store } from '../../platform/storage/store.ts'
import type { App, AppKind, Client, ClientType, Permission } from '../apps/app.ts'
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
import { readScopes, type TokenScopes } from './scopes.ts'
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

/** Synchronous when it is cached. */
type Lookup<Value> = Value | Promise<Value | undefined>

/** Maximum number of cached credentials of each kind. The least recently used ones are evicted. */
const MAX_REMEMBERED = 20_000

/**
 * Looks up credentials. Results are cached, so that a busy caller costs neither a query nor a
 * decryption. A revocation increments the credential epoch in its own transaction, and every node
 * compares the epoch before it uses its cache. So a revoked credential is rejected everywhere as
 * soon as the revocation has returned.
 */
export class Credentials {
  readonly #store: Store
  readonly #sealer: Sealer
  readonly #readEpoch: SharedRun<{ value: string } | undefined>
  /** One of each kind of credential. */
  readonly #caches: { clear(): void }[] = []
  #epoch: string | undefined
  /** The version of the store when the epoch was compared. */
  #comparedAt: number | undefined

  constructor(store: Store, sealer: Sealer) {
    this.#store = store
    this.#sealer = sealer
    this.#readEpoch = new SharedRun(() => store.first(credentialEpoch, {}))
  }

  /** Call once per request, before any lookup, and await the result if it is a promise. */
  refresh(): Promise<void> | undefined {
    const version = this.#store.snapshotVersion()
    // Nothing was written since the epoch was read.
    if (version !== undefined && version === this.#comparedAt) return undefined
    return this.#compareEpoch(version)
  }

  async #compareEpoch(version: number | undefined): Promise<void> {
    const now = (await this.#readEpoch.run())?.value
    this.#comparedAt = version
    if (now === this.#epoch) return
    for (const cache of this.#caches) cache.clear()
    this.#epoch = now
  }

  readonly appByKey = this.#cached(async (consumerKey): Promise<App | undefined> => {
    if (!isStorable(consumerKey)) return undefined
    return this.#unseal(await this.#store.first(appByConsumerKey, { consumerKey }))
  })

  readonly appByBearer = this.#cached(async (bearer): Promise<App | undefined> => {
    return this.#unseal(await this.#store.first(appByBearer, { bearerHash: this.#sealer.hashToken(bearer) }))
  })

  readonly accessToken = this.#cached(async (token): Promise<AccessToken | undefined> => {
    const row = await this.#store.first(accessTokenByHash, { tokenHash: this.#sealer.hashToken(token) })
    return (
      row && {
        appId: row.app_id,
        userId: row.user_id,
        secret: this.#sealer.unseal(row.secret_sealed, `access token secret ${row.token_hash}`),
        access: row.access as Permission,
        userSuspended: row.user_suspended === 1,
      }
    )
  })

  /** An OAuth 2.0 access token, which may have expired. */
  readonly userToken = this.#cached(async (token): Promise<UserToken | undefined> => {
    const row = await this.#store.first(userTokenByHash, { tokenHash: digestOf(token) })
    const app = row && (await this.#appOfTokens(row.app_id))
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
  })

  /** OAuth 2.0 tokens share the record of their app. */
  readonly #appOfTokens = this.#cached((id) => this.appById(id))

  /** The app with an OAuth 2.0 client id. */
  readonly appByClient = this.#cached(async (clientId): Promise<App | undefined> => {
    if (!isStorable(clientId)) return undefined
    return this.#unseal(await this.#store.first(appByClient, { clientId }))
  })

  /** Never cached. */
  async appById(id: string): Promise<App | undefined> {
    return this.#unseal(await this.#store.first(appById, { id }))
  }

  #unseal(row: AppRow | undefined): App | undefined {
    return row && appOf(row, this.#sealer)
  }

  /**
   * Caches the results of a read, unless a revocation was seen during it: the read may be older.
   * Absent credentials are not cached, so that guesses cannot evict valid credentials.
   */
  #cached<Value extends object>(read: (key: string) => Promise<Value | undefined>) {
    const cache = new LRUCache<string, Value>({ max: MAX_REMEMBERED })
    this.#caches.push(cache)
    const learn = async (key: string) => {
      const asOf = this.#epoch
      const value = await read(key)
      if (value !== undefined && asOf === this.#epoch) cache.set(key, value)
      return value
    }
    return (key: string): Lookup<Value> => cache.get(key) ?? learn(key)
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
    enterprise: row.enterprise === 1,
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
