import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allFiles, QUICK, SLOW, testSet } from './test-sets.ts'

test('every test file is in the first part of a run of all tests or in the second', () => {
  const both = new Set([...testSet('quick').files, ...testSet('rest').files])
  assert.deepEqual([...both].sort(), allFiles())
  assert.deepEqual(testSet('all').files, allFiles())
})

test('every path of the first part names a test file', () => {
  const unused = QUICK.filter((start) => !allFiles().some((file) => file.startsWith(start)))
  assert.deepEqual(unused, [])
  assert.deepEqual(
    SLOW.filter((file) => !allFiles().includes(file)),
    [],
  )
})

test('the second part runs what uses services again, and nothing else of the first', () => {
  const quick = new Set(testSet('quick').files)
  const again = testSet('rest').files.filter((file) => quick.has(file))
  assert.ok(again.includes('src/storage/store.test.ts'))
  assert.ok(again.includes('test/journeys/webhooks.test.ts'))
  assert.ok(!again.includes('src/common/percent.test.ts'))
  assert.ok(!again.includes('test/interface/interface.test.ts'))
})
