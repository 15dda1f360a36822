import { Type } from 'typebox'
import {
  APP_KINDS,
  type AppKind,
  CLIENT_TYPES,
  type ClientType,
  PERMISSIONS,
  type Permission,
} from '../../identity/apps/app.ts'
import {
  type AppKeys,
  type ClientKeys,
  createApp,
  MAX_CALLBACKS,
  rotateApp,
  setClientType,
  setEnrolled,
} from '../../identity/apps/apps.ts'
import { checkCallback } from '../../identity/apps/callback.ts'
import type { IdentityDependencies } from '../../identity/apps/parts.ts'
import {
  addCallback,
  appById,
  callbacksOfApp,
  moveCredentialEpoch,
  removeCallbacks,
  setAppDetails,
} from '../../identity/apps/queries.ts'
import { setSuspended } from '../../identity/apps/suspension.ts'
import type { AppRow } from '../../identity/apps/tables.ts'
import { createAccessToken, type TokenPair } from '../../identity/tokens/access-tokens.ts'
import type { ProfileRow } from '../../identity/users/tables.ts'
import { isoTime } from '../../platform/common/time.ts'
import { isBlank } from '../../platform/common/visible.ts'
import { choice, text } from '../../platform/http/schema.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import { lockedUserIn, userIn } from './find-user.ts'
import { amendSeeded } from './seeded.ts'
import { NotThere, WrongValue } from './wrong.ts'

/** Members of an app that can be changed. */
export const APP_MEMBERS = {
  name: Type.String({
    pattern: '^[^\\p{Cc}]{1,50}$',
    description: 'Shown on the consent page: up to 50 characters, none of them a control character.',
  }),
  website: text(1, 200, 'An http or https URL, shown on the consent page.'),
  callbacks: Type.Array(text(1, 2048, 'A URL.'), {
    maxItems: MAX_CALLBACKS,
    description: 'URLs that users may be redirected to.',
  }),
  permission: choice([...PERMISSIONS], 'What the app may ask for; `read-write` by default.'),
  sign_in: Type.Boolean({
    description: 'Whether a user who granted the app before is not asked again; true by default.',
  }),
  enrolled: Type.Boolean({
    description: 'Whether the app may use the endpoints under `/2/`; true by default.',
  }),
  enterprise: Type.Boolean({
    description: 'Whether the app may open the streams of enterprise plans; false by default.',
  }),
  client_type: choice(
    [...CLIENT_TYPES],
    'OAuth 2.0: a confidential client has a secret. `native` for a desktop app, otherwise `confidential`, by default.',
  ),
  suspended: Type.Boolean({ description: 'Whether the app is suspended: its keys are rejected then.' }),
}

/** What only a new app can be given. */
export const NEW_APP_MEMBERS = {
  kind: choice([...APP_KINDS], 'Desktop apps use a PIN; `web` by default.'),
  grants: Type.Array(Type.String({ minLength: 1, maxLength: 20 }), {
    maxItems: 1000,
    description: 'Users, by id or screen name, for whom the app also gets an OAuth 1.0a token.',
  }),
}

export interface AppChanges {
  name?: string | undefined
  website?: string | undefined
  callbacks?: readonly string[] | undefined
  permission?: Permission | undefined
  sign_in?: boolean | undefined
  enrolled?: boolean | undefined
  enterprise?: boolean | undefined
  client_type?: ClientType | undefined
  suspended?: boolean | undefined
}

export interface NewAppValues extends AppChanges {
  name: string
  website: string
  /** Id or screen name of the developer. */
  owner: string
  kind?: AppKind | undefined
  /** Users, by id or screen name, who grant the permission of the app. */
  grants?: readonly string[] | undefined
}

/** A new app with all of its secrets. Only the maker sees them. */
export interface CreatedApp {
  readonly keys: AppKeys
  readonly tokens: readonly (TokenPair & { readonly user: ProfileRow })[]
}

/**
 * Registers an app, with tokens for the users who grant it access.
 * @throws WrongValue
 */
export async function addNewApp(
  tx: Transaction,
  values: NewAppValues,
  parts: IdentityDependencies,
): Promise<CreatedApp> {
  checkApp(values)
  const { kind = 'web', permission = 'read-write', client_type: clientType } = values
  const owner = await lockedUserIn(tx, 'owner', values.owner)
  const users = new Map<string, ProfileRow>()
  for (const who of values.grants ?? []) {
    const user = await userIn(tx, 'grants', who)
    users.set(user.id, user)
  }
  const keys = await createApp(
    tx,
    {
      name: values.name,
      website: values.website,
      ownerUserId: owner.id,
      callbacks: values.callbacks ?? [],
      permission,
      kind,
      signIn: values.sign_in ?? true,
      enrolled: values.enrolled ?? true,
      enterprise: values.enterprise ?? false,
      ...(clientType !== undefined && { clientType }),
    },
    parts,
  )
  const tokens = []
  for (const user of users.values()) {
    const grant = { appId: keys.id, userId: user.id, access: permission }
    tokens.push({ user, ...(await createAccessToken(tx, grant, parts)) })
  }
  if (values.suspended) await setSuspended(tx, { kind: 'app', id: keys.id, suspended: true })
  return { keys, tokens }
}

