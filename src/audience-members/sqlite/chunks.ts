import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { Arrays } from '../arrays.ts'
import type { Changes, StoredKeys } from '../merge.ts'
import { compareKeys, KEY_BYTES, putTime, release, TIME_BYTES, timeAt } from '../packed.ts'
import type { KeyFilter, KeyFilters } from './filter.ts'

/**
 * The keys of all audiences, sorted, in chunks of some hundreds: a chunk is one row, and one page of the file. A row
 * for each key would cost the database many times the work of a key here, and most of its file would be overhead.
 *
 * An audience has two levels. Merges write level 0, which is small; compaction moves its records to level 1, which is large. So a merge does not write every page of a large audience again. What level 0 says of a key counts.
 *
 * A key in a chunk is followed by two times of five bytes: from when it counts and until when. A second time of zero
 * says that the first is the id of a user with several keys; two zeros, that the key is not there, whatever level 1
 * says.
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

/** The levels of an audience: what `area` of their chunks is. */
export const levelsOf = (audience: number) => ({ level0: audience * 2 + 1, level1: audience * 2 })

export const PAGE_BYTES = 32_768
const RECORD_BYTES = KEY_BYTES + 2 * TIME_BYTES
/** As many as a page has room for beside what the database adds. */
export const CHUNK_RECORDS = 755
/** How full a new chunk is: room to grow, and not much more. */
const FILL = 0.7
const NOTHING = Buffer.alloc(0)

interface ChunkRow {
  id: number
  first: Uint8Array
  data: Uint8Array
  /** Where the next chunk of the area begins; null: this is the last one. */
  until: Uint8Array | null
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

/** Records that an area has more than before, and those that were written for it: whole chunks of them. */
interface Put {
  more: number
  written: number
}

/** How many records `moved` to level 1. The next step begins at the key `next`; null: everything was looked at. */
interface Compacted extends Put {
  moved: number
  next: Uint8Array | null
}

export class Chunks {
  readonly #at: StatementSync
  readonly #change: StatementSync
  readonly #add: StatementSync
  readonly #remove: StatementSync
  /** Of level 1 of all audiences. What one tells stays true whatever comes of a transaction: keys are only ever added to it. */
  readonly #filters: KeyFilters
  readonly #maxRecords: number
  #scratch = Buffer.allocUnsafeSlow(2 * PAGE_BYTES)

