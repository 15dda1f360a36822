import type { PoolClient } from 'pg'

/** A pooler in front of PostgreSQL breaks what Plaza relies on. The message says how. */
export class PoolerUnsuitable extends Error {
  override readonly name = 'PoolerUnsuitable'
}

/** Each round detects a pooler, unless clients of others happen to take the sessions in between. */
const ROUNDS = 3

/**
 * Rejects a pooler that lends sessions for single transactions: prepared statements and settings
 * belong to a session, so those of another client would be found. Also rejects one that drops the
 * settings in the URL.
 *
 * @param client A connection that is in no transaction, like `other`.
 * @throws PoolerUnsuitable
 */
export async function rejectUnsuitablePooler(
  client: PoolClient,
  other: PoolClient,
  schema: string,
): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const before = (await sessionOf(client)).pid
    await other.query('BEGIN')
    try {
      // In this order: with a single session, `client` would wait for the end of the transaction.
      const isLent = (await sessionOf(other)).pid === before || (await sessionOf(client)).pid !== before
      if (isLent) throw new PoolerUnsuitable('a connection pooler there works in transaction mode')
    } finally {
      await other.query('ROLLBACK')
    }
  }
  const { path } = await sessionOf(client)
  if (path !== schema)
    throw new PoolerUnsuitable(`a connection pooler there drops the settings of connections (search_path)`)
}

interface Session {
  /** The process of the server. */
  pid: number
  /** The schemas that it searches. */
  path: string
}

async function sessionOf(client: PoolClient): Promise<Session> {
  const { rows } = await client.query<Session>(
    "SELECT pg_backend_pid() AS pid, current_setting('search_path') AS path",
  )
  return rows[0] ?? { pid: 0, path: '' }
}
