import type { DialectName } from './query.ts'
import type { Column, ColumnType, Index, Table } from './table.ts'

const TYPES: Readonly<Record<ColumnType, Readonly<Record<DialectName, string>>>> = {
  text: { sqlite: 'text', postgres: 'text' },
  // SQLite converts digits to an integer, because the type contains INT. `numeric` is the only type
  // of PostgreSQL that holds nothing else here, so that ids are recognized in results, and bounds
  // beyond 64 bits are no error.
  id64: { sqlite: 'integer_id', postgres: 'numeric' },
  bytewise: { sqlite: 'text', postgres: 'text collate "C"' },
  integer: { sqlite: 'integer', postgres: 'integer' },
  bigint: { sqlite: 'bigint', postgres: 'bigint' },
  serial: { sqlite: 'integer', postgres: 'bigserial' },
  real: { sqlite: 'real', postgres: 'double precision' },
  bytes: { sqlite: 'blob', postgres: 'bytea' },
  tsvector: { sqlite: 'text', postgres: 'tsvector' },
}

/** The type of a column in SQL. */
export const columnTypeOf = (type: ColumnType, dialect: DialectName): string => TYPES[type][dialect]

/**
 * The statements that create tables, their indexes and initial rows, and then the views, in an
 * order that both databases accept.
 */
export const schemaSql = (
  tables: readonly Table[],
  dialect: DialectName,
  views: readonly string[] = [],
): string =>
  [...inOrder(tables, dialect).flatMap((table) => createStatements(table, dialect)), ...views]
    .map((statement) => `${statement};\n`)
    .join('')

/** The tables of a database, each after the tables that it references. */
function inOrder(tables: readonly Table[], dialect: DialectName): Table[] {
  const ordered = new Set<Table>()
  const add = (table: Table): void => {
    if (ordered.has(table)) return
    for (const parent of parentsOf(table)) add(parent)
    ordered.add(table)
  }
  for (const table of tables) if (table.only === undefined || table.only === dialect) add(table)
  return [...ordered]
}

const parentsOf = ({ columns, belongsTo = {} }: Table): Table[] => [
  ...Object.values(columns).flatMap((column) => column.belongsTo ?? []),
  ...Object.values(belongsTo).map(({ table }) => table),
]

/** The statements that create a table and its indexes. */
export const createStatements = (table: Table, dialect: DialectName): string[] => [
  createTable(table, dialect),
  ...Object.entries(table.indexes ?? {}).map(([name, index]) =>
    createIndex(table.name, name, 'on' in index ? index : { on: index }),
  ),
  ...(table.rows ?? []).map((row) => insertRow(table.name, row)),
]

const insertRow = (name: string, row: Readonly<Record<string, string>>) =>
  `insert into "${name}" (${list(Object.keys(row))}) values (${Object.values(row).map(textLiteral).join(', ')})`

const textLiteral = (value: string) => `'${value.replaceAll("'", "''")}'`

const list = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ')

function createTable({ name, columns, key, belongsTo = {} }: Table, dialect: DialectName): string {
  const [only] = key
  const parts = Object.entries(columns).map(([column, declared]) =>
    key.length === 1 && column === only
      ? `"${column}" ${TYPES[declared.type][dialect]} primary key${counting(declared, dialect)}${reference(declared)}`
      : `"${column}" ${columnSql(declared, dialect)}`,
  )
  if (key.length > 1) parts.push(`constraint "${name}_key" primary key (${list(key)})`)
  for (const [constraint, { columns: own, table }] of Object.entries(belongsTo))
    parts.push(
      `constraint "${constraint}" foreign key (${list(own)}) references "${table.name}" (${list(table.key)}) on delete cascade`,
    )
  return `create table "${name}" (\n  ${parts.join(',\n  ')}\n)`
}

/** The type and the constraints of a column. */
function columnSql(column: Column, dialect: DialectName): string {
  const { type, null: mayBeNull, default: value, unique } = column
  const literal = typeof value === 'string' ? textLiteral(value) : String(value)
  return [
    TYPES[type][dialect],
    ...(value === undefined ? [] : [`default ${literal}`]),
    ...(mayBeNull ? [] : ['not null']),
    ...(unique ? ['unique'] : []),
  ]
    .join(' ')
    .concat(reference(column))
}

/** SQLite reuses the ids of deleted rows without AUTOINCREMENT. */
const counting = ({ type }: Column, dialect: DialectName) =>
  type === 'serial' && dialect === 'sqlite' ? ' autoincrement' : ''

const reference = ({ belongsTo }: Column) =>
  belongsTo ? ` references "${belongsTo.name}" (${list(belongsTo.key)}) on delete cascade` : ''

function createIndex(
  table: string,
  name: string,
  { on, using, unique, where, with: parameters }: Index,
): string {
  const parts = on.map((part) => (typeof part === 'string' ? `"${part}"` : part.sql))
  return `create ${unique ? 'unique ' : ''}index "${name}" on "${table}"${using === undefined ? '' : ` using ${using}`} (${parts.join(', ')})${withSql(parameters)}${where === undefined ? '' : ` where ${where}`}`
}

const withSql = (parameters: Index['with']) =>
  parameters === undefined
    ? ''
    : ` with (${Object.entries(parameters)
        .map(([name, value]) => `${name} = ${value}`)
        .join(', ')})`
