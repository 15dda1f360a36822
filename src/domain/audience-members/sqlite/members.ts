import type { DatabaseSync } from 'node:sqlite'
import { Backoff } from '../backoff.ts'
import type { Changes, MemberTable, PersonRow } from '../merge.ts'
import type { Spans } from '../spans.ts'
import { CHUNK_RECORDS, CHUNK_SCHEMA, Chunks, PAGE_BYTES } from './chunks.ts'
import { isOfMachine } from './failure.ts'
import { KeyFilters } from './filter.ts'
import type { Durability } from './log.ts'
import { openDatabase, openReader } from './log.ts'
import type { StepSizes } from './maintenance.ts'
import { Maintenance } from './maintenance.ts'
import { rowAs } from './rows.ts'
import { Statements } from './statements.ts'

/**
 * Times are in seconds. `young` is the number of records in level 0 of an audience, `old` that in level 1. `people` is the next id
 * of a user with several keys. Compaction continues at the key `aged_until`; `owed` is the number of records that merges have
 * written, minus those that compaction has written. `ended_at` is the latest time at which a member ceased to count. The next sweep is due
 * at `sweep_at`; a sweep in progress deletes members who ended until `sweep_before`. `set_aside` has the dead letters: batches that
 * cannot be merged.
 */
const SCHEMA = `
  CREATE TABLE audiences (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    size INTEGER NOT NULL,
    young INTEGER NOT NULL,
    old INTEGER NOT NULL,
    owed INTEGER NOT NULL,
    aged_until BLOB,
    counted_at INTEGER NOT NULL,
    people INTEGER NOT NULL,
    ended_at INTEGER NOT NULL,
    sweep_at INTEGER,
    sweep_before INTEGER,
    swept_people INTEGER,
    swept_young BLOB,
    swept_until BLOB,
    forgotten INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX audiences_forgotten ON audiences (number) WHERE forgotten = 1;
  CREATE INDEX audiences_to_sweep ON audiences (sweep_at) WHERE sweep_at IS NOT NULL;
  CREATE TABLE people (
    audience INTEGER NOT NULL,
    id INTEGER NOT NULL,
    effective INTEGER NOT NULL,
    expires INTEGER NOT NULL,
    keys BLOB NOT NULL,
    PRIMARY KEY (audience, id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE changes (
    at INTEGER NOT NULL,
    audience INTEGER NOT NULL,
    delta INTEGER NOT NULL,
    PRIMARY KEY (audience, at)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX changes_by_time ON changes (at);
  CREATE TABLE set_aside (
    audience INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    accepted_at INTEGER NOT NULL,
    reason TEXT NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (audience, seq)
  ) STRICT;
  CREATE TABLE progress (merged_until INTEGER NOT NULL) STRICT;
  INSERT INTO progress VALUES (0);
  ${CHUNK_SCHEMA}
`
const VERSION = 2
const CACHE_MEGABYTES = 8
/** Enough for 32 million keys. */
const FILTER_BYTES = 32 * 1024 * 1024

/** With more due changes than this, a reply has the previous count of an audience. */
const MAX_DUE_CHANGES = 10_000

/** Limits of one step. Tests use small ones. */
export interface Sizes extends StepSizes {
  /** Level 0 of an audience is compacted only if it has more records. */
  compactedLeast: number
  /** Maximum records of a chunk. */
  chunkRecords: number
}

const SIZES: Sizes = {
  stepChunks: 100,
  stepRows: 5_000,
  stepRecords: 500_000,
  compactedLeast: 20_000,
  chunkRecords: CHUNK_RECORDS,
}

interface AudienceRow {
  number: number
  size: number
  young: number
  old: number
  owed: number
  aged_until: Uint8Array | null
  counted_at: number
  people: number
  forgotten: number
}

/** The members of every audience, in a database file of their own. One thread writes it. */
export class MembersDatabase {
  readonly #db: DatabaseSync
  readonly #statements: Statements
  readonly #chunks: Chunks
  readonly #maintenance: Maintenance
  readonly #sizes: Sizes
  /** Audiences, by number, whose maintenance failed. */
  readonly #backoff = new Backoff()

