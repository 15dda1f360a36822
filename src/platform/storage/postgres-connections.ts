import type { Pool, PoolClient, PoolConfig } from 'pg'
import { afterError } from '../common/after-error.ts'
import { int64Of } from '../common/int64.ts'
import { rejectUnsuitablePooler } from './pooler.ts'
import { prepareSchema, type SchemaTarget } from './schema/schema.ts'
import type { StoreOptions } from './store.ts'

const MAX_CONNECTIONS = 20
export const CONNECT_TIMEOUT_MS = 5_000
const STATEMENT_TIMEOUT_MS = 10_000
const LOCK_TIMEOUT_MS = 5_000
/** There is no free connection, or the server is starting: another attempt may soon succeed. */
const CONNECT_CODES = new Set(['53300', '57P03'])
const CONNECT_PAUSES = { firstMs: 50, longestMs: 500 }
const INT8_OID = 20

export interface PostgresOptions extends StoreOptions {
  url: string
  /** Keeps several Plazas apart in one database. */
  schema: string
  /** How the connections appear in `pg_stat_activity`: `NAME read` and `NAME write`. */
  name?: string
  /** How many are open at most. */
  connections?: number
  /** How long what needs a connection waits for one at most. */
  connectTimeoutMs?: number
  /** How long a statement waits for a lock at most. */
  lockTimeoutMs?: number
  /** A connection on which a statement is not answered within this time is given up. */
  answerTimeoutMs?: number
}

/** Writes that wait for one another must not block reads. */
export interface Pools {
  readers: Pool
  writers: Pool
}

export async function openPools(options: PostgresOptions): Promise<Pools> {
  const { Pool, types } = (await import('pg')).default
  const { connectTimeoutMs = CONNECT_TIMEOUT_MS, lockTimeoutMs = LOCK_TIMEOUT_MS } = options
  const { connections = MAX_CONNECTIONS, name = 'plaza' } = options
  const config: PoolConfig = {
    connectionString: withSettings(
      options.url,
      `-c search_path=${options.schema} -c lock_timeout=${lockTimeoutMs}`,
    ),
    max: Math.floor(connections / 2),
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    types: {
      // Times and counts fit a double exactly, amounts may not. Ids are numeric, which is read as
      // text.
      getTypeParser: (oid: number, format?: 'text') =>
        oid === INT8_OID ? int64Of : types.getTypeParser(oid, format),
    } as NonNullable<PoolConfig['types']>,
  }
  const pool = (use: string) => {
    const opened = new Pool({ ...config, application_name: `${name} ${use}` })
    opened.on('error', options.onError)
    // The pool listens only to idle clients. If a client in use is lost, its query fails too, and
    // the error is handled there.
    opened.on('connect', (client) => client.on('error', () => undefined))
    return opened
  }
  return { readers: pool('read'), writers: pool('write') }
}

export const endPools = ({ readers, writers }: Pools) => Promise.all([readers.end(), writers.end()])

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

/** Retries for up to `timeoutMs` while the database accepts no further connection. */
export async function connected<T>(work: () => Promise<T>, timeoutMs: number): Promise<T> {
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

/** Every Plaza node that starts on one schema waits here for the others. */
const SCHEMA_LOCK = 4_207_841

/**
 * Creates the schema on one connection, after checking it with another one, which is then closed.
 */
export async function createSchema(
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
