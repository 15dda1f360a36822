import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Recent } from './recent.ts'

test('forgets what was not used for longest', () => {
  const recent = new Recent<string, number>(2)
  recent.set('a', 1)
  recent.set('b', 2)
  assert.equal(recent.get('a'), 1)
  recent.set('c', 3)
  assert.deepEqual([recent.get('a'), recent.get('b'), recent.get('c')], [1, undefined, 3])
  recent.set('a', 4)
  recent.set('d', 5)
  assert.deepEqual([recent.get('a'), recent.get('c'), recent.get('d')], [4, undefined, 5])
})
