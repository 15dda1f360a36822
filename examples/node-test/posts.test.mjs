// Tests with the runner of Node: node --test
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startPlaza } from 'plaza'
import { appOnly, createClient, oauth1, ProblemError } from 'plaza/client'

let plaza
let client

before(async () => {
  plaza = await startPlaza()
  const [app] = plaza.apps
  const { token, secret } = plaza.users[0].tokens[0]
  client = createClient({
    urls: plaza.urls,
    ca: plaza.ca,
    auth: oauth1({ ...app, token, tokenSecret: secret }),
  })
})

after(async () => {
  await client.close()
  await plaza.close()
})

test('a post can be read by an app', async () => {
  const { data: post } = await client.core.createPost({ text: 'Hello' })
  const reader = client.with({ auth: appOnly(plaza.apps[0]) })
  const found = await reader.core.getPost({ id: post.id })
  assert.equal(found.data.text, 'Hello')
})

test('the same text twice is rejected', async () => {
  await client.core.createPost({ text: 'Only once' })
  await assert.rejects(
    client.core.createPost({ text: 'Only once' }),
    (error) => error instanceof ProblemError && error.status === 403,
  )
})

test('a post can be edited for an hour', async () => {
  const fields = { 'post.fields': ['edit_controls'] }
  const { data: post } = await client.core.createPost({ text: 'To be edited' })
  await plaza.clock.advance('2h')
  const { data } = await client.core.getPost({ id: post.id, ...fields })
  assert.ok(Date.parse(data.edit_controls.editable_until) < (await plaza.clock.now()).getTime())
})
