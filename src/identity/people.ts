import type { Clock } from '../common/clock.ts'
import type { IdSource } from '../common/ids.ts'
import type { RandomSource } from '../common/random.ts'
import { randomText } from '../common/random.ts'
import type { Sealer } from '../storage/seal.ts'
import { appRestored, appSuspended, userRestored, userSuspended } from './events.ts'
import { emit } from '../events/log.ts'
import type { Transaction } from '../storage/store.ts'
import type { AppKind, Permission } from './app.ts'
import { checkCallback } from './callback.ts'
import { hashPassword } from './password.ts'
import {
  addAccessToken,
  addApp,
  addCallback,
  addUser,
  moveCredentialEpoch,
  rotateAppSecret,
  setAppSuspended,
  setPassword,
  setUserSuspended,
} from './queries.ts'

/** What making identities needs. */
export interface IdentityParts {
  clock: Clock
  ids: IdSource
  random: RandomSource
  sealer: Sealer
}

export interface NewApp {
  name: string
  website: string
  ownerUserId: string
  callbacks: readonly string[]
  permission: Permission
  kind: AppKind
  signIn: boolean
  /** Made when absent. */
  consumerKey?: string
  consumerSecret?: string
}

export interface AppKeys {
  id: string
  consumerKey: string
  consumerSecret: string
}

const CONSUMER_KEY_LENGTH = 25
const CONSUMER_SECRET_LENGTH = 50
const TOKEN_LENGTH = 40
const TOKEN_SECRET_LENGTH = 45
export const MAX_CALLBACKS = 10

/** Registers an app. The secret is told once, here; stored it is sealed. */
export async function createApp(
  tx: Transaction,
  app: NewApp,
  { clock, ids, random, sealer }: IdentityParts,
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
  })
  for (const url of new Set(app.callbacks)) await tx.run(addCallback, { appId: id, url })
  return { id, consumerKey, consumerSecret }
}

/**
 * Suspends a user or an app, or ends the suspension: every node notices before its next request.
 * Resolves to whether there is one with this id.
 */
export async function setSuspended(
  tx: Transaction,
  what: { kind: 'user' | 'app'; id: string; suspended: boolean },
): Promise<boolean> {
  const { kind, id, suspended } = what
  const change = kind === 'user' ? setUserSuspended : setAppSuspended
  const changed = await tx.run(change, { id, suspended: suspended ? 1 : 0 })
  if (changed === 0) return false
  await tx.run(moveCredentialEpoch, {})
  if (kind === 'user') await emit(tx, suspended ? userSuspended : userRestored, { user_id: id })
  else await emit(tx, suspended ? appSuspended : appRestored, { app_id: id })
  return true
}

/** A new key and secret for an app; the old ones and its bearer end at once. */
export async function rotateApp(
  tx: Transaction,
  id: string,
  { random, sealer }: IdentityParts,
): Promise<AppKeys | undefined> {
  const consumerKey = randomText(random, CONSUMER_KEY_LENGTH)
  const consumerSecret = randomText(random, CONSUMER_SECRET_LENGTH)
  const secretSealed = sealer.seal(consumerSecret, `consumer secret ${id}`)
  const changed = await tx.run(rotateAppSecret, { id, consumerKey, secretSealed })
  if (changed === 0) return undefined
  await tx.run(moveCredentialEpoch, {})
  return { id, consumerKey, consumerSecret }
}

/** Letters, digits and underscores, 1 to 15 of them; compared without case. */
export const SCREEN_NAME = /^[A-Za-z0-9_]{1,15}$/

export interface NewUser {
  screenName: string
  name: string
  password: string
}

/** A user's record, with the password hashed before the transaction begins: hashing takes a while. */
export async function prepareUser(user: NewUser, { clock, ids, random }: IdentityParts) {
  if (!SCREEN_NAME.test(user.screenName))
    throw new Error(`"${user.screenName}" is not a screen name: 1 to 15 letters, digits or _`)
  return {
    id: ids.next(),
    screen_name: user.screenName,
    screen_name_key: user.screenName.toLowerCase(),
    name: user.name,
    password_hash: await hashPassword(user.password, random),
    suspended: 0,
    created_at: clock.now(),
  }
}

export const createUser = (tx: Transaction, row: Awaited<ReturnType<typeof prepareUser>>) =>
  tx.run(addUser, row)

/** A new password for a user. */
export const changePassword = (tx: Transaction, id: string, passwordHash: string) =>
  tx.run(setPassword, { id, passwordHash })

export interface TokenPair {
  token: string
  secret: string
}

/** Grants an app access to a user's account: a token `<user id>-<random>` and its secret. */
export async function createAccessToken(
  tx: Transaction,
  grant: { appId: string; userId: string; access: Permission; token?: string; secret?: string },
  { clock, random, sealer }: IdentityParts,
): Promise<TokenPair> {
  const token = grant.token ?? `${grant.userId}-${randomText(random, TOKEN_LENGTH)}`
  const secret = grant.secret ?? randomText(random, TOKEN_SECRET_LENGTH)
  const tokenHash = sealer.hashToken(token)
  await tx.run(addAccessToken, {
    token_hash: tokenHash,
    token_sealed: sealer.seal(token, `access token ${tokenHash}`),
    secret_sealed: sealer.seal(secret, `access token secret ${tokenHash}`),
    app_id: grant.appId,
    user_id: grant.userId,
    access: grant.access,
    created_at: clock.now(),
  })
  return { token, secret }
}
