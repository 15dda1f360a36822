import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import type pg from 'pg'
import { describePostgres, describeSqlite } from '../../../test/support/schema.ts'
import { dropSchema, POSTGRES_URL, stages, withPostgres } from '../../../test/support/stages.ts'
import { systemClock } from '../../common/clock.ts'
import { randomText, systemRandom } from '../../common/random.ts'
import { openPostgres } from '../postgres.ts'
import { openSqlite } from '../sqlite.ts'
import type { Store } from '../store.ts'
import { migrations } from './migrate.ts'

// Opens databases of each released version of the schema, which `scripts/schema-image.ts` made, and finds every row.

const IMAGES = fileURLToPath(new URL('../../../test/data/schema/', import.meta.url))
const images = readdirSync(IMAGES).sort()
/** Making a schema on PostgreSQL takes long: the first, the one before rows were changed, and the newest are tried. */
const ON_POSTGRES = [1, 10, images.length]

/** The cells of a row as text, by their columns. */
type Row = Readonly<Record<string, string | null>>
type Rows = ReadonlyMap<string, readonly Row[]>

const textRow = (row: object): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value === null ? null : String(value)]),
  )

/** What the migrations after `version` did to a row. Undefined when it is gone. */
function upgraded(version: number, table: string, row: Row): Row | undefined {
  // One token for each user and app: of two, the newer stays.
  if (version < 11 && table === 'access_tokens' && row.token_hash === 'token_hash 2') return undefined
  // Whatever nodes remember of tokens ends with that.
  if (version < 11 && table === 'settings' && row.name === 'credential_epoch') return { ...row, value: '2' }
  // Deleted drafts are told from other deleted ones.
  const hasDrafts = table === 'campaigns' || table === 'line_items'
  if (version < 12 && hasDrafts && row.entity_status === 'DRAFT') return { ...row, visibility: '4' }
  // What streams could not check before they send it goes.
  const isUnchecked = (row.post_id ?? null) === null && (row.user_id ?? null) === null
  if (version < 40 && table === 'activity_events' && isUnchecked) return undefined
  return row
}

/** What the migrations after a version drop or rename: `table` or `table.column`. */
function droppedSince(version: number): ReadonlySet<string> {
  const statements = migrations.slice(version).flatMap((migration) => migration.statements('sqlite'))
  return new Set(
    statements.flatMap((statement) => {
      const column = /^alter table "?(\w+)"? (?:drop|rename) column "?(\w+)"?(?: to .+)?$/i.exec(statement)
      const table = /^drop table "?(\w+)"?$/i.exec(statement)
      return column ? [`${column[1]}.${column[2]}`] : table ? [String(table[1])] : []
    }),
  )
}

/** Finds in `found` each row of an image as the migrations after it left it. */
function assertKept(version: number, image: Rows, found: Rows): void {
  const dropped = droppedSince(version)
  for (const [table, rows] of image) {
    if (dropped.has(table)) continue
    const expected = rows.flatMap((row) => {
      const after = upgraded(version, table, row)
      return after ? [without(after, (column) => dropped.has(`${table}.${column}`))] : []
    })
    const columns = new Set(Object.keys(expected[0] ?? {}))
    const kept = (found.get(table) ?? []).map((row) => without(row, (column) => !columns.has(column)))
    for (const row of expected)
      assert.ok(
        kept.some((one) => same(one, row)),
        `${table}: ${JSON.stringify(row)}`,
      )
    if (table !== 'settings' && table !== 'tasks') assert.equal(kept.length, expected.length, table)
  }
}

const without = (row: Row, isOut: (column: string) => boolean): Row =>
  Object.fromEntries(Object.entries(row).filter(([column]) => !isOut(column)))

const same = (a: Row, b: Row) => Object.keys(b).every((column) => a[column] === b[column])

const TABLES = `select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`

/** Every row of a SQLite database, tables behind those that their rows refer to. */
function rowsOf(db: DatabaseSync): Rows {
  const names = new Set<string>()
  const add = (table: string): void => {
    if (names.has(table)) return
    for (const parent of db.prepare('select "table" as name from pragma_foreign_key_list(?)').all(table))
      add(String(parent.name))
    names.add(table)
  }
  for (const { name } of db.prepare(TABLES).all()) add(String(name))
  return new Map([...names].map((name) => [name, db.prepare(`select * from "${name}"`).all().map(textRow)]))
}

const skip = stages.find(({ shared }) => shared)?.skip ?? false
const opening = { clock: systemClock, onError: () => undefined }

for (const name of images) {
  const version = Number.parseInt(name, 10)
  describe(`a database of schema version ${version}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'plaza-upgrade-'))
    const file = join(folder, 'plaza.db')
    let image: Rows
    before(() => {
      writeFileSync(file, gunzipSync(readFileSync(join(IMAGES, name))))
      const db = new DatabaseSync(file)
      image = rowsOf(db)
      db.close()
    })
    after(() => rmSync(folder, { recursive: true }))

    test('holds rows in each table', () => {
      // Settings are those that the migrations themselves wrote.
      for (const [table, rows] of image)
        assert.ok(table === 'settings' ? rows.length > 0 : rows.length === 3, `${table}: ${rows.length}`)
    })

    test('is upgraded on SQLite, with everything in it', async () => {
      const fresh = new DatabaseSync(':memory:')
      for (const { statements } of migrations)
        for (const statement of statements('sqlite')) fresh.exec(statement)
      const store: Store = await openSqlite(file, opening)
      await store.close()
      const db = new DatabaseSync(file)
      try {
        assertKept(version, image, rowsOf(db))
        assert.deepEqual(describeSqlite(db), describeSqlite(fresh))
      } finally {
        db.close()
      }
    })

    if (!ON_POSTGRES.includes(version)) return
    test('is upgraded on PostgreSQL, with everything in it', { skip }, async () => {
      const schema = `plaza_test_${randomText(systemRandom, 12, 'abcdefghijklmnopqrstuvwxyz')}`
      try {
        await withPostgres((client) => makePostgres(client, schema, version, image))
        const store = await openPostgres({ url: POSTGRES_URL, schema, ...opening })
        await store.close()
        await withPostgres(async (client) => {
          const found = new Map<string, Row[]>()
          for (const table of Object.keys(await describePostgres(client, schema)))
            found.set(table, (await client.query(`select * from ${schema}.${table}`)).rows.map(textRow))
          assertKept(version, image, found)
        })
      } finally {
        await dropSchema(schema)
      }
    })
  })
}

/** The same version with the same rows on PostgreSQL. */
async function makePostgres(client: pg.Client, schema: string, version: number, image: Rows): Promise<void> {
  await client.query(`create schema ${schema}`)
  await client.query(`set search_path to ${schema}`)
  for (const { statements } of migrations.slice(0, version))
    for (const statement of statements('postgres')) await client.query(statement)
  for (const [table, rows] of image)
    for (const row of table === 'settings' ? [] : rows) {
      const columns = Object.keys(row)
      const places = columns.map((_, index) => `$${index + 1}`)
      await client.query(
        `insert into ${table} (${columns.map((column) => `"${column}"`).join(', ')}) values (${places.join(', ')})`,
        Object.values(row),
      )
    }
  await client.query('create table schema_version (done integer not null)')
  await client.query('insert into schema_version values ($1)', [version])
}

test('every released version of the schema has an image', () => {
  const released = Array.from({ length: 12 }, (_, index) => `${String(index + 1).padStart(4, '0')}.db.gz`)
  assert.deepEqual(images.slice(0, released.length), released)
})
