import type { IncomingHttpHeaders } from 'node:http'
import { Agent, request as httpsRequest } from 'node:https'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { addCode, exchangeCode } from '../../src/api/oauth/user-tokens/codes.ts'
import type { App, Permission } from '../../src/identity/apps/app.ts'
import { grantOf, moveCredentialEpoch, removeAccessToken } from '../../src/identity/apps/queries.ts'
import { signRequest } from '../../src/identity/auth/signature/sign.ts'
import { createAccessToken } from '../../src/identity/tokens/access-tokens.ts'
import type { TokenScope } from '../../src/identity/tokens/scopes.ts'
import { createUser } from '../../src/identity/users/users.ts'
import { randomText, systemRandom } from '../../src/platform/common/random.ts'
import type { Config } from '../../src/platform/config/config.ts'
import type { Pair } from '../../src/platform/http/input/form.ts'
import type { Vocabulary } from '../../src/platform/http/vocabulary.ts'
import type { Host } from '../../src/platform/protocols/protocols.ts'
import { type Consumer, startConsumer } from '../support/consumer.ts'
import type { TestOverrides } from '../support/plaza.ts'
import type { Opened, Stage } from '../support/stages.ts'

/** A token and its secret. */
export interface Pen {
  token: string
  tokenSecret: string
}

/** A user that only these tests use, so that limits and tokens of tests do not interfere. */
export interface Guest {
  id: string
  screenName: string
}

export interface Sending {
  method: string
  /** Path and query. */
  target: string
  headers?: readonly Pair[]
  body?: Buffer | string | undefined
}

export interface Reply {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

/** A Plaza under test, with what its callers need. */
export interface World {
  /** The folder of the embedded store; undefined if it has none. */
  folder: string | undefined
  plaza: Opened['plaza']
  vocabulary: Vocabulary
  app: App
  consumer: Consumer
  ajv: Ajv2020
  /** The owner of the app. */
  owner: Guest & Pen
  newUser(suspended?: boolean): Promise<Guest>
  /** An access token of a user. It replaces the former one of the same level. */
  grant(user: Guest, access?: Permission): Promise<Pen>
  /** An access token of OAuth 2.0 with some scopes. */
  userToken(user: Guest, scopes: readonly TokenScope[]): Promise<string>
  /** The Authorization value of a signature. */
  sign(host: Host, sending: SigningInput): string
  send(host: Host, sending: Sending): Promise<Reply>
  close(): Promise<void>
}

export interface SigningInput {
  method: string
  target: string
  form: readonly Pair[]
  pen?: Pen | undefined
  consumerSecret?: string
  atSeconds?: number
}

/**
 * Room for all webhooks of the tests, and the longest queries. Limits are tested in a separate
 * world.
 */
const CONFIG: Partial<Config> = { webhooksPerApp: 10_000, ruleAccess: 'enterprise', rateLimits: 'off' }

export async function openWorld(
  stage: Stage,
  config: Partial<Config> = {},
  given: TestOverrides = {},
): Promise<World> {
  const opened = await stage.open({ ...CONFIG, ...config }, given)
  const { plaza } = opened
  const { context } = plaza
  const seeded = plaza.seeded?.apps[0]
  const grant = seeded?.grants[0]
  if (!seeded || !grant) throw new Error('the demo was not seeded')
  const app = (await context.credentials.appById(seeded.id)) as App
  const consumer = await startConsumer(app.consumerSecret)
  const agent = new Agent({ keepAlive: true, maxSockets: 8, ...(plaza.caPem && { ca: plaza.caPem }) })
  // Optimizing the compiled code takes longer than the few replies that it checks.
  const ajv = new Ajv2020({ allErrors: true, strict: false, code: { optimize: false } })
  formats.default(ajv)
  return {
    folder: opened.folder,
    plaza,
    vocabulary: context.naming.vocabulary,
    app,
    consumer,
    ajv,
    owner: {
      id: grant.userId,
      screenName: grant.screenName,
      token: grant.token,
      tokenSecret: grant.secret,
    },
    newUser: (suspended = false) => newUser(plaza, suspended),
    grant: (user, access = 'read-write-directmessages') => grantTo(plaza, app, user, access),
    userToken: (user, scopes) => userTokenOf(plaza, app, user, scopes),
    sign: (host, sending) => sign(plaza, app, host, sending),
    send: (host, sending) => send(originOf(plaza, host), sending, agent),
    async close() {
      agent.destroy()
      await consumer.close()
      await opened.close()
    },
  }
}

function originOf({ urls }: Opened['plaza'], host: Host): string {
  return { core: urls.core, ads: urls.ads, sandbox: urls.adsSandbox, console: urls.console }[host]
}

/** No password matches the record: hashing one would take most of a test's time. */
async function newUser({ context }: Opened['plaza'], suspended: boolean): Promise<Guest> {
  const { store, ids, clock } = context
  const screenName = `u${randomText(systemRandom, 12).toLowerCase()}`
  const id = ids.next()
  await store.write((tx) =>
    createUser(tx, {
      id,
      screen_name: screenName,
      screen_name_key: screenName,
      name: 'Guest',
      password_hash: 'none',
      suspended: suspended ? 1 : 0,
      created_at: clock.now(),
    }),
  )
  return { id, screenName }
}

async function grantTo(
  { context }: Opened['plaza'],
  app: App,
  user: Guest,
  access: Permission,
): Promise<Pen> {
  const { store } = context
  const former = await store.first(grantOf, { appId: app.id, userId: user.id })
  const { token, secret } = await store.write(async (tx) => {
    if (former) {
      await tx.run(removeAccessToken, { tokenHash: former.token_hash })
      await tx.run(moveCredentialEpoch, {})
    }
    return createAccessToken(tx, { appId: app.id, userId: user.id, access }, context)
  })
  return { token, tokenSecret: secret }
}

/** As the consent page and the token endpoint create it. */
async function userTokenOf(
  { context }: Opened['plaza'],
  app: App,
  user: Guest,
  scopes: readonly TokenScope[],
): Promise<string> {
  const verifier = 'v'.repeat(43)
  const redirectUri = 'https://app.example.com/callback'
  const request = { app, redirectUri, scopes, state: 's', challenge: verifier, method: 'plain' } as const
  const code = await addCode(request, user.id, context)
  return (await exchangeCode({ app, code, redirectUri, verifier }, context)).accessToken
}

function sign(plaza: Opened['plaza'], app: App, host: Host, input: SigningInput): string {
  const { method, target, form, pen, consumerSecret, atSeconds } = input
  return signRequest({
    method,
    url: originOf(plaza, host) + target,
    form,
    consumerKey: app.consumerKey,
    consumerSecret: consumerSecret ?? app.consumerSecret,
    ...pen,
    nonce: randomText(systemRandom, 24),
    timestampSeconds: atSeconds ?? Math.floor(plaza.context.machineClock.now() / 1000),
  }).header
}

/** Sends requests that a normal client would not: any method with a body, a duplicate header. */
function send(origin: string, { method, target, headers = [], body }: Sending, agent: Agent): Promise<Reply> {
  const { hostname, port } = new URL(origin)
  const bytes = body === undefined ? undefined : Buffer.from(body)
  const flat = [
    ['host', `${hostname}:${port}`],
    ...headers,
    ...(bytes ? [['content-length', String(bytes.length)]] : []),
  ].flat() as string[]
  return new Promise((resolve, reject) => {
    const request = httpsRequest(
      { hostname, port, method, path: target, headers: flat as never, agent },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString('utf8'),
          }),
        )
      },
    )
    request.on('error', reject)
    request.end(bytes)
  })
}
