import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { Arrays } from '../arrays.ts'
import type { Changes, StoredKeys } from '../merge.ts'
import { compareKeys, KEY_BYTES, putTime, release, TIME_BYTES, timeAt } from '../packed.ts'
import type { KeyFilter, KeyFilters } from './filter.ts'

/**
 * The keys of all audiences, sorted, in chunks of some hundreds. A chunk is one row, and one page of the file. One row
 * per key would be many times slower, and most of the file would be overhead.
 *
 * An audience has two levels, as in a log-structured merge tree. Merges write level 0, which is small; compaction moves its records to
 * level 1, which is large. So a merge does not rewrite every page of a large audience. Level 0 overrides level 1.
 *
 * A record is a key and two times of five bytes: when it begins and when it ceases to count. If the second is zero, the
 * first is the id of a user with several keys. Two zeros are a tombstone: the key is absent, whatever level 1 has.
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

/** The values of `area` for the levels of an audience. */
export const levelsOf = (audience: number) => ({ level0: audience * 2 + 1, level1: audience * 2 })

export const PAGE_BYTES = 32_768
const RECORD_BYTES = KEY_BYTES + 2 * TIME_BYTES
/** As many as fit into a page with the overhead of the database. */
export const CHUNK_RECORDS = 755
/** How full a new chunk is, so that it can grow. */
const FILL = 0.7
const NOTHING = Buffer.alloc(0)

interface ChunkRow {
  id: number
  first: Uint8Array
  data: Uint8Array
  /** The first key of the next chunk of the area; null for the last chunk. */
  until: Uint8Array | null
}

/** Keys to find or to write, sorted. */
interface Wanted {
  keys: Buffer
  count: number
  /** The offset of the n-th key. */
  keyAt(n: number): number
}

/** Records to write, sorted by key. A record with two zeros deletes the key. */
interface Records extends Wanted {
  times(n: number): readonly [first: number, second: number]
}

/** By how many records an area grew, and how many were written: always whole chunks. */
interface Put {
  more: number
  written: number
}

/** `moved`: records moved to level 1. `next`: the key at which the next step begins; null at the end. */
interface Compacted extends Put {
  moved: number
  next: Uint8Array | null
}

export class Chunks {
  readonly #at: StatementSync
  readonly #change: StatementSync
  readonly #add: StatementSync
  readonly #remove: StatementSync
  /** For level 1 of all audiences. Keys are only added, so a filter stays correct after a rollback. */
  readonly #filters: KeyFilters
  readonly #maxRecords: number
  #scratch = Buffer.allocUnsafeSlow(2 * PAGE_BYTES)

  /** `maxRecords`: of one chunk. */
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

  /** Loads what is stored for sorted keys. `records`: the number of records in level 1. */
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

  /** Collects the positions of keys that level 1 may have. Returns their number. */
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

  /** The filter of level 1. It is rebuilt if the keys are in most of the chunks, which have to be read anyway. */
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

  /** Frees the filter of a deleted audience. */
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
   * Moves records from level 0 to level 1, beginning at a key, until `records` have been written there. Stops at the end of
   * level 0.
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

  /** Writes the records of a chunk of level 0 to level 1, which needs no tombstones. */
  #move(level1: number, data: Uint8Array): Put {
    const keys = Buffer.from(data.buffer, data.byteOffset, data.length)
    const keyAt = (n: number) => n * RECORD_BYTES
    const times = (n: number) => timesAt(keys, keyAt(n))
    return this.#put(level1, { keys, count: keys.length / RECORD_BYTES, keyAt, times }, 'dropped')
  }

  /**
   * Deletes expired records from chunks of level 1, beginning at a key. Returns their number and the key at which the next
   * step begins; null at the end.
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
   * Writes records to an area, replacing those with the same keys. Tombstones are stored (`kept`), or delete the record
   * (`dropped`).
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

  /** Writes a chunk, and splits it if it has become too large. The first chunk of an area stays, even if it is empty. */
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

  /** Calls `visit` for each chunk that contains some of the sorted keys, with the range of these keys. */
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

  /** The chunk whose range contains a key; undefined in an area without chunks. */
  #chunkAt(area: number, key: Uint8Array): ChunkRow | undefined {
    return this.#at.get(area, key) as ChunkRow | undefined
  }

  /** A scratch buffer for one chunk; the previous contents are overwritten. */
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

/** The first record of a chunk, from an index on, that is not less than a key. */
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

/** The first of the sorted keys, from an index on, that is not less than the first key of a chunk. */
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
