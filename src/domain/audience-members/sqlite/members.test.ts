import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { mergeBatches } from '../merge.ts'
import { BatchWriter, DELETE, UPDATE } from '../packed.ts'
import { Spans } from '../spans.ts'
import { KeyFilters } from './filter.ts'
import { MembersDatabase } from './members.ts'

// What members come to does not depend on when their records are compacted, and on when expired ones are dropped.

const folder = mkdtempSync(join(tmpdir(), 'plaza-members-'))
const file = join(folder, 'members.db')
const members = new MembersDatabase(file, 'OFF', { compactedLeast: 0 })
const rows = new DatabaseSync(file, { readOnly: true })
after(() => {
  members.close()
  rows.close()
  rmSync(folder, { recursive: true, force: true })
})

const DAY = 86_400
const hashed = (key: string) => createHash('sha256').update(key).digest('hex')

interface Operation {
  remove: boolean
  users: string[][]
  /** Seconds. */
  lasts: number
}

/** A batch of operations that were accepted at a second. */
function batchOf(operations: readonly Operation[], now: number): Buffer {
  const writer = new BatchWriter(0)
  for (const { remove, users, lasts } of operations) {
    writer.operation(remove ? DELETE : UPDATE, 0, now + lasts)
    for (const keys of users) {
      writer.user()
      for (const key of keys) writer.key(0, hashed(key))
    }
  }
  return writer.finish()
}

/** Merges a batch inside a transaction. */
async function mergeInto(db: MembersDatabase, id: string, data: Buffer, now: number): Promise<void> {
  const audience = db.audience(id, now)
  const table = db.table(audience)
  const spans = new Spans(audience.counted_at)
  await mergeBatches([{ data, acceptedAt: now }], table, spans)
  table.keep(spans, now)
}

/** Merges operations that were accepted at a second. */
async function merge(id: string, operations: readonly Operation[], now: number): Promise<void> {
  members.begin()
  await mergeInto(members, id, batchOf(operations, now), now)
  members.commit()
}

const sizeAt = (id: string, now: number) => members.stateAt(id, now)?.size

/** Does all that is due. Nothing waits. */
function maintain(db: MembersDatabase, now: number): void {
  const troubles: Error[] = []
  while (db.maintain(now, () => undefined, troubles));
  assert.deepEqual(troubles, [])
}

const compact = (id: string) => {
  while (members.compact(id));
}

/** Records that are stored of an audience, in both levels. */
function recordsOf(id: string): number {
  const number = members.find(id)?.number ?? 0
  const row = rows
    .prepare('SELECT coalesce(sum(length(data)), 0) AS bytes FROM chunks WHERE area IN (?, ?)')
    .get(number * 2, number * 2 + 1)
  return Number(row?.bytes) / 43
}

function peopleOf(id: string): number {
  const number = members.find(id)?.number ?? 0
  return Number(rows.prepare('SELECT count(*) AS total FROM people WHERE audience = ?').get(number)?.total)
}

let audiences = 0
const next = () => `audience${audiences++}`

test('is the same whenever records are compacted and expired ones are dropped', async () => {
  const key = fc.integer({ min: 0, max: 9 }).map((n) => `k${n}`)
  const operation = fc.record({
    remove: fc.boolean(),
    users: fc.array(fc.uniqueArray(key, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }),
    lasts: fc.constantFrom(1, DAY, 10 * DAY),
  })
  const step = fc.record({
    operations: fc.array(operation, { minLength: 1, maxLength: 4 }),
    compacts: fc.boolean(),
    days: fc.constantFrom(0, 0, 1, 2),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const [plain, tended] = [next(), next()]
      let now = 1_800_000_000
      for (const { operations, compacts, days } of steps) {
        await merge(plain, operations, now)
        await merge(tended, operations, now)
        if (compacts) compact(tended)
        now += days * DAY
        if (days > 0) maintain(members, now)
        assert.equal(sizeAt(tended, now), sizeAt(plain, now))
      }
    }),
    { numRuns: 200 },
  )
})

test('an expired member is removed a day later, with every key', async () => {
  const id = next()
  const now = 1_900_000_000
  const users = Array.from({ length: 2_000 }, (_, n) => (n % 2 === 0 ? [`s${n}`] : [`a${n}`, `b${n}`]))
  await merge(id, [{ remove: false, users, lasts: DAY }], now)
  await merge(id, [{ remove: false, users: users.slice(0, 100), lasts: 30 * DAY }], now)
  assert.equal(recordsOf(id), 3_000)
  maintain(members, now + 2 * DAY)
  assert.equal(sizeAt(id, now + 2 * DAY), 100)
  assert.deepEqual([recordsOf(id), peopleOf(id)], [150, 50])
  assert.deepEqual([members.find(id)?.old, members.find(id)?.young], [150, 0])
})

test('members who had already expired when they were merged are removed too', async () => {
  const id = next()
  const now = 1_920_000_000
  await merge(id, [{ remove: false, users: [['a'], ['b', 'c']], lasts: -9 * DAY }], now)
  assert.deepEqual([sizeAt(id, now), recordsOf(id), peopleOf(id)], [0, 3, 1])
  maintain(members, now + 2 * DAY)
  assert.deepEqual([recordsOf(id), peopleOf(id)], [0, 0])
})

