import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { DialectName } from '../query.ts'

/** The operations of a dialect that create the schema. */
export interface SchemaTarget {
  readonly dialect: DialectName
  /** The version of the schema; 0 for an empty database. Locks out other nodes until `finish`. */
  begin(): Promise<number>
  /** Executes statements that are separated by semicolons. */
  execute(statements: string): Promise<void>
  /** Records the version, commits and releases the lock. */
  finish(version: number): Promise<void>
  /** Rolls back everything since `begin`. */
  abandon(): Promise<void>
}

/** Another version of Plaza created the database. */
export class SchemaMismatch extends Error {
  override readonly name = 'SchemaMismatch'
  constructor() {
    super(
      'The database was created by another version of Plaza, and has a different schema. Start that version, or use an empty database or data folder.',
    )
  }
}

/**
 * The statements that create the schema. `npm run generate` writes them from the declared tables.
 */
export const schemaText = (dialect: DialectName): string =>
  readFileSync(new URL(`./${dialect}.sql`, import.meta.url), 'utf8')

/** The version of a schema: a positive 31-bit integer that depends on every statement. */
const versionOf = (text: string): number =>
  (createHash('sha256').update(text).digest().readUInt32BE() >>> 1) | 1

/** The statements that create a database of SQLite with the schema and its version. */
export const createEmpty = (): string => {
  const text = schemaText('sqlite')
  return `${text};\nPRAGMA user_version = ${versionOf(text)}`
}

/**
 * Creates the schema in an empty database, in one transaction.
 * @throws SchemaMismatch for a database with another schema
 */
export async function prepareSchema(target: SchemaTarget): Promise<void> {
  const text = schemaText(target.dialect)
  const version = versionOf(text)
  const found = await target.begin()
  try {
    if (found !== 0 && found !== version) throw new SchemaMismatch()
    if (found === 0) await target.execute(text)
    await target.finish(version)
  } catch (error) {
    await target.abandon()
    throw error
  }
}
