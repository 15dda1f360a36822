import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type OpenedStore, storeStages } from '../../../test/support/stores.ts'
import { countedPosts } from '../../domain/usage/tables.ts'
import { tasks } from '../queue/tables.ts'
import { query } from '../tables.ts'
import { insertion } from './insertion.ts'
import { removalBefore, removalOf } from './removal.ts'
import { columnNames, type RowOf } from './table.ts'

const addTasks = insertion<{ kind: string; turn: number | null }>('addTestTasks', tasks, [
  ...(['kind', 'payload', 'state', 'due_at', 'turn', 'leased', 'fence', 'attempts', 'created_at'] as never[]),
])
const kinds = query<object, { kind: string }>('kindsOfTestTasks', (db) =>
  db.selectFrom('tasks').select('kind').orderBy('id'),
)
const removeOfKind = removalOf('removeTestTasksOfKind', tasks, 'kind', 'kind')
const removeBeforeTurn = removalBefore('removeTestTasksBeforeTurn', tasks, 'turn')

const addCounted = insertion<RowOf<typeof countedPosts>>(
  'addTestCounted',
  countedPosts,
  columnNames(countedPosts),
)
const counted = query<object, RowOf<typeof countedPosts>>(
  'testCounted',
  (db) => db.selectFrom('counted_posts' as never).selectAll() as never,
)
const removeCountedOf = removalOf('removeTestCountedOf', countedPosts, 'app_id', 'app')

for (const stage of storeStages) {
  describe(`removals of some rows on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: OpenedStore
    before(async () => {
      opened = await stage.open()
    })
    after(() => opened.close())

    const left = async () => (await opened.store.all(kinds, {})).map(({ kind }) => kind)
    const add = (...rows: [kind: string, turn: number | null][]) =>
      opened.store.write((tx) =>
        addTasks(
          tx,
          rows.map(([kind, turn]) => ({
            ...{ kind, turn, payload: '{}', state: 'waiting', due_at: 0, leased: 0 },
            ...{ fence: 0, attempts: 0, created_at: 0 },
          })),
        ),
      )

    test('rows with a value are removed, at most the limit, and others stay', async () => {
      await add(['a', null], ['b', null], ['a', null], ['a', null])
      const remove = (kind: string, limit: number) =>
        opened.store.write((tx) => tx.run(removeOfKind, { kind, limit }))
      assert.equal(await remove('a', 2), 2)
      assert.deepEqual((await left()).sort(), ['a', 'b'])
      assert.equal(await remove('a', 2), 1)
      assert.equal(await remove('a', 2), 0)
      assert.deepEqual(await left(), ['b'])
      await remove('b', 1)
    })

    test('the rows with the lowest values are removed first, and rows without a value stay', async () => {
      await add(['three', 3], ['none', null], ['one', 1], ['two', 2])
      const remove = (before: number, limit: number) =>
        opened.store.write((tx) => tx.run(removeBeforeTurn, { before, limit }))
      assert.equal(await remove(3, 1), 1)
      assert.deepEqual(await left(), ['three', 'none', 'two'])
      assert.equal(await remove(3, 5), 1)
      assert.deepEqual(await left(), ['three', 'none'])
    })

    test('a row is found by all columns of its key', async () => {
      const row = (day: number, app_id: string, post_id: string) => ({ day, app_id, post_id })
      await opened.store.write((tx) =>
        addCounted(tx, [row(1, '7', '10'), row(1, '8', '10'), row(2, '7', '11')] as never),
      )
      assert.equal(await opened.store.write((tx) => tx.run(removeCountedOf, { app: '7', limit: 9 })), 2)
      assert.deepEqual(
        (await opened.store.all(counted, {})).map(({ app_id }) => app_id),
        ['8'],
      )
    })
  })
}
