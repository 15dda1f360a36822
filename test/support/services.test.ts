import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { describe, test } from 'node:test'
import { freePort } from './own-servers.ts'
import { noPostgres, POSTGRES_URL, whyNot, withPostgres, withRedis } from './services.ts'

const postgresAt = (url: string) =>
  whyNot('PostgreSQL', {
    url,
    variable: 'PLAZA_TEST_POSTGRES_URL',
    reach: () => withPostgres((client) => client.query('SELECT 1'), url),
  })
const redisAt = (url: string) =>
  whyNot('Redis', {
    url,
    variable: 'PLAZA_TEST_REDIS_URL',
    reach: () => withRedis((client) => client.sendCommand(['PING']), url),
  })

describe('tests of a service', () => {
  test('are skipped when nothing listens there', async () => {
    const port = await freePort()
    assert.equal(
      await postgresAt(`postgres://postgres:secret@127.0.0.1:${port}/test`),
      `PostgreSQL does not listen at 127.0.0.1:${port}: start one or name it in PLAZA_TEST_POSTGRES_URL`,
    )
    assert.equal(
      await redisAt(`redis://:secret@127.0.0.1:${port}`),
      `Redis does not listen at 127.0.0.1:${port}: start one or name it in PLAZA_TEST_REDIS_URL`,
    )
  })

  test('fail when something else is wrong, and say what', async (t) => {
    const server = createServer((socket) => socket.on('error', () => undefined).destroy())
    const port = await freePort()
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    t.after(() => server.close())
    await assert.rejects(
      postgresAt(`postgres://postgres@127.0.0.1:${port}/test`),
      new RegExp(`^Error: PostgreSQL at 127\\.0\\.0\\.1:${port} cannot be used by the tests: .`),
    )
    await assert.rejects(
      redisAt(`redis://127.0.0.1:${port}`),
      new RegExp(`^Error: Redis at 127\\.0\\.0\\.1:${port} cannot be used by the tests: .`),
    )
  })

  test('fail when the database does not exist', { skip: noPostgres }, async () => {
    const url = Object.assign(new URL(POSTGRES_URL), { pathname: '/absent' }).href
    await assert.rejects(postgresAt(url), /cannot be used by the tests: database "absent" does not exist/)
  })
})
