import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Changes, StoredKeys } from '../merge.ts'
import { compareKeys, KEY_BYTES, putTime, release, TIME_BYTES, timeAt } from '../packed.ts'

/**
 * The keys of all audiences, sorted, in chunks of some hundreds: a chunk is one row, and one page of the file. A row
 * for each key would cost the database many times the work of a key here, and most of its file would be overhead.
 *
 * An audience has two areas. Merges write the young one, which is small; now and then all of it goes over to the old
 * one. So a merge does not write every page of a large audience anew. What the young area says of a key counts.
 *
 * A key in a chunk is followed by two times of five bytes: from when it counts and until when. A second time of zero
 * says that the first is the id of a person with several keys; two zeros, that the key is not there, whatever the old
 * area says.
 */
export const CHUNK_SCHEMA = `
  CREATE TABLE chunks (
    id INTEGER PRIMARY KEY,
    area INTEGER NOT NULL,
    first BLOB NOT NULL,
    data BLOB NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX chunks_by_first ON chunks (area, first);
`

/** The areas of an audience. */
export const areasOf = (audience: number) => ({ old: audience * 2, young: audience * 2 + 1 })

export const PAGE_BYTES = 32_768
const RECORD_BYTES = KEY_BYTES + 2 * TIME_BYTES
/** As many as a page has room for beside what the database adds. */
const MAX_RECORDS = 755
/** How full a new chunk is: room to grow, and not much more. */
const FILL = 0.7
const NOTHING = Buffer.alloc(0)

interface ChunkRow {
  id: number
  first: Uint8Array
  data: Uint8Array
}

/** Keys to look for or to write, in their order. */
interface Wanted {
  keys: Buffer
  count: number
  /** Where the n-th of them stands. */
  keyAt(n: number): number
}

/** Records to write, in the order of their keys. A record of two zeros says that there is no such key. */
interface Records extends Wanted {
  times(n: number): readonly [first: number, second: number]
}

export class Chunks {
  readonly #at: StatementSync
  readonly #next: StatementSync
  readonly #change: StatementSync
  readonly #add: StatementSync
  readonly #remove: StatementSync
  #scratch = Buffer.allocUnsafeSlow(2 * PAGE_BYTES)

