import type { StatementSync } from 'node:sqlite'
import { DatabaseSync } from 'node:sqlite'
import { makePrivate } from '../../../platform/storage/private-file.ts'
import type { Held } from '../share.ts'
import { rowAs } from './rows.ts'

const BUSY_TIMEOUT_MS = 10_000

/** Waiting batches, in the order in which they were accepted. `data` null: forget the audience. */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS batches (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    account TEXT NOT NULL,
    audience TEXT NOT NULL,
    accepted_at INTEGER NOT NULL,
    keys INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    data BLOB
  ) STRICT;
  CREATE INDEX IF NOT EXISTS batches_by_audience ON batches (audience);
  CREATE INDEX IF NOT EXISTS batches_by_account ON batches (account, bytes);
`

/** The account that uploaded, and the target. */
interface Whose {
  /** The empty account takes no part of the budget. */
  account: string
  audience: string
}

interface NewBatch {
  acceptedAt: number
  keys: number
  data: Uint8Array | null
}

export interface LoggedBatch {
  seq: number
  audience: string
  accepted_at: number
  keys: number
  /** 1: an order to forget the audience, without data. */
  forget: number
}

/**
 * Durability of writes. `FULL`: they survive a power failure. `NORMAL`: they survive the end of the process; a power failure may
 * undo them, but nothing that another connection wrote with `FULL`. Any writer may run a checkpoint of the write-ahead log, which
 * must wait for the disk.
 */
export type Durability = 'FULL' | 'NORMAL' | 'OFF'

/** For removing merged batches from a log that others append to. The members record how far the log has been merged. */
export const durabilityOfRemovals = (ofAppends: Durability): Durability =>
  ofAppends === 'OFF' ? 'OFF' : 'NORMAL'

/** For reading a file that another connection writes. */
export const openReader = (file: string) =>
  new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS, readOnly: true })

export function openDatabase(
  file: string,
  {
    durability,
    pageBytes,
    cacheMegabytes = 2,
  }: { durability: Durability; pageBytes?: number; cacheMegabytes?: number },
): DatabaseSync {
  makePrivate(file)
  const db = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS })
  if (pageBytes !== undefined) db.exec(`PRAGMA page_size = ${pageBytes}`)
  db.exec('PRAGMA journal_mode = WAL')
  db.exec(`PRAGMA synchronous = ${durability}`)
  db.exec(`PRAGMA cache_size = -${cacheMegabytes * 1024}`)
  db.exec(`PRAGMA journal_size_limit = ${64 * 1024 * 1024}`)
  return db
}

/** The log of accepted batches. */
export class BatchLog {
  readonly #db: DatabaseSync
  readonly #add: StatementSync
  readonly #waiting: StatementSync
  readonly #next: StatementSync
  readonly #waitsFor: StatementSync
  readonly #oldest: StatementSync
  readonly #data: StatementSync
  readonly #remove: StatementSync

  /** `durability` undefined: read-only. */
  constructor(file: string, durability: Durability | undefined) {
    this.#db = durability === undefined ? openReader(file) : openDatabase(file, { durability })
    if (durability !== undefined) this.#db.exec(SCHEMA)
    this.#add = this.#db.prepare(
      'INSERT INTO batches (account, audience, accepted_at, keys, bytes, data) VALUES (?, ?, ?, ?, ?, ?)',
    )
    this.#waiting = this.#db.prepare(
      'SELECT coalesce(sum(bytes), 0) AS total, coalesce(sum(bytes) FILTER (WHERE account = ?), 0) AS own FROM batches',
    )
    this.#next = this.#db.prepare(
      'SELECT seq, audience, accepted_at, keys, data IS NULL AS forget FROM batches WHERE seq > ? ORDER BY seq LIMIT ?',
    )
    this.#waitsFor = this.#db.prepare('SELECT 1 FROM batches WHERE audience = ? LIMIT 1')
    this.#oldest = this.#db.prepare('SELECT min(accepted_at) AS at FROM batches WHERE seq > ?')
    this.#data = this.#db.prepare('SELECT data FROM batches WHERE seq = ?')
    this.#remove = this.#db.prepare('DELETE FROM batches WHERE seq <= ?')
  }

  /** Adds a batch; it is durable when this returns. */
  add({ account, audience }: Whose, batch: NewBatch): void {
    const { acceptedAt, keys, data } = batch
    this.#add.run(account, audience, acceptedAt, keys, data?.length ?? 0, data)
  }

  /** Waiting bytes, in total and of one account. */
  waitingBytes(account: string): Held {
    const row = this.#waiting.get(account)
    return { all: Number(row?.total), own: Number(row?.own) }
  }

  /** The next batches after one, without their data. */
  next(after: number, limit: number): LoggedBatch[] {
    return rowAs<LoggedBatch[]>(this.#next.all(after, limit))
  }

  data(seq: number): Buffer {
    const bytes = this.#data.get(seq)?.data as Uint8Array
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  }

  /** The earliest time of acceptance after a batch; null if none waits. */
  oldest(after: number): number | null {
    return this.#oldest.get(after)?.at as number | null
  }

  /** Numbers new batches after a given number. Lower numbers count as already merged. */
  continueAfter(seq: number): void {
    this.#db.exec(
      "INSERT INTO sqlite_sequence (name, seq) SELECT 'batches', 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'batches')",
    )
    this.#db.prepare("UPDATE sqlite_sequence SET seq = ?1 WHERE name = 'batches' AND seq < ?1").run(seq)
  }

  isEmpty(): boolean {
    return this.next(0, 1).length === 0
  }

  /** Whether a batch of an audience waits. */
  waitsFor(audience: string): boolean {
    return this.#waitsFor.get(audience) !== undefined
  }

  /** Removes merged batches, up to and including one. */
  removeUntil(seq: number): void {
    this.#remove.run(seq)
  }

  close(): void {
    this.#db.close()
  }
}
