import assert from 'node:assert/strict'
import { test } from 'node:test'
import { query } from '../../src/app/tables.ts'
import type { Store } from '../../src/platform/storage/store.ts'
import { demoKeys } from '../support/client.ts'
import { inDatabase } from '../support/own-servers.ts'
import { startReceiver } from '../support/receiver.ts'
import { POSTGRES_URL } from '../support/services.ts'
import { stages } from '../support/stages.ts'
import { until } from '../support/until.ts'
import { startTwoNodes } from './two-nodes.fixture.ts'

const shared = stages.find((stage) => stage.shared)
const CONSUMER = 'stream links'
/** However slowly the other node runs, this one does not take the posts before it is killed. */
const LEASE_MS = 600_000
const POSTS = 20

const giveTo = query<{ holder: string; until: number }>('testGiveConsumer', (db, at) =>
  db
    .updateTable('event_consumers')
    .set({ holder: at.holder, lease_until: at.until })
    .where('name', '=', CONSUMER),
)
const holderOf = query<object, { holder: string; position: number }>('testConsumerHolder', (db) =>
  db.selectFrom('event_consumers').select(['holder', 'position']).where('name', '=', CONSUMER),
)
/**
 * Connections that have used the positions of consumers of a schema in their transactions, and wait
 * for another one.
 */
const waiting = (schema: string) =>
  inDatabase(
    POSTGRES_URL,
    `SELECT l.pid FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
     WHERE c.relname = 'event_consumers' AND c.relnamespace = '${schema}'::regnamespace
     AND cardinality(pg_blocking_pids(l.pid)) > 0`,
  )
const eventIds = query<object, { event_id: string }>('testEventIds', (db) =>
  db.selectFrom('deliveries').select('event_id').orderBy('seq'),
)

/** Holds what a batch of the consumer commits last; resolves to what lets it continue. */
async function holdCommits(store: Store, schema: string) {
  const [held, waited, release] = [
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
  ]
  const holding = store.write(async (tx) => {
    await tx.run(giveTo, { holder: 'node 1', until: 0 })
    held.resolve()
    await until('a batch that waits', async () => (await waiting(schema)).length > 0)
    waited.resolve()
    await release.promise
  })
  await Promise.race([held.promise, holding])
  return {
    waited: Promise.race([waited.promise, holding]),
    letGo: () => {
      release.resolve()
      return holding
    },
  }
}

test('a node that is killed in the middle of a batch of linked posts loses none, and repeats none', {
  skip: shared?.skip ?? 'no storage is shared',
}, async (t) => {
  const nodes = await startTwoNodes(t, { given: { backgroundDeliveries: true } })
  const { staying, client, process } = nodes
  const { store, clock, config } = staying.context
  const keys = demoKeys(staying)
  const receiver = await startReceiver(keys.consumerSecret)
  nodes.closeFirst(() => receiver.close())
  const headers = { authorization: `Bearer ${await client.bearer(keys)}` }
  const asApp = async (path: string, json?: object) => {
    const reply = await client.send('POST', path, { headers, ...(json && { json }) })
    assert.ok(reply.status < 300, reply.text)
    return reply.json
  }
  await asApp('/2/posts/search/stream/rules', { add: [{ value: 'phoenix' }] })
  const made = await client.signed('POST', '/2/webhooks', keys, { json: { url: receiver.url } })
  await asApp(`/2/posts/search/webhooks/${(made.json as { data: { id: string } }).data.id}`)
  const post = async (text: string): Promise<string> => {
    const reply = await client.signed('POST', '/2/posts', keys, { json: { text } })
    assert.equal(reply.status, 201, reply.text)
    return (reply.json as { data: { id: string } }).data.id
  }
  const ids: string[] = []
  const idsAt = () =>
    receiver.deliveries.map(({ body }) => (JSON.parse(body) as { data: { id: string } }).data.id)

  // The other node takes the posts from here on.
  await store.write(async (tx) => {
    await tx.run(giveTo, { holder: 'node 1', until: clock.now() + LEASE_MS })
  })
  const { position = 0 } = (await store.first(holderOf, {})) ?? {}
  ids.push(await post('a phoenix before'))
  await until('it was handled by the other node', async () => {
    const now = await store.first(holderOf, {})
    assert.equal(now?.holder, 'node 1')
    return now.position > position && (await store.all(eventIds, {})).length === 1
  })

  const commits = await holdCommits(store, config.databaseSchema)
  for (let n = 0; n < POSTS; n++) ids.push(await post(`a phoenix ${n}`))
  await commits.waited
  process.stop('SIGKILL')
  await process.ended
  await commits.letGo()
  assert.deepEqual(await store.all(eventIds, {}), [{ event_id: ids[0] }])

  await until('every post arrives', () => new Set(idsAt()).size === ids.length)
  assert.deepEqual([...new Set(idsAt())].sort(), [...ids].sort())
  assert.ok(receiver.deliveries.every(({ trusted }) => trusted))
  const rows = await store.all(eventIds, {})
  assert.deepEqual(rows.map(({ event_id }) => event_id).sort(), [...ids].sort())
})
