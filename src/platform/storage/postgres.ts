import type { PoolClient, PoolConfig } from 'pg'
import { afterError } from '../common/after-error.ts'
import { int64Of } from '../common/int64.ts'
import { rejectUnsuitablePooler } from './pooler.ts'
import type { Query } from './query.ts'
import { bind } from './query.ts'
import type { SchemaTarget } from './schema/schema.ts'
import { prepareSchema } from './schema/schema.ts'
import type { Store, StoreOptions, Transaction } from './store.ts'
import { StoreBusy, StoreUnavailable, UniqueViolation } from './store.ts'
import { assertOutsideWrite, Listeners, OpenTransaction } from './transaction.ts'

const MAX_CONNECTIONS = 20
const CONNECT_TIMEOUT_MS = 5_000
const STATEMENT_TIMEOUT_MS = 10_000
/** A server that is well ends a statement before: this one is paused, or cannot be reached any more. */
const ANSWER_TIMEOUT_MS = 15_000
const MAX_ATTEMPTS = 4
/** Maximum pauses between two attempts, so that conflicting transactions do not collide again. */
const RETRY_PAUSES = { firstMs: 50, longestMs: 200 }
/** There is no free connection, or the server is starting: another attempt may soon succeed. */
const CONNECT_CODES = new Set(['53300', '57P03'])
const CONNECT_PAUSES = { firstMs: 50, longestMs: 500 }
const LOCK_TIMEOUT_MS = 5_000
const INT8_OID = 20
const MAX_NAME_LENGTH = 63
const UNIQUE_VIOLATION = '23505'
/** A row was locked for longer than the lock timeout. */
const BUSY_CODES = new Set(['55P03', '57014'])
/** Serialization failure and deadlock: the database asks to run the transaction again. */
const RETRY_CODES = new Set(['40001', '40P01'])

/** The modes that the driver treats like `verify-full`, with a warning on standard error. */
const VERIFIED_MODES: readonly (string | null)[] = ['prefer', 'require', 'verify-ca']

/** Settings in the URL apply as well, except for those that `own` contains. */
function withSettings(url: string, own: string): string {
  const parsed = new URL(url)
  const { searchParams } = parsed
  if (!searchParams.has('uselibpqcompat') && VERIFIED_MODES.includes(searchParams.get('sslmode')))
    searchParams.set('sslmode', 'verify-full')
  const currentOptions = parsed.searchParams.get('options')
  parsed.searchParams.set('options', currentOptions === null ? own : `${currentOptions} ${own}`)
  return parsed.href
}

/**
 * The shared store. `schema` keeps several Plazas apart in one database. `name` is how its connections appear in
 * `pg_stat_activity`: `NAME read` and `NAME write`. `connections` are open at most. What needs a connection waits for one for `connectTimeoutMs` at most,
 * a statement for a lock for `lockTimeoutMs`. A connection on which a statement is not answered within `answerTimeoutMs` is given up.
 */
export async function openPostgres(
  options: StoreOptions & {
    url: string
    schema: string
    name?: string
    connections?: number
    connectTimeoutMs?: number
    lockTimeoutMs?: number
    answerTimeoutMs?: number
  },
): Promise<Store> {
  const pg = (await import('pg')).default
  const { connectTimeoutMs = CONNECT_TIMEOUT_MS, lockTimeoutMs = LOCK_TIMEOUT_MS } = options
  const { answerTimeoutMs: query_timeout = ANSWER_TIMEOUT_MS, connections = MAX_CONNECTIONS } = options
  const config: PoolConfig = {
    connectionString: withSettings(
      options.url,
      `-c search_path=${options.schema} -c lock_timeout=${lockTimeoutMs}`,
    ),
    max: Math.floor(connections / 2),
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    types: {
      // Times and counts fit a double exactly, amounts may not. Ids are numeric, which is read as text.
      getTypeParser: (oid: number, format?: 'text') =>
        oid === INT8_OID ? int64Of : pg.types.getTypeParser(oid, format),
    } as NonNullable<PoolConfig['types']>,
  }
  // Writes that wait for one another must not block reads.
  const { name: application = 'plaza' } = options
  const pool = new pg.Pool({ ...config, application_name: `${application} read` })
  const writers = new pg.Pool({ ...config, application_name: `${application} write` })
  for (const connections of [pool, writers]) {
    connections.on('error', options.onError)
    // The pool listens only to idle clients. If a client in use is lost, its query fails too, and the error is handled
    // there.
    connections.on('connect', (client) => client.on('error', () => undefined))
  }
  try {
    const connecting = (from: typeof pool) => connected(() => from.connect(), connectTimeoutMs)
    await createSchema(await connecting(pool), () => connecting(writers), options.schema)
  } catch (error) {
    await Promise.all([pool.end(), writers.end()])
    throw error
  }
  const listeners = new Listeners()
  let closed = false

  async function run<Args extends object, Row>(
    on: PoolClient | typeof pool,
    query: Query<Args, Row>,
    args: Args,
  ): Promise<{ rows: Row[]; changed: number }> {
    const compiled = query.compile('postgres')
    // PostgreSQL truncates names after 63 bytes, so the distinguishing part comes first.
    const name = `${query.index}_${query.name}`.slice(0, MAX_NAME_LENGTH)
    const values = bind(compiled, args)
    const text = {
      ...(query.prepared && { name }),
      text: compiled.sql,
      values,
      query_timeout,
    }
    const result = await connected(() => on.query(text), connectTimeoutMs).catch(translate)
    return { rows: result.rows as Row[], changed: result.rowCount ?? 0 }
  }

  const transaction = (client: PoolClient) =>
    new OpenTransaction(
      {
        dialect: 'postgres',
        all: async (query, args) => (await run(client, query, args)).rows,
        first: async (query, args) => (await run(client, query, args)).rows[0],
        run: async (query, args) => (await run(client, query, args)).changed,
      },
      options.clock,
    )

  const control = (text: string) => ({ text, query_timeout })

  async function attempt<T>(work: (tx: Transaction) => Promise<T>) {
    const client = await connected(() => writers.connect(), connectTimeoutMs).catch(translate)
    let broken: Error | undefined
    try {
      await client.query(control('BEGIN')).catch(translate)
      if (options.runWritesTwice) {
        await client.query(control('SAVEPOINT in_vain')).catch(translate)
        await transaction(client).perform(work)
        await client.query(control('ROLLBACK TO in_vain')).catch(translate)
      }
      const tx = transaction(client)
      const value = await tx.perform(work)
      await client.query(control('COMMIT')).catch(translate)
      return { value, notified: tx.notified }
    } catch (error) {
      if (isUnanswered(error)) broken = error
      else
        await client.query(control('ROLLBACK')).catch((failure: Error) => {
          broken = failure
        })
      throw error
    } finally {
      client.release(broken)
    }
  }

  return {
    dialect: 'postgres',
    async all(query, args) {
      assertOutsideWrite()
      if (closed) throw new StoreUnavailable('the store is closed')
      return (await run(pool, query, args)).rows
    },
    async first(query, args) {
      assertOutsideWrite()
      if (closed) throw new StoreUnavailable('the store is closed')
      return (await run(pool, query, args)).rows[0]
    },
    async write(work) {
      assertOutsideWrite()
      if (closed) throw new StoreUnavailable('the store is closed')
      for (let attempts = 1; ; attempts++) {
        try {
          const { value, notified } = await attempt(work)
          listeners.notify(notified)
          return value
        } catch (error) {
          const code = (error as { code?: string }).code
          if (code === UNIQUE_VIOLATION) throw new UniqueViolation((error as Error).message)
          if (code && BUSY_CODES.has(code)) throw new StoreBusy((error as Error).message)
          if (!code || !RETRY_CODES.has(code)) throw error
          if (attempts === MAX_ATTEMPTS) throw new StoreBusy((error as Error).message)
          await afterError(attempts - 1, undefined, RETRY_PAUSES)
        }
      }
    },
    snapshotVersion: () => undefined,
    durable: async () => undefined,
    listen: (channel, wake) => listeners.listen(channel, wake),
    wakeAll: () => listeners.notifyAll(),
    async close() {
      closed = true
      await Promise.all([pool.end(), writers.end()])
    },
  }
}

