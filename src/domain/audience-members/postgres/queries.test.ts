import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { noPostgres, POSTGRES_URL, withPostgres } from '../../../../test/support/services.ts'
import { systemClock } from '../../../platform/common/clock.ts'
import { randomText, systemRandom } from '../../../platform/common/random.ts'
import { openPostgres } from '../../../platform/storage/postgres.ts'
import type { Store } from '../../../platform/storage/store.ts'
import { addAudience, addToLog, leaseAudience, waitingAudiences } from '../queries.ts'
import { mergesOn } from './merges.ts'

/** More than the audiences that a node looks at once. */
const MANY = 120

describe('the log of members on PostgreSQL', { skip: noPostgres }, () => {
  const schema = `plaza_test_${randomText(systemRandom, 12, 'abcdefghijklmnopqrstuvwxyz')}`
  let store: Store
  before(async () => {
    store = await openPostgres({ url: POSTGRES_URL, schema, clock: systemClock, onError: () => undefined })
  })
  after(async () => {
    await store?.close()
    await withPostgres((client) => client.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`))
  })

  /** Puts batches into the log that have nothing in them but the word to forget. */
  const wait = (audience: string, acceptedAt: number, times = 1, account = 'a') =>
    store.write(async (tx) => {
      for (let n = 0; n < times; n++)
        await tx.run(addToLog, { account, audience, acceptedAt, keys: 0, bytes: 0, data: null })
    })

  test('tells each audience of an account once, the longest waiting first, as soon as its first batch is due', async () => {
    await wait('second', 2)
    await wait('first', 1)
    await wait('second', 1, 3)
    await wait('third', 2)
    const due = async (until: number, limit: number) =>
      (await store.all(waitingAudiences, { until, now: 2, limit, except: '[]' })).map(
        ({ audience }) => audience,
      )
    assert.deepEqual(await due(2, 10), ['second', 'first', 'third'])
    assert.deepEqual(await due(2, 2), ['second', 'first'])
    assert.deepEqual(await due(1, 10), ['first'])
    assert.deepEqual(await due(0, 10), [])
    const backoff = { until: 2, now: 2, limit: 10, except: JSON.stringify(['second']) }
    assert.deepEqual(await store.all(waitingAudiences, backoff), [
      { audience: 'first' },
      { audience: 'third' },
    ])
    const merges = mergesOn(store)
    while ((await merges.merge({ until: 2, now: 2 })).more);
    assert.deepEqual(await due(2, 10), [])
  })

  test('an account for which very much waits has no more turns than another', async () => {
    for (let n = 0; n < 5; n++) await wait(`greedy${n}`, 1, 3, 'greedy')
    await wait('modest', 1, 1, 'modest')
    const due = async (limit: number) =>
      (await store.all(waitingAudiences, { until: 1, now: 1, limit, except: '[]' })).map(
        ({ audience }) => audience,
      )
    assert.deepEqual((await due(2)).sort(), ['greedy0', 'modest'])
    assert.deepEqual((await due(4)).slice(2), ['greedy1', 'greedy2'])
    const first = new Set<string | undefined>()
    // Which comes first is drawn again each time: that it is always the same is not to be expected
    // in a lifetime.
    for (let drawn = 0; drawn < 200 && first.size < 2; drawn++) first.add((await due(1))[0])
    assert.deepEqual([...first].sort(), ['greedy0', 'modest'])
    const merges = mergesOn(store)
    while ((await merges.merge({ until: 1, now: 1 })).more);
  })

  test('another node merges what waits behind very much for an audience that one is at', async () => {
    await wait('busy', 1, MANY)
    await wait('free', 1)
    await store.write((tx) => tx.run(addAudience, { audience: 'busy' }))
    const other = mergesOn(store)
    const [leased, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const holding = store.write(async (tx) => {
      assert.ok(await tx.first(leaseAudience, { audience: 'busy' }))
      leased.resolve()
      await released.promise
    })
    await Promise.race([leased.promise, holding])
    assert.equal((await other.merge({ until: 1, now: 1 })).more, true)
    assert.equal((await other.merge({ until: 1, now: 1 })).more, false)
    released.resolve()
    await holding
    const left = await store.all(waitingAudiences, { until: 1, now: 1, limit: 10, except: '[]' })
    assert.deepEqual(left, [{ audience: 'busy' }])
  })
})
