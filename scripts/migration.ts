import { writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { entities } from '../src/ads/entity/entity.ts'
// Declares every entity of the program.
import '../src/endpoints.ts'
import type { Existing } from '../src/storage/ddl.ts'
import { changeStatements } from '../src/storage/ddl.ts'
import { migrations } from '../src/storage/migrations/migrate.ts'
import type { Table } from '../src/storage/table.ts'
import { fixedTables } from '../src/storage/tables.ts'

/**
 * `npm run migration NAME`: writes the next migration, which changes the schema to the declared tables. List it in
 * `src/storage/migrations/migrate.ts`, and add what happens to existing rows. A test checks that both agree. Changes of
 * the type, nullability or reference of a column are left to you.
 */
const [name] = process.argv.slice(2)
if (name === undefined || !/^[a-z]+(-[a-z]+)*$/.test(name)) {
  console.error('usage: npm run migration NAME, in lower case with hyphens')
  process.exit(2)
}

const tables = [...fixedTables, ...entities.map(({ table }) => table)]

/** The schema after the listed migrations. */
function existing(): Map<string, Existing> {
  const db = new DatabaseSync(':memory:')
  for (const { statements } of migrations) for (const statement of statements('sqlite')) db.exec(statement)
  const found = db
    .prepare(`select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`)
    .all()
  return new Map(
    found.map(({ name: table }) => {
      const of = (query: string) =>
        db
          .prepare(query)
          .all(String(table))
          .map((one) => String(one.name))
      return [
        String(table),
        {
          columns: of('select name from pragma_table_info(?)'),
          indexes: of(`select name from pragma_index_list(?) where origin = 'c'`),
        },
      ]
    }),
  )
}

/** Tables that exist only on PostgreSQL are not in a SQLite database: write their migrations by hand. */
const shared = tables.filter((table: Table) => table.only === undefined)
const made = existing()
const [sqlite, postgres] = [
  changeStatements(made, shared, 'sqlite'),
  changeStatements(made, shared, 'postgres'),
]
if (sqlite.length === 0) {
  console.log('The migrations make what is declared: there is nothing to write.')
  process.exit(0)
}

const list = (statements: readonly string[]) =>
  `[\n${statements.map((statement) => `  ${JSON.stringify(statement)},\n`).join('')}]`
const title = `${String(migrations.length + 1).padStart(4, '0')}-${name}`
const constant = name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
const file = fileURLToPath(new URL(`../src/storage/migrations/${title}.ts`, import.meta.url))
writeFileSync(
  file,
  `import type { Migration } from './migration.ts'

/** What this is for. */
export const ${constant}: Migration = {
  name: '${title}',
  statements: (dialect) => (dialect === 'sqlite' ? SQLITE : POSTGRES),
}

const SQLITE = ${list(sqlite)}

const POSTGRES = ${list(postgres)}
`,
)
console.log(file)