  /** `maxRecords`: the most of one chunk. */
  constructor(db: DatabaseSync, filters: KeyFilters, maxRecords: number) {
    this.#filters = filters
    this.#maxRecords = maxRecords
    this.#at = db.prepare(`
      SELECT id, first, data, (
        SELECT next.first FROM chunks AS next
        WHERE next.area = chunks.area AND next.first > chunks.first ORDER BY next.first LIMIT 1
      ) AS until
      FROM chunks WHERE area = ? AND first <= ? ORDER BY first DESC LIMIT 1
    `)
    this.#change = db.prepare('UPDATE chunks SET data = ? WHERE id = ?')
    this.#add = db.prepare('INSERT INTO chunks (area, first, data) VALUES (?, ?, ?)')
    this.#remove = db.prepare('DELETE FROM chunks WHERE id = ?')
  }

  /** Tells what is stored of sorted keys. `records` are those of level 1. */
  load(
    audience: number,
    { keys, count, records }: { keys: Buffer; count: number; records: number },
    stored: StoredKeys,
  ): void {
    const arrays = new Arrays()
    try {
      const { level0, level1 } = levelsOf(audience)
      const found = arrays.flags(count)
      this.#find(level0, { keys, count, keyAt: (n) => n * KEY_BYTES }, (place, first, second) => {
        found[place] = 1
        stored.put(place, first, second)
      })
      const others = arrays.places(count)
      const left = this.#unknown(audience, { keys, count, records }, found, others)
      const keyAt = (n: number) => (others[n] as number) * KEY_BYTES
      this.#find(level1, { keys, count: left, keyAt }, (n, first, second) =>
        stored.put(others[n] as number, first, second),
      )
    } finally {
      arrays.release()
    }
  }

  /** Gathers the places of keys that level 1 may have. Returns how many. */
  #unknown(
    audience: number,
    { keys, count, records }: { keys: Buffer; count: number; records: number },
    found: Uint8Array,
    places: Uint32Array,
  ): number {
    const filter = this.#filter(audience, records, count)
    let left = 0
    for (let place = 0; place < count; place++)
      if (found[place] === 0 && (!filter || filter.mayHave(keys, place * KEY_BYTES))) places[left++] = place
    return left
  }

  /** The filter of level 1, rebuilt when so many keys fall into most of its chunks, which were to be read anyway. */
  #filter(audience: number, records: number, count: number): KeyFilter | undefined {
    const known = this.#filters.get(audience)
    if (known || count * this.#maxRecords < records) return known
    const made = this.#filters.add(audience, records)
    if (!made) return undefined
    for (let next: Uint8Array | null = NOTHING; next; ) {
      const chunk = this.#chunkAt(levelsOf(audience).level1, next)
      if (chunk) addAll(made, chunk.data)
      next = chunk?.until ?? null
      if (chunk) release(chunk.data)
    }
    return made
  }

  /** Nothing is asked of an audience any more. */
  forget(audience: number): void {
    this.#filters.remove(audience)
  }

  /** Writes changes to level 0. */
  save(audience: number, { keys, places, stored }: Changes): Put {
    const { level0 } = levelsOf(audience)
    const keyAt = (n: number) => (places[n] as number) * KEY_BYTES
    const times = (n: number) => stored.timesAt(places[n] as number)
    return this.#put(level0, { keys, count: places.length, keyAt, times }, 'kept')
  }

  /**
   * Moves records of level 0 over to level 1, from a key on, until so many records were written there. At
   * the end it does not begin again.
   */
  compact(audience: number, from: Uint8Array | null, records: number): Compacted {
    const { level0, level1 } = levelsOf(audience)
    const filter = this.#filters.get(audience)
    const compacted: Compacted = { moved: 0, more: 0, written: 0, next: from ?? NOTHING }
    while (compacted.next && compacted.written < records) {
      const chunk = this.#chunkAt(level0, compacted.next)
      compacted.next = chunk?.until ?? null
      if (!chunk || chunk.data.length === 0) continue
      const { more, written } = this.#move(level1, chunk.data)
      if (filter) addAll(filter, chunk.data)
      compacted.moved += chunk.data.length / RECORD_BYTES
      compacted.more += more
      compacted.written += written
      this.#write(level0, chunk, NOTHING)
      release(chunk.data)
    }
    return compacted
  }

  /** Writes the records of a chunk of level 0 into level 1, which needs no word of keys that are not there. */
  #move(level1: number, data: Uint8Array): Put {
    const keys = Buffer.from(data.buffer, data.byteOffset, data.length)
    const keyAt = (n: number) => n * RECORD_BYTES
    const times = (n: number) => timesAt(keys, keyAt(n))
    return this.#put(level1, { keys, count: keys.length / RECORD_BYTES, keyAt, times }, 'dropped')
  }

  /**
   * Looks at the chunks of level 1 from a key on, and drops what is over. Tells how many records, and
   * where the next step begins; null at the end.
   */
  expire(
    audience: number,
    from: Uint8Array | null,
    { chunks, isOver }: { chunks: number; isOver(first: number, second: number): boolean },
  ): { dropped: number; next: Uint8Array | null } {
    const { level1 } = levelsOf(audience)
    let dropped = 0
    let next: Uint8Array | null = from ?? NOTHING
    for (let seen = 0; next && seen < chunks; seen++) {
      const chunk = this.#chunkAt(level1, next)
      next = chunk?.until ?? null
      if (!chunk) continue
      dropped += this.#drop(level1, chunk, isOver)
      release(chunk.data)
    }
    return { dropped, next }
  }

  #drop(area: number, chunk: ChunkRow, isOver: (first: number, second: number) => boolean): number {
    const kept = this.#room(chunk.data.length)
    let written = 0
    for (let at = 0; at < chunk.data.length; at += RECORD_BYTES) {
      if (isOver(...timesAt(chunk.data, at))) continue
      kept.set(chunk.data.subarray(at, at + RECORD_BYTES), written)
      written += RECORD_BYTES
    }
    if (written < chunk.data.length) this.#write(area, chunk, kept.subarray(0, written))
    return (chunk.data.length - written) / RECORD_BYTES
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
   * its record is dropped.
   */
  #put(area: number, records: Records, absent: 'kept' | 'dropped'): Put {
    const { keys, count, keyAt, times } = records
    const put: Put = { more: 0, written: 0 }
    if (count === 0) return put
    if (!this.#chunkAt(area, NOTHING)) this.#add.run(area, NOTHING, NOTHING)
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
      put.more += (written - chunk.data.length) / RECORD_BYTES
      put.written += written / RECORD_BYTES
      this.#write(area, chunk, merged.subarray(0, written))
    })
    return put
  }

  /** Writes a chunk, in several when it has become too large. The first one of an area stays, however empty. */
  #write(area: number, { id, first }: ChunkRow, data: Buffer): void {
    const records = data.length / RECORD_BYTES
    if (records === 0 && first.length > 0) {
      this.#remove.run(id)
      return
    }
    const parts = records <= this.#maxRecords ? 1 : Math.ceil(records / (this.#maxRecords * FILL))
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
    while (from < count) {
      const at = keyAt(from)
      const chunk = this.#chunkAt(area, keys.subarray(at, at + KEY_BYTES))
      if (!chunk) return
      const end = chunk.until ? firstNotBefore(keys, keyAt, from, count, chunk.until) : count
      visit(chunk, from, end)
      release(chunk.data)
      from = end
    }
  }

  /** The chunk that a key falls into; undefined in an area without chunks. */
  #chunkAt(area: number, key: Uint8Array): ChunkRow | undefined {
    return this.#at.get(area, key) as ChunkRow | undefined
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

function addAll(filter: KeyFilter, data: Uint8Array): void {
  for (let at = 0; at < data.length; at += RECORD_BYTES) filter.add(data, at)
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
