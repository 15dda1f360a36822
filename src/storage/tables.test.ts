import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { after, describe, test } from 'node:test'
import pg from 'pg'
import { describePostgres, describeSqlite } from '../../test/support/schema.ts'
import { REACH_MS } from '../../test/support/until.ts'
import { entities } from '../ads/entity/entity.ts'
import { systemClock } from '../common/clock.ts'
// Declares every entity of the program.
import '../endpoints.ts'
import { randomText, systemRandom } from '../common/random.ts'
import { schemaStatements } from './ddl.ts'
import { migrations } from './migrations/migrate.ts'
import { openPostgres } from './postgres.ts'
import type { Database } from './query.ts'
import { planners } from './query.ts'
import type { NewRowOf, RowOf } from './table.ts'
import type { users } from './tables/identity.ts'
import { fixedTables } from './tables.ts'

const URL = process.env.PLAZA_TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/test'

const schemaName = () => `plaza_test_${randomText(systemRandom, 12, 'abcdefghijklmnopqrstuvwxyz')}`

async function connected(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: URL, connectionTimeoutMillis: REACH_MS })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

const skip = await connected().then(
  (client) => client.end().then(() => false),
  () => `PostgreSQL does not answer at ${URL}`,
)

const tables = [...fixedTables, ...entities.map(({ table }) => table)]

describe('the tables that migrations make are those that are declared', () => {
  test('on SQLite', () => {
    const [migrated, made] = [new DatabaseSync(':memory:'), new DatabaseSync(':memory:')]
    for (const { statements } of migrations)
      for (const statement of statements('sqlite')) migrated.exec(statement)
    for (const sql of schemaStatements(tables, 'sqlite')) made.exec(sql)
    assert.deepEqual(describeSqlite(migrated), describeSqlite(made))
  })

  test('on PostgreSQL', { skip }, async () => {
    const [migrated, made] = [schemaName(), schemaName()]
    const client = await connected()
    after(async () => {
      for (const schema of [migrated, made]) await client.query(`drop schema if exists ${schema} cascade`)
      await client.end()
    })
    const store = await openPostgres({
      url: URL,
      schema: migrated,
      clock: systemClock,
      onError: () => undefined,
    })
    await store.close()
    await client.query(`create schema ${made}`)
    await client.query(`set search_path to ${made}`)
    for (const sql of schemaStatements(tables, 'postgres')) await client.query(sql)
    const { schema_version, ...found } = await describePostgres(client, migrated)
    assert.deepEqual(found, await describePostgres(client, made))
    assert.deepEqual(schema_version, ['column done integer NO'])
  })
})

test('a table, a column or a value that was not declared does not compile', () => {
  const db: Database = planners.sqlite
  // @ts-expect-error the table is called `webhooks`
  db.selectFrom('webhook')
  // @ts-expect-error the column is called `app_id`
  db.selectFrom('webhooks').select('app')
  // @ts-expect-error the column is called `app_id`
  db.selectFrom('webhooks').selectAll().where('app', '=', '1')
  // @ts-expect-error times are numbers
  db.updateTable('webhooks').set({ created_at: '1' })
  // @ts-expect-error a row needs each column that has no default
  db.insertInto('app_callbacks').values({ app_id: '1' })
  // @ts-expect-error what may be null is not a text
  const url: (row: RowOf<typeof users>) => string = (row) => row.url
  const user: NewRowOf<typeof users> = {
    id: '1',
    screen_name: 'Ada',
    screen_name_key: 'ada',
    name: 'Ada',
    password_hash: '',
    suspended: 0,
    created_at: 1,
  }
  assert.deepEqual([typeof url, user.verified_type], ['function', undefined])
})