test('a member who expires during a sweep is removed by the next sweep', async () => {
  const id = next()
  const now = 1_930_000_000
  await merge(id, [{ remove: false, users: [['a'], ['b', 'c']], lasts: DAY }], now)
  await merge(id, [{ remove: false, users: [['d'], ['e', 'f']], lasts: 1.5 * DAY }], now)
  maintain(members, now + 2 * DAY)
  assert.deepEqual([recordsOf(id), peopleOf(id)], [3, 1])
  maintain(members, now + 3 * DAY)
  assert.deepEqual([recordsOf(id), peopleOf(id)], [0, 0])
})

test('a key that was removed is stored nowhere once its record was compacted', async () => {
  const id = next()
  const now = 1_950_000_000
  const users = Array.from({ length: 3_000 }, (_, n) => [`k${n}`])
  await merge(id, [{ remove: false, users, lasts: DAY }], now)
  compact(id)
  await merge(id, [{ remove: true, users: users.slice(1), lasts: DAY }], now)
  assert.equal(sizeAt(id, now), 1)
  compact(id)
  assert.equal(recordsOf(id), 1)
})

test('a file that another version made is refused', () => {
  const path = join(folder, 'other-version.db')
  const db = new DatabaseSync(path)
  db.exec('PRAGMA user_version = 1')
  db.close()
  assert.throws(() => new MembersDatabase(path, 'OFF'), /made by another version/)
})

test('a forgotten audience leaves nothing', async () => {
  const id = next()
  const now = 1_960_000_000
  const users = Array.from({ length: 1_000 }, (_, n) => [`a${n}`, `b${n}`])
  await merge(id, [{ remove: false, users, lasts: DAY }], now)
  const number = Number(members.find(id)?.number)
  compact(id)
  await merge(id, [{ remove: false, users: users.slice(500), lasts: 2 * DAY }], now)
  members.forget(id)
  maintain(members, now)
  assert.equal(members.find(id), undefined)
  const left = (table: string, column: string, values: number[]) =>
    values.map(
      (value) => rows.prepare(`SELECT count(*) AS n FROM ${table} WHERE ${column} = ?`).get(value)?.n,
    )
  assert.deepEqual(
    [left('chunks', 'area', [number * 2, number * 2 + 1]), left('people', 'audience', [number])].flat(),
    [0, 0, 0],
  )
})

test('keys made to collide are distinguished', async () => {
  const id = next()
  const writer = new BatchWriter(0)
  writer.operation(UPDATE, 0, 2_000_000_000)
  for (let n = 0; n < 6_000; n++) {
    writer.user()
    writer.key(0, n.toString(16).padStart(64, '0'))
  }
  members.begin()
  await mergeInto(members, id, writer.finish(), 1)
  members.commit()
  assert.equal(sizeAt(id, 1), 6_000)
  assert.equal(recordsOf(id), 6_000)
})

/** A database of its own, with so much memory for filters. `stored` is the hash of everything that it holds. */
function filtered(name: string, bytes: number) {
  const path = join(folder, name)
  let filters = new KeyFilters(bytes)
  const open = () => new MembersDatabase(path, 'OFF', { filters, compactedLeast: 0 })
  const one = {
    db: open(),
    filterBytes: () => filters.bytes,
    restart() {
      one.db.close()
      filters = new KeyFilters(bytes)
      one.db = open()
    },
    stored() {
      const db = new DatabaseSync(path, { readOnly: true })
      const digest = createHash('sha256')
      for (const table of ['audiences', 'people', 'changes', 'chunks'])
        for (const row of db.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).iterate())
          for (const value of Object.values(row))
            digest.update(value instanceof Uint8Array ? value : `${value};`)
      db.close()
      return digest.digest('hex')
    },
  }
  return one
}

test('stores the same, byte for byte, whatever memory it has for filters', async () => {
  const users = fc.record({
    from: fc.integer({ min: 0, max: 3_000 }),
    total: fc.constantFrom(1, 30, 1_200),
    keysEach: fc.constantFrom(1, 1, 2),
  })
  const step = fc.record({
    users,
    remove: fc.boolean(),
    lasts: fc.constantFrom(1, DAY, 10 * DAY),
    id: fc.constantFrom('one', 'one', 'one', 'two'),
    event: fc.constantFrom(
      'compact',
      'compact',
      'compact',
      'nothing',
      'roll back',
      'restart',
      'days',
      'forget',
    ),
  })
  let anyFilter = false
  let runs = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
      const run = runs++
      const without = filtered(`without${run}`, 0)
      const all = [without, filtered(`little${run}`, 4_096), filtered(`enough${run}`, 1_048_576)]
      let now = 1_800_000_000
      for (const { users, remove, lasts, id, event } of steps) {
        const named = Array.from({ length: users.total }, (_, n) =>
          Array.from({ length: users.keysEach }, (_, key) => `k${users.from + n * users.keysEach + key}`),
        )
        const batch = batchOf([{ remove, users: named, lasts }], now)
        if (event === 'days') now += 2 * DAY
        for (const one of all) {
          one.db.begin()
          await mergeInto(one.db, id, Buffer.from(Uint8Array.from(batch).buffer), now)
          if (event === 'roll back') one.db.rollback()
          else one.db.commit()
          if (event === 'compact') while (one.db.compact(id));
          if (event === 'restart') one.restart()
          if (event === 'forget') one.db.forget(id)
          if (event === 'forget' || event === 'days') maintain(one.db, now)
          anyFilter ||= one.filterBytes() > 0
          assert.ok(one.filterBytes() <= 1_048_576)
          assert.equal(one.stored(), without.stored())
        }
      }
      for (const { db } of all) db.close()
    }),
    { numRuns: 12 },
  )
  assert.ok(anyFilter)
})
