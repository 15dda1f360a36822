import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Client, demoKeys } from '../../../test/support/client.ts'
import { startPlaza } from '../../../test/support/plaza.ts'
import { startReceiver } from '../../../test/support/receiver.ts'
import { query } from '../../app/tables.ts'
import { ManualClock } from '../../platform/common/clock.ts'
import { type Store, StoreUnavailable } from '../../platform/storage/store.ts'
import { enqueueDeliveries } from './enqueue.ts'
import { deliveryTarget } from './queries.ts'
import { type Replay, type ReplayParts, startReplay, webhookReplay } from './replay.ts'
import type { DeliveryRow } from './tables.ts'

const endAll = query<{ now: number }>('endForReplay', (db, at) =>
  db.updateTable('deliveries').set({ state: 'skipped', ended_at: at.now }),
)
const allDeliveries = query<Record<never, never>, DeliveryRow>('deliveriesOfReplay', (db) =>
  db.selectFrom('deliveries').selectAll().where('notice', '=', 0).orderBy('seq'),
)

/** A server with webhooks that a replay has to send some deliveries to. */
async function begin(t: TestContext, { webhooks = 1, bodies }: { webhooks?: number; bodies: string[] }) {
  const monotonic = new ManualClock(0)
  const plaza = await startPlaza({ deliveryConcurrency: 1, webhooksPerApp: webhooks }, { monotonic })
  const { context, clock } = plaza
  const client = new Client(plaza)
  const keys = demoKeys(plaza)
  const receiver = await startReceiver(keys.consumerSecret)
  t.after(() => Promise.all([plaza.close(), client.close(), receiver.close()]))
  const from = clock.now()
  const replays: Replay[] = []
  for (let n = 0; n < webhooks; n++) {
    const json = { url: `${receiver.url}/${n}` }
    const added = await client.signed('POST', '/2/webhooks', keys, { json })
    const webhookId = (added.json as { data: { id: string } }).data.id
    const { id: replay } = await context.store.write(async (tx) => {
      await enqueueDeliveries(
        tx,
        bodies.map((body, index) => ({ webhookId, eventId: String(index), body })),
      )
      await tx.run(endAll, { now: tx.now })
      return startReplay(tx, { webhookId, app: 'an app', from, to: from + 1_000 }, context.ids)
    })
    replays.push({ replay, app: 'an app' })
  }
  /** Sends one page of the first replay. */
  const page = async (parts: Partial<ReplayParts> = {}) => {
    const [replay = assert.fail('there is no replay')] = replays
    const run = { attempt: 1, signal: new AbortController().signal }
    const finish = await webhookReplay({ ...context, ...parts }).run(replay, run)
    return typeof finish === 'function' ? context.store.write(finish) : finish
  }
  const bodiesOf = () => receiver.deliveries.map(({ body }) => body)
  return { plaza, context, clock, monotonic, receiver, page, bodiesOf }
}

const numbered = (count: number) => Array.from({ length: count }, (_, n) => JSON.stringify({ n }))

test('a replay that a store error interrupts goes on behind what was sent, and its log has that', async (t) => {
  const bodies = numbered(5)
  const { context, clock, monotonic, receiver, page, bodiesOf } = await begin(t, { bodies })
  let isAway = false
  const store: Store = {
    ...context.store,
    async first(wanted, args) {
      if (isAway && (wanted as unknown) === deliveryTarget) throw new StoreUnavailable('away')
      return context.store.first(wanted, args)
    },
  }
  const logged: unknown[] = []
  const log = { error: (fields: { err: unknown }) => logged.push(String(fields.err)) }
  receiver.answerWith((_, response) => {
    if (receiver.deliveries.length === 2) {
      isAway = true
      monotonic.advance(251)
    }
    response.end()
  })
  const interrupted = await page({ store, log: log as never })
  assert.deepEqual(interrupted, { kind: 'retry', reason: 'StoreUnavailable: away' })
  assert.deepEqual(logged, ['StoreUnavailable: away'])
  isAway = false
  assert.deepEqual(await page(), { kind: 'again', at: clock.now() + 100 })
  assert.deepEqual(bodiesOf(), bodies)
  const rows = await context.store.all(allDeliveries, {})
  const statuses = rows.map(({ log: text }) =>
    (JSON.parse(text) as { status: number }[]).map(({ status }) => status),
  )
  assert.deepEqual(statuses, [[200], [200], [200], [200], [200]])
})

test('a page of a slow webhook ends after two seconds, and the next one goes on behind it', async (t) => {
  const bodies = numbered(5)
  const { clock, monotonic, receiver, page, bodiesOf } = await begin(t, { bodies })
  receiver.answerWith((_, response) => {
    monotonic.advance(1_000)
    response.end()
  })
  for (const sent of [2, 4, 5]) {
    assert.deepEqual(await page(), { kind: 'again', at: clock.now() + 100 })
    assert.deepEqual(bodiesOf(), bodies.slice(0, sent))
  }
  assert.deepEqual(await page(), { kind: 'done' })
  assert.deepEqual(bodiesOf(), bodies)
})

test('ten failures in a row end a replay, also when its pages are short', async (t) => {
  const { monotonic, receiver, page, bodiesOf } = await begin(t, { bodies: numbered(12) })
  receiver.answerWith((_, response) => {
    monotonic.advance(2_000)
    response.writeHead(500).end()
  })
  for (let sent = 1; sent < 10; sent++) assert.equal((await page()).kind, 'again')
  assert.equal((await page()).kind, 'done')
  assert.equal(bodiesOf().length, 10)
})

test('replays of four slow webhooks let the replay of another one go first', async (t) => {
  const bodies = numbered(3)
  const { plaza, clock, monotonic, receiver } = await begin(t, { webhooks: 5, bodies })
  receiver.answerWith(({ path }, response) => {
    if (path !== '/hook/4') monotonic.advance(2_000)
    response.end()
  })
  const counts = () =>
    [0, 1, 2, 3, 4].map((n) => receiver.deliveries.filter(({ path }) => path === `/hook/${n}`).length)
  await plaza.tasks.runDue('replay deliveries')
  assert.deepEqual(counts(), [1, 1, 1, 1, 3])
  for (let n = 0; n < 3; n++) {
    clock.advance(100)
    await plaza.tasks.runDue('replay deliveries')
  }
  assert.deepEqual(counts(), [3, 3, 3, 3, 3])
})
