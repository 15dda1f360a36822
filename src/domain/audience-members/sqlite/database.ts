import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { createStatements } from '../../../platform/storage/ddl.ts'
import { makePrivate } from '../../../platform/storage/private-file.ts'
import { SqliteStatements } from '../../../platform/storage/sqlite-statements.ts'
import { StoreUnavailable } from '../../../platform/storage/store.ts'
import type { Table } from '../../../platform/storage/table.ts'
import type { MemberDatabase, MemberTransaction } from '../database.ts'
import type { Reader } from '../membership.ts'
import { type AudienceRow, mergedUntil, removeMerged } from '../queries.ts'
import * as tables from '../tables.ts'
import { SqliteTable } from './table.ts'

const BUSY_TIMEOUT_MS = 10_000
const CACHE_KILOBYTES = { log: 2_048, members: 8_192 }
const MAX_WAL_BYTES = 64 * 1024 * 1024
/** Of the schemas below. */
const VERSION = 1

/**
 * The tables of the log, and those of the members. `merged_until`: the last batch of the audience
 * that was merged.
 */
const SCHEMAS = {
  log: createStatements(tables.membershipLog, 'sqlite'),
  members: [
    ...createStatements(tables.membershipAudiences, 'sqlite'),
    'alter table membership_audiences add column merged_until integer not null default 0',
    ...[tables.membershipKeys, tables.membershipPeople, tables.membershipChanges].flatMap(clustered),
    ...createStatements(tables.membershipSetAside, 'sqlite'),
  ],
} as const

/** A table whose rows are stored in the order of its key. */
function clustered(table: Table): string[] {
  const [create, ...indexes] = createStatements(table, 'sqlite')
  return [`${create} without rowid`, ...indexes]
}

/** The files of members. */
export interface MemberFiles {
  log: string
  members: string
  durability: Durability
}

/**
 * Durability of writes. `FULL`: they survive a power failure. `NORMAL`: they survive the end of the
 * process; a power failure may undo them, but nothing that another connection wrote with `FULL`.
 * Any writer may run a checkpoint of the write-ahead log, which must wait for the disk.
 */
export type Durability = 'FULL' | 'NORMAL' | 'OFF'

/**
 * For removing merged batches from a log that others append to. The members record how far the log
 * has been merged.
 */
export const durabilityOfRemovals = (ofAppends: Durability): Durability =>
  ofAppends === 'OFF' ? 'OFF' : 'NORMAL'

/** The statements that create one of the files. */
export const emptyMembers = (kind: keyof typeof SCHEMAS): string =>
  [...SCHEMAS[kind], `PRAGMA user_version = ${VERSION}`].join(';\n')

/** Opens one of the files for writing, and creates it if it does not exist. */
export function openFile(kind: keyof typeof SCHEMAS, file: string, durability: Durability): DatabaseSync {
  makePrivate(file)
  const db = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS })
  db.exec('PRAGMA journal_mode = WAL')
  db.exec(`PRAGMA synchronous = ${durability}`)
  db.exec(`PRAGMA cache_size = -${CACHE_KILOBYTES[kind]}`)
  db.exec(`PRAGMA journal_size_limit = ${MAX_WAL_BYTES}`)
  inTransaction(db, () => {
    const found = db.prepare('PRAGMA user_version').get()?.user_version
    if (found === 0) db.exec(emptyMembers(kind))
    else if (found !== VERSION) throw new Error(`${file} was made by another version of Plaza`)
  })
  return db
}

/**
 * Both files, for reading what others write. Statements read the log first: what no longer waits
 * there is in the members.
 */
export function openReader({ log, members }: MemberFiles): Reader & { close(): void } {
  const db = new DatabaseSync(log, { timeout: BUSY_TIMEOUT_MS, readOnly: true })
  attach(db, members)
  const statements = new SqliteStatements(db)
  return { all: async (query, args) => statements.all(query, args), close: () => db.close() }
}

function attach(db: DatabaseSync, file: string): void {
  db.prepare('ATTACH ? AS other').run(`${pathToFileURL(file)}?mode=ro`)
}

/**
 * The next batches get numbers behind those that were merged: the log may have been replaced by an
 * older one.
 */
export function continueAfterMerged(log: DatabaseSync, members: DatabaseSync): void {
  const { last } = members
    .prepare('SELECT coalesce(max(merged_until), 0) AS last FROM membership_audiences')
    .get() as {
    last: number
  }
  inTransaction(log, () => {
    log.exec(
      "INSERT INTO sqlite_sequence SELECT 'membership_log', 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence)",
    )
    log.prepare('UPDATE sqlite_sequence SET seq = max(seq, ?)').run(last)
  })
}

function inTransaction(db: DatabaseSync, work: () => void): void {
  db.exec('BEGIN IMMEDIATE')
  try {
    work()
    db.exec('COMMIT')
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

/**
 * The members, as the thread that merges writes them. It can read the log in its transactions, but
 * not change it.
 */
export class SqliteDatabase implements MemberDatabase {
  readonly #db: DatabaseSync
  readonly #log: DatabaseSync
  readonly #tx: MemberTransaction
  readonly #removals: SqliteStatements

  constructor({ log, members, durability }: MemberFiles) {
    this.#log = openFile('log', log, durabilityOfRemovals(durability))
    this.#removals = new SqliteStatements(this.#log)
    this.#db = openFile('members', members, durability)
    attach(this.#db, log)
    const statements = new SqliteStatements(this.#db)
    this.#tx = {
      all: async (query, args) => statements.all(query, args),
      first: async (query, args) => statements.first(query, args),
      run: async (query, args) => statements.run(query, args),
    }
  }

  all: MemberDatabase['all'] = (query, args) => usable(() => this.#tx.all(query, args))

  first: MemberDatabase['first'] = (query, args) => usable(() => this.#tx.first(query, args))

  write<T>(work: (tx: MemberTransaction) => Promise<T>): Promise<T> {
    return usable(async () => {
      this.#db.exec('BEGIN IMMEDIATE')
      try {
        const result = await work(this.#tx)
        this.#db.exec('COMMIT')
        return result
      } catch (error) {
        // Some errors roll back the transaction.
        if (this.#db.isTransaction) this.#db.exec('ROLLBACK')
        throw error
      }
    })
  }

  table(_: MemberTransaction, leased: Pick<AudienceRow, 'audience' | 'people'>): SqliteTable {
    return new SqliteTable(this.#db, leased)
  }

  async removeMerged(audience: string): Promise<void> {
    const merged = await this.first(mergedUntil, { audience })
    if (merged) await usable(async () => this.#removals.run(removeMerged, { audience, seq: merged.seq }))
  }

  close(): void {
    this.#db.close()
    this.#log.close()
  }
}

/**
 * Result codes of SQLite for failures of the disk, of memory, or because of other users of the
 * file: busy, locked, out of memory, read-only, interrupted, I/O error, full, cannot be opened,
 * locking protocol.
 */
const OF_MACHINE = new Set([5, 6, 7, 8, 9, 10, 13, 14, 15])

/** Distinguishes failures of the machine, which a retry may solve, from those of the data. */
async function usable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { errcode } = error as { errcode?: number }
    if (errcode === undefined || !OF_MACHINE.has(errcode & 0xff)) throw error
    throw new StoreUnavailable((error as Error).message, { cause: error })
  }
}
