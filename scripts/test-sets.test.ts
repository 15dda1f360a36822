import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allFiles, LONGEST, longestFirst, QUICK, SLOW, testSet } from './test-sets.ts'

test('every test file is in the first part of a run of all tests or in the second', () => {
  const both = new Set([...testSet('quick').files, ...testSet('rest').files])
  assert.deepEqual([...both].sort(), allFiles())
  assert.deepEqual(testSet('all').files, allFiles())
})

test('every path that a set names is one of a test file', () => {
  const unused = [...QUICK, ...LONGEST].filter((start) => !allFiles().some((file) => file.startsWith(start)))
  assert.deepEqual(unused, [])
  assert.deepEqual(
    SLOW.filter((file) => !allFiles().includes(file)),
    [],
  )
})

test('the second part runs what uses services again, and nothing else of the first', () => {
  const quick = new Set(testSet('quick').files)
  const again = testSet('rest').files.filter((file) => quick.has(file))
  assert.ok(again.includes('src/platform/storage/store.test.ts'))
  assert.ok(again.includes('test/journeys/webhooks.test.ts'))
  assert.ok(again.includes('test/conformance/stored/core.test.ts'))
  assert.ok(!again.includes('src/platform/common/percent.test.ts'))
  assert.ok(!again.includes('test/interface/core.test.ts'))
})

test('the longest files start first, and none is lost', () => {
  const ordered = longestFirst(allFiles())
  assert.match(ordered[0] ?? '', /conformance/)
  assert.deepEqual(ordered.toSorted(), allFiles())
})