  /** `durability` undefined: read-only. */
  constructor(
    file: string,
    durability: Durability | undefined,
    {
      filters = new KeyFilters(FILTER_BYTES),
      ...sizes
    }: { filters?: KeyFilters } & { [Size in keyof Sizes]?: number | undefined } = {},
  ) {
    this.#sizes = { ...SIZES, ...sizes } as Sizes
    const pages = { pageBytes: PAGE_BYTES, cacheMegabytes: CACHE_MEGABYTES }
    this.#db = durability === undefined ? openReader(file) : openDatabase(file, { durability, ...pages })
    const version = Number(this.#db.prepare('PRAGMA user_version').get()?.user_version)
    if (version !== 0 && version !== VERSION) throw new Error(`${file} was made by another version of Plaza`)
    if (version === 0) this.transaction(() => this.#db.exec(`${SCHEMA} PRAGMA user_version = ${VERSION};`))
    this.#statements = new Statements(this.#db)
    this.#chunks = new Chunks(this.#db, filters, this.#sizes.chunkRecords)
    this.#maintenance = new Maintenance(this.#statements, this.#chunks, this.#sizes)
  }

  /** Runs a function in a transaction. */
  transaction<T>(work: () => T): T {
    this.#db.exec('BEGIN IMMEDIATE')
    try {
      const result = work()
      this.#db.exec('COMMIT')
      return result
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK')
      throw error
    }
  }

  begin(): void {
    this.#db.exec('BEGIN IMMEDIATE')
  }

  commit(): void {
    this.#db.exec('COMMIT')
  }

  rollback(): void {
    if (this.#db.isTransaction) this.#db.exec('ROLLBACK')
  }

  /** Runs a function in a savepoint of the current transaction. */
  async nested(work: () => Promise<void>): Promise<void> {
    this.#db.exec('SAVEPOINT nested')
    try {
      await work()
    } catch (error) {
      // Some errors roll back the whole transaction.
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK TO nested')
      throw error
    } finally {
      if (this.#db.isTransaction) this.#db.exec('RELEASE nested')
    }
  }

  get isInTransaction(): boolean {
    return this.#db.isTransaction
  }

  mergedUntil(): number {
    return Number(this.#statement('SELECT merged_until FROM progress').get()?.merged_until)
  }

  setMergedUntil(seq: number): void {
    this.#statement('UPDATE progress SET merged_until = ?').run(seq)
  }

  find(id: string): AudienceRow | undefined {
    return rowAs<AudienceRow | undefined>(
      this.#statement(
        'SELECT number, size, young, old, owed, aged_until, counted_at, people, forgotten FROM audiences WHERE id = ?',
      ).get(id),
    )
  }

  /** The audience with an id; created if it does not exist. */
  audience(id: string, now: number): AudienceRow {
    const known = this.find(id)
    if (known) return known
    this.#statement(
      'INSERT INTO audiences (id, size, young, old, owed, counted_at, people, ended_at, forgotten) VALUES (?, 0, 0, 0, 0, ?, 1, 0, 0)',
    ).run(id, now)
    return this.find(id) as AudienceRow
  }

  /** The members of an audience, for a merge inside a transaction. `at`: the second of its last batch. */
  table(audience: AudienceRow): MemberTable & { keep(spans: Spans, at: number): void } {
    const { number, old: records } = audience
    let { people, young } = audience
    let written = 0
    return {
      load: (keys, count, stored) => this.#chunks.load(number, { keys, count, records }, stored),
      people: (ids: readonly number[]) => this.#people(number, ids),
      newPeople(count) {
        people += count
        return people - count
      },
      save: (changes: Changes) => {
        this.#savePeople(number, changes)
        const put = this.#chunks.save(number, changes)
        young += put.more
        written += put.written
      },
      keep: (spans: Spans, at: number) => {
        // At most one pass over both levels: after that, there is nothing left to move.
        this.#statement(
          'UPDATE audiences SET size = size + ?1, people = ?2, young = ?3, owed = min(owed + ?4, ?3 + old) WHERE number = ?5',
        ).run(spans.now, people, young, written, number)
        const add = this.#statement(
          'INSERT INTO changes (audience, at, delta) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET delta = delta + excluded.delta',
        )
        for (const [second, delta] of spans.later) if (delta !== 0) add.run(number, second, delta)
        if (spans.hasEnded) this.#maintenance.ended(number, { first: at, last: at })
      },
    }
  }

  /**
   * One bounded step of the compaction of an audience. Returns false if none is due. A large level 0 makes merges expensive, a
   * small one makes compaction expensive; so compaction writes as many records as merges do.
   */
  compact(id: string): boolean {
    const found = this.find(id)
    if (!found || found.young <= this.#sizes.compactedLeast || found.owed <= 0) return false
    const records = Math.min(found.owed, this.#sizes.stepRecords)
    this.transaction(() => this.#maintenance.compact(found.number, found.aged_until, records))
    return true
  }

  #people(audience: number, ids: readonly number[]): PersonRow[] {
    const find = this.#statement(
      'SELECT id, effective, expires, keys FROM people WHERE audience = ? AND id = ?',
    )
    return ids.flatMap((id) => rowAs<PersonRow | undefined>(find.get(audience, id)) ?? [])
  }

  #savePeople(audience: number, { people, gone }: Changes): void {
    const remove = this.#statement('DELETE FROM people WHERE audience = ? AND id = ?')
    for (const id of gone) remove.run(audience, id)
    const put = this.#statement(
      'INSERT OR REPLACE INTO people (audience, id, effective, expires, keys) VALUES (?, ?, ?, ?, ?)',
    )
    for (const { id, effective, expires, keys } of people) put.run(audience, id, effective, expires, keys)
  }

