import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client, demoKeys } from '../../../test/support/client.ts'
import { startPlaza } from '../../../test/support/plaza.ts'
import { startReceiver } from '../../../test/support/receiver.ts'
import { until } from '../../../test/support/until.ts'
import { enqueueDeliveries } from './enqueue.ts'

test('deliveries arrive also when the store always takes longer to answer than a change may go unseen', async (t) => {
  let now = 0
  const slow = { now: () => (now += 1_000) }
  const plaza = await startPlaza({}, { backgroundDeliveries: true, monotonic: slow })
  t.after(() => plaza.close())
  const client = new Client(plaza)
  t.after(() => client.close())
  const keys = demoKeys(plaza)
  const receiver = await startReceiver(keys.consumerSecret)
  t.after(() => receiver.close())
  const added = await client.signed('POST', '/2/webhooks', keys, { json: { url: receiver.url } })
  const webhookId = (added.json as { data: { id: string } }).data.id
  const bodies = Array.from({ length: 100 }, (_, n) => JSON.stringify({ n }))
  await plaza.context.store.write((tx) =>
    enqueueDeliveries(
      tx,
      bodies.map((body, n) => ({ webhookId, eventId: String(n), body })),
    ),
  )
  await until('all deliveries', () => receiver.deliveries.length >= bodies.length)
  assert.deepEqual(receiver.deliveries.map(({ body }) => body).sort(), bodies.sort())
})
