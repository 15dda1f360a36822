import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { mountSmallDisk } from '../../../test/support/small-disk.ts'
import { MemoryCluster } from '../../platform/cluster/memory.ts'
import { ManualClock } from '../../platform/common/clock.ts'
import { timeOrderedIds } from '../../platform/common/ids.ts'
import { memoryFiles } from '../../platform/storage/files/memory.ts'
import { openStore, type StoreLocation } from '../../platform/storage/open.ts'
import { AdjustableClock } from '../clock/adjustable-clock.ts'
import { FolderShelf } from './folder-shelf.ts'
import type { LiveData, Shelf } from './live-data.ts'
import { isSnapshotName, readManifest } from './manifest.ts'
import { MemoryShelf } from './memory-shelf.ts'
import { Snapshots } from './snapshots.ts'

const START_MS = Date.UTC(2026, 2, 1, 12)

/** Snapshots of a store that nothing else uses. */
async function opened(shelf: Shelf, location: StoreLocation) {
  const machine = new ManualClock(START_MS)
  const clock = new AdjustableClock(machine)
  const store = await openStore(location, { clock, onError: assert.fail })
  const live: LiveData = {
    store,
    ids: timeOrderedIds(clock, 0),
    files: memoryFiles(),
    cluster: new MemoryCluster({ clock }),
  }
  const user = {
    quietly: <T>(work: (data: LiveData, resume: () => void) => Promise<T>) => work(live, () => undefined),
    restart: () => assert.fail('not asked for'),
  }
  const snapshots = new Snapshots({
    shelf,
    user,
    clock,
    machine,
    keyCheck: () => 'check',
    onError: assert.fail,
  })
  return { snapshots, machine, close: () => store.close() }
}

test('there are at most 100 snapshots, and one of them can still be replaced', async () => {
  const { snapshots, machine, close } = await opened(new MemoryShelf(), { kind: 'memory' })
  for (let made = 1; made <= 100; made++) {
    machine.advance(1_000)
    assert.equal((await snapshots.save({})).name, `snapshot-${made}`)
  }
  await assert.rejects(snapshots.save({}), /There are 100 snapshots already\. Delete some\./)
  await snapshots.save({ name: 'snapshot-7', replace: true })
  await snapshots.remove('snapshot-8')
  assert.equal((await snapshots.save({})).name, 'snapshot-8')
  const all = await snapshots.list()
  assert.equal(all.length, 100)
  assert.equal(all[0]?.name, 'snapshot-1', 'the oldest first')
  await close()
})

test('a disk without space gets no part of a snapshot', async (t) => {
  const disk = mountSmallDisk(48)
  if (!disk) return t.skip('it needs root on Linux')
  const data = join(disk.folder, 'data')
  await mkdir(data)
  const { snapshots, close } = await opened(new FolderShelf(data), {
    kind: 'file',
    path: join(data, 'plaza.db'),
  })
  try {
    await snapshots.save({ name: 'fits' })
    writeFileSync(join(disk.folder, 'most'), Buffer.alloc(20 * 1024 * 1024))
    await assert.rejects(snapshots.save({ name: 'late' }), /The snapshot needs \d+ MB, and \d+ MB are free/)
    assert.deepEqual(await readdir(join(data, 'snapshots')), ['fits'])
    assert.equal((await snapshots.list()).length, 1)
  } finally {
    await close()
    disk[Symbol.dispose]()
  }
})

test('a name is that of a folder on every system', () => {
  for (const name of ['a', 'A-1_b.c', '0', 'x'.repeat(64)]) assert.equal(isSnapshotName(name), true, name)
  for (const name of ['', '.', '..', '.a', '-a', 'a/b', 'a\\b', 'a b', 'a\n', 'é', 'x'.repeat(65)])
    assert.equal(isSnapshotName(name), false, name)
})

test('a manifest of another format, or with other members, is rejected', () => {
  const valid = {
    format: 1,
    name: 'a',
    saved_at: '2026-03-01T12:00:00.000Z',
    clock: { now: '2026-03-01T12:00:00.000Z', frozen: false, adjusted: false },
    last_id: '1',
    bytes: 1,
  }
  assert.deepEqual(readManifest(JSON.stringify(valid)), valid)
  for (const change of [
    { format: 2 },
    { name: 1 },
    { saved_at: 'yesterday' },
    { clock: { ...valid.clock, now: '2026-99-01T12:00:00.000Z' } },
    { clock: undefined },
    { last_id: "'" },
    { bytes: -1 },
  ])
    assert.equal(readManifest(JSON.stringify({ ...valid, ...change })), undefined, JSON.stringify(change))
  for (const text of ['', 'null', '[]', '"a"']) assert.equal(readManifest(text), undefined)
})
