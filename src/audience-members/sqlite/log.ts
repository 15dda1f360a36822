import type { StatementSync } from 'node:sqlite'
import { DatabaseSync } from 'node:sqlite'
import { makePrivate } from '../../storage/private-file.ts'
import type { Held } from '../share.ts'
import { rowAs } from './rows.ts'

const BUSY_TIMEOUT_MS = 10_000

/** Batches that wait, in the order of their acceptance. `data` null: forget the audience. */
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

/** Who uploaded, and to what. */
interface Whose {
  /** Empty: no one; it takes no room. */
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
  /** 1: the audience is to be forgotten; there is no data. */
  forget: number
}

/**
 * How safe a write must be: kept over a power failure, or only over the end of the process. `NORMAL`: a power failure may take it
 * back, but nothing that someone else wrote with `FULL`. Whoever writes a file may move what others wrote from its
 * write-ahead log into it, and must not do so without waiting for the disk.
 */
export type Durability = 'FULL' | 'NORMAL' | 'OFF'

/** For removing what was merged from a log that others append to: the members tell how far they were merged. */
export const durabilityOfRemovals = (ofAppends: Durability): Durability =>
  ofAppends === 'OFF' ? 'OFF' : 'NORMAL'

/** For reading what another connection writes. */
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

  /** `durability` undefined: only to read. */
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

  /** Bytes that wait, of everybody and of an account. */
  waitingBytes(account: string): Held {
    const row = this.#waiting.get(account)
    return { all: Number(row?.total), own: Number(row?.own) }
  }

  /** The next batches behind one, without what they hold. */
  next(after: number, limit: number): LoggedBatch[] {
    return rowAs<LoggedBatch[]>(this.#next.all(after, limit))
  }

  data(seq: number): Buffer {
    const bytes = this.#data.get(seq)?.data as Uint8Array
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  }

  /** The oldest time of acceptance behind a batch; null when none waits. */
  oldest(after: number): number | null {
    return this.#oldest.get(after)?.at as number | null
  }

  /** Gives no number up to one to new batches: to those that were merged they count as merged. */
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

  /** Removes what was merged, all up to one. */
  removeUntil(seq: number): void {
    this.#remove.run(seq)
  }

  close(): void {
    this.#db.close()
  }
}
