import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { describe, type TestContext, test } from 'node:test'
import { Client, demoKeys, type Keys } from '../../../test/support/client.ts'
import { startPlaza } from '../../../test/support/plaza.ts'
import { type Receiver, startReceiver } from '../../../test/support/receiver.ts'
import { until } from '../../../test/support/until.ts'
import { query } from '../../app/tables.ts'
import { createApp } from '../../identity/apps/apps.ts'
import { createAccessToken } from '../../identity/tokens/access-tokens.ts'
import { enqueueDeliveries } from './enqueue.ts'
import { type Sender, startSender } from './sender.ts'
import { ownShares, type Shares, shareOf } from './shares.ts'

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

/**
 * A sender whose shares the test gives and takes, and a webhook that answers when the test says so.
 */
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
  /** The same, and the wake-up of the commit is lost. */
  const enqueueUnannounced = (eventId: string) =>
    context.store.write((tx) => {
      t.mock.method(tx, 'notify', () => undefined)
      return enqueueDeliveries(tx, [{ webhookId, eventId, body: eventId }])
    })
  const send = (shares: Shares) => {
    sender = startSender({
      ...{ ...context, shares, signatureHeader: 'x-signature', stopWebhook: async () => undefined },
      onError: (error) => assert.fail(String(error)),
    })
  }
  return {
    store: context.store,
    share: shareOf(webhookId),
    responses,
    events,
    enqueue,
    enqueueUnannounced,
    send,
  }
}

const noSurplus = { surplus: () => [], release: async () => undefined }

// Together, because some wait for an interval of polling.
describe('a sender', { concurrency: true }, () => {
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

  test('a delivery whose wake-up is lost is sent, although the clock that users see stands still', async (t) => {
    const { responses, events, enqueue, enqueueUnannounced, send } = await begin(t)
    send(ownShares())
    await enqueue('announced')
    await until('the announced delivery', () => responses.length === 1)
    responses[0]?.end()
    await enqueueUnannounced('unannounced')
    await until('the other one', () => events().length === 2)
    assert.deepEqual(events(), ['announced', 'unannounced'])
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

  test('webhooks of one app that answer slowly leave room for deliveries of another app', async (t) => {
    // Two webhooks of one app could have as many requests in progress as the node.
    const plaza = await startPlaza({ deliveryConcurrency: 256 }, { backgroundDeliveries: false })
    const { context, seeded } = plaza
    const client = new Client(plaza)
    const keys = demoKeys(plaza)
    const receivers: Receiver[] = []
    const held: ServerResponse[] = []
    let sender: Sender | undefined
    t.after(async () => {
      for (const one of receivers) one.accept()
      for (const response of held) response.end()
      await sender?.stop(60_000)
      await Promise.all([plaza.close(), client.close(), ...receivers.map((one) => one.close())])
    })
    const webhookOf = async (owner: Required<Keys>) => {
      const receiver = await startReceiver(owner.consumerSecret)
      receivers.push(receiver)
      const added = await client.signed('POST', '/2/webhooks', owner, { json: { url: receiver.url } })
      return { receiver, id: (added.json as { data: { id: string } }).data.id }
    }
    const enqueue = (webhookId: string, count: number) =>
      context.store.write((tx) =>
        enqueueDeliveries(
          tx,
          Array.from({ length: count }, (_, n) => ({ webhookId, eventId: `${n}`, body: `${n}` })),
        ),
      )
    const ownerUserId = seeded?.users[0]?.id as string
    const app = { name: 'Other', website: 'https://other.test/', callbacks: [], kind: 'web' } as const
    const other = await context.store.write((tx) =>
      createApp(tx, { ...app, ownerUserId, permission: 'read-write', signIn: false }, context),
    )
    const token = { appId: other.id, userId: ownerUserId, access: 'read-write' } as const
    const pair = await context.store.write((tx) => createAccessToken(tx, token, context))
    const slow = [await webhookOf(keys), await webhookOf(keys)]
    const quick = await webhookOf({ ...other, token: pair.token, tokenSecret: pair.secret })
    sender = startSender({
      ...{
        ...context,
        shares: ownShares(),
        signatureHeader: 'x-signature',
        stopWebhook: async () => undefined,
      },
      onError: (error) => assert.fail(String(error)),
    })
    for (const { receiver, id } of slow) {
      // Each success raises the number of deliveries that are in progress at a time.
      receiver.answerWith((_, response) => {
        if (receiver.deliveries.length <= 300) response.end()
        else held.push(response)
      })
      await enqueue(id, 1_000)
    }
    await until('no more slow deliveries', () => held.length === 256)
    await enqueue(quick.id, 20)
    await until('the deliveries of the other app', () => quick.receiver.deliveries.length === 20)
    assert.equal(held.length, 256)
  })
})
