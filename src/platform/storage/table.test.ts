import assert from 'node:assert/strict'
import { test } from 'node:test'
import { columnNames, flag, json, rowCodec, table, text } from './table.ts'

const notes = table(
  'notes',
  {
    id: text(),
    open: flag(),
    read: flag({ null: true }),
    tags: json<string[]>(),
    title: text({ null: true }),
  },
  { key: ['id'] },
)

test('a row becomes what it stands for, and back: booleans, documents, and everything else as it is', () => {
  const { decode, encode } = rowCodec(notes)
  const row = { id: '1', open: 1, read: null, tags: '["a","b"]', title: null }
  const item = { id: '1', open: true, read: null, tags: ['a', 'b'], title: null }
  assert.deepEqual(decode(row), item)
  assert.deepEqual(encode(item), row)
  assert.deepEqual(encode({ ...item, open: false, read: true, title: 'T' }), {
    ...row,
    open: 0,
    read: 1,
    title: 'T',
  })
  // @ts-expect-error the value of a boolean column is no longer a number
  const open: number = decode(row).open
  // @ts-expect-error a title may be null
  const title: string = decode(row).title
  assert.deepEqual([open, title], [true, null])
})

test('the names of columns come in the order of the declaration', () => {
  assert.deepEqual(columnNames(notes), ['id', 'open', 'read', 'tags', 'title'])
})
