import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import type { createClient } from '@redis/client'
import pg from 'pg'
import { ManualClock } from '../../src/common/clock.ts'
import { randomText, systemRandom } from '../../src/common/random.ts'
import type { Config } from '../../src/config/config.ts'
import type { Given, Plaza } from '../../src/server.ts'
import { START_MS, startPlaza } from './plaza.ts'
import { REACH_MS } from './until.ts'

/** A Plaza under test, on one kind of storage. */
export interface Opened {
  plaza: Plaza & { clock: ManualClock }
  /** Another node on the same storage, with the same clock. Throws where a stage cannot have one. */
  second(): Promise<Plaza & { clock: ManualClock }>
  /** The folder of the embedded store; undefined if it has none. */
  folder: string | undefined
  /** Stops every node and removes everything that they stored. */
  close(): Promise<void>
}

/** One kind of storage for journeys. */
export interface Stage {
  name: string
  /** Whether `second` works. */
  shared: boolean
  /** Why the stage is not available, in the form of node:test's `skip`. */
  skip: string | false
  open(config?: Partial<Config>, given?: Given): Promise<Opened>
}

/** No test needs its data after a power failure. */
const NO_SYNC = '?options=-c%20synchronous_commit%3Doff'
export const POSTGRES_URL =
  process.env.PLAZA_TEST_POSTGRES_URL ?? `postgres://postgres@127.0.0.1:5432/test${NO_SYNC}`
export const REDIS_URL = process.env.PLAZA_TEST_REDIS_URL ?? 'redis://127.0.0.1:6379'

/** Test files whose tests on the embedded store have run before, in this run of all tests. */
const embeddedRan = (process.env.PLAZA_TEST_EMBEDDED_RAN ?? '').split(',')
const isEmbeddedRan = embeddedRan.includes(relative(process.cwd(), process.argv[1] ?? ''))
const embeddedSkip = isEmbeddedRan && 'npm test has run it'

const memory: Stage = {
  name: 'SQLite in memory',
  shared: false,
  skip: embeddedSkip,
  async open(config, given) {
    const plaza = await startPlaza(config, given)
    return { plaza, second: alone, folder: undefined, close: () => plaza.close() }
  },
}

const file: Stage = {
  name: 'SQLite file',
  shared: false,
  skip: embeddedSkip,
  async open(config, given) {
    const folder = await mkdtemp(join(tmpdir(), 'plaza-stage-'))
    const plaza = await startPlaza({ ...config, data: folder }, given)
    return {
      plaza,
      second: alone,
      folder,
      async close() {
        await plaza.close()
        await rm(folder, { recursive: true, force: true })
      },
    }
  },
}

const postgres: Stage = {
  name: 'PostgreSQL and Redis',
  shared: true,
  skip: await whyNot(),
  async open(config, given) {
    const clock = given?.clock instanceof ManualClock ? given.clock : new ManualClock(START_MS)
    const mark = randomText(systemRandom, 12, 'abcdefghijklmnopqrstuvwxyz')
    const databaseSchema = `plaza_test_${mark}`
    const redisPrefix = `plaza-test-${mark}:`
    const folders: string[] = []
    const nodes: Plaza[] = []
    let starts = 0
    const masterKey = systemRandom.bytes(32).toString('hex')

    async function start() {
      const data = await mkdtemp(join(tmpdir(), 'plaza-stage-'))
      folders.push(data)
      const shared = { databaseUrl: POSTGRES_URL, databaseSchema, redisUrl: REDIS_URL, redisPrefix }
      const plaza = await startPlaza(
        { masterKey, node: starts++, ...config, data, ...shared },
        { ...given, clock },
      )
      nodes.push(plaza)
      return plaza
    }
    async function close() {
      await Promise.all(nodes.map((node) => node.close()))
      await Promise.all([dropSchema(databaseSchema), forgetKeys(redisPrefix)])
      await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })))
    }
    try {
      return { plaza: await start(), second: start, folder: undefined, close }
    } catch (error) {
      await close()
      throw error
    }
  },
}

/** The stages of journeys. Pass `skip` on: `describe(stage.name, { skip: stage.skip }, …)`. */
export const stages: readonly Stage[] = [memory, file, postgres]

async function alone(): Promise<never> {
  throw new Error('the embedded store belongs to one node')
}

async function whyNot(): Promise<string | false> {
  try {
    await withPostgres(async () => undefined)
  } catch {
    return `PostgreSQL does not answer at ${POSTGRES_URL}: start one or name it in PLAZA_TEST_POSTGRES_URL`
  }
  try {
    await withRedis(async () => undefined)
  } catch {
    return `Redis does not answer at ${REDIS_URL}: start one or name it in PLAZA_TEST_REDIS_URL`
  }
  return false
}

export async function withPostgres<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: POSTGRES_URL, connectionTimeoutMillis: REACH_MS })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function withRedis<T>(work: (client: ReturnType<typeof createClient>) => Promise<T>): Promise<T> {
  // Loading its thousands of commands takes a fifth of the time of a start, so it is only loaded if it is used.
  const redis = await import('@redis/client')
  const client = redis.createClient({
    url: REDIS_URL,
    socket: { connectTimeout: REACH_MS, reconnectStrategy: false },
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await work(client as ReturnType<typeof createClient>)
  } finally {
    client.destroy()
  }
}

export const dropSchema = (schema: string) =>
  withPostgres((client) => client.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`))

export const forgetKeys = (prefix: string) =>
  withRedis(async (client) => {
    for await (const keys of client.scanIterator({ MATCH: `${prefix}*`, COUNT: 500 })) {
      if (keys.length > 0) await client.del(keys)
    }
  })
