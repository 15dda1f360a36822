import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { REACH_MS } from '../../test/support/until.ts'
import { randomText, systemRandom } from '../common/random.ts'
// Declares every entity, and the queries of the server.
import '../server.ts'
import { columnTypeOf } from './ddl.ts'
import { allQueries } from './query.ts'
import { schemaText } from './schema/schema.ts'

const POSTGRES_URL = process.env.PLAZA_TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/test'
const schema = `plaza_test_${randomText(systemRandom, 12, 'abcdefghijklmnopqrstuvwxyz')}`

// The queries of the command line.
for (const file of globSync('../**/*queries.ts', { cwd: import.meta.dirname }))
  await import(new URL(file, import.meta.url).href)

const client = new pg.Client({ connectionString: POSTGRES_URL, connectionTimeoutMillis: REACH_MS })
client.on('error', () => undefined)
const skip = await client.connect().then(
  () => false,
  () => `PostgreSQL does not answer at ${POSTGRES_URL}`,
)
const sqlite = new DatabaseSync(':memory:')

before(async () => {
  sqlite.exec(schemaText('sqlite'))
  if (skip) return
  await client.query(`create schema ${schema}`)
  await client.query(`set search_path to ${schema}`)
  await client.query(schemaText('postgres'))
})
after(async () => {
  sqlite.close()
  if (!skip) await client.query(`drop schema ${schema} cascade`)
  await client.end()
})

test('PostgreSQL accepts the types of every query', { skip }, async () => {
  const rejected: string[] = []
  for (const query of allQueries) {
    const { sql } = query.compile('postgres')
    if (!/^\s*(select|with|insert|update|delete)\b/i.test(sql)) continue
    await client
      .query(`prepare declared as ${sql}`)
      .then(() => client.query('deallocate declared'))
      .catch((error: Error) => rejected.push(`${query.name}: ${error.message}`))
  }
  assert.deepEqual(rejected, [])
})

const NUMERIC_OID = 1700

/** The names of the columns of a result that PostgreSQL returns as ids. */
async function idsOfPostgres(sql: string, count: number): Promise<string[]> {
  await client.query('begin')
  try {
    const { fields } = await client.query({ text: sql, values: Array.from({ length: count }, () => null) })
    return fields.filter(({ dataTypeID }) => dataTypeID === NUMERIC_OID).map(({ name }) => name)
  } finally {
    await client.query('rollback')
  }
}

/** SQLite knows the types of columns, but not of expressions. */
const idsOfSqlite = (sql: string): string[] =>
  sqlite
    .prepare(sql)
    .columns()
    .filter(({ type }) => type === columnTypeOf('id64', 'sqlite'))
    .map(({ name }) => name)

test('every query returns ids as columns or as text, never as other expressions', { skip }, async () => {
  const differing: string[] = []
  for (const query of allQueries) {
    if (query.only === 'postgres') continue
    const { sql, values } = query.compile('postgres')
    if (!/^\s*(select|with)\b|\breturning\b/i.test(sql)) continue
    const ofPostgres = (await idsOfPostgres(sql, values.length)).join()
    const ofSqlite = idsOfSqlite(query.compile('sqlite').sql).join()
    if (ofPostgres !== ofSqlite)
      differing.push(`${query.name}: ${ofPostgres} on PostgreSQL, ${ofSqlite} on SQLite`)
  }
  assert.deepEqual(differing, [])
})
