import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { StoreUnavailable } from '../../../platform/storage/store.ts'
import { Merges } from '../merges.ts'
import { BatchWriter, UPDATE } from '../packed.ts'
import { findAudience } from '../queries.ts'
import { readStates } from '../reads.ts'
import {
  type Durability,
  durabilityOfRemovals,
  type MemberFiles,
  openFile,
  openReader,
  SqliteDatabase,
} from './database.ts'

const NOW = 1_800_000_000_000
const DAY_MS = 86_400_000
const LIMITS = { keys: 1_000, batches: 10, rows: 10 }

let folder = ''
let files: MemberFiles
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plaza-members-'))
  files = { log: join(folder, 'log.db'), members: join(folder, 'members.db'), durability: 'FULL' }
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/**
 * What SQLite waits for: 0 nothing, 1 the disk when it moves its write-ahead log, 2 the disk at
 * each commit.
 */
function waitsFor(durability: Durability): unknown {
  const db = openFile('log', join(folder, `${durability}.db`), durability)
  const { synchronous } = db.prepare('PRAGMA synchronous').get() ?? {}
  db.close()
  return synchronous
}

test('a durable writer waits for the disk before it checkpoints the writes of others', () => {
  assert.equal(waitsFor('FULL'), 2)
  assert.equal(waitsFor(durabilityOfRemovals('FULL')), 1)
  assert.equal(waitsFor(durabilityOfRemovals('OFF')), 0)
})

/** A batch that makes a member with one key. */
function batchOf(key: string): Buffer {
  const writer = new BatchWriter(0)
  writer.operation(UPDATE, 0, (NOW + DAY_MS) / 1000)
  writer.user()
  writer.key(0, Buffer.from(key).toString('hex').padEnd(64, '0'))
  return writer.finish()
}

/** Adds batches to the log; without data, an order to forget the audience. */
function add(...batches: (Buffer | null)[]): void {
  const log = openFile('log', files.log, 'FULL')
  const insert = log.prepare(
    "INSERT INTO membership_log (account, audience, accepted_at, keys, bytes, data) VALUES ('a', 'one', ?, 1, 1, ?)",
  )
  for (const data of batches) insert.run(NOW, data)
  log.close()
}

/**
 * A process that is killed when it has committed a merge, and not yet removed what it merged from
 * the log.
 */
class KilledAfterCommit extends SqliteDatabase {
  override async removeMerged(): Promise<void> {
    throw new StoreUnavailable('killed')
  }
}

async function killedAfterCommit(): Promise<void> {
  const database = new KilledAfterCommit(files)
  await assert.rejects(new Merges(database, LIMITS).merge({ until: NOW, now: NOW }), /killed/)
  database.close()
}

async function mergeAndMaintain(): Promise<void> {
  const database = new SqliteDatabase(files)
  const merges = new Merges(database, LIMITS)
  while ((await merges.merge({ until: NOW, now: NOW })).more);
  while ((await merges.maintain(NOW)).more);
  database.close()
}

async function state() {
  const reader = openReader(files)
  const states = await readStates(reader, ['one'], NOW)
  reader.close()
  return states.get('one')
}

test('what a killed process merged is not merged again, and waits no longer', async () => {
  add(batchOf('a'))
  await killedAfterCommit()
  assert.deepEqual(await state(), { processing: true, size: 1 })
  const log = openFile('log', files.log, 'FULL')
  log.prepare('UPDATE membership_log SET data = ?').run(batchOf('b'))
  log.close()
  await mergeAndMaintain()
  assert.deepEqual(await state(), { processing: false, size: 1 })
})

test('what a killed process merged does not come back when its audience was deleted', async () => {
  add(batchOf('a'))
  await killedAfterCommit()
  add(null)
  await killedAfterCommit()
  await mergeAndMaintain()
  assert.deepEqual(await state(), { processing: true, size: 0 })
  await mergeAndMaintain()
  assert.deepEqual(await state(), { processing: true, size: 0 })
  add(batchOf('b'))
  await mergeAndMaintain()
  assert.deepEqual(await state(), { processing: false, size: 1 })
})

test('an audience is not deleted before what was merged of it is removed from the log', async () => {
  add(batchOf('a'), null)
  await killedAfterCommit()
  const database = new KilledAfterCommit(files)
  await assert.rejects(new Merges(database, LIMITS).maintain(NOW), /killed/)
  assert.deepEqual(await database.first(findAudience, { audience: 'one' }), { audience: 'one' })
  database.close()
})
