import { Arrays } from './arrays.ts'
import { compareKeys, DELETE, KEY_BYTES, MAX_KEYS_OF_PERSON, release, sizesOf, visitBatch } from './packed.ts'
import { sortedKeys } from './sort.ts'
import type { Spans } from './spans.ts'

/** What is stored of a key: nothing, a person who has this key alone, or one of several keys of a person. */
export const ABSENT = 0
const SINGLE = 1
export const LINKED = 2

/** What is stored of some keys, by their place among them. */
export class StoredKeys {
  readonly kind: Uint8Array
  /** Of a SINGLE: from when it counts; of a LINKED: the id of the person. */
  readonly effective: Float64Array
  readonly expires: Float64Array

  constructor(count: number, arrays: Arrays) {
    this.kind = arrays.flags(count)
    this.effective = arrays.times(count)
    this.expires = arrays.times(count)
  }

  /** The stored keys of a person with several. */
  personAt(place: number): number {
    return this.effective[place] as number
  }

  /** What is stored in two numbers: times, or the id of a person and zero, or two zeros for nothing. */
  timesAt(place: number): [first: number, second: number] {
    return [this.effective[place] as number, this.expires[place] as number]
  }

  put(place: number, first: number, second: number): void {
    this.kind[place] = second > 0 ? SINGLE : first > 0 ? LINKED : ABSENT
    this.effective[place] = first
    this.expires[place] = second
  }
}

/** A person with several keys. */
export interface PersonRow {
  id: number
  effective: number
  expires: number
  /** One after the other. */
  keys: Uint8Array
}

/** What a merge leaves to be written of one audience. */
export interface Changes {
  /** Keys one after the other. */
  keys: Buffer
  /** The places of those that change, in the order of the keys. */
  places: Uint32Array
  /** What is to be stored of the keys, by place. */
  stored: StoredKeys
  /** Persons with several keys who are new or changed. */
  people: PersonRow[]
  /** Ids of persons who are no more. */
  gone: number[]
}

/** The members of one audience, as a merge reads and writes them: many at once, in the order of their keys. */
export interface MemberTable {
  /** Tells what is stored of sorted keys, where nothing is said yet. */
  load(keys: Buffer, count: number, stored: StoredKeys): void | Promise<void>
  people(ids: readonly number[]): PersonRow[] | Promise<PersonRow[]>
  save(changes: Changes): void | Promise<void>
  /** Ids for persons: the first of so many that nobody has. */
  newPeople(count: number): number
}

/** A batch that waits, with the second of its acceptance. It is given away: its bytes are gone when it was read. */
export interface WaitingBatch {
  data: Buffer
  acceptedAt: number
}

/**
 * Merges waiting batches into the members of an audience: operations in their order, as if one came after the other.
 * What is stored of every key that they name is loaded first, changed in memory and written back once, both in the
 * order of the keys, which is the only order in which many keys can be read and written fast.
 */
export async function mergeBatches(
  batches: readonly WaitingBatch[],
  table: MemberTable,
  spans: Spans,
): Promise<void> {
  const arrays = new Arrays()
  try {
    const run = new Run(batches, arrays)
    const stored = new StoredKeys(run.count, arrays)
    await table.load(run.keys, run.count, stored)
    const ids = new Set<number>()
    for (let place = 0; place < run.count; place++)
      if (stored.kind[place] === LINKED) ids.add(stored.personAt(place))
    const people = ids.size === 0 ? [] : await table.people([...ids].sort((a, b) => a - b))
    const members = new Members(run, { stored, people, arrays })
    run.play(members)
    await table.save(members.changes(table, spans))
  } finally {
    arrays.release()
  }
}

interface Operation {
  type: number
  effective: number
  expires: number
  /** The second of its acceptance. */
  at: number
}