/**
 * SQLSTATEs of a database that is currently unusable: connection exceptions, a rejected login, a missing database,
 * insufficient resources (including a full disk), a server that is shutting down, a read-only server.
 */
const UNAVAILABLE = /^(08|28|3D|53|57P|58030|25006)/
const SQLSTATE = /^[0-9A-Z]{5}$/

/** Retries for up to `timeoutMs` while the database accepts no further connection. */
async function connected<T>(work: () => Promise<T>, timeoutMs: number): Promise<T> {
  const endsAt = performance.now() + timeoutMs
  for (let failures = 0; ; failures++) {
    try {
      return await work()
    } catch (error) {
      const mayPass = CONNECT_CODES.has((error as { code?: string }).code ?? '')
      if (!mayPass || performance.now() >= endsAt) throw error
      await afterError(failures, undefined, CONNECT_PAUSES)
    }
  }
}

/** Distinguishes a database that cannot be reached from a query that it rejects. */
function translate(error: Error & { code?: string }): never {
  const { code } = error
  const answered = code !== undefined && SQLSTATE.test(code)
  if (!answered || UNAVAILABLE.test(code)) throw new StoreUnavailable(error.message, { cause: error })
  throw error
}

/** The connection is lost or silent: a further statement on it would wait in vain. Its end rolls back. */
const isUnanswered = (error: unknown): error is StoreUnavailable =>
  error instanceof StoreUnavailable &&
  !SQLSTATE.test((error.cause as { code?: string } | undefined)?.code ?? '')

/** Every Plaza node that starts on one schema waits here for the others. */
const SCHEMA_LOCK = 4_207_841

/** Creates the schema on one connection, after checking it with another one, which is then closed. */
async function createSchema(
  client: PoolClient,
  connectAnother: () => Promise<PoolClient>,
  schema: string,
): Promise<void> {
  try {
    const other = await connectAnother()
    await rejectUnsuitablePooler(client, other, schema).finally(() => other.release(true))
    await prepareSchema(schemaTarget(client, schema))
  } finally {
    client.release()
  }
}

function schemaTarget(client: PoolClient, schema: string): SchemaTarget {
  return {
    dialect: 'postgres',
    async begin() {
      await client.query('BEGIN')
      // Other nodes wait until the schema is created.
      await client.query('SET LOCAL statement_timeout = 0')
      await client.query('SET LOCAL lock_timeout = 0')
      await client.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [SCHEMA_LOCK, schema])
      await client.query(`CREATE SCHEMA IF NOT EXISTS "${schema}"`)
      await client.query('CREATE TABLE IF NOT EXISTS schema_version (version integer NOT NULL)')
      const { rows } = await client.query('SELECT * FROM schema_version')
      return rows.length === 0 ? 0 : Number(rows[0].version)
    },
    async execute(statements) {
      await client.query(statements)
    },
    async finish(version) {
      await client.query('DELETE FROM schema_version')
      await client.query('INSERT INTO schema_version (version) VALUES ($1)', [version])
      await client.query('COMMIT')
    },
    async abandon() {
      await client.query('ROLLBACK')
    },
  }
}
