import { APP_KINDS, CLIENT_TYPES, PERMISSIONS } from '../../identity/apps/app.ts'
import { MAX_CALLBACKS } from '../../identity/apps/apps.ts'
import { checkCallback } from '../../identity/apps/callback.ts'
import { callAdmin, listAdmin } from '../admin-client.ts'
import { withAdmin } from './admin.ts'
import { type Call, type Flags, UsageError } from './command.ts'
import { printList } from './list.ts'
import { shortText } from './values.ts'

/** The OAuth 2.0 client of an app; only a confidential one has a secret. */
interface Client {
  client_id: string | null
  client_type: string | null
  client_secret: string | null
}

interface Keys extends Client {
  id: string
  consumer_key: string
  consumer_secret: string
}

interface Token {
  user_id: string
  screen_name: string
  access_token: string
  access_token_secret: string
}

/** `plaza app create`. */
export async function create({ flags, config }: Call): Promise<number> {
  const body = newApp(flags)
  const made = await withAdmin(config, (admin) =>
    callAdmin<Keys & { tokens: Token[] }>(admin, 'POST', '/apps', body),
  )
  const { tokens } = made
  if (flags.on('json')) console.log(JSON.stringify({ ...keysIn(made), tokens }))
  else console.log([...asText(made), ...tokens.flatMap(tokenText), '', ONCE].join('\n'))
  return 0
}

const ONCE = 'The secrets are shown only once.'

function newApp(flags: Flags) {
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
    owner: named(flags.required('owner')),
    callbacks,
    permission: flags.oneOf('permission', PERMISSIONS, 'read-write'),
    kind,
    sign_in: !flags.on('no-sign-in'),
    enrolled: !flags.on('not-enrolled'),
    enterprise: flags.on('enterprise'),
    client_type: flags.oneOf('client-type', CLIENT_TYPES, kind === 'desktop' ? 'native' : 'confidential'),
    grants: flags.list('grant').map(named),
  }
}

/** A screen name with `@`, as errors show it. */
const named = (screenName: string) => `@${screenName.replace(/^@/, '')}`

const keysIn = ({ id, consumer_key, consumer_secret, ...client }: Keys) => ({
  ...{ id, consumer_key, consumer_secret },
  ...clientIn(client),
})

const clientIn = ({ client_id, client_type, client_secret }: Client) => ({
  ...{ client_id, client_type, client_secret },
})

const asText = (keys: Keys) => [
  `App              ${keys.id}`,
  `Consumer key     ${keys.consumer_key}`,
  `Consumer secret  ${keys.consumer_secret}`,
  ...clientText(keys),
]

const clientText = ({ client_id, client_type, client_secret }: Client) => [
  ...(client_id === null ? [] : [`Client id        ${client_id} (OAuth 2.0, ${client_type})`]),
  ...(client_secret === null ? [] : [`Client secret    ${client_secret}`]),
]

const tokenText = (one: Token) => [
  `@${one.screen_name}`,
  `  Access token         ${one.access_token}`,
  `  Access token secret  ${one.access_token_secret}`,
]

/** An app, as the admin API shows one. */
interface ShownApp {
  id: string
  name: string
  website: string
  owner_user_id: string
  kind: string
  permission: string
  sign_in: boolean
  client_id: string | null
  client_type: string | null
  enrolled: boolean
  enterprise: boolean
  suspended: boolean
  created_at: string
  client_secret?: string | null
}

/** `plaza app list`. */
export async function list({ flags, config }: Call): Promise<number> {
  await withAdmin(config, (admin) =>
    printList(flags, listAdmin<ShownApp>(admin, '/apps'), {
      of: 'apps',
      asData: (app) => ({
        id: app.id,
        name: app.name,
        website: app.website,
        owner_user_id: app.owner_user_id,
        kind: app.kind,
        permission: app.permission,
        sign_in: app.sign_in,
        client_id: app.client_id,
        client_type: app.client_type,
        enrolled: app.enrolled,
        enterprise: app.enterprise,
        suspended: app.suspended,
        created_at: app.created_at,
      }),
      asText: ({ id, kind, permission, name, enrolled, suspended }) =>
        `${id}  ${kind.padEnd(7)}  ${permission.padEnd(25)}  ${name}${enrolled ? '' : '  (not enrolled)'}${suspended ? '  (suspended)' : ''}`,
    }),
  )
  return 0
}

const pathOf = (id: string) => `/apps/${encodeURIComponent(id)}` as const

/**
 * `plaza app rotate`: from then on, every server rejects the old key, its secret and the bearer
 * token.
 */
export async function rotate({ flags, positionals: [id = ''], config }: Call): Promise<number> {
  const path = `${pathOf(id)}/rotate_keys` as const
  const keys = await withAdmin(config, (admin) => callAdmin<Keys>(admin, 'POST', path))
  if (flags.on('json')) console.log(JSON.stringify(keysIn(keys)))
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
  const [id = '', client_type] = positionals
  const app = await withAdmin(config, (admin) =>
    callAdmin<ShownApp>(admin, 'PUT', pathOf(id), { client_type }),
  )
  const client = clientIn({ ...app, client_secret: app.client_secret ?? null })
  if (flags.on('json')) console.log(JSON.stringify({ id, ...client }))
  else console.log([...clientText(client), ...(client.client_secret ? ['', ONCE] : [])].join('\n'))
  return 0
}

/**
 * `plaza app enroll`, `unenroll`: every server applies the change once the command has finished.
 */
export const enroll = (call: Call) => changeApp(call, { enrolled: true }, 'is enrolled')
export const unenroll = (call: Call) => changeApp(call, { enrolled: false }, 'is no longer enrolled')

/**
 * `plaza app suspend`, `restore`: every server applies the change once the command has finished.
 */
export const suspend = (call: Call) => changeApp(call, { suspended: true }, 'is suspended')
export const restore = (call: Call) => changeApp(call, { suspended: false }, 'is no longer suspended')

/** `plaza app delete`. */
export async function remove({ flags, positionals: [id = ''], config }: Call): Promise<number> {
  await withAdmin(config, (admin) => callAdmin(admin, 'DELETE', pathOf(id)))
  if (flags.on('json')) console.log(JSON.stringify({ id, deleted: true }))
  else console.log(`App ${id} was deleted.`)
  return 0
}

/** Changes the app that the first argument names, and prints the outcome. */
async function changeApp(
  { flags, positionals: [id = ''], config }: Call,
  facts: object,
  outcome: string,
): Promise<number> {
  await withAdmin(config, (admin) => callAdmin(admin, 'PUT', pathOf(id), facts))
  if (flags.on('json')) console.log(JSON.stringify({ id, ...facts }))
  else console.log(`App ${id} ${outcome}.`)
  return 0
}
