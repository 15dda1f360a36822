import type { Pool, PoolClient, QueryConfig } from 'pg'
import { afterError } from '../common/after-error.ts'
import type { TimeSource } from '../common/clock.ts'
import { type Database, Listeners, storeOn } from './database.ts'
import {
  CONNECT_TIMEOUT_MS,
  connected,
  createSchema,
  endPools,
  openPools,
  type Pools,
  type PostgresOptions,
} from './postgres-connections.ts'
import { bind, type Query } from './query.ts'
import { type Store, StoreBusy, StoreUnavailable, type Transaction, UniqueViolation } from './store.ts'
import { OpenTransaction } from './transaction.ts'

/**
 * A server that is well ends a statement before: this one is paused, or cannot be reached any more.
 */
const ANSWER_TIMEOUT_MS = 15_000
const MAX_ATTEMPTS = 4
/** Maximum pauses between two attempts, so that conflicting transactions do not collide again. */
const RETRY_PAUSES = { firstMs: 50, longestMs: 200 }
const MAX_NAME_LENGTH = 63
const UNIQUE_VIOLATION = '23505'
/** A row was locked for longer than the lock timeout. */
const BUSY_CODES = new Set(['55P03', '57014'])
/** Serialization failure and deadlock: the database asks to run the transaction again. */
const RETRY_CODES = new Set(['40001', '40P01'])

/** The shared store. */
export async function openPostgres(options: PostgresOptions): Promise<Store> {
  const pools = await openPools(options)
  const { connectTimeoutMs = CONNECT_TIMEOUT_MS, schema } = options
  try {
    const connecting = (from: Pool) => connected(() => from.connect(), connectTimeoutMs)
    await createSchema(await connecting(pools.readers), () => connecting(pools.writers), schema)
  } catch (error) {
    await endPools(pools)
    throw error
  }
  const listeners = new Listeners()
  return storeOn(new PostgresDatabase(pools, listeners, options), listeners)
}

class PostgresDatabase implements Database {
  readonly dialect = 'postgres'
  readonly #pools: Pools
  readonly #listeners: Listeners
  readonly #clock: TimeSource
  readonly #runWritesTwice: boolean
  readonly #connectTimeoutMs: number
  readonly #answerTimeoutMs: number

  constructor(pools: Pools, listeners: Listeners, options: PostgresOptions) {
    this.#pools = pools
    this.#listeners = listeners
    this.#clock = options.clock
    this.#runWritesTwice = options.runWritesTwice ?? false
    this.#connectTimeoutMs = options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS
    this.#answerTimeoutMs = options.answerTimeoutMs ?? ANSWER_TIMEOUT_MS
  }

  async all<Args extends object, Row>(query: Query<Args, Row>, args: Args): Promise<Row[]> {
    return (await this.#run(this.#pools.readers, query, args)).rows
  }

  async first<Args extends object, Row>(query: Query<Args, Row>, args: Args): Promise<Row | undefined> {
    return (await this.#run(this.#pools.readers, query, args)).rows[0]
  }

  async write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    for (let attempts = 1; ; attempts++) {
      try {
        const { value, notified } = await this.#attempt(work)
        this.#listeners.notify(notified)
        return value
      } catch (error) {
        const { code, message } = error as Error & { code?: string }
        if (code === UNIQUE_VIOLATION) throw new UniqueViolation(message)
        if (code && BUSY_CODES.has(code)) throw new StoreBusy(message)
        if (!code || !RETRY_CODES.has(code)) throw error
        if (attempts === MAX_ATTEMPTS) throw new StoreBusy(message)
        await afterError(attempts - 1, undefined, RETRY_PAUSES)
      }
    }
  }

  /** Only a query can tell whether another node has written something. */
  snapshotVersion(): undefined {
    return undefined
  }

  /** PostgreSQL acknowledges a commit when it is on disk. */
  async durable(): Promise<void> {}

  async close(): Promise<void> {
    await endPools(this.#pools)
  }

  async #attempt<T>(work: (tx: Transaction) => Promise<T>) {
    const client = await connected(() => this.#pools.writers.connect(), this.#connectTimeoutMs).catch(
      translate,
    )
    let broken: Error | undefined
    try {
      await this.#control(client, 'BEGIN').catch(translate)
      if (this.#runWritesTwice) {
        await this.#control(client, 'SAVEPOINT in_vain').catch(translate)
        await this.#transaction(client).perform(work)
        await this.#control(client, 'ROLLBACK TO in_vain').catch(translate)
      }
      const tx = this.#transaction(client)
      const value = await tx.perform(work)
      await this.#control(client, 'COMMIT').catch(translate)
      return { value, notified: tx.notified }
    } catch (error) {
      if (isUnanswered(error)) broken = error
      else
        await this.#control(client, 'ROLLBACK').catch((failure: Error) => {
          broken = failure
        })
      throw error
    } finally {
      client.release(broken)
    }
  }

  #control(client: PoolClient, text: string): Promise<unknown> {
    return client.query({ text, query_timeout: this.#answerTimeoutMs } as QueryConfig)
  }

  #transaction(client: PoolClient): OpenTransaction {
    return new OpenTransaction(
      {
        dialect: 'postgres',
        all: async (query, args) => (await this.#run(client, query, args)).rows,
        first: async (query, args) => (await this.#run(client, query, args)).rows[0],
        run: async (query, args) => (await this.#run(client, query, args)).changed,
      },
      this.#clock,
    )
  }

  async #run<Args extends object, Row>(
    on: PoolClient | Pool,
    query: Query<Args, Row>,
    args: Args,
  ): Promise<{ rows: Row[]; changed: number }> {
    const compiled = query.compile('postgres')
    // PostgreSQL truncates names after 63 bytes, so the distinguishing part comes first.
    const name = `${query.index}_${query.name}`.slice(0, MAX_NAME_LENGTH)
    const statement = {
      ...(query.prepared && { name }),
      text: compiled.sql,
      values: bind(compiled, args),
      query_timeout: this.#answerTimeoutMs,
    }
    const result = await connected(() => on.query(statement), this.#connectTimeoutMs).catch(translate)
    return { rows: result.rows as Row[], changed: result.rowCount ?? 0 }
  }
}

/**
 * SQLSTATEs of a database that is currently unusable: connection exceptions, a rejected login, a
 * missing database, insufficient resources (including a full disk), a server that is shutting down,
 * a read-only server.
 */
const UNAVAILABLE = /^(08|28|3D|53|57P|58030|25006)/
const SQLSTATE = /^[0-9A-Z]{5}$/

/** Distinguishes a database that cannot be reached from a query that it rejects. */
function translate(error: Error & { code?: string }): never {
  const { code } = error
  const answered = code !== undefined && SQLSTATE.test(code)
  if (!answered || UNAVAILABLE.test(code)) throw new StoreUnavailable(error.message, { cause: error })
  throw error
}

/**
 * The connection is lost or silent: a further statement on it would wait in vain. Its end rolls
 * back.
 */
const isUnanswered = (error: unknown): error is StoreUnavailable =>
  error instanceof StoreUnavailable &&
  !SQLSTATE.test((error.cause as { code?: string } | undefined)?.code ?? '')
