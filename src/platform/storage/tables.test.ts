import assert from 'node:assert/strict'
import { test } from 'node:test'
import { entities } from '../../api/ads/entity/entity.ts'
// Declares every entity of the program.
import '../../app/endpoints.ts'
import { views } from '../../api/ads/views.ts'
import { type Database, fixedTables } from '../../app/tables.ts'
import type { users } from '../../identity/users/tables.ts'
import { schemaSql } from './ddl.ts'
import { planners } from './query.ts'
import { schemaText } from './schema/schema.ts'
import type { NewRowOf, RowOf } from './table.ts'

const tables = [...fixedTables, ...entities.map(({ table }) => table)]

test('the schema is that of the declared tables', () => {
  for (const dialect of ['sqlite', 'postgres'] as const)
    assert.equal(schemaText(dialect), schemaSql(tables, dialect, views), 'run npm run generate')
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
