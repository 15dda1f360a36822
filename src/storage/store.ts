import type { DialectName, Query } from './query.ts'

/** Runs queries inside one transaction. */
export interface Transaction {
  all<Args extends object, Row>(query: Query<Args, Row>, args: Args): Promise<Row[]>
  first<Args extends object, Row>(query: Query<Args, Row>, args: Args): Promise<Row | undefined>
  /** Resolves to the number of rows changed. */
  run<Args extends object>(query: Query<Args, unknown>, args: Args): Promise<number>
}

/** The relational store. Reads see what was committed; a write is durable when its promise resolves. */
export interface Store {
  readonly dialect: DialectName
  all<Args extends object, Row>(query: Query<Args, Row>, args: Args): Promise<Row[]>
  first<Args extends object, Row>(query: Query<Args, Row>, args: Args): Promise<Row | undefined>
  /**
   * Runs `work` in a transaction. All or nothing: when `work` throws, nothing was written.
   * `work` awaits nothing but its transaction and, in a large batch, the end of a turn: other writers wait for it.
   * It may be run again from the start when the database asks for a retry.
   */
  write<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /**
   * The same number for as long as every read would see the same state. Undefined where only a read can tell,
   * because others write to the database too.
   */
  moment(): number | undefined
  close(): Promise<void>
}

/** A write would have broken a unique index: somebody else was first. */
export class UniqueViolation extends Error {
  override name = 'UniqueViolation'
  constructor(detail: string) {
    super(`unique index violated: ${detail}`)
  }
}

/** Somebody else changes the same rows, and did not come to an end in time. */
export class StoreBusy extends Error {
  override name = 'StoreBusy'
}

/** The store cannot be reached or is closing. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable'
}
