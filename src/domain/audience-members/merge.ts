import { Arrays } from './arrays.ts'
import { compareKeys, DELETE, KEY_BYTES, MAX_KEYS_OF_PERSON, release, sizesOf, visitBatch } from './packed.ts'
import { type SortedKeys, sortedKeys } from './sort.ts'
import type { Spans } from './spans.ts'

/**
 * What is stored for a key: nothing, a user with only this key, or one of several keys of a user.
 */
export const ABSENT = 0
const SINGLE = 1
const LINKED = 2

/** What is stored for some keys, by their index. */
export class StoredKeys {
  readonly kind: Uint8Array
  /** SINGLE: when it begins to count. LINKED: the id of the user. */
  readonly effective: Float64Array
  readonly expires: Float64Array

  constructor(count: number, arrays: Arrays) {
    this.kind = arrays.flags(count)
    this.effective = arrays.times(count)
    this.expires = arrays.times(count)
  }

  /** The id of the user of a LINKED key. */
  personAt(place: number): number {
    return this.effective[place] as number
  }

  /**
   * The stored form, two numbers: the times, or the id of a user and zero, or two zeros for
   * nothing.
   */
  timesAt(place: number): [first: number, second: number] {
    return [this.effective[place] as number, this.expires[place] as number]
  }

  put(place: number, first: number, second: number): void {
    this.kind[place] = second > 0 ? SINGLE : first > 0 ? LINKED : ABSENT
    this.effective[place] = first
    this.expires[place] = second
  }
}

/** A user with several keys. */
export interface PersonRow {
  id: number
  effective: number
  expires: number
  /** Concatenated. */
  keys: Uint8Array
}

/** The changes that a merge makes to one audience. */
export interface Changes {
  /** Keys, concatenated. */
  keys: Buffer
  /** The indexes of the keys that change, sorted by key. */
  places: Uint32Array
  /** What to store for the keys, by index. */
  stored: StoredKeys
  /** New and changed users with several keys: made one by one, because a merge may have many. */
  people: Iterable<PersonRow>
  /** Ids of removed users. */
  gone: number[]
}

/** The members of one audience, as a merge reads and writes them: many at a time, sorted by key. */
export interface MemberTable {
  /** Fills in what is stored for sorted keys. */
  load(keys: Buffer, count: number, stored: StoredKeys): void | Promise<void>
  people(ids: readonly number[]): PersonRow[] | Promise<PersonRow[]>
  save(changes: Changes): void | Promise<void>
  /** Allocates consecutive ids for users, and returns the first. */
  newPeople(count: number): number
}

/**
 * A waiting batch, with the second in which it was accepted. Ownership is transferred: its memory
 * is freed after reading.
 */
export interface WaitingBatch {
  data: Buffer
  acceptedAt: number
}

/**
 * Maximum keys of stored users that a merge loads in addition to its own. A single user may exceed
 * it.
 */
const MAX_MET_KEYS = 500_000

/**
 * Merges waiting batches into the members of an audience, with the same result as applying the
 * operations one by one in order. All keys that they name are loaded first, changed in memory and
 * written back once. Both happen in key order, which is the only fast way to read and write many
 * keys. If the users have more keys than may be in memory, they are divided into parts, which are
 * merged one after another.
 */
export async function mergeBatches(
  batches: readonly WaitingBatch[],
  table: MemberTable,
  spans: Spans,
  maxMetKeys = MAX_MET_KEYS,
): Promise<void> {
  const arrays = new Arrays()
  try {
    await mergeRun(Run.of(batches, arrays), { table, spans, maxMetKeys })
  } finally {
    arrays.release()
  }
}

interface Merging {
  table: MemberTable
  spans: Spans
  maxMetKeys: number
}

async function mergeRun(run: Run, merging: Merging): Promise<void> {
  const parts = await mergeOrSplit(run, merging)
  for (const [from, end] of parts) await mergeRun(run.part(from, end), merging)
}