/**
 * The app that is read or changed.
 * @throws NotThere
 */
export async function theApp(reader: Pick<Transaction, 'first'>, id: string): Promise<AppRow> {
  const row = await reader.first(appById, { id })
  if (!row) throw new NotThere(`There is no app with the id ${id}.`)
  return row
}

/**
 * The app that a member of a new object names.
 * @throws WrongValue
 */
export async function appIn(reader: Pick<Transaction, 'first'>, member: string, id: string): Promise<AppRow> {
  const row = await reader.first(appById, { id })
  if (!row) throw new WrongValue(member, id, `There is no app with the id ${id}.`)
  return row
}

/** The OAuth 2.0 client after a change of its type; only a confidential one has a secret. */
export type ChangedClient = ClientKeys | undefined

/**
 * Changes an app. Every node applies it before its next request. Resolves to the client if its type
 * was given: a confidential client gets a new secret.
 * @throws WrongValue
 */
export async function changeApp(
  tx: Transaction,
  row: AppRow,
  values: AppChanges,
  parts: IdentityDependencies,
): Promise<ChangedClient> {
  checkApp(values)
  const { id } = row
  await tx.run(setAppDetails, {
    id,
    name: values.name ?? row.name,
    website: values.website ?? row.website,
    permission: values.permission ?? row.permission,
    sign_in: values.sign_in === undefined ? row.sign_in : Number(values.sign_in),
    enterprise: Number(values.enterprise ?? row.enterprise),
  })
  if (values.callbacks) {
    await tx.run(removeCallbacks, { appId: id })
    for (const url of new Set(values.callbacks)) await tx.run(addCallback, { appId: id, url })
  }
  await tx.run(moveCredentialEpoch, {})
  const { enrolled, suspended, client_type: type } = values
  if (enrolled !== undefined && Number(enrolled) !== row.enrolled) await setEnrolled(tx, { id, enrolled })
  if (suspended !== undefined && Number(suspended) !== row.suspended)
    await setSuspended(tx, { kind: 'app', id, suspended })
  if (type === undefined) return undefined
  const client = await setClientType(tx, { id, type }, parts)
  await amendSeeded(tx, parts.sealer, (seeded) => {
    const app = seeded.apps.find((one) => one.id === id)
    if (!app || !client) return
    app.clientId = client.clientId
    if (client.clientSecret === undefined) delete app.clientSecret
    else app.clientSecret = client.clientSecret
  })
  return client
}

/** Gives an app new keys. The old ones and its bearer token are rejected from now on. */
export async function replaceKeys(
  tx: Transaction,
  { id }: AppRow,
  parts: IdentityDependencies,
): Promise<AppKeys> {
  const keys = await rotateApp(tx, id, parts)
  if (!keys) throw new NotThere(`There is no app with the id ${id}.`)
  await amendSeeded(tx, parts.sealer, (seeded) => {
    const app = seeded.apps.find((one) => one.id === id)
    if (app) Object.assign(app, keys)
  })
  return keys
}

/** An app as replies show it, without any secret. */
export async function presentApp(reader: Pick<Transaction, 'all'>, row: AppRow) {
  const callbacks = await reader.all(callbacksOfApp, { appId: row.id })
  return {
    id: row.id,
    name: row.name,
    website: row.website,
    owner_user_id: row.owner_user_id,
    callbacks: callbacks.map(({ url }) => url),
    kind: row.kind as AppKind,
    permission: row.permission as Permission,
    sign_in: row.sign_in === 1,
    client_id: row.client_id,
    client_type: row.client_type as ClientType | null,
    enrolled: row.enrolled === 1,
    enterprise: row.enterprise === 1,
    suspended: row.suspended === 1,
    created_at: isoTime(row.created_at),
  }
}

/** The secrets of a new app, or of one that got new keys. */
export const presentKeys = ({ consumerKey, consumerSecret, ...client }: AppKeys) => ({
  consumer_key: consumerKey,
  consumer_secret: consumerSecret,
  ...presentClient(client),
})

export const presentClient = ({ clientId, clientType, clientSecret }: Partial<ClientKeys>) => ({
  client_id: clientId ?? null,
  client_type: clientType ?? null,
  client_secret: clientSecret ?? null,
})

function checkApp({ name, website, callbacks = [] }: AppChanges): void {
  if (name !== undefined && isBlank(name))
    throw new WrongValue('name', name, 'The name must have a visible character.')
  if (website !== undefined && !(URL.canParse(website) && /^https?:\/\//i.test(website)))
    throw new WrongValue('website', website, `The website must be an http or https URL, not "${website}".`)
  for (const url of callbacks) {
    const problem = checkCallback(url)
    if (problem) throw new WrongValue('callbacks', url, `The callback "${url}" is not allowed: ${problem}.`)
  }
}
