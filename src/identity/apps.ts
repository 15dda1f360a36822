import { randomText } from '../common/random.ts'
import type { Transaction } from '../storage/store.ts'
import type { AppKind, Permission } from './app.ts'
import { checkCallback } from './callback.ts'
import type { IdentityParts } from './parts.ts'
import { addApp, addCallback, moveCredentialEpoch, rotateAppSecret } from './queries.ts'

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
export const MAX_CALLBACKS = 10

/** Registers an app. The secret is returned only here; it is stored sealed. */
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
