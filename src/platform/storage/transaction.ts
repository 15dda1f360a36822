import { AsyncLocalStorage } from 'node:async_hooks'
import type { TimeSource } from '../common/clock.ts'
import type { DialectName, Query } from './query.ts'
import type { Transaction } from './store.ts'

/** Runs queries on one connection. */
export interface Connection {
  readonly dialect: DialectName
  all<Args extends object, Row>(query: Query<Args, Row>, args: Args): Row[] | Promise<Row[]>
  first<Args extends object, Row>(
    query: Query<Args, Row>,
    args: Args,
  ): Row | undefined | Promise<Row | undefined>
  run<Args extends object>(query: Query<Args, unknown>, args: Args): number | Promise<number>
}

/**
 * A programming error: the function given to `write` used the store, or its transaction after it
 * had ended.
 */
export class TransactionMisused extends Error {
  override readonly name = 'TransactionMisused'
}

// Only the asynchronous context distinguishes the function given to `write` from a concurrent
// request. It costs 0.2 microseconds per write and 5 nanoseconds per read.
const current = new AsyncLocalStorage<OpenTransaction>()

/**
 * Throws inside the function given to `write`. Reads from the store would not see the transaction,
 * and in memory, where reads wait for the writer, would deadlock.
 * @throws TransactionMisused
 */
export function assertOutsideWrite(): void {
  if (current.getStore()?.isOpen)
    throw new TransactionMisused(
      'write was given a function that uses the store: it may use its transaction only',
    )
}

const NONE: ReadonlySet<string> = new Set()

/** One run of the function given to `write`. */
export class OpenTransaction implements Transaction {
  readonly dialect: DialectName
  #connection: Connection | undefined
  readonly #clock: TimeSource
  #now: number | undefined
  #notified: Set<string> | undefined

  constructor(connection: Connection, clock: TimeSource) {
    this.dialect = connection.dialect
    this.#connection = connection
    this.#clock = clock
  }

  /** Runs `work`, which may access the store through this transaction only. */
  async perform<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    try {
      return await current.run(this, work, this)
    } finally {
      this.#connection = undefined
    }
  }

  get isOpen(): boolean {
    return this.#connection !== undefined
  }

  /** Channels to notify once the transaction is committed. */
  get notified(): ReadonlySet<string> {
    return this.#notified ?? NONE
  }

  async all<Args extends object, Row>(query: Query<Args, Row>, args: Args): Promise<Row[]> {
    return this.#open().all(query, args)
  }

  async first<Args extends object, Row>(query: Query<Args, Row>, args: Args): Promise<Row | undefined> {
    return this.#open().first(query, args)
  }

  async run<Args extends object>(query: Query<Args, unknown>, args: Args): Promise<number> {
    return this.#open().run(query, args)
  }

  get now(): number {
    this.#now ??= this.#clock.now()
    return this.#now
  }

  notify(channel: string): void {
    this.#open()
    this.#notified ??= new Set()
    this.#notified.add(channel)
  }

  #open(): Connection {
    if (!this.#connection) throw new TransactionMisused('the transaction has ended: await what it does')
    return this.#connection
  }
}
