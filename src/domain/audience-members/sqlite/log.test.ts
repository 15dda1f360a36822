import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Durability } from './log.ts'
import { BatchLog, durabilityOfRemovals, openDatabase } from './log.ts'

const folder = mkdtempSync(join(tmpdir(), 'plaza-log-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const batch = { acceptedAt: 1, keys: 1, data: Buffer.from('batch') }
const whose = { account: 'a', audience: 'one' }

/** What SQLite is asked to wait for: 0 nothing, 1 the disk when it moves its write-ahead log, 2 the disk at each commit. */
function waitsFor(durability: Durability): unknown {
  const db = openDatabase(join(folder, `${durability}.db`), { durability })
  const { synchronous } = db.prepare('PRAGMA synchronous').get() ?? {}
  db.close()
  return synchronous
}

test('a durable writer waits for the disk before it checkpoints the writes of others', () => {
  assert.equal(waitsFor('FULL'), 2)
  assert.equal(waitsFor(durabilityOfRemovals('FULL')), 1)
  assert.equal(waitsFor(durabilityOfRemovals('OFF')), 0)
})

test('new batches get numbers behind those that were merged, also in a new log', () => {
  const log = new BatchLog(join(folder, 'new.db'), 'OFF')
  log.continueAfter(7)
  log.add(whose, batch)
  log.continueAfter(3)
  log.add(whose, batch)
  assert.deepEqual(
    log.next(0, 10).map(({ seq }) => seq),
    [8, 9],
  )
  log.close()
})

test('tells the oldest time behind a batch, whatever their order', () => {
  const log = new BatchLog(join(folder, 'oldest.db'), 'OFF')
  for (const acceptedAt of [1, 9, 5, 7]) log.add(whose, { ...batch, acceptedAt })
  assert.deepEqual([log.oldest(0), log.oldest(1), log.oldest(3), log.oldest(4)], [1, 5, 7, null])
  log.close()
})
