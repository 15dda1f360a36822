import type { createClient } from '@redis/client'
import pg from 'pg'
import { unreachable } from '../../src/platform/storage/unusable.ts'
import { REACH_MS } from './until.ts'

// PostgreSQL and Redis, which tests share and use if they are there.

/** No test needs its data after a power failure. */
const NO_SYNC = '?options=-c%20synchronous_commit%3Doff'
export const POSTGRES_URL =
  process.env.PLAZA_TEST_POSTGRES_URL ?? `postgres://postgres@127.0.0.1:5432/test${NO_SYNC}`
export const REDIS_URL = process.env.PLAZA_TEST_REDIS_URL ?? 'redis://127.0.0.1:6379'

export async function withPostgres<T>(
  work: (client: pg.Client) => Promise<T>,
  url = POSTGRES_URL,
): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: REACH_MS })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}

export async function withRedis<T>(
  work: (client: ReturnType<typeof createClient>) => Promise<T>,
  url = REDIS_URL,
): Promise<T> {
  // Loading its thousands of commands takes a fifth of the time of a start, so it is only loaded if
  // it is used.
  const redis = await import('@redis/client')
  const client = redis.createClient({
    url,
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

/**
 * Why the tests of a service are skipped, in the form of node:test's `skip`: nothing listens there.
 * Any other problem would hide these tests, so it is an error.
 */
export async function whyNot(
  service: string,
  { url, variable, reach }: { url: string; variable: string; reach(): Promise<unknown> },
): Promise<string | false> {
  const at = new URL(url).host
  try {
    await reach()
    return false
  } catch (error) {
    if (unreachable(error) === 'connection refused')
      return `${service} does not listen at ${at}: start one or name it in ${variable}`
    throw new Error(`${service} at ${at} cannot be used by the tests: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

export const noPostgres = await whyNot('PostgreSQL', {
  url: POSTGRES_URL,
  variable: 'PLAZA_TEST_POSTGRES_URL',
  reach: () => withPostgres((client) => client.query('SELECT 1')),
})

export const noRedis = await whyNot('Redis', {
  url: REDIS_URL,
  variable: 'PLAZA_TEST_REDIS_URL',
  reach: () => withRedis((client) => client.sendCommand(['PING'])),
})

/**
 * Removes a schema, some tables at a time: each needs several locks until its transaction ends, and
 * the server has as many for all tests together.
 */
export const dropSchema = (schema: string) =>
  withPostgres(async (client) => {
    for (;;) {
      const { rows } = await client.query<{ name: string }>(
        'SELECT tablename AS name FROM pg_tables WHERE schemaname = $1 LIMIT 20',
        [schema],
      )
      if (rows.length === 0) break
      await client.query(`DROP TABLE ${rows.map(({ name }) => `"${schema}"."${name}"`).join()} CASCADE`)
    }
    await client.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`)
  })

export const forgetKeys = (prefix: string) =>
  withRedis(async (client) => {
    for await (const keys of client.scanIterator({ MATCH: `${prefix}*`, COUNT: 500 })) {
      if (keys.length > 0) await client.del(keys)
    }
  })
