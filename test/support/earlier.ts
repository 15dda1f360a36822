import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { randomText, systemRandom } from '../../src/common/random.ts'
import type { Config } from '../../src/config/config.ts'
import { migrations } from '../../src/storage/migrations/migrate.ts'
import type { DialectName } from '../../src/storage/query.ts'
import { dropSchema, forgetKeys, POSTGRES_URL, REDIS_URL, stages, withPostgres } from './stages.ts'

/** The master key of the encrypted values in the rows. */
export const MASTER_KEY = 'a'.repeat(64)

/** A database as an earlier version left it. */
export interface Earlier {
  name: string
  skip: string | false
  /**
   * Creates it with the first `done` migrations and these rows by table. Resolves to settings that start a Plaza on it.
   */
  make(done: number, rows: readonly [table: string, row: Row][]): Promise<Made>
}

type Row = Readonly<Record<string, string | number | null>>

interface Made {
  config: Partial<Config>
  remove(): Promise<void>
}

const insert = (table: string, row: Row, place: (n: number) => string) =>
  `insert into ${table} (${Object.keys(row).join(', ')}) values (${Object.keys(row)
    .map((_, n) => place(n + 1))
    .join(', ')})`

const statements = (done: number, dialect: DialectName) =>
  migrations.slice(0, done).flatMap((migration) => migration.statements(dialect))

const sqlite: Earlier = {
  name: 'SQLite',
  skip: false,
  async make(done, rows) {
    const data = await mkdtemp(join(tmpdir(), 'plaza-earlier-'))
    const db = new DatabaseSync(join(data, 'plaza.db'))
    for (const statement of statements(done, 'sqlite')) db.exec(statement)
    for (const [table, row] of rows) db.prepare(insert(table, row, () => '?')).run(...Object.values(row))
    db.exec(`PRAGMA user_version = ${done}`)
    db.close()
    return {
      config: { data, masterKey: MASTER_KEY },
      remove: () => rm(data, { recursive: true, force: true }),
    }
  },
}

const postgres: Earlier = {
  name: 'PostgreSQL',
  skip: stages.find(({ shared }) => shared)?.skip ?? false,
  async make(done, rows) {
    const data = await mkdtemp(join(tmpdir(), 'plaza-earlier-'))
    const mark = randomText(systemRandom, 12, 'abcdefghijklmnopqrstuvwxyz')
    const [databaseSchema, redisPrefix] = [`plaza_test_${mark}`, `plaza-test-${mark}:`]
    await withPostgres(async (client) => {
      await client.query(`create schema ${databaseSchema}`)
      await client.query(`set search_path to ${databaseSchema}`)
      for (const statement of statements(done, 'postgres')) await client.query(statement)
      for (const [table, row] of rows)
        await client.query(
          insert(table, row, (n) => `$${n}`),
          Object.values(row),
        )
      await client.query('create table schema_version (done integer not null)')
      await client.query('insert into schema_version values ($1)', [done])
    })
    const shared = { databaseUrl: POSTGRES_URL, databaseSchema, redisUrl: REDIS_URL, redisPrefix }
    return {
      config: { data, masterKey: MASTER_KEY, ...shared },
      async remove() {
        await Promise.all([dropSchema(databaseSchema), forgetKeys(redisPrefix)])
        await rm(data, { recursive: true, force: true })
      },
    }
  },
}

export const earlier: readonly Earlier[] = [sqlite, postgres]
