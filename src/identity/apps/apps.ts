import { type RandomSource, randomText } from '../../platform/common/random.ts'
import { emit } from '../../platform/events/log.ts'
import type { Sealer } from '../../platform/storage/seal.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import type { AppKind, ClientType, Permission } from './app.ts'
import { checkCallback } from './callback.ts'
import { appEnrolled, appUnenrolled } from './events.ts'
import type { IdentityDependencies } from './parts.ts'
import {
  addApp,
  addCallback,
  appById,
  moveCredentialEpoch,
  rotateAppSecret,
  setAppClient,
  setAppEnrolled,
} from './queries.ts'

export interface NewApp {
  name: string
  website: string
  ownerUserId: string
  callbacks: readonly string[]
  permission: Permission
  kind: AppKind
  signIn: boolean
  /** Whether the app may use the endpoints under `/2/`. Defaults to true. */
  enrolled?: boolean
  /** Whether the app may open the streams of enterprise plans; not by default. */
  enterprise?: boolean
  /** Defaults to `native` for a desktop app, otherwise to `confidential`. */
  clientType?: ClientType
  /** Generated if absent. */
  consumerKey?: string
  consumerSecret?: string
  clientId?: string
  clientSecret?: string
}

/** The OAuth 2.0 client of an app. */
export interface ClientKeys {
  clientId: string
  clientType: ClientType
  /** Confidential clients only. */
  clientSecret?: string
}

export interface AppKeys extends Partial<ClientKeys> {
  id: string
  consumerKey: string
  consumerSecret: string
}

const CONSUMER_KEY_LENGTH = 25
const CONSUMER_SECRET_LENGTH = 50
const CLIENT_ID_LENGTH = 34
const CLIENT_SECRET_LENGTH = 50
export const MAX_CALLBACKS = 10

/** Registers an app. The secrets are returned only here; they are stored encrypted. */
export async function createApp(
  tx: Transaction,
  app: NewApp,
  { clock, ids, random, sealer }: IdentityDependencies,
): Promise<AppKeys> {
  if (app.callbacks.length > MAX_CALLBACKS)
    throw new Error(`an app has at most ${MAX_CALLBACKS} callback URLs`)
  for (const url of app.callbacks) {
    const reason = checkCallback(url)
    if (reason) throw new Error(`callback ${url}: ${reason}`)
  }
  const id = ids.next()
  const consumerKey = app.consumerKey ?? randomText(random, CONSUMER_KEY_LENGTH)
  const consumerSecret = app.consumerSecret ?? randomText(random, CONSUMER_SECRET_LENGTH)
  const type = app.clientType ?? (app.kind === 'desktop' ? 'native' : 'confidential')
  const client = newClient(type, random, { id: app.clientId, secret: app.clientSecret })
  await tx.run(addApp, {
    id,
    owner_user_id: app.ownerUserId,
    name: app.name,
    website: app.website,
    consumer_key: consumerKey,
    consumer_secret_sealed: sealer.seal(consumerSecret, `consumer secret ${id}`),
    permission: app.permission,
    kind: app.kind,
    sign_in: app.signIn ? 1 : 0,
    suspended: 0,
    bearer_generation: 1,
    bearer_hash: null,
    created_at: clock.now(),
    enrolled: app.enrolled === false ? 0 : 1,
    enterprise: app.enterprise === true ? 1 : 0,
    ...clientColumns(id, client, sealer),
  })
  for (const url of new Set(app.callbacks)) await tx.run(addCallback, { appId: id, url })
  return { id, consumerKey, consumerSecret, ...client }
}

/** A client of a type. Generates the members that are not given. */
function newClient(
  type: ClientType,
  random: RandomSource,
  credentials: { id?: string | undefined; secret?: string | undefined } = {},
): ClientKeys {
  const clientId = credentials.id ?? randomText(random, CLIENT_ID_LENGTH)
  if (type !== 'confidential') return { clientId, clientType: type }
  return {
    clientId,
    clientType: type,
    clientSecret: credentials.secret ?? randomText(random, CLIENT_SECRET_LENGTH),
  }
}

const clientColumns = (id: string, { clientId, clientType, clientSecret }: ClientKeys, sealer: Sealer) => ({
  client_id: clientId,
  client_type: clientType,
  client_secret_sealed: clientSecret === undefined ? null : sealer.seal(clientSecret, `client secret ${id}`),
})

/**
 * Sets the OAuth 2.0 client type of an app. A confidential client gets a new secret. An existing
 * client keeps its id, and its tokens stay valid. Undefined when the app does not exist.
 */
export async function setClientType(
  tx: Transaction,
  { id, type }: { id: string; type: ClientType },
  { random, sealer }: Pick<IdentityDependencies, 'random' | 'sealer'>,
): Promise<ClientKeys | undefined> {
  const row = await tx.first(appById, { id })
  if (!row) return undefined
  const client = newClient(type, random, { id: row.client_id ?? undefined })
  await tx.run(setAppClient, { id, ...clientColumns(id, client, sealer) })
  await tx.run(moveCredentialEpoch, {})
  return client
}

/**
 * Enrolls or unenrolls an app for the endpoints under `/2/`. Every node applies it before its next
 * request, and open streams end when the app is unenrolled. Resolves to whether the app exists.
 */
export async function setEnrolled(
  tx: Transaction,
  { id, enrolled }: { id: string; enrolled: boolean },
): Promise<boolean> {
  if ((await tx.run(setAppEnrolled, { id, enrolled: enrolled ? 1 : 0 })) === 0) return false
  await tx.run(moveCredentialEpoch, {})
  await emit(tx, enrolled ? appEnrolled : appUnenrolled, { app_id: id })
  return true
}

/**
 * Gives an app a new key and secret, and a new secret for its OAuth 2.0 client. The old ones and
 * its bearer token become invalid at once. Access tokens stay valid.
 */
export async function rotateApp(
  tx: Transaction,
  id: string,
  { random, sealer }: IdentityDependencies,
): Promise<AppKeys | undefined> {
  const row = await tx.first(appById, { id })
  if (!row) return undefined
  const consumerKey = randomText(random, CONSUMER_KEY_LENGTH)
  const consumerSecret = randomText(random, CONSUMER_SECRET_LENGTH)
  const secretSealed = sealer.seal(consumerSecret, `consumer secret ${id}`)
  await tx.run(rotateAppSecret, { id, consumerKey, secretSealed })
  const type = row.client_type as ClientType | null
  const client = type && newClient(type, random, { id: row.client_id ?? undefined })
  if (client) await tx.run(setAppClient, { id, ...clientColumns(id, client, sealer) })
  await tx.run(moveCredentialEpoch, {})
  return { id, consumerKey, consumerSecret, ...client }
}
