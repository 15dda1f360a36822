import type { Chunks } from './chunks.ts'
import { levelsOf } from './chunks.ts'
import { rowAs } from './rows.ts'
import type { Statements } from './statements.ts'

/** How long expired members may stay stored. */
const EXPIRE_AFTER_SECONDS = 86_400

/** Limits of one background step: chunks read, rows, and records that compaction writes. */
export interface StepSizes {
  stepChunks: number
  stepRows: number
  stepRecords: number
}

interface ExpiryRow {
  number: number
  sweep_before: number | null
  swept_people: number | null
  swept_young: Uint8Array | null
  swept_until: Uint8Array | null
}

/** Numbers of audiences to skip. */
type Except = readonly number[]

const NOTHING = Buffer.alloc(0)

/** Background work on members other than merging, in bounded steps. The caller opens the transactions. */
export class Maintenance {
  readonly #statements: Statements
  readonly #chunks: Chunks
  readonly #sizes: StepSizes

  constructor(statements: Statements, chunks: Chunks, sizes: StepSizes) {
    this.#statements = statements
    this.#chunks = chunks
    this.#sizes = sizes
  }

  /** The number of an audience to delete. */
  toForget(except: Except): number | undefined {
    return this.#number(
      'SELECT number FROM audiences WHERE forgotten = 1 AND number NOT IN (SELECT value FROM json_each(?)) ORDER BY number LIMIT 1',
      JSON.stringify(except),
    )
  }

  /** The number of an audience with due changes. */
  toCount(now: number, except: Except): number | undefined {
    return this.#number(
      'SELECT audience AS number FROM changes WHERE at <= ? AND audience NOT IN (SELECT value FROM json_each(?)) ORDER BY at LIMIT 1',
      now,
      JSON.stringify(except),
    )
  }

  /** The number of an audience that still stores expired members. */
  toExpire(now: number, except: Except): number | undefined {
    return this.#number(
      'SELECT number FROM audiences WHERE sweep_at <= ? AND number NOT IN (SELECT value FROM json_each(?)) ORDER BY sweep_at LIMIT 1',
      now,
      JSON.stringify(except),
    )
  }

  #number(text: string, ...args: (number | string)[]): number | undefined {
    return this.#statements.of(text).get(...args)?.number as number | undefined
  }

  /** Deletes some rows of an audience, and the audience itself once it has no others. */
  forget(number: number): void {
    this.#chunks.forget(number)
    const { stepChunks, stepRows } = this.#sizes
    const { level0, level1 } = levelsOf(number)
    const removed =
      this.#removeSome('chunks', { owner: 'area', key: 'id', of: level1, limit: stepChunks }) +
      this.#removeSome('chunks', { owner: 'area', key: 'id', of: level0, limit: stepChunks }) +
      this.#removeSome('people', { owner: 'audience', key: 'id', of: number, limit: stepRows }) +
      this.#removeSome('changes', { owner: 'audience', key: 'at', of: number, limit: stepRows }) +
      this.#removeSome('set_aside', { owner: 'audience', key: 'seq', of: number, limit: stepRows })
    if (removed === 0) this.#statements.of('DELETE FROM audiences WHERE number = ?').run(number)
  }

  #removeSome(
    table: string,
    { owner, key, of, limit }: { owner: string; key: string; of: number; limit: number },
  ): number {
    const remove = this.#statements.of(
      `DELETE FROM ${table} WHERE ${owner} = ?1 AND ${key} IN (SELECT ${key} FROM ${table} WHERE ${owner} = ?1 LIMIT ?2)`,
    )
    return Number(remove.run(of, limit).changes)
  }

  /** Adds the changes of an audience that are due at a second to its size. */
  count(number: number, now: number): void {
    const { stepRows } = this.#sizes
    const rows = this.#statements
      .of('SELECT at, delta FROM changes WHERE audience = ? AND at <= ? ORDER BY at LIMIT ?')
      .all(number, now, stepRows) as { at: number; delta: number }[]
    const until = rows.length < stepRows ? now : (rows.at(-1)?.at ?? now)
    const delta = rows.reduce((sum, row) => sum + row.delta, 0)
    this.#statements.of('DELETE FROM changes WHERE audience = ? AND at <= ?').run(number, until)
    this.#statements
      .of('UPDATE audiences SET size = size + ?1, counted_at = max(counted_at, ?2) WHERE number = ?3')
      .run(delta, until, number)
    const [first, last] = [rows[0], rows.at(-1)]
    if (first && last) this.ended(number, { first: first.at, last: last.at })
  }

  /** Records that members ceased to count, at seconds from `first` to `last`. The next sweep is due a day after the first. */
  ended(number: number, { first, last }: { first: number; last: number }): void {
    this.#statements
      .of(
        'UPDATE audiences SET ended_at = max(ended_at, ?1), sweep_at = coalesce(sweep_at, ?2) WHERE number = ?3',
      )
      .run(last, first + EXPIRE_AFTER_SECONDS, number)
  }

  /**
   * Moves records from level 0 to level 1, beginning at a key, until about `records` have been written there. Returns the key at
   * which the next step begins; null at the end.
   */
  compact(number: number, from: Uint8Array | null, records: number): Uint8Array | null {
    const { moved, more, written, next } = this.#chunks.compact(number, from, records)
    this.#statements
      .of(
        'UPDATE audiences SET young = young - ?, old = old + ?, owed = max(owed - ?, ?), aged_until = ? WHERE number = ?',
      )
      .run(moved, more, written, -this.#sizes.stepRecords, next, number)
    return next
  }

  /**
   * Deletes some of the members who expired more than a day ago: users first, then keys, because merges run in between. A merge
   * treats a key without its user as free. But a user without some of their keys would get them back, although others may
   * have these keys by then. `oldest` returns the second of the oldest waiting batch: members who had not expired then are
   * kept, because the batch may refer to them.
   */
  expire(number: number, now: number, oldest: () => number | undefined): void {
    const row = rowAs<ExpiryRow>(
      this.#statements
        .of(
          'SELECT number, sweep_before, swept_people, swept_young, swept_until FROM audiences WHERE number = ?',
        )
        .get(number),
    )
    const { sweep_before: before, swept_people, swept_young } = row
    if (before === null)
      this.#beginExpiry(number, Math.min(now - EXPIRE_AFTER_SECONDS, (oldest() ?? now) - 1))
    else if (swept_people !== null) this.#expirePeople(number, swept_people, before)
    else if (swept_young !== null) this.#compactBeforeExpiry(number, swept_young)
    else this.#expireKeys(row, before, now)
  }

  #beginExpiry(number: number, before: number): void {
    this.#statements
      .of(
        'UPDATE audiences SET sweep_before = ?, swept_people = 0, swept_young = ?, swept_until = NULL WHERE number = ?',
      )
      .run(before, NOTHING, number)
  }

  #expirePeople(number: number, from: number, before: number): void {
    const { stepRows } = this.#sizes
    const { last, total } = rowAs<{ last: number | null; total: number }>(
      this.#statements
        .of(
          'SELECT max(id) AS last, count(*) AS total FROM (SELECT id FROM people WHERE audience = ? AND id > ? ORDER BY id LIMIT ?)',
        )
        .get(number, from, stepRows),
    )
    if (last !== null)
      this.#statements
        .of('DELETE FROM people WHERE audience = ? AND id > ? AND id <= ? AND expires <= ?')
        .run(number, from, last, before)
    this.#statements
      .of('UPDATE audiences SET swept_people = ? WHERE number = ?')
      .run(total === stepRows ? last : null, number)
  }

  /**
   * Moves level 0 to level 1 once, because only level 1 is searched for expired keys: a record of level 0 must not be deleted while
   * level 1 still has the one that it overrides. Records that merges write in the meantime have not expired.
   */
  #compactBeforeExpiry(number: number, from: Uint8Array): void {
    const next = this.compact(number, from, this.#sizes.stepRecords)
    this.#statements.of('UPDATE audiences SET swept_young = ? WHERE number = ?').run(next, number)
  }

  #expireKeys({ number, swept_until: from }: ExpiryRow, before: number, now: number): void {
    const person = this.#statements.of('SELECT 1 FROM people WHERE audience = ? AND id = ?')
    const { dropped, next } = this.#chunks.expire(number, from, {
      chunks: this.#sizes.stepChunks,
      isOver: (first, second) => (second === 0 ? person.get(number, first) === undefined : second <= before),
    })
    this.#statements
      .of('UPDATE audiences SET old = old - ?, swept_until = ? WHERE number = ?')
      .run(dropped, next, number)
    if (!next) this.#endExpiry(number, now + EXPIRE_AFTER_SECONDS)
  }

  /** The next sweep deletes members who ended too late for this one. */
  #endExpiry(number: number, next: number): void {
    this.#statements
      .of(
        'UPDATE audiences SET sweep_before = NULL, sweep_at = CASE WHEN ended_at > sweep_before THEN ? END WHERE number = ?',
      )
      .run(next, number)
  }
}
