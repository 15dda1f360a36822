import type { Generated, Insertable, Selectable } from 'kysely'

/**
 * How a column is stored. `id64` is a decimal id: text in the program, ordered as a number by both
 * databases. `bytewise` is text that sorts by its bytes on both databases: for other ids, and for
 * names by which lists are paged. `serial` is auto-incremented. `tsvector` is only for PostgreSQL
 * tables.
 */
export type ColumnType =
  | 'text'
  | 'id64'
  | 'bytewise'
  | 'integer'
  | 'bigint'
  | 'serial'
  | 'real'
  | 'bytes'
  | 'tsvector'

/** A column of a table. `Value` is the type of its non-null values. */
export interface Column<Value = unknown> {
  readonly type: ColumnType
  readonly null?: true
  /** The default value. */
  readonly default?: string | number
  readonly unique?: true
  /** Foreign key to that table, with cascading deletion. */
  readonly belongsTo?: Table
  /** How its cells are decoded: see `rowCodec`. */
  readonly standsFor?: 'boolean' | 'document'
  /** Never set: carries the type. */
  readonly value?: Value
}

type ColumnOptions = Omit<Column, 'type' | 'value' | 'standsFor'>
type NoOptions = Record<never, never>

const column =
  <Value>(type: ColumnType) =>
  <const Options extends ColumnOptions = NoOptions>(options?: Options) =>
    ({ type, ...options }) as Column<Value> & Options

export const text = column<string>('text')
/** An id of up to 64 bits, in decimal digits without leading zeros. */
export const id64 = column<string>('id64')
export const bytewise = column<string>('bytewise')
export const integer = column<number>('integer')
/** 0 or 1. */
export const flag = <const Options extends ColumnOptions = NoOptions>(options?: Options) =>
  ({ type: 'integer', standsFor: 'boolean', ...options }) as Column<number> &
    Options & { standsFor: 'boolean' }
/** JSON text. */
export const json = <Document>() =>
  ({ type: 'text', standsFor: 'document' }) as Column<string> & { standsFor: 'document'; document?: Document }
/** For times in epoch milliseconds and counts, which fit into a number. */
export const bigint = column<number>('bigint')
export const serial = () => ({ type: 'serial' }) as Column<number> & { readonly type: 'serial' }
/** A double-precision number. */
export const real = column<number>('real')
export const bytes = column<Uint8Array>('bytes')
/** Words with positions. A cell is read and written as text. */
export const tsvector = column<string>('tsvector')

export type Columns = Readonly<Record<string, Column>>

/** The keys of an index: columns, and SQL expressions. */
type IndexPart<Name extends string> = Name | { readonly sql: string }

export interface Index<Name extends string = string> {
  readonly on: readonly IndexPart<Name>[]
  /** Defaults to a B-tree. */
  readonly using?: 'gin'
  /** Storage parameters of PostgreSQL. */
  readonly with?: Readonly<Record<string, number | 'off'>>
  readonly unique?: true
  /** The SQL condition of a partial index. */
  readonly where?: string
}

export interface Constraints<Name extends string = string> {
  /** The columns of the primary key. */
  readonly key: readonly [Name, ...Name[]]
  /** Indexes by their names. */
  readonly indexes?: Readonly<Record<string, Index<Name> | readonly IndexPart<Name>[]>>
  /** Foreign keys of several columns, with cascading deletion. */
  readonly belongsTo?: Readonly<Record<string, { readonly columns: readonly Name[]; readonly table: Table }>>
  /** The only database with this table. */
  readonly only?: 'sqlite' | 'postgres'
  /** The rows of an empty database. */
  readonly rows?: readonly Readonly<Record<Name, string>>[]
}

/**
 * A table, declared once: its SQL (`ddl.ts`), the types of its rows and its queries are derived
 * from it.
 */
export interface Table<Name extends string = string, TableColumns extends Columns = Columns>
  extends Constraints {
  readonly name: Name
  readonly columns: TableColumns
}

/** Declares a table. The schema is generated from the declarations: see CONTRIBUTING.md. */
export const table = <const Name extends string, const TableColumns extends Columns>(
  name: Name,
  columns: TableColumns,
  constraints: Constraints<keyof TableColumns & string>,
): Table<Name, TableColumns> => ({ name, columns, ...constraints })

/** The names of the columns of a table, in the order of its declaration. */
export const columnNames = <TableColumns extends Columns>({ columns }: Table<string, TableColumns>) =>
  Object.keys(columns) as (keyof TableColumns & string)[]

type ValueOf<Definition extends Column> = Definition extends Column<infer Value> ? Value : never

type StoredValue<Definition extends Column> = Definition extends { null: true }
  ? ValueOf<Definition> | null
  : Definition extends { default: string | number } | { type: 'serial' }
    ? Generated<ValueOf<Definition>>
    : ValueOf<Definition>

/** The columns of a table as queries see them. */
export type ColumnsOf<Definition extends Table> = {
  -readonly [Name in keyof Definition['columns']]: StoredValue<Definition['columns'][Name]>
}

/** A row as a query returns it. */
export type RowOf<Definition extends Table> = Selectable<ColumnsOf<Definition>>

/** A row as it is inserted: columns with a default may be omitted. */
export type NewRowOf<Definition extends Table> = Insertable<ColumnsOf<Definition>>

type ItemValue<Definition extends Column> =
  | (Definition extends { standsFor: 'document'; document?: infer Document }
      ? Exclude<Document, undefined>
      : Definition extends { standsFor: 'boolean' }
        ? boolean
        : ValueOf<Definition>)
  | (Definition extends { null: true } ? null : never)

/** A decoded row: flags are booleans, and JSON is parsed. */
export type ItemOf<Definition extends Table> = {
  -readonly [Name in keyof Definition['columns']]: ItemValue<Definition['columns'][Name]>
}

/** Decodes and encodes rows of a table. */
export function rowCodec<Definition extends Table>({ columns }: Definition) {
  const kinds = Object.entries(columns).map(([name, { standsFor }]) => [name, standsFor] as const)
  const mapColumns = (from: object, turn: (value: unknown, kind: Column['standsFor']) => unknown) => {
    const values = from as Readonly<Record<string, unknown>>
    return Object.fromEntries(kinds.map(([name, kind]) => [name, turn(values[name], kind)]))
  }
  return {
    decode: (row: RowOf<Definition>) => mapColumns(row, decoded) as ItemOf<Definition>,
    encode: (item: ItemOf<Definition>) => mapColumns(item, encoded) as RowOf<Definition>,
  }
}

function decoded(cell: unknown, kind: Column['standsFor']): unknown {
  if (kind === undefined || cell === null) return cell
  return kind === 'boolean' ? cell === 1 : JSON.parse(String(cell))
}

function encoded(value: unknown, kind: Column['standsFor']): unknown {
  if (kind === undefined || value === null) return value
  return kind === 'boolean' ? Number(value) : JSON.stringify(value)
}

/** The tables of some modules by their names, as Kysely takes them. */
export type TablesOf<Modules> = {
  [Definition in TablesIn<Modules> as Definition['name']]: ColumnsOf<Definition>
}

type TablesIn<Module> = Module extends unknown ? Extract<Module[keyof Module], Table> : never
