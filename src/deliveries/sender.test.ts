import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import type { TestContext } from 'node:test'
import { test } from 'node:test'
import { Client, demoKeys } from '../../test/support/client.ts'
import { startPlaza } from '../../test/support/plaza.ts'
import { startReceiver } from '../../test/support/receiver.ts'
import { until } from '../../test/support/until.ts'
import { query } from '../storage/query.ts'
import { enqueueDeliveries } from './enqueue.ts'
import type { Sender } from './sender.ts'
import { startSender } from './sender.ts'
import type { Shares } from './shares.ts'
import { shareOf } from './shares.ts'

interface Stored {
  event_id: string
  state: string
}
const statesOf = query<Record<never, never>, Stored>('testStatesOfDeliveries', (db) =>
  db.selectFrom('deliveries').select(['event_id', 'state']).orderBy('seq'),
)
const deliveredElsewhere = query<{ event: string; now: number }>('testDeliveredElsewhere', (db, at) =>
  db
    .updateTable('deliveries')
    .set({ state: 'delivered', ended_at: at.now })
    .where('event_id', '=', at.event)
    .where('state', '=', 'pending'),
)

/** A sender whose shares the test gives and takes, and a webhook that answers when the test says so. */
async function begin(t: TestContext) {
  const plaza = await startPlaza({ deliveryConcurrency: 1 }, { backgroundDeliveries: false })
  const { context } = plaza
  const client = new Client(plaza)
  const keys = demoKeys(plaza)
  const receiver = await startReceiver(keys.consumerSecret)
  let sender: Sender | undefined
  t.after(async () => {
    receiver.accept()
    for (const response of responses) response.end()
    await sender?.stop(60_000)
    await Promise.all([plaza.close(), client.close(), receiver.close()])
  })
  const added = await client.signed('POST', '/2/webhooks', keys, { json: { url: receiver.url } })
  const webhookId = (added.json as { data: { id: string } }).data.id
  const responses: ServerResponse[] = []
  receiver.answerWith((_, response) => void responses.push(response))
  const events = () => receiver.deliveries.map(({ body }) => body)
  const enqueue = (...ids: string[]) =>
    context.store.write((tx) =>
      enqueueDeliveries(
        tx,
        ids.map((eventId) => ({ webhookId, eventId, body: eventId })),
      ),
    )
  const send = (shares: Shares) => {
    sender = startSender({
      ...{ ...context, shares, signatureHeader: 'x-signature', stopWebhook: async () => undefined },
      onError: (error) => assert.fail(String(error)),
    })
  }
  return { store: context.store, share: shareOf(webhookId), responses, events, enqueue, send }
}

const noSurplus = { surplus: () => [], release: async () => undefined }

test('what another node sent while it had the share is not sent from memory when the share comes back', async (t) => {
  const { store, share, responses, events, enqueue, send } = await begin(t)
  let lease: number | undefined = 1
  send({
    ...noSurplus,
    lease: (wanted) => (wanted === share ? lease : undefined),
    held: () => (lease === undefined ? [] : [share]),
    renew: async () => [],
  })
  await enqueue('one', 'two', 'three')
  await until('the first delivery', () => events().length === 1)
  // The share goes to another node, which delivers the second event, and comes back.
  await store.write((tx) => tx.run(deliveredElsewhere, { event: 'two', now: tx.now }))
  lease = 2
  responses[0]?.end()
  await until('the next delivery', () => events().length === 2)
  assert.deepEqual(events(), ['one', 'three'])
})

test('a share that is given up is free only after the outcome of its last request is recorded', async (t) => {
  const { store, share, responses, events, enqueue, send } = await begin(t)
  const released = Promise.withResolvers<readonly Stored[]>()
  let surplus: readonly number[] = []
  let isReleased = false
  send({
    lease: (wanted) => (wanted === share && !isReleased ? 1 : undefined),
    held: () => (isReleased ? [] : [share]),
    renew: async () => [],
    surplus: () => surplus,
    async release(_, drained) {
      isReleased = true
      surplus = []
      await drained
      released.resolve(await store.all(statesOf, {}))
    },
  })
  await enqueue('one', 'two')
  await until('the first delivery', () => events().length === 1)
  surplus = [share]
  await until('the share is given up', () => isReleased)
  responses[0]?.end()
  assert.deepEqual(await released.promise, [
    { event_id: 'one', state: 'delivered' },
    { event_id: 'two', state: 'pending' },
  ])
})