  /**
   * The number of members of an audience at a second; undefined if nothing has been merged. `isCounted` is false if there were
   * too many due changes to add all of them.
   */
  stateAt(id: string, now: number): { size: number; isCounted: boolean } | undefined {
    const row = this.#statement('SELECT number, size FROM audiences WHERE id = ?').get(id)
    if (!row) return undefined
    const { delta, total } = rowAs<{ delta: number; total: number }>(
      this.#statement(
        'SELECT coalesce(sum(delta), 0) AS delta, count(*) AS total FROM (SELECT delta FROM changes WHERE audience = ? AND at <= ? ORDER BY at LIMIT ?)',
      ).get(Number(row.number), now, MAX_DUE_CHANGES),
    )
    return { size: Number(row.size) + delta, isCounted: total < MAX_DUE_CHANGES }
  }

  /** Stores a batch that cannot be merged, with the reason. */
  addDeadLetter(
    audience: AudienceRow,
    batch: { seq: number; acceptedAt: number; data: Uint8Array },
    reason: string,
  ) {
    this.#statement(
      'INSERT INTO set_aside (audience, seq, accepted_at, reason, data) VALUES (?, ?, ?, ?, ?)',
    ).run(audience.number, batch.seq, batch.acceptedAt, reason, batch.data)
  }

  /** Marks an audience for deletion. Later batches for it are dropped. */
  forget(id: string): void {
    this.#statement('UPDATE audiences SET forgotten = 1 WHERE id = ?').run(id)
  }

  /** Whether any maintenance is due. */
  isDue(now: number): boolean {
    const maintenance = this.#maintenance
    return [maintenance.toForget([]), maintenance.toCount(now, []), maintenance.toExpire(now, [])].some(
      (one) => one !== undefined,
    )
  }

  /**
   * One bounded step of each kind of maintenance that is due, each in its own transaction. `oldest` returns the second of the
   * oldest waiting batch. Returns whether anything was due. Failures are added to `troubles`.
   */
  maintain(now: number, oldest: () => number | undefined, troubles: Error[]): boolean {
    const maintenance = this.#maintenance
    const except = this.#backoff.names().map(Number)
    const attempt = (number: number | undefined, step: (number: number) => void) =>
      number !== undefined && this.#attempt(number, () => step(number), troubles)
    const forgets = attempt(maintenance.toForget(except), (number) => maintenance.forget(number))
    const counts = attempt(maintenance.toCount(now, except), (number) => maintenance.count(number, now))
    const sweeps = attempt(maintenance.toExpire(now, except), (number) =>
      maintenance.expire(number, now, oldest),
    )
    return forgets || counts || sweeps
  }

  /** A failure of one audience does not affect others. */
  #attempt(number: number, step: () => void, troubles: Error[]): true {
    try {
      this.transaction(step)
      this.#backoff.done(String(number))
    } catch (error) {
      if (isOfMachine(error) || !this.#backoff.add(String(number))) throw error
      troubles.push(new Error(`audience number ${number} must wait: ${(error as Error).message}`))
    }
    return true
  }

  #statement(text: string) {
    return this.#statements.of(text)
  }

  close(): void {
    this.#db.close()
  }
}