/** Merges a run, or returns the parts into which it must be divided, as ranges of users. */
async function mergeOrSplit(run: Run, { table, spans, maxMetKeys }: Merging): Promise<[number, number][]> {
  const arrays = new Arrays()
  try {
    const stored = new StoredKeys(run.count, arrays)
    await table.load(run.keys, run.count, stored)
    const maxKeys = run.users > 1 ? maxMetKeys + run.count : Number.MAX_SAFE_INTEGER
    const { people, share } = await peopleOf(stored, table, maxKeys)
    if (share < 1) return partsOf(run.users, share)
    const members = new Members(run, { stored, people, arrays })
    run.play(members)
    await table.save(members.changes(table, spans))
    return []
  } finally {
    arrays.release()
  }
}

/**
 * The stored users with several keys. If they do not all fit in memory, `share` is the part that
 * does.
 */
async function peopleOf(
  stored: StoredKeys,
  table: MemberTable,
  maxKeys: number,
): Promise<{ people: PersonRow[]; share: number }> {
  const linked = new Set<number>()
  for (let place = 0; place < stored.kind.length; place++)
    if (stored.kind[place] === LINKED) linked.add(stored.personAt(place))
  const ids = [...linked].sort((a, b) => a - b)
  const people: PersonRow[] = []
  let [asked, keys] = [0, 0]
  while (asked < ids.length) {
    const room = Math.floor((maxKeys - keys) / MAX_KEYS_OF_PERSON)
    if (room < 1 && asked > 0) return { people: [], share: asked / ids.length }
    const some = ids.slice(asked, asked + Math.max(1, room))
    for (const person of await table.people(some)) {
      people.push(person)
      keys += person.keys.length / KEY_BYTES
    }
    asked += some.length
  }
  return { people, share: 1 }
}

/** Divides users evenly, into parts a little smaller than the share that fits. */
function partsOf(users: number, share: number): [number, number][] {
  const size = Math.max(1, Math.floor(users * Math.min(share * 0.8, 0.5)))
  const parts = Math.ceil(users / size)
  return Array.from({ length: parts }, (_, n) => [n * size, Math.min((n + 1) * size, users)])
}

interface Operation {
  type: number
  effective: number
  expires: number
  /** The second in which it was accepted. */
  at: number
}

/** The operations for the uploaded users, in order. */
interface UploadedOperations {
  /** For each user: the index of its operation, and the end of its keys. */
  operationOf: Uint32Array
  ends: Uint32Array
  /** Equal consecutive operations share one entry: most uploads have thousands of equal ones. */
  operations: readonly Operation[]
}

/** The operations of some batches, with their keys sorted. */
class Run {
  /** The distinct keys, sorted and concatenated. */
  readonly keys: Buffer
  readonly count: number
  /** For each uploaded key, its index among the distinct keys. */
  readonly #places: Uint32Array
  readonly #sent: UploadedOperations

  constructor({ distinct, count, places }: SortedKeys, sent: UploadedOperations) {
    this.keys = distinct
    this.count = count
    this.#places = places
    this.#sent = sent
  }

  static of(batches: readonly WaitingBatch[], arrays: Arrays): Run {
    const sizes = { users: 0, keys: 0 }
    for (const { data } of batches) {
      const { users, keys } = sizesOf(data)
      sizes.users += users
      sizes.keys += keys
    }
    const keys = Buffer.allocUnsafeSlow(sizes.keys * KEY_BYTES)
    const sent = readBatches(batches, { users: sizes.users, keys }, arrays)
    const sorted = sortedKeys(keys, sizes.keys, arrays)
    release(keys)
    return new Run(sorted, sent)
  }

  get users(): number {
    return this.#sent.ends.length
  }

  /** The run of a range of users. */
  part(fromUser: number, endUser: number): Run {
    const { operationOf, ends, operations } = this.#sent
    const from = fromUser === 0 ? 0 : (ends[fromUser - 1] as number)
    const places = this.#places.slice(from, ends[endUser - 1])
    const isNamed = new Uint8Array(this.count)
    for (const place of places) isNamed[place] = 1
    const distinct = Buffer.allocUnsafeSlow(Math.min(this.count, places.length) * KEY_BYTES)
    const renumbered = new Uint32Array(this.count)
    let count = 0
    for (let place = 0; place < this.count; place++) {
      if (isNamed[place] === 0) continue
      this.keys.copy(distinct, count * KEY_BYTES, place * KEY_BYTES, (place + 1) * KEY_BYTES)
      renumbered[place] = count++
    }
    const own = places.map((place) => renumbered[place] as number)
    const sent = {
      operationOf: operationOf.subarray(fromUser, endUser),
      ends: ends.slice(fromUser, endUser).map((end) => end - from),
      operations,
    }
    return new Run({ distinct, count, places: own }, sent)
  }

