import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { sql } from 'kysely'
import { adHocQuery } from '../../app/tables.ts'
import { SqliteStatements } from './sqlite-statements.ts'

const run = new SqliteStatements(new DatabaseSync(':memory:'))
const reading = (text: string) =>
  adHocQuery<object, Record<string, unknown>>('odd', (db) => ({ compile: () => sql.raw(text).compile(db) }))

test('a row has exactly its columns, whatever their names are', () => {
  const names = ['constructor', '__proto__', 'a"b', "a'b", '\\', 'a\u2028b', '7', 'from where', 'é']
  const columns = names.map((name, index) => `${index} as "${name.replaceAll('"', '""')}"`)
  const query = reading(`select ${columns.join(', ')}`)
  for (const row of [run.first(query, {}), ...run.all(query, {})]) {
    assert.deepEqual(Object.keys(row ?? {}).sort(), [...names].sort())
    for (const [index, name] of names.entries())
      assert.equal(Object.getOwnPropertyDescriptor(row, name)?.value, index, name)
  }
})

test('cells are what the database has: null, bytes, exact integers, and numbers where they hold them', () => {
  const query = reading(
    `select null as none, x'00ff' as bytes, x'' as empty, 9007199254740991 as safe, 9007199254740993 as large,
      -9223372036854775808 as least, 1.5 as real, 'ü' as text, 0 as zero`,
  )
  const expected = {
    none: null,
    bytes: Uint8Array.of(0, 255),
    empty: new Uint8Array(),
    safe: 9_007_199_254_740_991,
    large: 9_007_199_254_740_993n,
    least: -9_223_372_036_854_775_808n,
    real: 1.5,
    text: 'ü',
    zero: 0,
  }
  // The second time, the statement reads numbers again.
  for (let time = 0; time < 2; time++) {
    assert.deepEqual(run.first(query, {}), expected)
    assert.deepEqual(run.all(query, {}), [expected])
  }
  assert.deepEqual(run.all(reading('select 1 as one union all select 9007199254740993'), {}), [
    { one: 1 },
    { one: 9_007_199_254_740_993n },
  ])
  assert.deepEqual(run.first(reading('select 1 as one'), {}), { one: 1 })
})

test('ids are text and other integers numbers', () => {
  const db = new DatabaseSync(':memory:')
  const statements = new SqliteStatements(db)
  db.exec(
    'create table things (id integer_id primary key, other integer_id, at bigint, amount bigint, name text)',
  )
  const of = <Row>(text: string) =>
    adHocQuery<object, Row>('things', (query) => ({ compile: () => sql.raw(text).compile(query) }))
  const rows = [
    { id: '7', other: null, at: 1_772_366_400_000, amount: 1, name: 'seven' },
    { id: '69999999999999999', other: '7', at: 2, amount: 9_007_199_254_740_993n, name: '17 digits' },
    { id: '9223372036854775807', other: '69999999999999999', at: 3, amount: -1, name: '19 digits' },
  ]
  const add = adHocQuery<Record<string, unknown>>('add', (query, at) => ({
    compile: () =>
      sql`insert into things values (${at.id}, ${at.other}, ${at.at}, ${at.amount}, ${at.name})`.compile(
        query,
      ),
  }))
  for (const row of rows.toReversed()) statements.run(add, row)
  assert.deepEqual(statements.all(of('select * from things order by id'), {}), rows)
  assert.deepEqual(statements.first(of('select * from things order by id desc'), {}), rows[2])
  assert.deepEqual(
    statements.all(
      of('select (select id from things order by id limit 1) as id, count(*) as count from things'),
      {},
    ),
    [{ id: '7', count: 3 }],
  )
  const between = adHocQuery<{ after: string; before: string }, { name: string }>('between', (query, at) => ({
    compile: () =>
      sql`select name from things where id > ${at.after} and id < ${at.before} order by id`.compile(query),
  }))
  const names = (after: string, before: string) =>
    statements.all(between, { after, before }).map(({ name }) => name)
  assert.deepEqual(names('0', '9999999999999999999'), ['seven', '17 digits', '19 digits'])
  assert.deepEqual(names('7', '99999999999999999999'), ['17 digits', '19 digits'])
  assert.deepEqual(names('0000000000000000006', '9223372036854775807'), ['seven', '17 digits'])
  assert.deepEqual(names('9223372036854775808', '9999999999999999999'), [])
  db.close()
})

test('a query without rows has none', () => {
  assert.equal(run.first(reading('select 1 as one where 0'), {}), undefined)
  assert.deepEqual(run.all(reading('select 1 as one where 0'), {}), [])
})
