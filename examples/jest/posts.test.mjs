// Tests with Jest: npm test. Start and end of Plaza are in start.mjs and stop.mjs.
import { createClient, oauth1 } from 'plaza/client'

const { urls, ca, keys } = JSON.parse(process.env.PLAZA_FOR_TESTS)
const client = createClient({ urls, ca, auth: oauth1(keys) })

afterAll(() => client.close())

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
