import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Changes, MemberTable, PersonRow } from '../merge.ts'
import type { Spans } from '../spans.ts'
import { areasOf, CHUNK_SCHEMA, Chunks, PAGE_BYTES } from './chunks.ts'
import { KeyFilters } from './filter.ts'
import type { Durability } from './log.ts'
import { openDatabase, openReader } from './log.ts'

/**
 * Times are seconds. `young` and `old` are the records in the areas of an audience, `people` is the next id of a person
 * with several keys; `ended`, whether somebody expired. Records move to the old area from the key `aged_until` on;
 * `owed` are those that merges wrote, less those that moving wrote since.
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
    ended INTEGER NOT NULL,
    swept_at INTEGER NOT NULL,
    swept_until BLOB,
    swept_people INTEGER,
    forgotten INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX audiences_forgotten ON audiences (number) WHERE forgotten = 1;
  CREATE INDEX audiences_ended ON audiences (swept_at) WHERE ended = 1;
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
  CREATE TABLE progress (merged_until INTEGER NOT NULL) STRICT;
  INSERT INTO progress VALUES (0);
  ${CHUNK_SCHEMA}
`
const VERSION = 1
const CACHE_MEGABYTES = 8
/** Room for 32 million keys. */
const FILTER_BYTES = 32 * 1024 * 1024

/** Of one step in the background. */
const STEP_CHUNKS = 100
const STEP_ROWS = 5_000
const STEP_RECORDS = 500_000
/** Of the young area of an audience: so many records are not worth moving. */
const YOUNG_LEAST = 20_000
/** Changes that came due of one audience, beyond which its count is not worked out for a reply. */
const MAX_DUE_CHANGES = 10_000
/** How long what has expired may stay. */
const SWEEP_AFTER_SECONDS = 86_400

interface SweepRow {
  number: number
  swept_until: Uint8Array | null
  swept_people: number | null
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
  readonly #chunks: Chunks
  readonly #prepared = new Map<string, StatementSync>()
  readonly #youngLeast: number

