import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { query } from '../../src/app/tables.ts'
import { enqueueDeliveries } from '../../src/delivery/webhooks/enqueue.ts'
import { ManualClock } from '../../src/platform/common/clock.ts'
import { Client, demoKeys } from '../support/client.ts'
import { START_MS, startPlaza } from '../support/plaza.ts'
import { startReceiver } from '../support/receiver.ts'
import { settled, until } from '../support/until.ts'

const states = query<object, { state: string }>('heldDeliveries', (db) =>
  db.selectFrom('deliveries').select('state'),
)

const countByState = query<{ webhook: string }, { state: string; count: number; first: string }>(
  'countHeldDeliveries',
  (db, at) =>
    db
      .selectFrom('deliveries')
      .select(['state', sql<number>`count(*)`.as('count'), sql<string>`min(event_id)`.as('first')])
      .where('webhook_id', '=', at.webhook)
      .groupBy('state')
      .orderBy('state'),
)

const MINUTE_MS = 60_000

test('a copy of a database calls no webhook until it is told to', async (t) => {
  const data = await mkdtemp(join(tmpdir(), 'plaza-held-'))
  t.after(() => rm(data, { recursive: true, force: true }))
  const clock = new ManualClock(START_MS)
  const start = (holdDeliveries: boolean) =>
    startPlaza(
      { data, holdDeliveries, rateLimits: 'off', revalidateAfterSeconds: 60 },
      { clock, backgroundDeliveries: true },
    )
  const held = await start(true)
  const client = new Client(held)
  const keys = demoKeys(held)
  const receiver = await startReceiver(keys.consumerSecret)
  t.after(() => receiver.close())
  const { store } = held.context
  try {
    const reply = await client.signed('POST', '/2/webhooks', keys, { json: { url: receiver.url } })
    const { id: webhookId } = (reply.json as { data: { id: string } }).data
    const body = JSON.stringify({ event_uuid: '1' })
    await store.write((tx) => enqueueDeliveries(tx, [{ webhookId, eventId: '1', body }]))
    // The webhook is due for its periodic check, too.
    clock.advance(MINUTE_MS)
    await held.tasks.runDue()
    await settled()
    assert.equal(receiver.checks, 1)
    assert.deepEqual([receiver.deliveries.length, await store.all(states, {})], [0, [{ state: 'pending' }]])
  } finally {
    await client.close()
    await held.close()
  }
  const sending = await start(false)
  try {
    await until('the delivery', () => receiver.deliveries.length === 1)
    assert.equal(receiver.deliveries[0]?.body, '{"event_uuid":"1"}')
  } finally {
    await sending.close()
  }
})

test('of the deliveries that are held, those beyond the limit of a webhook are dropped, the latest ones', async (t) => {
  const plaza = await startPlaza(
    { holdDeliveries: true, deliveryQueue: 3, rateLimits: 'off' },
    { backgroundDeliveries: true },
  )
  const client = new Client(plaza)
  const keys = demoKeys(plaza)
  const receiver = await startReceiver(keys.consumerSecret)
  t.after(async () => {
    await client.close()
    await Promise.all([plaza.close(), receiver.close()])
  })
  const { store } = plaza.context
  const register = async (path: string) => {
    const json = { url: `${receiver.url}${path}` }
    const reply = await client.signed('POST', '/2/webhooks', keys, { json })
    return (reply.json as { data: { id: string } }).data.id
  }
  const add = (webhookId: string, count: number) =>
    store.write((tx) =>
      enqueueDeliveries(
        tx,
        Array.from({ length: count }, (_, n) => ({ webhookId, eventId: String(10_000 + n), body: '{}' })),
      ),
    )
  const [many, few] = [await register('/many'), await register('/few')]
  // More than one transaction drops.
  await add(many, 1_203)
  await add(few, 3)
  await until('the surplus is dropped', async () =>
    (await store.all(countByState, { webhook: many })).some(
      ({ state, count }) => state === 'pending' && Number(count) === 3,
    ),
  )
  const counts = async (webhook: string) =>
    (await store.all(countByState, { webhook })).map(({ state, count, first }) => [
      state,
      Number(count),
      first,
    ])
  assert.deepEqual(await counts(many), [
    ['dropped', 1_200, '10003'],
    ['pending', 3, '10000'],
  ])
  assert.deepEqual(await counts(few), [['pending', 3, '10000']])
  assert.equal(receiver.deliveries.length, 0)
})
