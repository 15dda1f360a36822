import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leaveSchema, takeSchema } from './schemas.ts'
import { noPostgres, withPostgres } from './services.ts'
import { storeStages } from './stores.ts'

const postgres = storeStages.find(({ name }) => name === 'PostgreSQL')

test('a schema that a test leaves has the rows of a new one', { skip: noPostgres }, async () => {
  const rowsOf = (schema: string, table: string) =>
    withPostgres(async (client) => {
      const { rows } = await client.query<{ row: string }>(
        `SELECT t::text AS row FROM "${schema}"."${table}" t`,
      )
      return rows.map(({ row }) => row).sort()
    })
  const schema = await takeSchema()
  const opened = await postgres?.open(schema)
  await opened?.addUser('7', 'ann')
  assert.equal((await rowsOf(schema, 'users')).length, 1)
  await opened?.store.close()
  const spare = await leaveSchema(schema)
  assert.ok(spare)
  assert.deepEqual(await rowsOf(spare, 'users'), [])
  assert.deepEqual(await rowsOf(spare, 'settings'), [
    '(credential_epoch,1)',
    '(event_positions,0)',
    '(news_generation,0)',
  ])
})

test('a schema without the declared tables is removed', { skip: noPostgres }, async () => {
  const schema = await takeSchema()
  await withPostgres(async (client) => {
    await client.query(`CREATE SCHEMA IF NOT EXISTS "${schema}"`)
    await client.query(`DROP TABLE IF EXISTS "${schema}".settings`)
  })
  assert.equal(await leaveSchema(schema), undefined)
  await withPostgres(async (client) => {
    const { rows } = await client.query('SELECT FROM pg_namespace WHERE nspname = $1', [schema])
    assert.equal(rows.length, 0)
  })
})
