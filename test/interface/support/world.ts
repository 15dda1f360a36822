import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { CAPPED, type Caller, type Credentials, callersOf, seededApp } from './callers.ts'
import { Client, type Reply } from './client.ts'
import { type Consumer, startConsumer } from './consumer.ts'
import { authorization, basic } from './oauth.ts'
import { openServer, type Server } from './plaza.ts'
import type { ExchangeRequest } from './request.ts'
import { Seen } from './seen.ts'
import { resolve, resolveAll, type Variables } from './variables.ts'

/** The Plaza under test, with all of its callers. */
export interface World {
  server: Server
  client: Client
  consumer: Consumer
  variables: Variables
  seen: Seen
  callers: ReadonlyMap<Caller, Credentials>
  /** Whether the Plaza was started with the seed of the suite. */
  isSeeded: boolean
  /**
   * Resolves to whether the users and the app that commands suspend or protect have been suspended
   * or protected.
   */
  prepared: Promise<boolean>
  /** Resolves to whether there is a Plaza behind a proxy. Its addresses are variables. */
  isProxied: Promise<boolean>
  /** Resolves to whether there is a Plaza with low usage caps. Its address is a variable. */
  isCapped: Promise<boolean>
  close(): Promise<void>
}

/** The Plaza under test, and those others that some callers need. */
export async function openWorld(callers: readonly string[]): Promise<World> {
  const server = await openServer({
    proxied: callers.includes('proxied'),
    capped: callers.some((caller) => CAPPED.has(caller)),
  })
  const { ready } = server
  const client = new Client()
  const capped = await server.capped
  for (const one of [ready, capped?.ready]) if (one?.ca_file) client.trust(readFileSync(one.ca_file, 'utf8'))
  const consumer = await startConsumer([ready.app.consumer_secret, seededApp('Second app').secret])
  const world: World = {
    server,
    client,
    consumer,
    variables: {
      base_url: ready.core_url,
      ads_url: ready.ads_url,
      ads_sandbox_url: ready.ads_sandbox_url,
      problem_base: ready.core_url,
      hook: consumer.url,
      app: ready.app.id,
      user: ready.user.id,
      advertiser: ready.advertiser.id,
      consumer_key: ready.app.consumer_key,
      client_id: ready.app.client_id,
      production_account: ready.accounts.find(({ environment }) => environment === 'production')?.id,
      run: Date.now().toString(36),
      now: String(Math.floor(Date.now() / 1000)),
    },
    seen: new Seen(),
    callers: new Map(Object.entries(callersOf(ready)) as [Caller, Credentials][]),
    isSeeded: false,
    prepared: Promise.resolve(false),
    isProxied: Promise.resolve(false),
    isCapped: Promise.resolve(false),
    async close() {
      await Promise.allSettled([world.prepared, world.isCapped])
      client.close()
      await consumer.close()
      await server.close()
    },
  }
  world.prepared = prepare(world)
  world.isProxied = findProxied(world)
  world.isCapped = findCapped(world)
  await signIn(world)
  await waitForWrites(world)
  return world
}

/** The addresses of the Plaza behind a proxy, as the proxy knows them. */
async function findProxied({ server, variables }: World): Promise<boolean> {
  const proxied = await server.proxied
  if (!proxied) return false
  variables.proxied_url = `http://127.0.0.1:${proxied.ready.core_port}`
  variables.proxied_ads_url = `http://127.0.0.1:${proxied.ready.ads_port}`
  return true
}

/** The address of the Plaza with low usage caps, and the bearer of the second app there. */
async function findCapped(world: World): Promise<boolean> {
  const capped = await world.server.capped
  if (!capped) return false
  const { core_url, ads_url, advertiser, accounts } = capped.ready
  const account = accounts.find(({ environment }) => environment === 'production')
  Object.assign(world.variables, {
    capped_url: core_url,
    capped_ads_url: ads_url,
    capped_advertiser: advertiser.id,
    capped_account: account?.id,
  })
  const form = { grant_type: 'client_credentials' }
  await keepBearer(world, 'capped app', { send: 'POST {capped_url}/oauth2/token', as: 'capped basic', form })
  return true
}

/** More than the suite writes, and less than the limit per minute. */
const WRITES_OF_A_RUN = 400

