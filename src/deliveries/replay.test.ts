import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client, demoKeys } from '../../test/support/client.ts'
import { startPlaza } from '../../test/support/plaza.ts'
import { startReceiver } from '../../test/support/receiver.ts'
import { ManualClock } from '../common/clock.ts'
import { query } from '../storage/query.ts'
import type { Store } from '../storage/store.ts'
import { StoreUnavailable } from '../storage/store.ts'
import type { DeliveryRow } from '../storage/tables.ts'
import { enqueueDeliveries } from './enqueue.ts'
import { deliveryTarget } from './queries.ts'
import { startReplay, webhookReplay } from './replay.ts'

const endAll = query<{ now: number }>('endForReplay', (db, at) =>
  db.updateTable('deliveries').set({ state: 'skipped', ended_at: at.now }),
)
const allDeliveries = query<Record<never, never>, DeliveryRow>('deliveriesOfReplay', (db) =>
  db.selectFrom('deliveries').selectAll().where('notice', '=', 0).orderBy('seq'),
)

test('a replay that a store error interrupts goes on behind what was sent, and its log has that', async (t) => {
  const plaza = await startPlaza({ deliveryConcurrency: 1 })
  t.after(() => plaza.close())
  const { context, clock } = plaza
  const client = new Client(plaza)
  t.after(() => client.close())
  const keys = demoKeys(plaza)
  const receiver = await startReceiver(keys.consumerSecret)
  t.after(() => receiver.close())
  const added = await client.signed('POST', '/2/webhooks', keys, { json: { url: receiver.url } })
  const webhookId = (added.json as { data: { id: string } }).data.id
  const from = clock.now()
  const bodies = [1, 2, 3, 4, 5].map((n) => JSON.stringify({ n }))
  const replay = await context.store.write(async (tx) => {
    const deliveries = bodies.map((body, n) => ({ webhookId, eventId: String(n), body }))
    await enqueueDeliveries(tx, deliveries)
    await tx.run(endAll, { now: tx.now })
    return startReplay(tx, { webhookId, from, to: from + 1_000 }, context.ids)
  })
  let isAway = false
  const store: Store = {
    ...context.store,
    async first(wanted, args) {
      if (isAway && (wanted as unknown) === deliveryTarget) throw new StoreUnavailable('away')
      return context.store.first(wanted, args)
    },
  }
  const monotonic = new ManualClock(0)
  const logged: unknown[] = []
  const log = { error: (fields: { err: unknown }) => logged.push(String(fields.err)) }
  const kind = webhookReplay({ ...context, store, monotonic, log: log as never })
  const run = async () => {
    const finish = await kind.run({ replay: replay.id }, { attempt: 1, signal: new AbortController().signal })
    assert.ok(typeof finish === 'function')
    return context.store.write(finish)
  }
  receiver.answerWith((_, response) => {
    if (receiver.deliveries.length === 2) {
      isAway = true
      monotonic.advance(251)
    }
    response.end()
  })
  assert.deepEqual(await run(), { kind: 'retry', reason: 'StoreUnavailable: away' })
  assert.deepEqual(logged, ['StoreUnavailable: away'])
  isAway = false
  assert.deepEqual(await run(), { kind: 'again', at: clock.now() + 100 })
  assert.deepEqual(
    receiver.deliveries.map(({ body }) => body),
    bodies,
  )
  const rows = await context.store.all(allDeliveries, {})
  const statuses = rows.map(({ log: text }) =>
    (JSON.parse(text) as { status: number }[]).map(({ status }) => status),
  )
  assert.deepEqual(statuses, [[200], [200], [200], [200], [200]])
})
