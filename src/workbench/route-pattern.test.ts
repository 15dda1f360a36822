import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routeMatcher } from './route-pattern.ts'

const ROUTES = ['GET /2/posts', 'POST /2/posts', 'GET /2/posts/{id}', 'GET /2/users/{id}/posts', '']

for (const [pattern, expected] of [
  ['/2/posts', ['GET /2/posts', 'POST /2/posts']],
  ['POST /2/posts', ['POST /2/posts']],
  ['* /2/posts', ['GET /2/posts', 'POST /2/posts']],
  ['GET /2/posts/{id}', ['GET /2/posts/{id}']],
  ['GET /2/*', ['GET /2/posts', 'GET /2/posts/{id}', 'GET /2/users/{id}/posts']],
  ['/2/*/posts', ['GET /2/users/{id}/posts']],
  ['/2/*posts*', ROUTES.filter((route) => route !== '')],
  ['DELETE /2/*', []],
  ['/2/po*posts', []],
] as const)
  test(`"${pattern}" matches ${expected.length} routes`, () => {
    assert.deepEqual(ROUTES.filter(routeMatcher(pattern)), expected)
  })

test('a pattern with many asterisks takes linear time', () => {
  const matches = routeMatcher(`/${'a*'.repeat(240)}b`)
  assert.equal(matches(`GET /${'a'.repeat(10_000)}`), false)
})
