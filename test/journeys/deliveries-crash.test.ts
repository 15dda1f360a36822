import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { query } from '../../src/app/tables.ts'
import { enqueueDeliveries, type NewDelivery } from '../../src/delivery/webhooks/enqueue.ts'
import { allShares } from '../../src/delivery/webhooks/queries.ts'
import { shareOf } from '../../src/delivery/webhooks/shares.ts'
import { demoKeys } from '../support/client.ts'
import { type Delivery, startReceiver } from '../support/receiver.ts'
import { stages } from '../support/stages.ts'
import { until } from '../support/until.ts'
import { startTwoNodes, type TwoNodes } from './two-nodes.fixture.ts'

const DELIVERIES = 10_000
/** Webhooks of each node, at least. */
const WEBHOOKS = 4
/**
 * Deliveries to a webhook of the node that dies that are answered before; those after them wait.
 */
const ANSWERED = 100
/** No delivery of the test times out by itself. */
const TIMEOUT_MS = 60_000

const shared = stages.find((stage) => stage.shared)

const notDelivered = query<object, { count: number }>('testDeliveriesNotDelivered', (db) =>
  db
    .selectFrom('deliveries')
    .select((on) => on.fn.countAll<number>().as('count'))
    .where('state', '<>', 'delivered'),
)

/**
 * Registers webhooks until each node has some; resolves to their ids, by the path at which they
 * receive.
 */
async function register({ staying, client }: TwoNodes, url: string) {
  const keys = demoKeys(staying)
  const { store } = staying.context
  const holders = await until('both nodes have shares', async () => {
    const rows = await store.all(allShares, {})
    const counts = ['node 0', 'node 1'].map((node) => rows.filter(({ holder }) => holder === node).length)
    return counts.every((count) => count === 16) && new Map(rows.map(({ share, holder }) => [share, holder]))
  })
  const byPath = new Map<string, { webhook: string; isDying: boolean }>()
  const count = (isDying: boolean) => [...byPath.values()].filter((one) => one.isDying === isDying).length
  while (count(true) < WEBHOOKS || count(false) < WEBHOOKS) {
    const path = `/hook/${byPath.size}`
    const json = { url: new URL(path, url).href }
    const reply = await client.signed('POST', '/2/webhooks', keys, { json })
    assert.equal(reply.status, 200, reply.text)
    const { id } = (reply.json as { data: { id: string } }).data
    byPath.set(path, { webhook: id, isDying: holders.get(shareOf(id)) === 'node 1' })
  }
  return byPath
}

const idOf = ({ body }: Pick<Delivery, 'body'>) => (JSON.parse(body) as { event_uuid: string }).event_uuid

test('of 10,000 deliveries none is lost when one of two nodes is killed; duplicates have equal ids', {
  skip: shared?.skip ?? 'no storage is shared',
}, async (t) => {
  const nodes = await startTwoNodes(t, {
    config: { webhooksPerApp: 1_000, deliveryTimeoutMs: TIMEOUT_MS, shutdownSeconds: 1 },
    given: { backgroundDeliveries: true },
    args: [`--delivery-timeout-ms=${TIMEOUT_MS}`],
  })
  const receiver = await startReceiver(demoKeys(nodes.staying).consumerSecret)
  nodes.closeFirst(() => receiver.close())
  const byPath = await register(nodes, receiver.url)

  /** Those that the node is sending when it is killed. */
  const held: { delivery: Delivery; response: ServerResponse }[] = []
  const answered = new Map<string, number>()
  receiver.answerWith((delivery, response) => {
    const count = (answered.get(delivery.path) ?? 0) + 1
    answered.set(delivery.path, count)
    if (byPath.get(delivery.path)?.isDying && count > ANSWERED) held.push({ delivery, response })
    else response.end()
  })
  const webhooks = [...byPath.values()].map(({ webhook }) => webhook)
  const deliveries = Array.from({ length: DELIVERIES }, (_, n): NewDelivery => {
    const eventId = String(n + 1)
    const webhookId = String(webhooks[n % webhooks.length])
    return { webhookId, eventId, body: JSON.stringify({ event_uuid: eventId }) }
  })
  await nodes.staying.context.store.write((tx) => enqueueDeliveries(tx, deliveries))

  const dyingPaths = [...byPath].filter(([, { isDying }]) => isDying).map(([path]) => path)
  await until('the node waits for answers of all its webhooks', () =>
    dyingPaths.every((path) => held.some(({ delivery }) => delivery.path === path)),
  )
  nodes.process.stop('SIGKILL')
  await nodes.process.ended
  const sent = held.map(({ delivery }) => idOf(delivery))
  receiver.accept()

  const { store } = nodes.staying.context
  await until('the other node has delivered all', async () => {
    const rows = await store.all(notDelivered, {})
    return Number(rows[0]?.count) === 0
  })
  const arrived = new Map<string, string[]>()
  for (const one of receiver.deliveries) arrived.set(idOf(one), [...(arrived.get(idOf(one)) ?? []), one.body])
  assert.deepEqual([...arrived.keys()].sort(), deliveries.map(({ eventId }) => eventId).sort())
  assert.ok(receiver.deliveries.every(({ trusted }) => trusted))
  // What was sent and not answered arrives again, and it is the same.
  assert.ok(sent.length > 0)
  for (const id of sent) assert.equal(arrived.get(id)?.length, 2)
  for (const bodies of arrived.values()) assert.equal(new Set(bodies).size, 1)
  // Nothing is sent twice by the node that lived.
  const repeated = receiver.deliveries.filter((one) => (arrived.get(idOf(one))?.length ?? 0) > 1)
  assert.ok(repeated.every(({ path }) => byPath.get(path)?.isDying))
})
