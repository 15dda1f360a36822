import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Changes, StoredKeys as Stored } from '../merge.ts'
import { ABSENT, LINKED, SINGLE, StoredKeys } from '../merge.ts'
import { compareKeys, KEY_BYTES, putTime, TIME_BYTES, timeAt } from '../packed.ts'

/**
 * The keys of all audiences, sorted, in chunks of a few hundred: a chunk is one row, and one page of the file. A row
 * for each key would cost the database fifty times the work of a key here, and most of its file would be overhead.
 *
 * A key in a chunk is followed by two times of five bytes: from when it counts and until when. A second time of zero
 * says that the first is the id of a person with several keys.
 */
export const CHUNK_SCHEMA = `
  CREATE TABLE chunks (
    id INTEGER PRIMARY KEY,
    audience INTEGER NOT NULL,
    first BLOB NOT NULL,
    data BLOB NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX chunks_by_first ON chunks (audience, first);
`

export const PAGE_BYTES = 16_384
const RECORD_BYTES = KEY_BYTES + 2 * TIME_BYTES
/** As many as a page has room for beside what the database adds. */
const MAX_RECORDS = 375
/** How full a new chunk is: room to grow, and not much more. */
const FILL = 0.7
const NOTHING = Buffer.alloc(0)

interface ChunkRow {
  id: number
  first: Uint8Array
  data: Uint8Array
}

export class Chunks {
  readonly #at: StatementSync
  readonly #next: StatementSync
  readonly #change: StatementSync
  readonly #add: StatementSync
  readonly #remove: StatementSync

  constructor(db: DatabaseSync) {
    this.#at = db.prepare(
      'SELECT id, first, data FROM chunks WHERE audience = ? AND first <= ? ORDER BY first DESC LIMIT 1',
    )
    this.#next = db.prepare(
      'SELECT id, first, data FROM chunks WHERE audience = ? AND first > ? ORDER BY first LIMIT 1',
    )
    this.#change = db.prepare('UPDATE chunks SET data = ? WHERE id = ?')
    this.#add = db.prepare('INSERT INTO chunks (audience, first, data) VALUES (?, ?, ?)')
    this.#remove = db.prepare('DELETE FROM chunks WHERE id = ?')
  }

  /** What is stored of sorted keys. */
  load(audience: number, keys: Buffer, count: number): Stored {
    const stored = new StoredKeys(count)
    this.#walk(audience, { keys, count, keyAt: (n) => n * KEY_BYTES }, ({ data }, from, end) => {
      let record = 0
      for (let place = from; place < end; place++) {
        record = recordFrom(data, record, keys, place * KEY_BYTES)
        const at = record * RECORD_BYTES
        if (at >= data.length || compareKeys(data, at, keys, place * KEY_BYTES) !== 0) continue
        const expires = timeAt(data, at + KEY_BYTES + TIME_BYTES)
        stored.kind[place] = expires === 0 ? LINKED : SINGLE
        stored.effective[place] = timeAt(data, at + KEY_BYTES)
        stored.expires[place] = expires
      }
    })
    return stored
  }

  save(audience: number, { keys, places, stored }: Changes): void {
    if (places.length === 0) return
    if (!this.#at.get(audience, NOTHING)) this.#add.run(audience, NOTHING, NOTHING)
    const keyAt = (n: number) => (places[n] as number) * KEY_BYTES
    this.#walk(audience, { keys, count: places.length, keyAt }, (chunk, from, end) => {
      const merged = Buffer.allocUnsafe(chunk.data.length + (end - from) * RECORD_BYTES)
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
        const place = places[n] as number
        if (stored.kind[place] === ABSENT) continue
        keys.copy(merged, written, key, key + KEY_BYTES)
        putTime(merged, written + KEY_BYTES, stored.effective[place] as number)
        putTime(merged, written + KEY_BYTES + TIME_BYTES, stored.expires[place] as number)
        written += RECORD_BYTES
      }
      copyUntil(chunk.data.length)
      this.#write(audience, chunk, merged.subarray(0, written))
    })
  }

  /**
   * Looks at the chunks of an audience from a key on, and drops what has expired. Resolves to where the next step
   * begins; undefined at the end. `ended` tells which persons with several keys are no more.
   */
  sweep(
    audience: number,
    from: Uint8Array | undefined,
    { now, chunks, isEnded }: { now: number; chunks: number; isEnded(person: number): boolean },
  ): Uint8Array | undefined {
    let chunk = (from === undefined ? this.#at.get(audience, NOTHING) : this.#next.get(audience, from)) as
      | ChunkRow
      | undefined
    let last: Uint8Array | undefined
    for (let seen = 0; chunk && seen < chunks; seen++) {
      this.#drop(audience, chunk, (first, second) => (second === 0 ? isEnded(first) : second <= now))
      last = chunk.first
      chunk = this.#next.get(audience, last) as ChunkRow | undefined
    }
    return chunk ? last : undefined
  }

  #drop(audience: number, chunk: ChunkRow, isOver: (first: number, second: number) => boolean): void {
    const kept = Buffer.allocUnsafe(chunk.data.length)
    let written = 0
    for (let at = 0; at < chunk.data.length; at += RECORD_BYTES) {
      const times = at + KEY_BYTES
      if (isOver(timeAt(chunk.data, times), timeAt(chunk.data, times + TIME_BYTES))) continue
      kept.set(chunk.data.subarray(at, at + RECORD_BYTES), written)
      written += RECORD_BYTES
    }
    if (written < chunk.data.length) this.#write(audience, chunk, kept.subarray(0, written))
  }

  /** Writes a chunk, in several when it has become too large. The first one of an audience stays, however empty. */
  #write(audience: number, { id, first }: ChunkRow, data: Buffer): void {
    const records = data.length / RECORD_BYTES
    if (records === 0 && first.length > 0) {
      this.#remove.run(id)
      return
    }
    const parts = records <= MAX_RECORDS ? 1 : Math.ceil(records / (MAX_RECORDS * FILL))
    const bytes = Math.ceil(records / parts) * RECORD_BYTES
    this.#change.run(data.subarray(0, bytes), id)
    for (let at = bytes; at < data.length; at += bytes)
      this.#add.run(audience, data.subarray(at, at + KEY_BYTES), data.subarray(at, at + bytes))
  }

  /** Calls `visit` for each chunk that sorted keys fall into, with the range of them that do. */
  #walk(
    audience: number,
    { keys, count, keyAt }: { keys: Buffer; count: number; keyAt(n: number): number },
    visit: (chunk: ChunkRow, from: number, end: number) => void,
  ): void {
    let from = 0
    let next: ChunkRow | undefined
    while (from < count) {
      const at = keyAt(from)
      const begun = next && compareKeys(next.first, 0, keys, at) <= 0
      let chunk = begun ? next : undefined
      next = chunk && (this.#next.get(audience, chunk.first) as ChunkRow | undefined)
      if (!chunk || (next && compareKeys(next.first, 0, keys, at) <= 0)) {
        chunk = this.#at.get(audience, keys.subarray(at, at + KEY_BYTES)) as ChunkRow | undefined
        if (!chunk) return
        next = this.#next.get(audience, chunk.first) as ChunkRow | undefined
      }
      const end = next ? firstNotBefore(keys, keyAt, from, count, next.first) : count
      visit(chunk, from, end)
      from = end
    }
  }
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