  constructor(db: DatabaseSync) {
    this.#at = db.prepare(
      'SELECT id, first, data FROM chunks WHERE area = ? AND first <= ? ORDER BY first DESC LIMIT 1',
    )
    this.#next = db.prepare(
      'SELECT id, first, data FROM chunks WHERE area = ? AND first > ? ORDER BY first LIMIT 1',
    )
    this.#change = db.prepare('UPDATE chunks SET data = ? WHERE id = ?')
    this.#add = db.prepare('INSERT INTO chunks (area, first, data) VALUES (?, ?, ?)')
    this.#remove = db.prepare('DELETE FROM chunks WHERE id = ?')
  }

  /** Tells what is stored of sorted keys. */
  load(audience: number, keys: Buffer, count: number, stored: StoredKeys): void {
    const { old, young } = areasOf(audience)
    const known = new Uint8Array(count)
    this.#find(young, { keys, count, keyAt: (n) => n * KEY_BYTES }, (place, first, second) => {
      known[place] = 1
      stored.put(place, first, second)
    })
    const others = placesWithout(known)
    const keyAt = (n: number) => (others[n] as number) * KEY_BYTES
    this.#find(old, { keys, count: others.length, keyAt }, (n, first, second) =>
      stored.put(others[n] as number, first, second),
    )
  }

  /** Writes changes to the young area. Resolves to how many records it has more than before. */
  save(audience: number, { keys, places, stored }: Changes): number {
    const { young } = areasOf(audience)
    const keyAt = (n: number) => (places[n] as number) * KEY_BYTES
    const times = (n: number) => stored.timesAt(places[n] as number)
    return this.#put(young, { keys, count: places.length, keyAt, times }, 'kept')
  }

  /**
   * Moves the first records of the young area over to the old one. Resolves to how many; how many the old area has more
   * than before is in `more`. Nothing is left when none was moved.
   */
  age(audience: number, chunks: number): { moved: number; more: number } {
    const { old, young } = areasOf(audience)
    const moving: ChunkRow[] = []
    let from: Uint8Array = NOTHING
    let chunk = this.#at.get(young, from) as ChunkRow | undefined
    while (chunk && moving.length < chunks) {
      if (chunk.data.length > 0) moving.push(chunk)
      from = chunk.first
      chunk = this.#next.get(young, from) as ChunkRow | undefined
    }
    const keys = Buffer.concat(moving.map(({ data }) => data))
    const count = keys.length / RECORD_BYTES
    const keyAt = (n: number) => n * RECORD_BYTES
    const times = (n: number) => timesAt(keys, keyAt(n))
    const more = this.#put(old, { keys, count, keyAt, times }, 'dropped')
    for (const one of moving) this.#write(young, one, NOTHING)
    return { moved: count, more }
  }

  /**
   * Looks at the chunks of the old area from a key on, and drops what is over. Resolves to where the next step begins;
   * undefined at the end.
   */
  sweep(
    audience: number,
    from: Uint8Array | undefined,
    { chunks, isOver }: { chunks: number; isOver(first: number, second: number): boolean },
  ): Uint8Array | undefined {
    const { old } = areasOf(audience)
    let chunk = (from === undefined ? this.#at.get(old, NOTHING) : this.#next.get(old, from)) as
      | ChunkRow
      | undefined
    let last: Uint8Array | undefined
    for (let seen = 0; chunk && seen < chunks; seen++) {
      this.#drop(old, chunk, isOver)
      last = chunk.first
      chunk = this.#next.get(old, last) as ChunkRow | undefined
    }
    return chunk ? last : undefined
  }

  #drop(area: number, chunk: ChunkRow, isOver: (first: number, second: number) => boolean): void {
    const kept = this.#room(chunk.data.length)
    let written = 0
    for (let at = 0; at < chunk.data.length; at += RECORD_BYTES) {
      if (isOver(...timesAt(chunk.data, at))) continue
      kept.set(chunk.data.subarray(at, at + RECORD_BYTES), written)
      written += RECORD_BYTES
    }
    if (written < chunk.data.length) this.#write(area, chunk, kept.subarray(0, written))
  }

  #find(area: number, wanted: Wanted, found: (n: number, first: number, second: number) => void): void {
    const { keys, keyAt } = wanted
    this.#walk(area, wanted, ({ data }, from, end) => {
      let record = 0
      for (let n = from; n < end; n++) {
        record = recordFrom(data, record, keys, keyAt(n))
        const at = record * RECORD_BYTES
        if (at < data.length && compareKeys(data, at, keys, keyAt(n)) === 0) found(n, ...timesAt(data, at))
      }
    })
  }

  /**
   * Writes records into an area, in place of those of the same keys. That a key is not there is kept as a record, or
   * its record is dropped. Resolves to how many records there are more than before.
   */
  #put(area: number, records: Records, absent: 'kept' | 'dropped'): number {
    const { keys, count, keyAt, times } = records
    if (count === 0) return 0
    if (!this.#at.get(area, NOTHING)) this.#add.run(area, NOTHING, NOTHING)
    let more = 0
    this.#walk(area, records, (chunk, from, end) => {
      const merged = this.#room(chunk.data.length + (end - from) * RECORD_BYTES)
      let [read, written] = [0, 0]
      const copyUntil = (to: number) => {
        if (to === read) return
        merged.set(chunk.data.subarray(read, to), written)
        written += to - read
        read = to
      }
      for (let n = from; n < end; n++) {
        const key = keyAt(n)
        copyUntil(recordFrom(chunk.data, read / RECORD_BYTES, keys, key) * RECORD_BYTES)
        if (read < chunk.data.length && compareKeys(chunk.data, read, keys, key) === 0) read += RECORD_BYTES
        const [first, second] = times(n)
        if (absent === 'dropped' && first === 0 && second === 0) continue
        keys.copy(merged, written, key, key + KEY_BYTES)
        putTime(merged, written + KEY_BYTES, first)
        putTime(merged, written + KEY_BYTES + TIME_BYTES, second)
        written += RECORD_BYTES
      }
      copyUntil(chunk.data.length)
      more += (written - chunk.data.length) / RECORD_BYTES
      this.#write(area, chunk, merged.subarray(0, written))
    })
    return more
  }

  /** Writes a chunk, in several when it has become too large. The first one of an area stays, however empty. */
  #write(area: number, { id, first }: ChunkRow, data: Buffer): void {
    const records = data.length / RECORD_BYTES
    if (records === 0 && first.length > 0) {
      this.#remove.run(id)
      return
    }
    const parts = records <= MAX_RECORDS ? 1 : Math.ceil(records / (MAX_RECORDS * FILL))
    const bytes = Math.ceil(records / parts) * RECORD_BYTES
    this.#change.run(data.subarray(0, bytes), id)
    for (let at = bytes; at < data.length; at += bytes)
      this.#add.run(area, data.subarray(at, at + KEY_BYTES), data.subarray(at, at + bytes))
  }

  /** Calls `visit` for each chunk that sorted keys fall into, with the range of them that do. */
  #walk(
    area: number,
    { keys, count, keyAt }: Wanted,
    visit: (chunk: ChunkRow, from: number, end: number) => void,
  ): void {
    let from = 0
    let next: ChunkRow | undefined
    while (from < count) {
      const at = keyAt(from)
      const begun = next && compareKeys(next.first, 0, keys, at) <= 0
      let chunk = begun ? next : undefined
      next = chunk && (this.#next.get(area, chunk.first) as ChunkRow | undefined)
      if (!chunk || (next && compareKeys(next.first, 0, keys, at) <= 0)) {
        chunk = this.#at.get(area, keys.subarray(at, at + KEY_BYTES)) as ChunkRow | undefined
        if (!chunk) return
        next = this.#next.get(area, chunk.first) as ChunkRow | undefined
      }
      const end = next ? firstNotBefore(keys, keyAt, from, count, next.first) : count
      visit(chunk, from, end)
      release(chunk.data)
      from = end
    }
    if (next) release(next.data)
  }

  /** Room to put a chunk together in; what was there before is over. */
  #room(bytes: number): Buffer {
    if (this.#scratch.length < bytes) this.#scratch = Buffer.allocUnsafeSlow(bytes)
    return this.#scratch
  }
}

