import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiTables, query } from '../tables.ts'

test('queries know the tables of entities: what is not declared does not compile', () => {
  query<{ account: string }, { id: string; name: string | null }>('typed', (db, at) =>
    db.selectFrom('line_items').select(['id', 'name']).where('account_id', '=', at.account),
  )
  // @ts-expect-error the column is called `campaign_id`
  query('a column', (db) => db.selectFrom('line_items').select('campaign'))
  // @ts-expect-error the table is called `line_items`
  query('a table', (db) => db.selectFrom('lineitems').select('id'))
  // @ts-expect-error a derived member is not a column
  query('a derived member', (db) => db.selectFrom('line_items').select('effective_status'))
  // @ts-expect-error no line item has this objective
  query('a value', (db) => db.selectFrom('line_items').select('id').where('objective', '=', 'FAME'))
  // @ts-expect-error the name of a line item may be null
  query<object, { name: string }>('a row', (db) => db.selectFrom('line_items').select('name'))
  const nullable: ApiTables['line_items']['name_key'] = null
  // @ts-expect-error a campaign has a name
  const named: ApiTables['campaigns']['name_key'] = null
  assert.deepEqual([nullable, named], [null, null])
})
