import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type Opened, stages } from '../../../test/support/stages.ts'
import { until } from '../../../test/support/until.ts'
import { systemClock } from '../../platform/common/clock.ts'
import { timeOrderedIds } from '../../platform/common/ids.ts'
import type { MarkedResource } from '../../platform/common/marked.ts'
import { systemRandom } from '../../platform/common/random.ts'
import { createLog } from '../../platform/log/log.ts'
import { memoryFiles } from '../../platform/storage/files/memory.ts'
import type { Folder } from '../../platform/storage/folder.ts'
import { openPostgres } from '../../platform/storage/postgres.ts'
import { StoreUnavailable } from '../../platform/storage/store.ts'
import { leasedIds, NodeConflict, NodeLease, type NodeLeaseOptions } from './node-lease.ts'
import type { SharedPlace, SharedPlaces } from './shared-places.ts'

const NEVER_MS = 1_000_000
/** Longer than its margin, but short. */
const SHORT_MS = 1_100

const stage = stages.find(({ shared }) => shared)

describe('the claim of a node number', { skip: stage?.skip ?? 'no stage has several nodes' }, () => {
  let opened: Opened
  const root = mkdtempSync(join(tmpdir(), 'plaza-lease-'))
  const leases: NodeLease[] = []
  before(async () => {
    opened = await (stage as NonNullable<typeof stage>).open({ seed: 'none', node: 99 })
  })
  after(async () => {
    await Promise.all(leases.map((lease) => lease.close()))
    await opened?.close()
    rmSync(root, { recursive: true, force: true })
  })

  /** What the running server shares. */
  const shared = (
    redis: MarkedResource | undefined = opened.plaza.context.cluster.keyspace,
  ): SharedPlaces => ({
    ...(redis && { redis: place(redis) }),
    media: place(opened.plaza.context.files),
  })
  const withoutRedis = (): SharedPlaces => ({ media: shared().media })
  const place = (marked: MarkedResource): SharedPlace => ({
    ...{ marked, name: 'It', ifForeign: '', ifOther: '' },
    replace: async () => undefined,
  })

  const newFolder = (): Folder => {
    const path = mkdtempSync(join(root, 'data-'))
    return { path, file: (name) => join(path, name), close: () => undefined }
  }

  async function open(node: number, options: Partial<NodeLeaseOptions> = {}): Promise<NodeLease> {
    const lease = await NodeLease.open({
      store: opened.plaza.context.store,
      node,
      shared: shared(),
      folder: newFolder(),
      clock: systemClock,
      random: systemRandom,
      log: createLog('silent'),
      renewMs: 100,
      ...options,
    })
    leases.push(lease)
    // The first renewal follows at once: later, the lease would look alive.
    await lease.renew()
    return lease
  }

  const conflict = (message: RegExp) => (error: unknown) =>
    error instanceof NodeConflict && message.test(error.message) && !error.message.includes('\n')

  test('is rejected to a second node while the first one lives, and free when that has stopped', async () => {
    const first = await open(1)
    await assert.rejects(
      open(1),
      conflict(
        new RegExp(
          `^Node number 1 is in use by process ${process.pid} on .+\\. Give each node of the database its own number with --node\\.$`,
        ),
      ),
    )
    await open(2)
    await first.close()
    await open(1)
  })

  test('is rejected to the whole server too', async () => {
    await assert.rejects(opened.second(), conflict(/^Node number 99 is in use by process/))
  })

  test('is given to one of many that start at the same time', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => open(3)))
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') assert.ok(outcome.reason instanceof NodeConflict, outcome.reason)
  })

  test('is there at once for the data folder of a process that was killed', async () => {
    const folder = newFolder()
    // No longer renewed, and never released.
    await open(4, { folder, renewMs: NEVER_MS, leaseMs: NEVER_MS })
    await open(4, { folder })
  })

  test('is there for another machine when the claim of a process that was killed has ended', async () => {
    const killed = await open(5, { renewMs: NEVER_MS, leaseMs: SHORT_MS })
    await open(5)
    // What a process would do that was only paused.
    assert.throws(() => killed.assertHeld(), StoreUnavailable)
  })

  test('a node that was paused makes no ids until it has the number again', async () => {
    const paused = await open(6, { renewMs: NEVER_MS, leaseMs: SHORT_MS })
    const ids = leasedIds(timeOrderedIds(systemClock, 6), paused)
    const other = await open(6)
    assert.throws(() => ids.next(), StoreUnavailable)
    await assert.rejects(paused.renew(), /^StoreUnavailable: Node number 6 is in use by process/)
    assert.throws(() => ids.next(), StoreUnavailable)
    await other.close()
    await until('the number', async () => {
      await paused.renew().catch(() => undefined)
      try {
        return ids.next()
      } catch {
        return undefined
      }
    })
  })

  test('a second node without Redis is rejected, and a node with Redis beside one without', async () => {
    await assert.rejects(
      open(7, { shared: withoutRedis() }),
      conflict(
        /^Node [0-9]+ \(process [0-9]+ on .+\) also uses this database, and several nodes need Redis\. Start all nodes with the same --redis-url, or stop that node\.$/,
      ),
    )
    const { databaseUrl: url = '', databaseSchema: schema } = opened.plaza.context.config
    await Promise.all(leases.splice(0).map((lease) => lease.close()))
    await opened.plaza.close()
    const store = await openPostgres({ url, schema, clock: systemClock, onError: () => undefined })
    await open(7, { store, shared: withoutRedis() })
    await assert.rejects(
      open(8, { store, shared: shared(memoryFiles()) }),
      conflict(/^Node 7 \(process [0-9]+ on .+\) also uses this database/),
    )
    await Promise.all(leases.splice(0).map((lease) => lease.close()))
    await store.close()
  })
})
