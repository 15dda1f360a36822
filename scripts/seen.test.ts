import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faults } from './seen.ts'

const OLD = { getPost: ['test/journeys/posts.test.ts'], listPosts: ['test/journeys/lists.test.ts'] }
const exists = () => true

test('an endpoint without a reply in this run is a fault', () => {
  const now = { getPost: ['test/journeys/posts.test.ts'] }
  assert.deepEqual(faults(['getPost', 'listPosts'], OLD, now, exists), [
    'listPosts: no journey and no client test got a reply from this endpoint',
  ])
})

test('a file that is named and does not exist is a fault', () => {
  assert.deepEqual(
    faults(['getPost', 'listPosts'], OLD, OLD, (file) => file !== 'test/journeys/lists.test.ts'),
    ['test/journeys/lists.test.ts: named in test/seen.json, does not exist (npm run seen)'],
  )
})

test('an endpoint that other tests reached than the last time is not a fault', () => {
  const now = { getPost: ['test/journeys/search.test.ts'], listPosts: ['test/clients/a.test.ts'] }
  assert.deepEqual(faults(['getPost', 'listPosts'], OLD, now, exists), [])
})

test('an endpoint that test/seen.json does not name yet is not a fault', () => {
  const now = { ...OLD, createPost: ['test/journeys/posts.test.ts'] }
  assert.deepEqual(faults(['createPost', 'getPost', 'listPosts'], OLD, now, exists), [])
})
