import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { migrations } from '../src/storage/migrations/migrate.ts'

/**
 * `node scripts/schema-image.ts [version]`: writes a database with the first `version` migrations, all unless said
 * otherwise, and some rows in each table to `test/data/schema/`. Run it before a release whose schema is new; a test
 * upgrades each image.
 */
const folder = fileURLToPath(new URL('../test/data/schema/', import.meta.url))
const version = Number(process.argv[2] ?? migrations.length)
const ROWS = [1, 2, 3]
const TIME_MS = 1_700_000_000_000
const JSON_OBJECTS = new Set(['before', 'entities', 'item', 'payload', 'settings'])
const JSON_LISTS = new Set(['additional_owners', 'categories', 'filters', 'media_keys', 'placements'])

interface Column {
  name: string
  type: string
  notnull: number
  pk: number
}

function image(): Buffer {
  const work = mkdtempSync(join(tmpdir(), 'plaza-image-'))
  const file = join(work, 'plaza.db')
  try {
    const db = new DatabaseSync(file)
    // Small pages: most tables have three rows.
    db.exec('pragma page_size = 512')
    for (const { statements } of migrations.slice(0, version))
      for (const statement of statements('sqlite')) db.exec(statement)
    for (const table of tablesOf(db)) if (table !== 'settings') fill(db, table)
    db.exec(`pragma user_version = ${version}; vacuum`)
    db.close()
    return gzipSync(readFileSync(file), { level: 9 })
  } finally {
    rmSync(work, { recursive: true })
  }
}

/** The tables, each after those that its rows refer to. */
function tablesOf(db: DatabaseSync): string[] {
  const ordered = new Set<string>()
  const add = (table: string): void => {
    if (ordered.has(table)) return
    for (const parent of db.prepare('select "table" as name from pragma_foreign_key_list(?)').all(table))
      add(String(parent.name))
    ordered.add(table)
  }
  const found = db.prepare(
    `select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name`,
  )
  for (const { name } of found.all()) add(String(name))
  return [...ordered]
}

function fill(db: DatabaseSync, table: string): void {
  const found = db.prepare('select name, type, "notnull", pk from pragma_table_info(?)').all(table)
  const columns = found.map(
    ({ name, type, notnull, pk }): Column => ({
      name: String(name),
      type: String(type).toLowerCase(),
      notnull: Number(notnull),
      pk: Number(pk),
    }),
  )
  const names = columns.map(({ name }) => `"${name}"`).join(', ')
  const insert = db.prepare(`insert into ${table} (${names}) values (${columns.map(() => '?').join(', ')})`)
  for (const row of ROWS) insert.run(...columns.map((column) => cellOf(table, column, row)))
}

function cellOf(table: string, { name, type, notnull, pk }: Column, row: number): string | number | null {
  const isRequired = notnull === 1 || pk > 0
  // The last two rows of all nullable columns are empty.
  if (!isRequired && row > 1) return null
  // Drafts that were deleted, and two tokens of one user and app, of which the newer stays.
  if (table === 'campaigns' || table === 'line_items') {
    if (name === 'entity_status' && row === 3) return 'DRAFT'
    if (name === 'visibility' && row === 3) return 3
  }
  if (table === 'access_tokens' && row === 3 && version < 11) {
    if (name === 'user_id' || name === 'app_id') return '1002'
    if (name === 'access') return 'access 3'
  }
  if (type !== 'text') return /_at$|_time$|_until$|^expires/.test(name) ? TIME_MS + row : row - 1
  if (JSON_OBJECTS.has(name)) return '{}'
  if (JSON_LISTS.has(name)) return '[]'
  return /(^|_)id$/.test(name) ? String(1000 + row) : `${name} ${row}`
}

mkdirSync(folder, { recursive: true })
const file = join(folder, `${String(version).padStart(4, '0')}.db.gz`)
writeFileSync(file, image())
console.log(file)