/** What some batches do, with their keys sorted. */
class Run {
  /** The distinct keys, sorted, one after the other. */
  readonly keys: Buffer
  readonly count: number
  /** For each key that was sent, its place among the distinct ones. */
  readonly #places: Uint32Array
  /** Of each user: its operation, and where its keys end. */
  readonly #operationOf: Uint32Array
  readonly #ends: Uint32Array
  /** Of those that are alike and come one after the other, the first: most uploads have thousands that are alike. */
  readonly #operations: Operation[] = []

  constructor(batches: readonly WaitingBatch[], arrays: Arrays) {
    const sizes = { users: 0, keys: 0 }
    for (const { data } of batches) {
      const { users, keys } = sizesOf(data)
      sizes.users += users
      sizes.keys += keys
    }
    this.#operationOf = arrays.places(sizes.users)
    this.#ends = arrays.places(sizes.users)
    const sent = Buffer.allocUnsafeSlow(sizes.keys * KEY_BYTES)
    this.#read(batches, sent)
    const { distinct, count, places } = sortedKeys(sent, sizes.keys, arrays)
    release(sent)
    this.keys = distinct
    this.count = count
    this.#places = places
  }

  #read(batches: readonly WaitingBatch[], sent: Buffer): void {
    let [user, key] = [0, 0]
    for (const { data, acceptedAt } of batches) {
      visitBatch(data, {
        operation: (type, effective, expires) => this.#begin({ type, effective, expires, at: acceptedAt }),
        user: (batch, keysAt, keys) => {
          batch.copy(sent, key * KEY_BYTES, keysAt, keysAt + keys * KEY_BYTES)
          key += keys
          this.#operationOf[user] = this.#operations.length - 1
          this.#ends[user++] = key
        },
      })
      release(data)
    }
  }

  #begin(operation: Operation): void {
    const last = this.#operations.at(-1)
    const isAlike =
      last?.type === operation.type &&
      last.effective === operation.effective &&
      last.expires === operation.expires &&
      last.at === operation.at
    if (!isAlike) this.#operations.push(operation)
  }

  /** Plays every operation on the members, in order. */
  play(members: Members): void {
    let from = 0
    for (let user = 0; user < this.#ends.length; user++) {
      const end = this.#ends[user] as number
      const operation = this.#operations[this.#operationOf[user] as number] as Operation
      if (operation.type === DELETE) members.remove(this.#places, from, end)
      else members.update(this.#places, from, end, operation)
      from = end
    }
  }
}

const NOBODY = -1

/**
 * The members that a merge is about. Each key knows the key that stands for its person; the keys of a person form a
 * ring. Everything lies in typed arrays: a merge may be about a million keys.
 */
class Members {
  readonly #keys: Buffer
  readonly #stored: StoredKeys
  readonly #total: number
  /** Keys of the merge itself, which are sorted; those of persons that it meets come behind. */
  readonly #own: number
  readonly #person: Int32Array
  readonly #next: Int32Array
  /** By the key that stands for a person: its times, how many keys it has, its id or 0, whether it changed. */
  readonly #effective: Float64Array
  readonly #expires: Float64Array
  readonly #size: Uint32Array
  readonly #id: Float64Array
  readonly #changed: Uint8Array
  /** Persons with several keys as they were. */
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
    for (const [index, row] of people.entries()) this.#meet(row, met.places[index] ?? [])
  }

  #meet(row: PersonRow, places: readonly number[]): void {
    const [first, ...others] = places
    if (first === undefined) return
    for (const place of places) {
      this.#stored.kind[place] = LINKED
      this.#stored.effective[place] = row.id
    }
    this.#found(first, row.effective, row.expires)
    this.#id[first] = row.id
    for (const other of others) this.#attach(other, first)
  }

  /** A person of one key. */
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

  /** Takes every key from a person: it is nobody any more. */
  #end(person: number): void {
    let place = person
    do {
      this.#person[place] = NOBODY
      place = this.#next[place] as number
    } while (place !== person)
  }

  /** Two persons turn out to be one. */
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

  /** Removes everybody who has one of the keys. */
  remove(places: Uint32Array, from: number, end: number): void {
    for (let n = from; n < end; n++) {
      const person = this.#person[places[n] as number] as number
      if (person !== NOBODY) this.#end(person)
    }
  }

  /** Makes a member of whoever has one of the keys: with all of the keys, and the new times. */
  update(places: Uint32Array, from: number, end: number, { effective, expires, at }: Operation): void {
    let person = NOBODY
    let added = 0
    for (let n = from; n < end; n++) {
      const known = this.#person[places[n] as number] as number
      if (known === NOBODY) added++
      else if (known === person) continue
      // Who has expired is no longer known.
      else if ((this.#expires[known] as number) <= at) {
        this.#end(known)
        added++
      } else person = person === NOBODY ? known : this.#join(person, known)
    }
    if (person !== NOBODY && (this.#size[person] as number) + added > MAX_KEYS_OF_PERSON) {
      // Too many keys for one: it begins anew with those of today.
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

  /** What is to be written. What was stored is known no longer. */
  changes(table: Pick<MemberTable, 'newPeople'>, spans: Spans): Changes {
    const { people, gone } = this.#changedPeople(table, spans)
    const places = this.#arrays.places(this.#total)
    let changed = 0
    for (let place = 0; place < this.#total; place++)
      if (this.#settle(place, spans)) places[changed++] = place
    const listed = places.subarray(0, changed)
    if (this.#total > this.#own)
      listed.sort((a, b) => compareKeys(this.#keys, a * KEY_BYTES, this.#keys, b * KEY_BYTES))
    return { keys: this.#keys, places: listed, stored: this.#stored, people, gone }
  }

  /** Puts what is to be stored of one key in place of what was. False when that is the same. */
  #settle(place: number, spans: Spans): boolean {
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

  /** Persons with several keys, as they are now: those who had several before keep their ids. */
  #changedPeople(table: Pick<MemberTable, 'newPeople'>, spans: Spans) {
    const people: PersonRow[] = []
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
        people.push(this.#row(place))
      }
    }
    let id = nameless.length === 0 ? 0 : table.newPeople(nameless.length)
    for (const place of nameless) {
      this.#id[place] = id++
      people.push(this.#row(place))
    }
    for (const { effective, expires } of people) spans.add(effective, expires, 1)
    const gone: number[] = []
    for (const row of this.#people) {
      if (!alive.has(row.id)) gone.push(row.id)
      if (!alive.has(row.id) || rewritten.has(row.id)) spans.add(row.effective, row.expires, -1)
    }
    return { people, gone }
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
 * Where the keys of persons stand: among those of the merge, or behind them. `keys` holds both.
 */
function placesOf(run: { keys: Buffer; count: number }, people: readonly PersonRow[], arrays: Arrays) {
  const behind = new Map<string, number>()
  const extra: Uint8Array[] = []
  const places = people.map(({ keys }) => {
    const own: number[] = []
    for (let at = 0; at < keys.length; at += KEY_BYTES) {
      const found = placeOf(run, keys, at)
      if (found !== undefined) {
        own.push(found)
        continue
      }
      const key = keys.subarray(at, at + KEY_BYTES)
      const text = Buffer.from(key).toString('latin1')
      const known = behind.get(text) ?? run.count + behind.size
      if (!behind.has(text)) {
        behind.set(text, known)
        extra.push(key)
      }
      own.push(known)
    }
    return own
  })
  const total = run.count + extra.length
  if (extra.length === 0) return { places, total, keys: run.keys }
  const keys = arrays.bytes(total * KEY_BYTES)
  run.keys.copy(keys)
  for (const [index, key] of extra.entries()) keys.set(key, (run.count + index) * KEY_BYTES)
  return { places, total, keys }
}

/** The place of a key among sorted ones. */
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
