import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { OAuth1, Client as Xdk } from '@xdevplatform/xdk'
import { auth, Client as Sdk } from 'twitter-api-sdk'
import { TwitterApi } from 'twitter-api-v2'
import SubClient from 'twitter-api-v2/dist/cjs/client.subclient.js'
import globals from 'twitter-api-v2/dist/cjs/globals.js'
import { Agent as Dispatcher, buildConnector, getGlobalDispatcher, setGlobalDispatcher } from 'undici'
import { systemClock } from '../../src/platform/common/clock.ts'
import type { JournalRecord } from '../../src/workbench/journal/journal.ts'
import { Client } from '../support/client.ts'
import { CLIENT_WORDS, NEWER_CLIENT_VOCABULARY } from '../support/client-words.ts'
import { localAgent } from '../support/local-agent.ts'
import { png } from '../support/media.ts'
import { startPlaza } from '../support/plaza.ts'

// Calls every method that the clients have, and finds in the journal which of their requests match
// no endpoint. What the calls do is tested elsewhere.

const HOST = new URL(globals.API_V2_PREFIX).hostname
const UPLOADS = new URL(globals.API_V1_1_UPLOAD_PREFIX).origin
/** The class above that of the methods. */
const BASE_OF_V2 = SubClient.default.prototype
/** How long a call may take: streams stay open. */
const CALL_MS = 1_500
/** Values for parameters, until the client sends something. */
const ATTEMPTS: readonly ((at: number, count: number) => unknown)[] = [
  () => '1',
  (at, count) => (at === count - 1 ? {} : '1'),
  () => ['1'],
  (at) => (at === 0 ? {} : '1'),
  (at) => (at === 0 ? png(1, 1) : { media_type: 'image/png' }),
]

type Method = (...values: unknown[]) => unknown
/** Methods by their names, which begin with that of their group. */
type Methods = ReadonlyMap<string, Method>

/** The public methods of an object, of its prototypes up to `last`, and of its own functions. */
function methodsOf(prefix: string, owner: object, last: object = Object.prototype): [string, Method][] {
  const found: [string, Method][] = []
  for (
    let at: object | null = owner;
    at && at !== last && at !== Object.prototype;
    at = Object.getPrototypeOf(at)
  )
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(at)))
      if (typeof value === 'function' && name !== 'constructor' && !name.startsWith('_'))
        found.push([`${prefix}.${name}`, value.bind(owner) as Method])
  return found
}

/** The methods of each part of a client. */
const methodsOfParts = (client: object, omitted: readonly string[] = []): [string, Method][] =>
  Object.entries(client)
    .filter(([name, part]) => typeof part === 'object' && part !== null && !omitted.includes(name))
    .flatMap(([name, part]) => methodsOf(name, part as object))

/** Waits for a result, or for the first page or message of one that is read in parts. */
async function resultOf(value: unknown): Promise<void> {
  const result = (await value) as Partial<AsyncIterable<unknown>> | undefined
  const iterator = result?.[Symbol.asyncIterator]?.()
  await iterator?.next()
  await iterator?.return?.()
}

