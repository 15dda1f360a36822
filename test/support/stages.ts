import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Plaza } from '../../src/app/server.ts'
import { ManualClock } from '../../src/platform/common/clock.ts'
import { randomText, systemRandom } from '../../src/platform/common/random.ts'
import type { Config } from '../../src/platform/config/config.ts'
import { START_MS, startPlaza, type TestOverrides } from './plaza.ts'
import { leaveSchema, takeSchema } from './schemas.ts'
import { forgetKeys, noPostgres, noRedis, POSTGRES_URL, REDIS_URL } from './services.ts'
import { embeddedSkip } from './stores.ts'

/** A Plaza under test, on one kind of storage. */
export interface Opened {
  plaza: Plaza & { clock: ManualClock }
  /**
   * Another node on the same storage, with the same clock. Throws where a stage cannot have one.
   */
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
  open(config?: Partial<Config>, given?: TestOverrides): Promise<Opened>
}

/**
 * In the second part of a run of all tests, SQLite is a file: the first part has run the store in
 * memory.
 */
const memorySkip = process.env.PLAZA_TEST_SET === 'rest' && 'npm test runs it'

const memory: Stage = {
  name: 'SQLite in memory',
  shared: false,
  skip: embeddedSkip || memorySkip,
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
    const plaza = await startPlaza({ ...config, data: folder }, { runWritesTwice: true, ...given })
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
  skip: noPostgres || noRedis,
  async open(config, given) {
    // The server has 100 connections for all files that run at the same time.
    const databaseConnections = 8
    const clock = given?.clock instanceof ManualClock ? given.clock : new ManualClock(START_MS)
    const mark = randomText(systemRandom, 12, 'abcdefghijklmnopqrstuvwxyz')
    const databaseSchema = await takeSchema()
    const redisPrefix = `plaza-test-${mark}:`
    const folders = [await mkdtemp(join(tmpdir(), 'plaza-stage-'))]
    const media = folders[0]
    const nodes: Plaza[] = []
    let starts = 0
    const masterKey = systemRandom.bytes(32).toString('hex')

    async function start() {
      const data = await mkdtemp(join(tmpdir(), 'plaza-stage-'))
      folders.push(data)
      const shared = { databaseUrl: POSTGRES_URL, databaseSchema, redisUrl: REDIS_URL, redisPrefix }
      const plaza = await startPlaza(
        { masterKey, media, databaseConnections, node: starts++, ...config, data, ...shared },
        { ...given, clock },
      )
      nodes.push(plaza)
      return plaza
    }
    async function close() {
      await Promise.all(nodes.map((node) => node.close()))
      await Promise.all([leaveSchema(databaseSchema), forgetKeys(redisPrefix)])
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
