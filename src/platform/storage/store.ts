import type { TimeSource } from '../common/clock.ts'
import type { DialectName, Query } from './query.ts'

/** The options of every store. */
export interface StoreOptions {
  /** The clock of transactions. */
  clock: TimeSource
  /** Called for idle connections that are lost. */
  onError: (error: Error) => void
  /**
   * Runs the function of each write twice, the first time in vain, so that a test fails if the
   * function changes something outside its transaction.
   */
  runWritesTwice?: boolean
}

/**
 * The argument of the function given to `write`. Nothing else of the store may be used inside it.
 */
export interface Transaction {
  readonly dialect: DialectName
  all<Args extends object, Row>(query: Query<Args, Row>, args: Args): Promise<Row[]>
  first<Args extends object, Row>(query: Query<Args, Row>, args: Args): Promise<Row | undefined>
  /** Resolves to the number of rows changed. */
  run<Args extends object>(query: Query<Args, unknown>, args: Args): Promise<number>
  /** The time of the transaction: one reading of the clock, in epoch milliseconds. */
  readonly now: number
  /**
   * Notifies the listeners of `channel` once the transaction is committed. Several calls for
   * one channel notify them once.
   */
  notify(channel: string): void
}

/** The relational store. Reads see committed data; a write is durable when its promise resolves. */
export interface Store {
  readonly dialect: DialectName
  all<Args extends object, Row>(query: Query<Args, Row>, args: Args): Promise<Row[]>
  first<Args extends object, Row>(query: Query<Args, Row>, args: Args): Promise<Row | undefined>
  /**
   * Runs `work` in a transaction, which is rolled back when `work` throws. `work` must await only
   * its transaction and, in a large batch, the end of a turn, because other writers wait for it. It
   * may run more than once, because the database asks for a retry or because a write that shares
   * its commit fails, so it changes nothing outside its transaction. Of its results, only that of
   * the last run counts.
   * @throws TransactionMisused When `work` reads or writes the store itself.
   */
  write<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /**
   * The same number as long as all reads would see the same state. Undefined when only a read can
   * detect a change, because other processes write to the database too.
   */
  snapshotVersion(): number | undefined
  /**
   * Resolves when every commit that a read has seen so far is on disk. On SQLite, a read may see a
   * commit before it is on disk.
   */
  durable(): Promise<void>
  /**
   * Calls `wake` after each commit of this process that notified `channel`, until the result is
   * disposed of. It must not throw. It is a hint: commits of other processes do not call it, and
   * the tables are authoritative.
   */
  listen(channel: string, wake: () => void): Disposable
  /** Calls the listeners of every channel: another process has committed something. */
  wakeAll(): void
  /**
   * On SQLite: copies what is committed into a file, or a database in memory, that is missing or
   * empty. Blocks the event loop, so it is for small databases.
   */
  copyInto?(target: string): Promise<void>
  close(): Promise<void>
}

/** A write would have violated a unique index: another writer was first. */
export class UniqueViolation extends Error {
  override name = 'UniqueViolation'
  constructor(detail: string) {
    super(`unique index violated: ${detail}`)
  }
}

/** Another transaction changes the same rows and did not finish in time. */
export class StoreBusy extends Error {
  override name = 'StoreBusy'
}

/** The store cannot be reached or is closing. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable'
}
