import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, type TestContext, test } from 'node:test'
import {
  freePort,
  inDatabase,
  noOwnPostgres,
  noOwnRedis,
  noPgBouncer,
  type OwnServer,
  ownPgBouncer,
  ownPostgres,
  ownRedis,
} from '../support/own-servers.ts'
import { FREE_PORTS, runPlaza, temporaryFolder } from './cli.fixture.ts'

/**
 * A start that fails: it prints one line to standard error, nothing to standard output, and exits
 * with 1.
 */
async function failure(t: TestContext, data: string, ...args: string[]): Promise<string> {
  const ended = await runPlaza(t, ['start', `--data=${data}`, ...FREE_PORTS, ...args])
  assert.equal(ended.stdout, '')
  assert.equal(ended.code, 1, ended.stderr)
  return ended.stderr
}

describe('a start without its PostgreSQL says in one line what to do', { skip: noOwnPostgres }, () => {
  let server: OwnServer
  before(async () => {
    server = await ownPostgres({ password: 'right' })
  })
  after(() => server?.remove())
  const start = (t: TestContext, url: string) => failure(t, temporaryFolder(t), `--database-url=${url}`)

  test('nothing listens there', async (t) => {
    const port = await freePort()
    assert.equal(
      await start(t, `postgres://postgres:secret@127.0.0.1:${port}/test`),
      `plaza: PostgreSQL does not answer at 127.0.0.1:${port} (connection refused). Start it, or correct --database-url.\n`,
    )
  })

  test('there is no such host', async (t) => {
    assert.equal(
      await start(t, 'postgres://postgres@nowhere.invalid/test'),
      'plaza: PostgreSQL does not answer at nowhere.invalid:5432 (host name not found). Start it, or correct --database-url.\n',
    )
  })

  test('the password is wrong, or missing', async (t) => {
    const at = `127.0.0.1:${server.port}`
    assert.equal(
      await start(t, `postgres://postgres:wrong@${at}/test`),
      `plaza: PostgreSQL at ${at} rejects the login of "postgres" (password authentication failed for user "postgres"). Correct the user and password in --database-url.\n`,
    )
    assert.equal(
      await start(t, `postgres://postgres@${at}/test`),
      `plaza: PostgreSQL at ${at} rejects the login of "postgres" (it asks for a password). Correct the user and password in --database-url.\n`,
    )
  })

  test('the database is not there', async (t) => {
    assert.equal(
      await start(t, server.url.replace(/test$/, 'absent')),
      `plaza: PostgreSQL at 127.0.0.1:${server.port} has no database "absent". Create it with createdb, or correct --database-url.\n`,
    )
  })

  test('the user may not make the schema', async (t) => {
    await inDatabase(server.url, "CREATE USER guest PASSWORD 'guest'")
    assert.equal(
      await start(t, `postgres://guest:guest@127.0.0.1:${server.port}/test`),
      `plaza: PostgreSQL at 127.0.0.1:${server.port} does not let this user create the schema or its tables (permission denied for database test). Grant CREATE on the database, or set --database-schema to a schema of this user.\n`,
    )
  })

  test('the schema is of another version', async (t) => {
    await inDatabase(
      server.url,
      'CREATE SCHEMA plaza; CREATE TABLE plaza.schema_version (version integer NOT NULL); INSERT INTO plaza.schema_version VALUES (999)',
    )
    assert.match(
      await start(t, server.url),
      /^plaza: The database was created by another version of Plaza, and has a different schema\. Start that version, or use an empty database or data folder\.\n$/,
    )
  })
})

