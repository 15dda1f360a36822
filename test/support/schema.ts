import type { DatabaseSync } from 'node:sqlite'
import type { Client } from 'pg'

/** The properties of each table in a form that makes two databases comparable: one line per property, in any order. */
export type Described = Readonly<Record<string, readonly string[]>>

/** The same words and case: the formatting of a statement does not matter. */
const plain = (sql: string) => sql.replaceAll('"', '').replaceAll(/\s+/g, ' ').toLowerCase()

/** The tables of a SQLite database: columns, keys, references and indexes. */
export function describeSqlite(db: DatabaseSync): Described {
  const tables = db
    .prepare(
      `select name, sql from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name`,
    )
    .all()
  return Object.fromEntries(
    tables.map(({ name, sql }) => {
      const of = (pragma: string) => db.prepare(`select * from ${pragma}(?)`).all(String(name))
      const columns = of('pragma_table_info').map(
        (one) =>
          `column ${one.name} ${one.type}${one.notnull ? ' not null' : ''}${one.dflt_value === null ? '' : ` default ${one.dflt_value}`}${one.pk ? ` key ${one.pk}` : ''}`,
      )
      const references = of('pragma_foreign_key_list').map(
        (one) => `${one.from} refers to ${one.table}.${one.to}, on delete ${one.on_delete}`,
      )
      return [
        String(name),
        [
          ...columns,
          ...(/autoincrement/i.test(String(sql)) ? ['counts up'] : []),
          ...references,
          ...indexesOf(db, String(name)),
        ].sort(),
      ]
    }),
  )
}

function indexesOf(db: DatabaseSync, table: string): string[] {
  const written = db.prepare(
    `select sql from sqlite_master where type = 'index' and tbl_name = ? and sql is not null`,
  )
  const constraints = db
    .prepare(`select name from pragma_index_list(?) where origin = 'u'`)
    .all(table)
    .map(({ name }) => {
      const columns = db.prepare('select name from pragma_index_info(?)').all(String(name))
      return `unique ${columns.map((one) => one.name).join(', ')}`
    })
  return [...written.all(table).map(({ sql }) => plain(String(sql))), ...constraints]
}

const FACTS = `
  select table_name as "table", concat_ws(' ', 'column', column_name, data_type, collation_name, is_nullable, column_default) as fact
    from information_schema.columns where table_schema = $1
    and table_name in (select tablename from pg_tables where schemaname = $1)
  union all
  select tablename, indexdef from pg_indexes where schemaname = $1
  union all
  select relname, concat(conname, ' ', pg_get_constraintdef(pg_constraint.oid)) from pg_constraint
    join pg_class on pg_class.oid = conrelid where connamespace = $1::regnamespace and contype <> 'n'
  order by 1, 2`

/** The tables of a schema of PostgreSQL. */
export async function describePostgres(client: Client, schema: string): Promise<Described> {
  const { rows } = await client.query<{ table: string; fact: string }>(FACTS, [schema])
  const facts: Record<string, string[]> = {}
  for (const { table, fact } of rows) {
    const known = facts[table] ?? []
    facts[table] = known
    known.push(fact.replaceAll(`${schema}.`, ''))
  }
  return facts
}
