import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { adHocQuery } from '../../app/tables.ts'
import { RepeatedReads } from './repeated-reads.ts'
import { SqliteStatements } from './sqlite-statements.ts'

interface Pair {
  first: string | number | null
  second: string | number | null
}

const pair = adHocQuery<Pair, { text: string }>('pair', (db, at) => ({
  compile: () =>
    sql`select ${at.first} || '/' || ${at.second} as text where ${at.first} <> 'none'`.compile(db),
}))

let asked: number
let repeated: RepeatedReads

beforeEach(() => {
  asked = 0
  const reads = new SqliteStatements(new DatabaseSync(':memory:'))
  repeated = new RepeatedReads({
    dialect: reads.dialect,
    first(query, args) {
      asked++
      return reads.first(query, args)
    },
  })
})

test('a row is read once for each version, and cannot be changed', () => {
  const row = repeated.first(pair, { first: 'a', second: 'b' }, 1)
  assert.equal(repeated.first(pair, { first: 'a', second: 'b' }, 1), row)
  assert.equal(asked, 1)
  assert.throws(() => Object.assign(row ?? {}, { text: 'changed' }), TypeError)
  repeated.first(pair, { first: 'a', second: 'b' }, 2)
  repeated.first(pair, { first: 'a', second: 'b' }, 1)
  assert.equal(asked, 3)
})

test('other arguments are other reads, whatever their texts are', () => {
  const pairs: Pair[] = [
    { first: 'a', second: 'bc' },
    { first: 'ab', second: 'c' },
    { first: 'a 2:bc', second: '' },
    { first: '', second: 'a 2:bc' },
    { first: '1', second: '1' },
    { first: 1, second: '1' },
    { first: 'number 1', second: '1' },
    { first: 'null', second: '1' },
  ]
  const texts = pairs.map((one) => repeated.first(pair, one, 1)?.text)
  assert.deepEqual(texts, ['a/bc', 'ab/c', 'a 2:bc/', '/a 2:bc', '1/1', '1.0/1', 'number 1/1', 'null/1'])
  assert.equal(asked, pairs.length)
})

test('what is absent is read again', () => {
  for (let time = 0; time < 2; time++)
    assert.equal(repeated.first(pair, { first: 'none', second: 'b' }, 1), undefined)
  assert.equal(asked, 2)
})

test('it remembers a limited number of rows', () => {
  for (let n = 0; n < 1_001; n++) repeated.first(pair, { first: 'n', second: String(n) }, 1)
  repeated.first(pair, { first: 'n', second: '0' }, 1)
  assert.equal(asked, 1_002)
})
