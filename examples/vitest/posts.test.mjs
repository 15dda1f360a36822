// Tests with Vitest: npx vitest run
import { startPlaza } from 'plaza'
import { createClient, oauth1 } from 'plaza/client'
import { afterAll, beforeAll, expect, test } from 'vitest'

let plaza
let client

beforeAll(async () => {
  plaza = await startPlaza()
  const { token, secret } = plaza.users[0].tokens[0]
  const auth = oauth1({ ...plaza.apps[0], token, tokenSecret: secret })
  client = createClient({ urls: plaza.urls, ca: plaza.ca, auth })
}, 30_000)

afterAll(async () => {
  await client.close()
  await plaza.close()
})

test('a post is published', async () => {
  const { data } = await client.core.createPost({ text: 'Hello' })
  expect(data.text).toBe('Hello')
})

test('an id that is no number is rejected', async () => {
  await expect(client.core.getPost({ id: 'abc' })).rejects.toMatchObject({
    status: 400,
    kind: 'invalid-request',
  })
})