  /** `durability` undefined: only to read. */
  constructor(
    file: string,
    durability: Durability | undefined,
    {
      filters = new KeyFilters(FILTER_BYTES),
      youngLeast = YOUNG_LEAST,
    }: { filters?: KeyFilters; youngLeast?: number } = {},
  ) {
    this.#youngLeast = youngLeast
    const pages = { pageBytes: PAGE_BYTES, cacheMegabytes: CACHE_MEGABYTES }
    this.#db = durability === undefined ? openReader(file) : openDatabase(file, { durability, ...pages })
    const version = Number(this.#db.prepare('PRAGMA user_version').get()?.user_version)
    if (version > VERSION) throw new Error(`${file} was made by a newer version of Plaza`)
    if (version === 0) this.transaction(() => this.#db.exec(`${SCHEMA} PRAGMA user_version = ${VERSION};`))
    this.#chunks = new Chunks(this.#db, filters)
  }

  /** All of it or nothing. */
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

  mergedUntil(): number {
    return Number(this.#statement('SELECT merged_until FROM progress').get()?.merged_until)
  }

  setMergedUntil(seq: number): void {
    this.#statement('UPDATE progress SET merged_until = ?').run(seq)
  }

  find(id: string): AudienceRow | undefined {
    return this.#statement(
      'SELECT number, size, young, old, owed, aged_until, counted_at, people, forgotten FROM audiences WHERE id = ?',
    ).get(id) as unknown as AudienceRow | undefined
  }

  /** The audience of an id, made when it is new. */
  audience(id: string, now: number): AudienceRow {
    const known = this.find(id)
    if (known) return known
    this.#statement(
      'INSERT INTO audiences (id, size, young, old, owed, counted_at, people, ended, swept_at, forgotten) VALUES (?, 0, 0, 0, 0, ?, 1, 0, ?, 0)',
    ).run(id, now, now)
    return this.find(id) as AudienceRow
  }

  /** The members of an audience, for a merge inside a transaction. */
  table(audience: AudienceRow): MemberTable & { keep(spans: Spans): void } {
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
      keep: (spans: Spans) => {
        // A whole pass over the areas leaves nothing to move: more than that is never owed.
        this.#statement(
          'UPDATE audiences SET size = size + ?1, people = ?2, young = ?3, owed = min(owed + ?4, ?3 + old) WHERE number = ?5',
        ).run(spans.now, people, young, written, number)
        const add = this.#statement(
          'INSERT INTO changes (audience, at, delta) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET delta = delta + excluded.delta',
        )
        for (const [at, delta] of spans.later) if (delta !== 0) add.run(number, at, delta)
      },
    }
  }

  /**
   * One bounded step of moving young records of an audience over to the old ones. False when there is no need: a large
   * young area makes merges dear and a small one makes moving dear, so moving may write as much as merges did.
   */
  age(id: string): boolean {
    const found = this.find(id)
    if (!found || found.young <= this.#youngLeast || found.owed <= 0) return false
    const records = Math.min(found.owed, STEP_RECORDS)
    this.transaction(() => this.#ageStep(found.number, found.aged_until, records))
    return true
  }

  /** Resolves to how many records moved. */
  #ageStep(number: number, from: Uint8Array | null, records: number): number {
    const { moved, more, written, next } = this.#chunks.age(number, from, records)
    this.#statement(
      'UPDATE audiences SET young = young - ?, old = old + ?, owed = max(owed - ?, ?), aged_until = ? WHERE number = ?',
    ).run(moved, more, written, -STEP_RECORDS, next, number)
    return moved
  }

  #people(audience: number, ids: readonly number[]): PersonRow[] {
    const find = this.#statement(
      'SELECT id, effective, expires, keys FROM people WHERE audience = ? AND id = ?',
    )
    return ids.flatMap((id) => (find.get(audience, id) as unknown as PersonRow | undefined) ?? [])
  }

  #savePeople(audience: number, { people, gone }: Changes): void {
    const remove = this.#statement('DELETE FROM people WHERE audience = ? AND id = ?')
    for (const id of gone) remove.run(audience, id)
    const put = this.#statement(
      'INSERT OR REPLACE INTO people (audience, id, effective, expires, keys) VALUES (?, ?, ?, ?, ?)',
    )
    for (const { id, effective, expires, keys } of people) put.run(audience, id, effective, expires, keys)
  }

  /** How many members an audience has at a second; undefined when nothing was merged, `busy` when much must be counted. */
  sizeAt(id: string, now: number): number | 'busy' | undefined {
    const row = this.#statement('SELECT number, size FROM audiences WHERE id = ?').get(id)
    if (!row) return undefined
    const { delta, total } = this.#statement(
      'SELECT coalesce(sum(delta), 0) AS delta, count(*) AS total FROM (SELECT delta FROM changes WHERE audience = ? AND at <= ? LIMIT ?)',
    ).get(Number(row.number), now, MAX_DUE_CHANGES) as unknown as { delta: number; total: number }
    return total === MAX_DUE_CHANGES ? 'busy' : Number(row.size) + delta
  }

  /** Marks an audience as to be forgotten. What comes for it from now on is dropped. */
  forget(id: string): void {
    this.#statement('UPDATE audiences SET forgotten = 1 WHERE id = ?').run(id)
  }

  /** Whether there is something to forget, to count or to drop. */
  isDue(now: number): boolean {
    const is = (text: string, ...args: number[]) => this.#statement(text).get(...args) !== undefined
    return (
      is('SELECT 1 FROM audiences WHERE forgotten = 1 LIMIT 1') ||
      is('SELECT 1 FROM changes WHERE at <= ? LIMIT 1', now) ||
      is('SELECT 1 FROM audiences WHERE ended = 1 AND swept_at <= ? LIMIT 1', now - SWEEP_AFTER_SECONDS)
    )
  }

  /** One bounded step of what is due, in a transaction of its own. False when nothing was. */
  upkeep(now: number): boolean {
    return this.transaction(() => this.#forgetStep() || this.#countStep(now) || this.#sweepStep(now))
  }

  #forgetStep(): boolean {
    const row = this.#statement(
      'SELECT number FROM audiences WHERE forgotten = 1 ORDER BY number LIMIT 1',
    ).get()
    if (!row) return false
    const number = Number(row.number)
    this.#chunks.forget(number)
    const { old, young } = areasOf(number)
    const removed =
      this.#removeSome('chunks', { owner: 'area', key: 'id', of: old, limit: STEP_CHUNKS }) +
      this.#removeSome('chunks', { owner: 'area', key: 'id', of: young, limit: STEP_CHUNKS }) +
      this.#removeSome('people', { owner: 'audience', key: 'id', of: number, limit: STEP_ROWS }) +
      this.#removeSome('changes', { owner: 'audience', key: 'at', of: number, limit: STEP_ROWS })
    if (removed === 0) this.#statement('DELETE FROM audiences WHERE number = ?').run(number)
    return true
  }

  #removeSome(
    table: string,
    { owner, key, of, limit }: { owner: string; key: string; of: number; limit: number },
  ): number {
    const { changes } = this.#statement(
      `DELETE FROM ${table} WHERE ${owner} = ?1 AND ${key} IN (SELECT ${key} FROM ${table} WHERE ${owner} = ?1 LIMIT ?2)`,
    ).run(of, limit)
    return Number(changes)
  }

  /** Takes changes that came due into the sizes. */
  #countStep(now: number): boolean {
    const due = this.#statement('SELECT audience FROM changes WHERE at <= ? ORDER BY at LIMIT 1').get(now)
    if (!due) return false
    this.count(Number(due.audience), now)
    return true
  }

  /** Takes changes of an audience that came due until a second into its size. False when there are more of them. */
  count(audience: number, now: number): boolean {
    const rows = this.#statement(
      'SELECT at, delta FROM changes WHERE audience = ? AND at <= ? ORDER BY at LIMIT ?',
    ).all(audience, now, STEP_ROWS) as { at: number; delta: number }[]
    const isAll = rows.length < STEP_ROWS
    const until = isAll ? now : (rows.at(-1)?.at ?? now)
    const delta = rows.reduce((sum, row) => sum + row.delta, 0)
    this.#statement('DELETE FROM changes WHERE audience = ? AND at <= ?').run(audience, until)
    this.#statement(
      'UPDATE audiences SET size = size + ?1, counted_at = max(counted_at, ?2), ended = max(ended, ?3) WHERE number = ?4',
    ).run(delta, until, rows.length === 0 ? 0 : 1, audience)
    return isAll
  }

  /** Drops members who expired, a day after the last time that this was done: keys first, then persons. */
  #sweepStep(now: number): boolean {
    const row = this.#statement(
      'SELECT number, swept_until, swept_people FROM audiences WHERE ended = 1 AND swept_at <= ? ORDER BY swept_at LIMIT 1',
    ).get(now - SWEEP_AFTER_SECONDS) as SweepRow | undefined
    if (!row) return false
    // A young record must not go while the old one that it stands for is there.
    if (this.#ageStep(row.number, null, STEP_RECORDS) > 0) return true
    if (row.swept_people === null) this.#sweepKeys(row, now)
    else this.#sweepPeople(row.number, row.swept_people, now)
    return true
  }

  #sweepKeys({ number, swept_until: from }: SweepRow, now: number): void {
    const person = this.#statement('SELECT 1 FROM people WHERE audience = ? AND id = ? AND expires > ?')
    const { dropped, next } = this.#chunks.sweep(number, from, {
      chunks: STEP_CHUNKS,
      isOver: (first, second) =>
        second === 0 ? person.get(number, first, now) === undefined : second <= now,
    })
    this.#statement(
      'UPDATE audiences SET old = old - ?, swept_until = ?, swept_people = ? WHERE number = ?',
    ).run(dropped, next, next ? null : 0, number)
  }

  #sweepPeople(number: number, from: number, now: number): void {
    const { last, total } = this.#statement(
      'SELECT max(id) AS last, count(*) AS total FROM (SELECT id FROM people WHERE audience = ? AND id > ? ORDER BY id LIMIT ?)',
    ).get(number, from, STEP_ROWS) as unknown as { last: number | null; total: number }
    if (last !== null)
      this.#statement('DELETE FROM people WHERE audience = ? AND id > ? AND id <= ? AND expires <= ?').run(
        number,
        from,
        last,
        now,
      )
    if (total === STEP_ROWS)
      this.#statement('UPDATE audiences SET swept_people = ? WHERE number = ?').run(last, number)
    else
      this.#statement(
        'UPDATE audiences SET ended = 0, swept_at = ?, swept_until = NULL, swept_people = NULL WHERE number = ?',
      ).run(now, number)
  }

  #statement(text: string): StatementSync {
    const known = this.#prepared.get(text)
    if (known) return known
    const made = this.#db.prepare(text)
    this.#prepared.set(text, made)
    return made
  }

  close(): void {
    this.#db.close()
  }
}