describe('no method of an unmodified client is answered by an unknown path', () => {
  let records: JournalRecord[] = []

  /** A Plaza that speaks the words of a client, until the test ends. */
  async function open(t: TestContext, words: object) {
    const folder = await mkdtemp(join(tmpdir(), 'plaza-client-'))
    const vocabulary = join(folder, 'vocabulary.json')
    await writeFile(vocabulary, JSON.stringify(words))
    const plaza = await startPlaza(
      { vocabulary, coreUrl: `https://${HOST}`, coreAliases: [UPLOADS], rateLimits: 'off', journal: 'on' },
      { clock: systemClock, onJournal: (record) => void records.push(record) },
    )
    const client = new Client(plaza, { host: HOST, port: plaza.listening.core })
    t.after(async () => {
      await client.close()
      await plaza.close()
      await rm(folder, { recursive: true, force: true })
    })
    const app = plaza.seeded?.apps[0]
    const grant = app?.grants[0]
    assert.ok(app && grant)
    return {
      client,
      ca: plaza.caPem as string,
      port: plaza.listening.core,
      app: { consumerKey: app.consumerKey, consumerSecret: app.consumerSecret },
      user: { token: grant.token, secret: grant.secret },
    }
  }

  /** Calls a method until it has sent something. Returns whether it has. */
  async function sends(method: Method): Promise<boolean> {
    const count = records.length
    for (const value of ATTEMPTS) {
      const length = Math.max(1, method.length)
      const values = Array.from({ length }, (_, at) => value(at, length))
      const timeout = new Promise((resolve) => setTimeout(resolve, CALL_MS).unref())
      const call = async () => resultOf(method(...values))
      await Promise.race([call().catch(() => undefined), timeout])
      if (records.length > count) return true
    }
    return false
  }

  /** Calls all methods. Returns those that sent nothing, and requests without an endpoint. */
  async function callAll(methods: Methods): Promise<{ silent: string[]; unknown: string[] }> {
    const silent: string[] = []
    const unknown: string[] = []
    for (const [name, method] of methods) {
      records = []
      if (!(await sends(method))) silent.push(name)
      unknown.push(
        ...records
          .filter(({ kind, route }) => kind !== 'outgoing' && route === '')
          .map(({ method: verb, url }) => `${name}: ${verb} ${url.split('?')[0]}`),
      )
    }
    return { silent, unknown }
  }

  test('twitter-api-v2', async (t) => {
    const { ca, port, app, user } = await open(t, { words: CLIENT_WORDS })
    const agent = localAgent({ ca, host: HOST, port })
    t.after(() => agent.destroy())
    const keys = { appKey: app.consumerKey, appSecret: app.consumerSecret }
    const api = new TwitterApi(
      { ...keys, accessToken: user.token, accessSecret: user.secret },
      { httpAgent: agent },
    )
    const { silent, unknown } = await callAll(new Map(methodsOf('v2', api.v2, BASE_OF_V2)))
    assert.deepEqual(unknown, [])
    assert.deepEqual(silent, [])
  })

  test('twitter-api-sdk', async (t) => {
    const { client, ca, port, app } = await open(t, { words: CLIENT_WORDS })
    const agent = localAgent({ ca, host: HOST, port })
    t.after(() => agent.destroy())
    const sdk = new Sdk(new auth.OAuth2Bearer(await client.bearer(app)), { agent })
    const { silent, unknown } = await callAll(new Map(methodsOfParts(sdk)))
    assert.deepEqual(unknown, [])
    assert.deepEqual(silent, [])
  })

  test('@xdevplatform/xdk', async (t) => {
    const { client, ca, port, app, user } = await open(t, NEWER_CLIENT_VOCABULARY)
    const dispatcher = getGlobalDispatcher()
    const connect = buildConnector({ ca })
    const agent = new Dispatcher({
      connect: (options, callback) =>
        connect({ ...options, hostname: '127.0.0.1', port: String(port), servername: HOST }, callback),
    })
    setGlobalDispatcher(agent)
    t.after(async () => {
      setGlobalDispatcher(dispatcher)
      await agent.destroy()
    })
    const oauth1 = new OAuth1({
      ...{ apiKey: app.consumerKey, apiSecret: app.consumerSecret, callback: 'oob' },
      ...{ accessToken: user.token, accessTokenSecret: user.secret },
    })
    // Each method takes the kind of authentication that it needs, and sends nothing without it.
    const xdk = new Xdk({ oauth1, bearerToken: await client.bearer(app), accessToken: 'none' })
    const methods = methodsOfParts(xdk, ['headers', 'httpClient', 'oauth1'])
    const { silent, unknown } = await callAll(new Map(methods))
    assert.deepEqual(unknown, [])
    assert.deepEqual(silent, [])
  })
})
