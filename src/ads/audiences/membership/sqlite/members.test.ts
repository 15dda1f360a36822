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
import { MembersDatabase } from './members.ts'

// What members come to does not depend on when their records grow old, and on when expired ones are dropped.

const folder = mkdtempSync(join(tmpdir(), 'plaza-members-'))
const file = join(folder, 'members.db')
const members = new MembersDatabase(file, 'OFF')
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

/** Merges operations that were accepted at a second. */
async function merge(id: string, operations: readonly Operation[], now: number): Promise<void> {
  const writer = new BatchWriter(0)
  for (const { remove, users, lasts } of operations) {
    writer.operation(remove ? DELETE : UPDATE, 0, now + lasts)
    for (const keys of users) {
      writer.user()
      for (const key of keys) writer.key(0, hashed(key))
    }
  }
  members.begin()
  const audience = members.audience(id, now)
  const table = members.table(audience)
  const spans = new Spans(audience.counted_at)
  await mergeBatches([{ data: writer.finish(), acceptedAt: now }], table, spans)
  table.keep(spans)
  members.commit()
}

const age = (id: string) => {
  const audience = members.find(id)
  if (audience) while (members.age(audience));
}

/** Records that are stored of an audience, in both areas. */
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

test('is the same whenever records grow old and expired ones are dropped', async () => {
  const key = fc.integer({ min: 0, max: 9 }).map((n) => `k${n}`)
  const operation = fc.record({
    remove: fc.boolean(),
    users: fc.array(fc.uniqueArray(key, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }),
    lasts: fc.constantFrom(1, DAY, 10 * DAY),
  })
  const step = fc.record({
    operations: fc.array(operation, { minLength: 1, maxLength: 4 }),
    ages: fc.boolean(),
    days: fc.constantFrom(0, 0, 1, 2),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const [plain, tended] = [next(), next()]
      let now = 1_800_000_000
      for (const { operations, ages, days } of steps) {
        await merge(plain, operations, now)
        await merge(tended, operations, now)
        if (ages) age(tended)
        now += days * DAY
        if (days > 0) while (members.upkeep(now));
        assert.equal(members.sizeAt(tended, now), members.sizeAt(plain, now))
      }
    }),
    { numRuns: 200 },
  )
})

test('who has expired is dropped a day later, with every key', async () => {
  const id = next()
  const now = 1_900_000_000
  const users = Array.from({ length: 2_000 }, (_, n) => (n % 2 === 0 ? [`s${n}`] : [`a${n}`, `b${n}`]))
  await merge(id, [{ remove: false, users, lasts: DAY }], now)
  await merge(id, [{ remove: false, users: users.slice(0, 100), lasts: 30 * DAY }], now)
  assert.equal(recordsOf(id), 3_000)
  while (members.upkeep(now + 2 * DAY));
  assert.equal(members.sizeAt(id, now + 2 * DAY), 100)
  assert.deepEqual([recordsOf(id), peopleOf(id)], [150, 50])
})

test('a key that was removed is stored nowhere once its record grew old', async () => {
  const id = next()
  const now = 1_950_000_000
  const users = Array.from({ length: 3_000 }, (_, n) => [`k${n}`])
  await merge(id, [{ remove: false, users, lasts: DAY }], now)
  age(id)
  await merge(id, [{ remove: true, users: users.slice(1), lasts: DAY }], now)
  assert.equal(members.sizeAt(id, now), 1)
  age(id)
  assert.equal(recordsOf(id), 1)
})

test('a forgotten audience leaves nothing', async () => {
  const id = next()
  const now = 1_960_000_000
  const users = Array.from({ length: 1_000 }, (_, n) => [`a${n}`, `b${n}`])
  await merge(id, [{ remove: false, users, lasts: DAY }], now)
  const number = Number(members.find(id)?.number)
  age(id)
  await merge(id, [{ remove: false, users: users.slice(500), lasts: 2 * DAY }], now)
  members.forget(id)
  while (members.upkeep(now));
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

test('keys that somebody made alike are told apart', async () => {
  const id = next()
  const writer = new BatchWriter(0)
  writer.operation(UPDATE, 0, 2_000_000_000)
  for (let n = 0; n < 6_000; n++) {
    writer.user()
    writer.key(0, n.toString(16).padStart(64, '0'))
  }
  members.begin()
  const audience = members.audience(id, 1)
  const table = members.table(audience)
  const spans = new Spans(audience.counted_at)
  await mergeBatches([{ data: writer.finish(), acceptedAt: 1 }], table, spans)
  table.keep(spans)
  members.commit()
  assert.equal(members.sizeAt(id, 1), 6_000)
  assert.equal(recordsOf(id), 6_000)
})
