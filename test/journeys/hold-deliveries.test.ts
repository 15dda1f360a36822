import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
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
