import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultsOfReply } from './public-description.ts'

const post = { method: 'GET', path: '/2/posts/{id}', status: 200 }

test('a reply is compared with the public description of its operation', () => {
  assert.deepEqual(faultsOfReply(post, { data: { id: '1', text: 'A', edit_history_post_ids: ['1'] } }), [])
  const name = 'GET /2/posts/{id} 200'
  assert.deepEqual(faultsOfReply({ ...post, path: '/2/posts/7' }, { data: { id: 'x' } }).slice(0, 1), [
    `${name}: /data/id must match pattern "^[0-9]{1,19}$" {"pattern":"^[0-9]{1,19}$"}`,
  ])
  assert.match(
    faultsOfReply({ ...post, path: '/2/posts' }, { data: [{ id: 7 }] }).join('\n'),
    /^GET \/2\/posts 200: \/data\/\* must have required property 'text'|\/data\/\*\/id must be string/,
  )
  assert.match(
    faultsOfReply({ method: 'GET', path: '/2/users/me', status: 200 }, { data: { id: '1' } }).join(),
    /^GET \/2\/users\/me 200: \/data must have required property/,
  )
})

test('operations, statuses and errors that are not described are not compared', () => {
  for (const other of [{ path: '/1.1/x' }, { status: 201 }, { method: 'PATCH' }])
    assert.deepEqual(faultsOfReply({ ...post, ...other }, { data: 7 }), [])
})
