import { APP_KINDS, CLIENT_TYPES, type ClientType, PERMISSIONS } from '../../identity/apps/app.ts'
import {
  type AppKeys,
  type ClientKeys,
  createApp,
  MAX_CALLBACKS,
  type NewApp,
  rotateApp,
  setClientType,
  setEnrolled,
} from '../../identity/apps/apps.ts'
import { checkCallback } from '../../identity/apps/callback.ts'
import { pageOfApps } from '../../identity/apps/queries.ts'
import { setSuspended } from '../../identity/apps/suspension.ts'
import { createAccessToken } from '../../identity/tokens/access-tokens.ts'
import { userNamed } from '../../identity/users/named.ts'
import { isoTime } from '../../platform/common/time.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import { amendSeeded } from '../seed/seeded.ts'
import { type Call, type Flags, UsageError } from './command.ts'
import { withInstallation } from './installation.ts'
import { printList } from './list.ts'
import { pages, shortText } from './values.ts'

/** `plaza app create`. */
export async function create({ flags, config }: Call): Promise<number> {
  const wanted = newApp(flags)
  const owner = flags.required('owner')
  const made = await withInstallation(config, async ({ store, parts }) => {
    const ownerUserId = (await userNamed(store, owner)).id
    const named = await Promise.all(flags.list('grant').map((name) => userNamed(store, name)))
    const users = [...new Map(named.map((user) => [user.id, user])).values()]
    return store.write(async (tx) => {
      const keys = await createApp(tx, { ...wanted, ownerUserId }, parts)
      const grants = []
      for (const user of users) {
        const grant = { appId: keys.id, userId: user.id, access: wanted.permission }
        grants.push({ user, ...(await createAccessToken(tx, grant, parts)) })
      }
      return { keys, grants }
    })
  })
  const tokens = made.grants.map(({ user, token, secret }) => ({
    user_id: user.id,
    screen_name: user.screen_name,
    access_token: token,
    access_token_secret: secret,
  }))
  if (flags.on('json')) console.log(JSON.stringify({ ...asData(made.keys), tokens }))
  else console.log([...asText(made.keys), ...tokens.flatMap(tokenText), '', ONCE].join('\n'))
  return 0
}

const ONCE = 'The secrets are shown only once.'