describe('a start through a pooler that PostgreSQL sessions do not survive says so in one line', {
  skip: noOwnPostgres || noPgBouncer,
}, () => {
  const startup = ['options', 'statement_timeout', 'extra_float_digits']
  let server: OwnServer
  before(async () => {
    server = await ownPostgres()
  })
  after(() => server?.remove())
  const cases = [
    {
      what: 'PgBouncer in transaction mode',
      poolMode: 'transaction',
      ignored: startup.join(),
      why: 'a connection pooler there works in transaction mode',
    },
    {
      what: 'PgBouncer in session mode that drops the settings',
      poolMode: 'session',
      ignored: startup.join(),
      why: 'a connection pooler there drops the settings of connections (search_path)',
    },
    {
      what: 'PgBouncer that rejects the settings',
      poolMode: 'session',
      ignored: 'statement_timeout',
      why: 'unsupported startup parameter: options',
    },
  ] as const
  for (const { what, why, ...settings } of cases)
    test(what, async (t) => {
      const bouncer = await ownPgBouncer(server, settings)
      t.after(() => bouncer.remove())
      assert.equal(
        await failure(t, temporaryFolder(t), `--database-url=${bouncer.url}`),
        `plaza: PostgreSQL at 127.0.0.1:${bouncer.port} cannot be used: ${why}. Name the PostgreSQL server itself in --database-url.\n`,
      )
      const schemas = await inDatabase(
        server.url,
        "SELECT 1 FROM pg_tables WHERE schemaname IN ('plaza', 'public')",
      )
      assert.deepEqual(schemas, [])
    })
})

describe('a start without its Redis says in one line what to do', { skip: noOwnRedis }, () => {
  let server: OwnServer
  before(async () => {
    server = await ownRedis({ args: ['--requirepass', 'right'] })
  })
  after(() => server?.remove())
  const start = (t: TestContext, url: string) => failure(t, temporaryFolder(t), `--redis-url=${url}`)

  test('nothing listens there', async (t) => {
    const port = await freePort()
    assert.equal(
      await start(t, `redis://:secret@127.0.0.1:${port}`),
      `plaza: Redis does not answer at 127.0.0.1:${port} (connection refused). Start it, or correct --redis-url.\n`,
    )
  })

  test('the password is wrong, or missing', async (t) => {
    const at = `127.0.0.1:${server.port}`
    assert.equal(
      await start(t, `redis://:wrong@${at}`),
      `plaza: Redis at ${at} rejects the login (WRONGPASS invalid username-password pair or user is disabled.). Correct the user and password in --redis-url.\n`,
    )
    assert.equal(
      await start(t, `redis://${at}`),
      `plaza: Redis at ${at} rejects the login (NOAUTH Authentication required.). Correct the user and password in --redis-url.\n`,
    )
  })
})

describe('a start with a Redis that cannot hold what nodes share says so in one line', {
  skip: noOwnRedis,
}, () => {
  test('it is a Redis Cluster', async (t) => {
    const server = await ownRedis({ args: ['--cluster-enabled', 'yes'] })
    t.after(() => server.remove())
    assert.equal(
      await failure(t, temporaryFolder(t), `--redis-url=${server.url}`),
      `plaza: Redis at 127.0.0.1:${server.port} cannot be used: it is a Redis Cluster, and Plaza needs a single server. Correct --redis-url.\n`,
    )
  })
})

describe('a start on a database file that cannot be used says so in one line', () => {
  test('of another version', async (t) => {
    const data = temporaryFolder(t)
    const db = new DatabaseSync(join(data, 'plaza.db'))
    db.exec('PRAGMA user_version = 999')
    db.close()
    assert.match(
      await failure(t, data),
      /^plaza: The database was created by another version of Plaza, and has a different schema\. Start that version, or use an empty database or data folder\.\n$/,
    )
  })

  test('that is something else', async (t) => {
    const data = join(temporaryFolder(t), 'data')
    mkdirSync(data)
    writeFileSync(join(data, 'plaza.db'), 'this is not a database, it is a text of some length')
    assert.equal(
      await failure(t, data),
      `plaza: The database ${join(data, 'plaza.db')} cannot be used: file is not a database. Free the disk or repair the file, or choose another folder with --data.\n`,
    )
  })
})