  /** Applies all operations to the members, in order. */
  play(members: Members): void {
    const { operationOf, ends, operations } = this.#sent
    let from = 0
    for (let user = 0; user < ends.length; user++) {
      const end = ends[user] as number
      const operation = operations[operationOf[user] as number] as Operation
      if (operation.type === DELETE) members.remove(this.#places, from, end)
      else members.update(this.#places, from, end, operation)
      from = end
    }
  }
}

/** Reads batches and frees them. Their keys are appended to `keys`. */
function readBatches(
  batches: readonly WaitingBatch[],
  { users, keys: sent }: { users: number; keys: Buffer },
  arrays: Arrays,
): UploadedOperations {
  const [operationOf, ends] = [arrays.places(users), arrays.places(users)]
  const operations: Operation[] = []
  const begin = (operation: Operation) => {
    const last = operations.at(-1)
    if (!last || !isAlike(last, operation)) operations.push(operation)
  }
  let [user, key] = [0, 0]
  for (const { data, acceptedAt } of batches) {
    visitBatch(data, {
      operation: (type, effective, expires) => begin({ type, effective, expires, at: acceptedAt }),
      user: (batch, keysAt, keys) => {
        batch.copy(sent, key * KEY_BYTES, keysAt, keysAt + keys * KEY_BYTES)
        key += keys
        operationOf[user] = operations.length - 1
        ends[user++] = key
      },
    })
    release(data)
  }
  return { operationOf, ends, operations }
}

const isAlike = (one: Operation, other: Operation) =>
  one.type === other.type &&
  one.effective === other.effective &&
  one.expires === other.expires &&
  one.at === other.at

const NOBODY = -1

/**
 * The members of a merge. Each key refers to the representative key of its user; the keys of a user
 * form a ring. All of it is in typed arrays, because a merge may have a million keys.
 */
class Members {
  readonly #keys: Buffer
  readonly #stored: StoredKeys
  readonly #total: number
  /** The number of keys of the merge itself, which are sorted. Other keys of their users follow. */
  readonly #own: number
  readonly #person: Int32Array
  readonly #next: Int32Array
  /**
   * By representative key: the times of the user, the number of keys, the id or 0, and whether it
   * changed.
   */
  readonly #effective: Float64Array
  readonly #expires: Float64Array
  readonly #size: Uint32Array
  readonly #id: Float64Array
  readonly #changed: Uint8Array
  /** Users with several keys, as stored. */
  readonly #people: readonly PersonRow[]
  readonly #arrays: Arrays

  constructor(
    run: { keys: Buffer; count: number },
    { stored, people, arrays }: { stored: StoredKeys; people: readonly PersonRow[]; arrays: Arrays },
  ) {
    const met = placesOf(run, people, arrays)
    this.#arrays = arrays
    this.#own = run.count
    this.#total = met.total
    this.#keys = met.keys
    this.#people = people
    this.#person = arrays.links(this.#total).fill(NOBODY)
    this.#next = arrays.links(this.#total)
    this.#effective = arrays.times(this.#total)
    this.#expires = arrays.times(this.#total)
    this.#size = arrays.places(this.#total)
    this.#id = arrays.times(this.#total)
    this.#changed = arrays.flags(this.#total)
    this.#stored = this.#total === run.count ? stored : widened(stored, this.#total, arrays)
    for (let place = 0; place < run.count; place++)
      if (stored.kind[place] === SINGLE)
        this.#found(place, stored.effective[place] as number, stored.expires[place] as number)
    let from = 0
    for (const row of people) {
      const end = from + row.keys.length / KEY_BYTES
      this.#meet(row, met.places.subarray(from, end))
      from = end
    }
  }

  #meet(row: PersonRow, places: Uint32Array): void {
    let person = NOBODY
    for (const place of places) {
      if (!this.#leadsTo(place, row.id)) continue
      if (person !== NOBODY) this.#attach(place, person)
      else {
        this.#found(place, row.effective, row.expires)
        this.#id[place] = row.id
        person = place
      }
    }
  }

  /**
   * Whether a key belongs to a user. For the keys after those of the merge nothing was loaded:
   * their user's row is believed.
   */
  #leadsTo(place: number, id: number): boolean {
    const stored = this.#stored
    if (place >= this.#own && stored.kind[place] === ABSENT) stored.put(place, id, 0)
    return stored.kind[place] === LINKED && stored.personAt(place) === id
  }

  /** Adds a user with one key. */
  #found(place: number, effective: number, expires: number): void {
    this.#person[place] = place
    this.#next[place] = place
    this.#size[place] = 1
    this.#id[place] = 0
    this.#effective[place] = effective
    this.#expires[place] = expires
  }

  #attach(place: number, person: number): void {
    this.#person[place] = person
    this.#next[place] = this.#next[person] as number
    this.#next[person] = place
    this.#size[person] = (this.#size[person] as number) + 1
  }

