import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Changes, type MemberTable, mergeBatches, type PersonRow, type StoredKeys } from './merge.ts'
import { BatchWriter, DELETE, KEY_BYTES, UPDATE } from './packed.ts'
import { Spans } from './spans.ts'

const NOW = 1_800_000_000

/** Members in memory, and how many keys of users were asked for at once. */
class Table implements MemberTable {
  readonly keys = new Map<string, [number, number]>()
  readonly persons = new Map<number, PersonRow>()
  size = 0
  mostKeys = 0
  #asked = 0
  #nextPerson = 1

  load(keys: Buffer, count: number, stored: StoredKeys): void {
    this.#asked = 0
    for (let place = 0; place < count; place++)
      stored.put(place, ...(this.keys.get(textAt(keys, place)) ?? [0, 0]))
  }

  people(ids: readonly number[]): PersonRow[] {
    const found = ids.flatMap((id) => this.persons.get(id) ?? [])
    for (const { keys } of found) this.#asked += keys.length / KEY_BYTES
    this.mostKeys = Math.max(this.mostKeys, this.#asked)
    return found
  }

  save({ keys, places, stored, people, gone }: Changes): void {
    for (const id of gone) this.persons.delete(id)
    for (const person of people)
      this.persons.set(person.id, { ...person, keys: Uint8Array.from(person.keys) })
    for (const place of places) {
      const [first, second] = stored.timesAt(place)
      if (first === 0 && second === 0) this.keys.delete(textAt(keys, place))
      else this.keys.set(textAt(keys, place), [first, second])
    }
  }

  newPeople(count: number): number {
    this.#nextPerson += count
    return this.#nextPerson - count
  }

  /**
   * Merges users, all in one batch. Each list of keys is a user; `remove` is about those who have
   * one of them.
   */
  async merge(users: readonly { keys: readonly string[]; remove?: boolean }[], maxMetKeys?: number) {
    const writer = new BatchWriter(0)
    for (const { keys, remove } of users) {
      writer.operation(remove ? DELETE : UPDATE, 0, NOW + 1000)
      writer.user()
      for (const key of keys) writer.key(0, hashed(key))
    }
    const spans = new Spans(NOW)
    await mergeBatches([{ data: writer.finish(), acceptedAt: NOW }], this, spans, maxMetKeys)
    this.size += spans.now
  }

  /** Everybody, by their keys. */
  members(): string[][] {
    const linked = [...this.persons.values()].map(({ keys }) =>
      Array.from({ length: keys.length / KEY_BYTES }, (_, n) => textAt(Buffer.from(keys), n)).sort(),
    )
    const alone = [...this.keys].filter(([, [, expires]]) => expires > 0).map(([key]) => [key])
    return [...linked, ...alone].sort()
  }
}

const hashed = (key: string) => createHash('sha256').update(key).digest('hex')
const textAt = (keys: Buffer, place: number) =>
  keys.subarray(place * KEY_BYTES, (place + 1) * KEY_BYTES).toString('hex')
const user = (...keys: string[]) => ({ keys })

test('comes to the same however few keys of others it may have in memory', async () => {
  const sent = fc.record({
    keys: fc.uniqueArray(
      fc.integer({ min: 0, max: 30 }).map((n) => `k${n}`),
      { minLength: 1, maxLength: 4 },
    ),
    remove: fc.constantFrom(false, false, true),
  })
  const batches = fc.array(fc.array(sent, { minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(batches, fc.integer({ min: 1, max: 3_000 }), async (all, maxMetKeys) => {
      const [whole, parts] = [new Table(), new Table()]
      for (const users of all) {
        await whole.merge(users)
        await parts.merge(users, maxMetKeys)
        assert.deepEqual(parts.members(), whole.members())
        assert.equal(parts.size, parts.members().length)
        assert.equal(whole.size, parts.size)
      }
    }),
    { numRuns: 200 },
  )
})

test('never has more keys of persons in memory than meant, however many a batch names', async () => {
  const table = new Table()
  const persons = Array.from({ length: 60 }, (_, n) => Array.from({ length: 900 }, (_, key) => `${n}.${key}`))
  await table.merge(persons.map((keys) => user(...keys)))
  await table.merge(
    persons.map(([first = '']) => user(first, `${first} too`)),
    5_000,
  )
  assert.ok(table.mostKeys <= 5_000 + 2 * 60, `${table.mostKeys} keys`)
  assert.equal(table.size, 60)
  assert.deepEqual(new Set(table.members().map((keys) => keys.length)), new Set([901]))
})

test('a key of which another person is stored is not that of who once had it', async () => {
  const table = new Table()
  await table.merge([user('a', 'b'), user('c')])
  const [person] = table.persons.values()
  assert.ok(person)
  // What no merge leaves behind: a row that names a key which leads elsewhere.
  const c = Buffer.from(`${hashed('c')}00`, 'hex')
  table.persons.set(person.id, { ...person, keys: Buffer.concat([person.keys, c]) })
  await table.merge([{ keys: ['a'], remove: true }, user('c', 'd')])
  assert.deepEqual(
    table.members().map((keys) => keys.length),
    [2],
  )
  assert.equal(table.size, 1)
})

test('a damaged batch is told, and asks for no memory', async () => {
  for (const damage of [
    (bytes: Buffer) => bytes.writeUInt8(9, 0),
    (bytes: Buffer) => bytes.writeUInt32BE(0xffffffff, 9),
    (bytes: Buffer) => bytes.writeUInt32BE(0x00ffffff, 5),
  ]) {
    const writer = new BatchWriter(0)
    writer.operation(UPDATE, 0, NOW + 1000)
    writer.user()
    writer.key(0, hashed('a'))
    const data = Buffer.from(writer.finish())
    damage(data)
    const merging = mergeBatches([{ data, acceptedAt: NOW }], new Table(), new Spans(NOW))
    await assert.rejects(merging, /a stored batch/)
  }
})