/** Waits for the next minute if earlier runs on the same Plaza have used this one up. */
async function waitForWrites(world: World): Promise<void> {
  const { headers } = await send(world, {
    send: 'PUT {ads_sandbox_url}/12/accounts/1',
    as: 'advertiser',
    form: {},
  })
  const { 'x-rate-limit-remaining': remaining, 'x-rate-limit-reset': reset } = headers
  if (remaining === undefined || Number(remaining) >= WRITES_OF_A_RUN) return
  await sleep(Number(reset) * 1000 - Date.now())
}

/** Suspends and protects users and suspends an app, which no request can do. */
async function prepare({ server: { command }, variables }: World): Promise<boolean> {
  if (!command) return false
  const [apps, users] = await Promise.all([listed(command, 'app'), listed(command, 'user')])
  const app = apps.find(({ name }) => name === 'Suspended app')
  const second = apps.find(({ name }) => name === 'Second app')
  const user = users.find(({ screen_name }) => screen_name === 'suspended')
  if (!app || !second || !user) throw new Error('the seed of the suite is not there')
  variables.second_app = second.id
  variables.suspended_user = user.id
  await Promise.all([
    command('user', 'suspend', 'suspended'),
    command('user', 'update', 'guarded', '--protected=on'),
    command('app', 'suspend', app.id),
  ])
  return true
}

type Listed = { id: string; name: string; screen_name?: string }

/** The output of `plaza app list` or `plaza user list`. */
const listed = async (command: NonNullable<Server['command']>, what: 'app' | 'user'): Promise<Listed[]> =>
  (await command(what, 'list', '--json'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Listed)

/**
 * Fetches the bearers of the apps; whether there is one of the second app tells which seed was
 * used.
 */
async function signIn(world: World): Promise<void> {
  const form = { grant_type: 'client_credentials' }
  const url = 'POST {base_url}/oauth2/token'
  await keepBearer(world, 'app', { send: url, as: 'basic', form })
  await keepBearer(world, 'second app', { send: url, as: 'second basic', form })
  assert.ok(world.callers.has('app'), 'the app of the ready file gets no bearer')
  world.isSeeded = world.callers.has('second app')
}

/** Stores the bearer in a reply as that of a caller. */
export async function keepBearer(
  world: World,
  caller: Caller,
  request: ExchangeRequest & { as: Caller },
): Promise<void> {
  const reply = await send(world, request)
  if (reply.status !== 200) return
  const { access_token: token } = JSON.parse(reply.text) as { access_token: string }
  const callers = world.callers as Map<Caller, Credentials>
  callers.set(caller, { scheme: 'bearer', token })
}

const FORM = 'application/x-www-form-urlencoded'

/** Sends the request of an exchange. */
export function send(world: World, request: ExchangeRequest & { as: Caller }): Promise<Reply> {
  const { variables, client } = world
  const [method = '', target = ''] = request.send.split(' ')
  const url = new URL(resolve(target, variables))
  for (const [name, value] of Object.entries(resolveAll(request.query ?? {}, variables)))
    url.searchParams.append(name, value)
  // The signature covers what is sent, and a query is sent with %20 for a space.
  url.search = url.search.replaceAll('+', '%20')
  const form = Object.entries(resolveAll(request.form ?? {}, variables))
  const { type, body } = bodyOf(request, form, variables)
  const credentials = world.callers.get(request.as)
  if (!credentials) throw new Error(`there is no caller ${request.as}`)
  const protocol = resolveAll(request.protocol ?? {}, variables)
  const header = headerOf(credentials, { method, url: url.href, form, protocol }, variables)
  const headers = {
    ...(header !== undefined && { authorization: header }),
    ...(type !== undefined && { 'content-type': type }),
    ...resolveAll(request.headers ?? {}, variables),
  }
  return client.send({ method, url: url.href, headers, ...(body !== undefined && { body }) })
}

function bodyOf(
  { json, body, form: given }: ExchangeRequest,
  form: [string, string][],
  variables: Variables,
) {
  if (body) return { type: body.type, body: body.content }
  if (json !== undefined)
    return { type: 'application/json', body: JSON.stringify(resolveAll(json, variables)) }
  if (given) return { type: FORM, body: new URLSearchParams(form).toString() }
  return { type: undefined, body: undefined }
}

function headerOf(
  credentials: Credentials,
  signed: Parameters<typeof authorization>[1],
  variables: Variables,
): string | undefined {
  switch (credentials.scheme) {
    case 'none':
      return undefined
    case 'bearer':
      return `Bearer ${resolve(credentials.token, variables)}`
    case 'basic':
      return basic(credentials.keys)
    case 'oauth':
      return authorization(resolveAll(credentials.signer, variables), signed)
  }
}
