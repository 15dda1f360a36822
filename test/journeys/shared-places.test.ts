import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, type TestContext, test } from 'node:test'
import pino from 'pino'
import type { Plaza } from '../../src/app/server.ts'
import type { StartOverrides } from '../../src/app/start/given.ts'
import { claimFile } from '../../src/domain/media/queries.ts'
import { ManualClock, systemClock } from '../../src/platform/common/clock.ts'
import { randomText, systemRandom } from '../../src/platform/common/random.ts'
import type { Config } from '../../src/platform/config/config.ts'
import { claimNode, clusterStateOf } from '../../src/platform/storage/nodes.ts'
import { openPostgres } from '../../src/platform/storage/postgres.ts'
import { openBucket } from '../support/bucket.ts'
import { noOwnRedis, type OwnServer, ownRedis } from '../support/own-servers.ts'
import { START_MS, startPlaza } from '../support/plaza.ts'
import {
  dropSchema,
  forgetKeys,
  noPostgres,
  noRedis,
  POSTGRES_URL,
  REDIS_URL,
  withRedis,
} from '../support/services.ts'
import { until } from '../support/until.ts'

// The promise: nodes of one database share one set of keys in Redis and one media store, or do not
// start.

type Settings = Partial<Config>

/**
 * A database, keys in Redis and a media folder for them, and the nodes that use them. Gone after
 * the test.
 */
class Deployment {
  readonly prefix: string
  readonly media: string
  readonly schema: string
  readonly #root: string
  readonly #nodes: Plaza[] = []
  #starts = 0

  constructor(root: string) {
    const mark = randomText(systemRandom, 12, 'abcdefghijklmnopqrstuvwxyz')
    this.#root = root
    this.schema = `plaza_test_${mark}`
    this.prefix = `plaza-test-${mark}:`
    this.media = this.folder('media')
  }

  static async open(t: TestContext): Promise<Deployment> {
    const root = await mkdtemp(join(tmpdir(), 'plaza-shared-'))
    const deployment = new Deployment(root)
    t.after(async () => {
      await deployment.stop()
      await Promise.all([dropSchema(deployment.schema), forgetKeys(deployment.prefix)])
      await rm(root, { recursive: true, force: true })
    })
    return deployment
  }

