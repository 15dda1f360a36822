// A test with a clock that stands still, and with a fault.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startPlaza } from 'plaza'
import { createClient, oauth1, ProblemError } from 'plaza/client'

test('a client that is limited once sends its post again', async () => {
  const plaza = await startPlaza()
  const { token, secret } = plaza.users[0].tokens[0]
  const auth = oauth1({ ...plaza.apps[0], token, tokenSecret: secret })
  const client = createClient({ urls: plaza.urls, ca: plaza.ca, auth })
  try {
    await plaza.clock.freeze()
    await plaza.clock.set(new Date('2030-01-01T00:00:00Z'))
    const fault = await plaza.faults.add({ route: 'POST /2/posts', status: 429, times: 1 })
    await assert.rejects(
      client.core.createPost({ text: 'Hello' }),
      (error) => error instanceof ProblemError && error.status === 429,
    )
    const { data: post } = await client.core.createPost({ text: 'Hello' })
    const fields = { 'post.fields': ['created_at'] }
    const { data } = await client.core.getPost({ id: post.id, ...fields })
    assert.equal(data.created_at, '2030-01-01T00:00:00.000Z')
    const [{ hits }] = await plaza.faults.list()
    assert.deepEqual([fault.kind, hits], ['error', 1])
  } finally {
    await client.close()
    await plaza.close()
  }
})