const timesAt = (data: Uint8Array, record: number): [first: number, second: number] => [
  timeAt(data, record + KEY_BYTES),
  timeAt(data, record + KEY_BYTES + TIME_BYTES),
]

/** The places that are not marked. */
function placesWithout(marks: Uint8Array): Uint32Array {
  const places = new Uint32Array(marks.length)
  let count = 0
  for (let place = 0; place < marks.length; place++) if (marks[place] === 0) places[count++] = place
  return places.subarray(0, count)
}

/** The first record of a chunk, from one on, that does not stand before a key. */
function recordFrom(data: Uint8Array, from: number, keys: Buffer, key: number): number {
  let low = from
  let high = data.length / RECORD_BYTES
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareKeys(data, middle * RECORD_BYTES, keys, key) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** The first of sorted keys, from one on, that does not stand before the beginning of a chunk. */
function firstNotBefore(
  keys: Buffer,
  keyAt: (n: number) => number,
  from: number,
  count: number,
  first: Uint8Array,
): number {
  let [low, high, step] = [from, from + 1, 1]
  while (high < count && compareKeys(keys, keyAt(high), first, 0) < 0) {
    low = high
    high = Math.min(count, high + step)
    step *= 2
  }
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareKeys(keys, keyAt(middle), first, 0) < 0) low = middle + 1
    else high = middle
  }
  return low
}