function newApp(flags: Flags): Omit<NewApp, 'ownerUserId'> {
  const callbacks = flags.list('callback')
  if (callbacks.length > MAX_CALLBACKS) throw new UsageError(`--callback may be given ${MAX_CALLBACKS} times`)
  for (const url of callbacks) {
    const problem = checkCallback(url)
    if (problem) throw new UsageError(`--callback ${url}: ${problem}`)
  }
  const website = shortText(flags, 'website', 200)
  if (!URL.canParse(website) || !/^https?:\/\//i.test(website))
    throw new UsageError('--website must be an http or https URL')
  const kind = flags.oneOf('kind', APP_KINDS, 'web')
  return {
    name: shortText(flags, 'name', 50),
    website,
    callbacks,
    permission: flags.oneOf('permission', PERMISSIONS, 'read-write'),
    kind,
    signIn: !flags.on('no-sign-in'),
    enrolled: !flags.on('not-enrolled'),
    clientType: flags.oneOf('client-type', CLIENT_TYPES, kind === 'desktop' ? 'native' : 'confidential'),
  }
}

const asData = (keys: AppKeys) => ({
  id: keys.id,
  consumer_key: keys.consumerKey,
  consumer_secret: keys.consumerSecret,
  ...clientData(keys),
})

/** An OAuth 2.0 client; only a confidential one has a secret. */
const clientData = ({ clientId, clientType, clientSecret }: Partial<ClientKeys>) => ({
  client_id: clientId ?? null,
  client_type: clientType ?? null,
  client_secret: clientSecret ?? null,
})

const asText = (keys: AppKeys) => [
  `App              ${keys.id}`,
  `Consumer key     ${keys.consumerKey}`,
  `Consumer secret  ${keys.consumerSecret}`,
  ...clientText(keys),
]

const clientText = ({ clientId, clientType, clientSecret }: Partial<ClientKeys>) => [
  ...(clientId === undefined ? [] : [`Client id        ${clientId} (OAuth 2.0, ${clientType})`]),
  ...(clientSecret === undefined ? [] : [`Client secret    ${clientSecret}`]),
]

const tokenText = (one: { screen_name: string; access_token: string; access_token_secret: string }) => [
  `@${one.screen_name}`,
  `  Access token         ${one.access_token}`,
  `  Access token secret  ${one.access_token_secret}`,
]

/** `plaza app list`. */
export async function list({ flags, config }: Call): Promise<number> {
  await withInstallation(config, ({ store }) =>
    printList(flags, pages(store, pageOfApps), {
      of: 'apps',
      asData: (row) => ({
        id: row.id,
        name: row.name,
        website: row.website,
        owner_user_id: row.owner_user_id,
        kind: row.kind,
        permission: row.permission,
        sign_in: row.sign_in === 1,
        client_id: row.client_id,
        client_type: row.client_type,
        enrolled: row.enrolled === 1,
        suspended: row.suspended === 1,
        created_at: isoTime(row.created_at),
      }),
      asText: ({ id, kind, permission, name, enrolled, suspended }) =>
        `${id}  ${kind.padEnd(7)}  ${permission.padEnd(25)}  ${name}${enrolled === 1 ? '' : '  (not enrolled)'}${suspended === 1 ? '  (suspended)' : ''}`,
    }),
  )
  return 0
}

/**
 * `plaza app rotate`: when the transaction commits, every server rejects the old key, its secret
 * and the bearer token.
 */
export async function rotate({ flags, positionals, config }: Call): Promise<number> {
  const [id = ''] = positionals
  const keys = await withInstallation(config, ({ store, sealer, parts }) =>
    store.write(async (tx) => {
      const rotated = await rotateApp(tx, id, parts)
      if (!rotated) return undefined
      await amendSeeded(tx, sealer, (seeded) => {
        const app = seeded.apps.find((one) => one.id === id)
        if (app) Object.assign(app, rotated)
      })
      return rotated
    }),
  )
  if (!keys) throw noApp(id)
  if (flags.on('json')) console.log(JSON.stringify(asData(keys)))
  else
    console.log(
      [...asText(keys), '', `${ONCE} The old ones and the app's bearer token are no longer valid.`].join(
        '\n',
      ),
    )
  return 0
}

/** `plaza app client-type`: the app keeps its client id and its tokens. */
export async function clientType({ flags, positionals, config }: Call): Promise<number> {
  const [id = '', given] = positionals
  const type = given as ClientType
  const client = await withInstallation(config, ({ store, sealer, parts }) =>
    store.write(async (tx) => {
      const changed = await setClientType(tx, { id, type }, parts)
      if (!changed) return undefined
      await amendSeeded(tx, sealer, (seeded) => {
        const app = seeded.apps.find((one) => one.id === id)
        if (!app) return
        app.clientId = changed.clientId
        if (changed.clientSecret === undefined) delete app.clientSecret
        else app.clientSecret = changed.clientSecret
      })
      return changed
    }),
  )
  if (!client) throw noApp(id)
  if (flags.on('json')) console.log(JSON.stringify({ id, ...clientData(client) }))
  else console.log([...clientText(client), ...(client.clientSecret ? ['', ONCE] : [])].join('\n'))
  return 0
}

/**
 * `plaza app enroll`, `unenroll`: every server applies the change once the command has finished.
 */
export const enroll = (call: Call) => changeEnrollment(call, true, 'is enrolled')
export const unenroll = (call: Call) => changeEnrollment(call, false, 'is no longer enrolled')

const changeEnrollment = (call: Call, enrolled: boolean, outcome: string) =>
  changeApp(call, (tx, id) => setEnrolled(tx, { id, enrolled }), { enrolled }, outcome)

/**
 * `plaza app suspend`, `restore`: every server applies the change once the command has finished.
 */
export const suspend = (call: Call) => changeSuspension(call, true, 'is suspended')
export const restore = (call: Call) => changeSuspension(call, false, 'is no longer suspended')

const changeSuspension = (call: Call, suspended: boolean, outcome: string) =>
  changeApp(call, (tx, id) => setSuspended(tx, { kind: 'app', id, suspended }), { suspended }, outcome)

/** Changes the app that the first argument names, in one transaction, and prints the outcome. */
async function changeApp(
  { flags, positionals: [id = ''], config }: Call,
  change: (tx: Transaction, id: string) => Promise<boolean>,
  facts: object,
  outcome: string,
): Promise<number> {
  const known = await withInstallation(config, ({ store }) => store.write((tx) => change(tx, id)))
  if (!known) throw noApp(id)
  if (flags.on('json')) console.log(JSON.stringify({ id, ...facts }))
  else console.log(`App ${id} ${outcome}.`)
  return 0
}

const noApp = (id: string) => new Error(`There is no app with the id ${id}. "plaza app list" lists the apps.`)
