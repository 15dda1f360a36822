import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Plaza } from '../../src/app/server.ts'
import { setEnrolled } from '../../src/identity/apps/apps.ts'
import { Client, demoKeys } from '../support/client.ts'
import { type Opened, stages } from '../support/stages.ts'

for (const stage of stages) {
  describe(`enrollment of apps on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let nodes: Plaza[]
    let clients: Client[]

    before(async () => {
      opened = await stage.open({
        rateLimits: 'off',
        registrationUrl: 'https://developer.example.com/enroll',
      })
      nodes = [opened.plaza, ...(stage.shared ? [await opened.second()] : [])]
      clients = nodes.map((node) => new Client(node))
    })
    after(async () => {
      await Promise.all(clients.map((client) => client.close()))
      await opened.close()
    })

    test('every node rejects an app that is not enrolled from the next request on, and takes it again', async () => {
      const keys = demoKeys(opened.plaza)
      const app = opened.plaza.seeded?.apps[0]?.id
      assert.ok(app)
      const enroll = (enrolled: boolean) =>
        opened.plaza.context.store.write((tx) => setEnrolled(tx, { id: app, enrolled }))
      const statuses = (target: string) =>
        Promise.all(clients.map(async (client) => (await client.signed('GET', target, keys)).status))
      const all = (status: number) => clients.map(() => status)

      assert.deepEqual(await statuses('/2/users/me'), all(200))
      assert.equal(await enroll(false), true)
      for (const [index, client] of clients.entries()) {
        const reply = await client.signed('GET', '/2/users/me', keys)
        assert.deepEqual(
          [reply.status, reply.json],
          [
            403,
            {
              title: 'Client Forbidden',
              detail: 'The app must be enrolled before it may use this endpoint.',
              type: `${nodes[index]?.context.naming.problemBase}/2/problems/client-forbidden`,
              reason: 'client-not-enrolled',
              client_id: app,
              registration_url: 'https://developer.example.com/enroll',
            },
          ],
        )
      }
      assert.deepEqual(await statuses('/1.1/account/verify_credentials.json'), all(200))
      assert.equal(await enroll(true), true)
      assert.deepEqual(await statuses('/2/users/me'), all(200))
    })

    test('an app that does not exist is not enrolled', async () => {
      const { store } = opened.plaza.context
      assert.equal(await store.write((tx) => setEnrolled(tx, { id: '1', enrolled: false })), false)
    })
  })
}