  folder = (name: string) => join(this.#root, name)

  /** Starts another node, with its own number and data folder. */
  async start(settings: Settings = {}, given: StartOverrides = {}): Promise<Plaza> {
    const node = this.#starts++
    const config = {
      masterKey: Buffer.alloc(32, 7).toString('hex'),
      ...{ databaseUrl: POSTGRES_URL, databaseSchema: this.schema, seed: 'none', node },
      ...{ redisUrl: REDIS_URL, redisPrefix: this.prefix, media: this.media },
      data: this.folder(`data ${node}`),
      ...settings,
    }
    const plaza = await startPlaza(config, given)
    this.#nodes.push(plaza)
    return plaza
  }

  async stop(): Promise<void> {
    await Promise.all(this.#nodes.splice(0).map((one) => one.close()))
  }

  /** Why another node does not start. */
  async refusal(settings: Settings): Promise<string> {
    try {
      await this.start(settings)
    } catch (error) {
      return (error as Error).message
    }
    return assert.fail('it started')
  }
}

const markIn = (prefix: string) => withRedis((client) => client.get(`${prefix}database`))
const redisAt = (url: string) => {
  const { hostname, port, pathname } = new URL(url)
  return `${hostname}:${port || 6379}${pathname === '/' ? '' : pathname}`
}
const keep = async (plaza: Plaza, text: string) => {
  const { files, store } = plaza.context
  await files.put(Buffer.from(text), async ({ hash, bytes }) => {
    await store.write((tx) => tx.run(claimFile, { hash, bytes, until: 0 }))
  })
}

describe('nodes of one database', { skip: noPostgres || noRedis }, () => {
  test('start at once, and give the database one id', async (t) => {
    const deployment = await Deployment.open(t)
    const nodes = await Promise.all([deployment.start(), deployment.start(), deployment.start()])
    const seen = await Promise.all(
      nodes.map(async ({ context }) => [await context.cluster.keyspace?.mark(), await context.files.mark()]),
    )
    for (const one of seen) assert.deepEqual(one, seen[0])
    const [redis = '', media = ''] = seen[0] ?? []
    assert.match(`${redis}\n${media}`, /^([0-9a-f]{32}) [0-9a-f]{32}\n\1 [0-9a-f]{32}$/)
  })

  test('do not start with another Redis prefix or another media folder', async (t) => {
    const deployment = await Deployment.open(t)
    await deployment.start()
    const by = `node 0 \\(process ${process.pid} on .+\\)`
    const other = `${deployment.prefix}other:`
    const folder = deployment.folder('other media')
    const [prefix, media] = await Promise.all([
      deployment.refusal({ redisPrefix: other }),
      deployment.refusal({ media: folder }),
    ])
    assert.match(
      prefix,
      new RegExp(
        `^Redis at ${redisAt(REDIS_URL)} with --redis-prefix ${other} is not what ${by} uses\\. Start all nodes with the same --redis-url and --redis-prefix\\. Stop all of them to change these\\.$`,
      ),
    )
    assert.match(
      media,
      new RegExp(
        `^The media store ${folder} is not what ${by} uses\\. Start all nodes with the same --media, a shared folder or a bucket\\. Stop all of them to change it\\.$`,
      ),
    )
    // What was refused stays free for the database that it belongs to.
    assert.equal(await markIn(other), null)
    assert.equal(existsSync(join(folder, 'plaza-database')), false)
    await deployment.start()
  })

  test('may all use other ones from then on, and then refuse the former ones', async (t) => {
    const deployment = await Deployment.open(t)
    await deployment.start()
    await deployment.stop()
    const moved = { redisPrefix: `${deployment.prefix}other:`, media: deployment.folder('other media') }
    const { warnings } = await deployment.start(moved)
    assert.ok(
      warnings.includes(
        `Redis at ${redisAt(REDIS_URL)} with --redis-prefix ${moved.redisPrefix} is empty, or not what this database used before: requests that were signed before this start are rejected, and rate limits start again.`,
      ),
      warnings.join(),
    )
    await deployment.start(moved)
    const [redis, media] = await Promise.all([
      deployment.refusal({ media: moved.media }),
      deployment.refusal({ redisPrefix: moved.redisPrefix }),
    ])
    assert.match(redis, /^Redis at .+ is not what node/)
    assert.match(media, /^The media store .+ is not what node/)
  })

  test('accept no nonce again when they go back to a former Redis', async (t) => {
    const deployment = await Deployment.open(t)
    const clock = new ManualClock(START_MS)
    const claim = async ({ context: { cluster } }: Plaza) =>
      cluster.claimNonce(Math.floor(clock.now() / 1000), 'a key')
    await deployment.start({}, { clock })
    await deployment.stop()
    const moved = await deployment.start({ redisPrefix: `${deployment.prefix}other:` }, { clock })
    // It was new to this database, so everything up to the start is rejected.
    assert.equal(await claim(moved), false)
    await clock.advance(2_000)
    assert.equal(await claim(moved), true)
    await deployment.stop()
    const back = await deployment.start({}, { clock })
    assert.equal(await claim(back), false)
    await clock.advance(1_000)
    assert.equal(await claim(back), true)
  })

  test('do not wait for ever for one that was killed', async (t) => {
    const deployment = await Deployment.open(t)
    await deployment.start()
    await deployment.stop()
    const at = { url: POSTGRES_URL, schema: deployment.schema }
    const store = await openPostgres({ ...at, clock: systemClock, onError: () => undefined })
    t.after(() => store.close())
    const killed = { holder: 'killed', place: 'elsewhere', host: 'elsewhere', pid: 1, node: 99 }
    const { shared } = await clusterStateOf(store, killed, 'unused')
    assert.ok(shared.media && shared.redis)
    const known = { media: shared.media, redis: shared.redis }
    assert.equal(await claimNode(store, { ...killed, shared: known, leaseMs: 1_000 }), undefined)
    await deployment.start({ redisPrefix: `${deployment.prefix}other:` })
  })
})

describe('keys in Redis', { skip: noPostgres || noRedis || noOwnRedis }, () => {
  let server: OwnServer
  before(async () => {
    server = await ownRedis()
  })
  after(() => server?.remove())

  test('that are lost while nodes run keep no other node from starting', async (t) => {
    const deployment = await Deployment.open(t)
    const redis = { redisUrl: server.url }
    await deployment.start(redis)
    await server.stop()
    await server.start()
    await deployment.start(redis)
    await withRedis((client) => client.sendCommand(['FLUSHALL']), server.url)
    await deployment.start(redis)
  })

  test('that are lost while no node runs keep none from starting', async (t) => {
    const deployment = await Deployment.open(t)
    const redis = { redisUrl: server.url }
    await Promise.all([deployment.start(redis), deployment.start(redis)])
    await deployment.stop()
    await server.stop()
    await server.start()
    const nodes = await Promise.all([deployment.start(redis), deployment.start(redis)])
    const warned = nodes.flatMap(({ warnings }) => warnings.filter((one) => one.includes('--redis-prefix')))
    assert.ok(warned.length > 0)
    assert.match(warned[0] ?? '', /is empty, or not what this database used before/)
  })

  test('of another database are refused, until their mark is deleted', async (t) => {
    const one = await Deployment.open(t)
    const other = await Deployment.open(t)
    await one.start()
    await one.stop()
    assert.equal(
      await other.refusal({ redisPrefix: one.prefix }),
      `Redis at ${redisAt(REDIS_URL)} with --redis-prefix ${one.prefix} belongs to another database. Give each database its own --redis-url or --redis-prefix, or delete the key ${one.prefix}database there if that database is gone.`,
    )
    await withRedis((client) => client.del(`${one.prefix}database`))
    await other.start({ redisPrefix: one.prefix })
  })

  test('that another database takes from a running node are reported by it', async (t) => {
    const deployment = await Deployment.open(t)
    const errors: string[] = []
    const log = pino({ level: 'error' }, { write: (line) => void errors.push(line) })
    await deployment.start({}, { log })
    await withRedis((client) => client.set(`${deployment.prefix}database`, 'another one'))
    await until('the report', () => errors.some((line) => line.includes('OtherMark')))
  })
})

/** Two media stores of a kind. */
type Stores = { one: Settings; other: Settings }

const kinds = {
  async folder(t: TestContext): Promise<Stores> {
    const root = await mkdtemp(join(tmpdir(), 'plaza-stores-'))
    t.after(() => rm(root, { recursive: true, force: true }))
    return { one: { media: join(root, 'one') }, other: { media: join(root, 'other') } }
  },
  async bucket(t: TestContext): Promise<Stores> {
    const bucket = await openBucket()
    t.after(() => bucket.close())
    const at = (name: string) => ({ ...bucket.settings, media: `${bucket.settings.media}/${name}` })
    return { one: at('one'), other: at('other') }
  },
}

for (const [kind, open] of Object.entries(kinds))
  describe(`a media store: a ${kind}`, { skip: noPostgres }, () => {
    const alone = { redisUrl: undefined }

    test('of another database is refused, however few nodes there are', async (t) => {
      const deployment = await Deployment.open(t)
      const other = await Deployment.open(t)
      const stores = await open(t)
      await deployment.start({ ...alone, ...stores.one })
      assert.equal(
        await other.refusal({ ...alone, ...stores.one }),
        `The media store ${stores.one.media} belongs to another database. Give each database its own --media, or delete plaza-database there if that database is gone.`,
      )
    })

    test('may be replaced by an empty one while there are no media, and later only with --media-moved', async (t) => {
      const deployment = await Deployment.open(t)
      const stores = await open(t)
      await deployment.start({ ...alone, ...stores.one })
      await deployment.stop()
      const second = await deployment.start({ ...alone, ...stores.other })
      await keep(second, 'a picture')
      await deployment.stop()
      assert.equal(
        await deployment.refusal({ ...alone, ...stores.one }),
        `The media store ${stores.one.media} is not what this database used before, and the database has media. Correct --media, or add --media-moved to one start to use this one from now on.`,
      )
      await deployment.start({ ...alone, ...stores.one, mediaMoved: true })
      await deployment.stop()
      await deployment.start({ ...alone, ...stores.one })
    })
  })