  /** Removes a user by removing all keys. */
  #end(person: number): void {
    let place = person
    do {
      this.#person[place] = NOBODY
      place = this.#next[place] as number
    } while (place !== person)
  }

  /** Joins two users that turned out to be the same. */
  #join(one: number, other: number): number {
    const [large, small] =
      (this.#size[one] as number) >= (this.#size[other] as number) ? [one, other] : [other, one]
    let place = small
    do {
      this.#person[place] = large
      place = this.#next[place] as number
    } while (place !== small)
    const after = this.#next[large] as number
    this.#next[large] = this.#next[small] as number
    this.#next[small] = after
    this.#size[large] = (this.#size[large] as number) + (this.#size[small] as number)
    if (this.#id[large] === 0) this.#id[large] = this.#id[small] as number
    return large
  }

  /** Removes all users who have one of the keys. */
  remove(places: Uint32Array, from: number, end: number): void {
    for (let n = from; n < end; n++) {
      const person = this.#person[places[n] as number] as number
      if (person !== NOBODY) this.#end(person)
    }
  }

  /**
   * Makes one member of all users who have one of the keys, with all of these keys and the new
   * times.
   */
  update(places: Uint32Array, from: number, end: number, { effective, expires, at }: Operation): void {
    let person = NOBODY
    let added = 0
    for (let n = from; n < end; n++) {
      const known = this.#person[places[n] as number] as number
      if (known === NOBODY) added++
      else if (known === person) continue
      // Expired users are treated as absent.
      else if ((this.#expires[known] as number) <= at) {
        this.#end(known)
        added++
      } else person = person === NOBODY ? known : this.#join(person, known)
    }
    if (person !== NOBODY && (this.#size[person] as number) + added > MAX_KEYS_OF_PERSON) {
      // With too many keys, the user starts over with those of this operation.
      this.#end(person)
      person = NOBODY
    }
    for (let n = from; n < end; n++) {
      const place = places[n] as number
      if (this.#person[place] !== NOBODY) continue
      if (person === NOBODY) {
        this.#found(place, effective, expires)
        person = place
      } else this.#attach(place, person)
    }
    this.#effective[person] = effective
    this.#expires[person] = expires
    this.#changed[person] = 1
  }

  /** The changes to write. Overwrites what was loaded. */
  changes(table: Pick<MemberTable, 'newPeople'>, spans: Spans): Changes {
    const { people, gone } = this.#changedPeople(table, spans)
    const places = this.#arrays.places(this.#total)
    let changed = 0
    for (let place = 0; place < this.#total; place++)
      if (this.#updateStored(place, spans)) places[changed++] = place
    const listed = places.subarray(0, changed)
    if (this.#total > this.#own)
      listed.sort((a, b) => compareKeys(this.#keys, a * KEY_BYTES, this.#keys, b * KEY_BYTES))
    return { keys: this.#keys, places: listed, stored: this.#stored, people, gone }
  }

  /** Replaces what is stored for one key. Returns false if that does not change it. */
  #updateStored(place: number, spans: Spans): boolean {
    const stored = this.#stored
    const person = this.#person[place] as number
    const isAlone = person !== NOBODY && this.#size[person] === 1
    const first = person === NOBODY ? 0 : ((isAlone ? this.#effective : this.#id)[person] as number)
    const second = isAlone ? (this.#expires[person] as number) : 0
    if (stored.effective[place] === first && stored.expires[place] === second) return false
    if (stored.kind[place] === SINGLE) spans.add(...stored.timesAt(place), -1)
    stored.put(place, first, second)
    if (isAlone) spans.add(first, second, 1)
    return true
  }

  /** The users who now have several keys. Those who had several before keep their ids. */
  #changedPeople(table: Pick<MemberTable, 'newPeople'>, spans: Spans) {
    const changed: number[] = []
    const alive = new Set<number>()
    const nameless: number[] = []
    const rewritten = new Set<number>()
    for (let place = 0; place < this.#total; place++) {
      if (this.#person[place] !== place || (this.#size[place] as number) < 2) continue
      const id = this.#id[place] as number
      if (id !== 0) alive.add(id)
      if (this.#changed[place] !== 1) continue
      if (id === 0) nameless.push(place)
      else {
        rewritten.add(id)
        changed.push(place)
      }
    }
    let id = nameless.length === 0 ? 0 : table.newPeople(nameless.length)
    for (const place of nameless) {
      this.#id[place] = id++
      changed.push(place)
    }
    for (const place of changed)
      spans.add(this.#effective[place] as number, this.#expires[place] as number, 1)
    const gone: number[] = []
    for (const row of this.#people) {
      if (!alive.has(row.id)) gone.push(row.id)
      if (!alive.has(row.id) || rewritten.has(row.id)) spans.add(row.effective, row.expires, -1)
    }
    return { people: this.#rows(changed), gone }
  }

  *#rows(people: readonly number[]): Generator<PersonRow> {
    for (const person of people) yield this.#row(person)
  }

  #row(person: number): PersonRow {
    const keys = Buffer.allocUnsafe((this.#size[person] as number) * KEY_BYTES)
    let place = person
    let at = 0
    do {
      this.#keys.copy(keys, at, place * KEY_BYTES, (place + 1) * KEY_BYTES)
      at += KEY_BYTES
      place = this.#next[place] as number
    } while (place !== person)
    return {
      id: this.#id[person] as number,
      effective: this.#effective[person] as number,
      expires: this.#expires[person] as number,
      keys,
    }
  }
}

/**
 * The indexes of the keys of users, user by user. `keys` contains the keys of the merge and the
 * others.
 */
function placesOf(run: { keys: Buffer; count: number }, people: readonly PersonRow[], arrays: Arrays) {
  const length = people.reduce((sum, { keys }) => sum + keys.length / KEY_BYTES, 0)
  const places = arrays.places(length)
  const behind: { keys: Buffer; indexes: Uint32Array; count: number } = {
    keys: arrays.bytes(length * KEY_BYTES),
    indexes: arrays.places(length),
    count: 0,
  }
  let index = 0
  for (const { keys } of people)
    for (let at = 0; at < keys.length; at += KEY_BYTES) {
      const found = placeOf(run, keys, at)
      if (found !== undefined) places[index] = found
      else {
        behind.keys.set(keys.subarray(at, at + KEY_BYTES), behind.count * KEY_BYTES)
        behind.indexes[behind.count++] = index
      }
      index++
    }
  if (behind.count === 0) return { places, total: run.count, keys: run.keys }
  const sorted = sortedKeys(behind.keys, behind.count, arrays)
  for (let n = 0; n < behind.count; n++)
    places[behind.indexes[n] as number] = run.count + (sorted.places[n] as number)
  const total = run.count + sorted.count
  const keys = arrays.bytes(total * KEY_BYTES)
  run.keys.copy(keys)
  sorted.distinct.copy(keys, run.count * KEY_BYTES)
  return { places, total, keys }
}

/** The index of a key among sorted ones. */
function placeOf({ keys, count }: { keys: Buffer; count: number }, key: Uint8Array, at: number) {
  let low = 0
  let high = count - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const order = compareKeys(keys, middle * KEY_BYTES, key, at)
    if (order === 0) return middle
    if (order < 0) low = middle + 1
    else high = middle - 1
  }
  return undefined
}

function widened(stored: StoredKeys, total: number, arrays: Arrays): StoredKeys {
  const wide = new StoredKeys(total, arrays)
  wide.kind.set(stored.kind)
  wide.effective.set(stored.effective)
  wide.expires.set(stored.expires)
  return wide
}
