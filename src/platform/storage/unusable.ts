import { errorCode } from './atomic-file.ts'
import { PoolerUnsuitable } from './pooler.ts'
import { SchemaMismatch } from './schema/schema.ts'

/**
 * The database cannot be opened. The message is one line that says what to do, without any
 * password.
 */
export class DatabaseUnusable extends Error {
  override readonly name = 'DatabaseUnusable'
}

/** Human-readable reason why a service could not be reached. Undefined for other errors. */
export function unreachable(error: unknown): string | undefined {
  // One error for each address of a name.
  const cause = error instanceof AggregateError ? error.errors[0] : error
  switch (errorCode(cause)) {
    case 'ECONNREFUSED':
      return 'connection refused'
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'host name not found'
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return 'no route to that host'
    case 'ETIMEDOUT':
      return 'no answer in time'
    case 'ECONNRESET':
    case 'EPIPE':
      return 'the connection was closed'
    case 'ENOENT':
      return 'socket not found'
  }
  const message = error instanceof Error ? error.message : ''
  if (/timeout|did not answer/i.test(message)) return 'no answer in time'
  return /terminated unexpectedly|socket closed/i.test(message) ? 'the connection was closed' : undefined
}

/** Explains a failed start on PostgreSQL in terms of the settings. */
export function postgresUnusable(error: unknown, url: string): DatabaseUnusable {
  const { hostname, port, pathname, username } = new URL(url)
  const at = `${decodeURIComponent(hostname) || 'localhost'}:${port || '5432'}`
  const user = decodeURIComponent(username)
  const { message } = error as Error
  const say = (sentence: string) => new DatabaseUnusable(sentence, { cause: error })
  if (error instanceof SchemaMismatch) return say(error.message)
  // A pooler rejects settings that it does not know.
  if (error instanceof PoolerUnsuitable || /unsupported startup parameter/.test(message))
    return say(
      `PostgreSQL at ${at} cannot be used: ${message}. Name the PostgreSQL server itself in --database-url.`,
    )
  const why = unreachable(error)
  if (why) return say(`PostgreSQL does not answer at ${at} (${why}). Start it, or correct --database-url.`)
  // The client's message if the server requires a password and none was given.
  const noPassword = /password must be a (non-empty )?string/.test(message)
  switch (noPassword ? '28P01' : errorCode(error)) {
    case '28P01':
    case '28000':
      return say(
        `PostgreSQL at ${at} rejects the login${user && ` of "${user}"`} (${noPassword ? 'it asks for a password' : message}). Correct the user and password in --database-url.`,
      )
    case '3D000':
      return say(
        `PostgreSQL at ${at} has no database "${decodeURIComponent(pathname.slice(1)) || user}". Create it with createdb, or correct --database-url.`,
      )
    case '42501':
      return say(
        `PostgreSQL at ${at} does not let this user create the schema or its tables (${message}). Grant CREATE on the database, or set --database-schema to a schema of this user.`,
      )
  }
  return say(`PostgreSQL at ${at} cannot be used: ${message}.`)
}

/** Explains a failed start on the embedded database. */
export function sqliteUnusable(error: unknown, file: string): DatabaseUnusable {
  const say = (sentence: string) => new DatabaseUnusable(sentence, { cause: error })
  if (error instanceof SchemaMismatch) return say(error.message)
  return say(
    `The database ${file} cannot be used: ${(error as Error).message}. Free the disk or repair the file, or choose another folder with --data.`,
  )
}
