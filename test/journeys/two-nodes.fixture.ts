import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { type ReadyFile, readFacts } from '../../src/app/cli/files.ts'
import type { Plaza } from '../../src/app/server.ts'
import type { StartOverrides } from '../../src/app/start/given.ts'
import { systemClock } from '../../src/platform/common/clock.ts'
import { randomText, systemRandom } from '../../src/platform/common/random.ts'
import type { Config } from '../../src/platform/config/config.ts'
import { Client } from '../support/client.ts'
import { startPlaza } from '../support/plaza.ts'
import { dropSchema, forgetKeys, POSTGRES_URL, REDIS_URL } from '../support/services.ts'
import { FREE_PORTS, type Running, spawnPlaza, temporaryFolder, until } from './cli.fixture.ts'

/**
 * Two nodes on PostgreSQL and Redis: `staying` in the process of the test, `dying` in one that may
 * be killed.
 */
export interface TwoNodes {
  staying: Plaza
  client: Client
  /** How to reach the other node. */
  dying: Plaza
  other: Client
  process: Running
  /** Ends something before the nodes end. */
  closeFirst(close: () => Promise<unknown>): void
}

interface Options {
  /** Of the node in this process. */
  config?: Partial<Config>
  given?: StartOverrides
  /** The same settings for the other node. */
  args?: readonly string[]
}

/** Starts both. Everything that they stored is gone after the test. */
export async function startTwoNodes(
  t: TestContext,
  { config, given, args = [] }: Options,
): Promise<TwoNodes> {
  const mark = randomText(systemRandom, 12, 'abcdefghijklmnopqrstuvwxyz')
  const masterKey = systemRandom.bytes(32).toString('hex')
  const closing: (() => Promise<unknown>)[] = []
  // Before the folder goes.
  t.after(async () => {
    for (const close of closing) await close()
  })
  const folder = temporaryFolder(t)
  const store = {
    media: join(folder, 'media'),
    databaseUrl: POSTGRES_URL,
    databaseSchema: `plaza_test_${mark}`,
    redisUrl: REDIS_URL,
    redisPrefix: `plaza-test-${mark}:`,
  }
  const data = join(folder, 'staying')
  const staying = await startPlaza(
    { ...store, masterKey, node: 0, data, rateLimits: 'off', ...config },
    { clock: systemClock, ...given },
  )
  closing.push(
    () => staying.close(),
    () => Promise.all([dropSchema(store.databaseSchema), forgetKeys(store.redisPrefix)]),
  )
  const readyPath = join(folder, 'ready.json')
  const where = [
    `--media=${store.media}`,
    `--database-url=${store.databaseUrl}`,
    `--database-schema=${store.databaseSchema}`,
    `--redis-url=${store.redisUrl}`,
    `--redis-prefix=${store.redisPrefix}`,
  ]
  const own = [
    '--node=1',
    `--data=${join(folder, 'dying')}`,
    `--ready-file=${readyPath}`,
    '--rate-limits=off',
  ]
  const process = spawnPlaza(t, ['start', ...FREE_PORTS, ...own, ...where, ...args], {
    env: { PLAZA_MASTER_KEY: masterKey },
  })
  const ready = await until(process, 'the ready file', () => readFacts<ReadyFile>(readyPath))
  const dying = {
    urls: { core: ready.core_url },
    caPem: readFileSync(ready.ca_file ?? '', 'utf8'),
    context: { clock: systemClock, machineClock: systemClock },
  } as unknown as Plaza
  const [client, other] = [new Client(staying), new Client(dying)]
  closing.unshift(() => Promise.all([client.close(), other.close()]))
  return { staying, client, dying, other, process, closeFirst: (close) => closing.unshift(close) }
}
