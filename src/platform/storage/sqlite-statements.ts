import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { LRUCache } from 'lru-cache'
import { columnTypeOf } from './ddl.ts'
import { bind, type CompiledStatement, type Query } from './query.ts'

/** Number of prepared statements cached for ad-hoc queries. */
const MAX_AD_HOC = 256
const IS_READ = /^\s*select\b/i

/** The cells of a row, in the order of its columns. */
type Cells = unknown[]

interface PreparedStatement {
  statement: StatementSync
  compiled: CompiledStatement
  isRead: boolean
  conversions: Conversion[] | undefined
  /** A row as its query returns it. Compiled at its first use. */
  rowOf: ((cells: Cells) => unknown) | undefined
}

/** Runs queries on one connection, each prepared once. */
export class SqliteStatements {
  readonly dialect = 'sqlite' as const
  readonly #db: DatabaseSync
  readonly #prepared: PreparedStatement[] = []
  readonly #adHoc = new LRUCache<number, PreparedStatement>({ max: MAX_AD_HOC })
  #changes = 0

  constructor(db: DatabaseSync) {
    this.#db = db
  }

  /**
   * The number of changed rows. A statement that changes rows and returns them counts as one,
   * whether or not it fails, because only reading its result may have failed. Any other statement
   * that fails has changed nothing.
   */
  get changes(): number {
    return this.#changes
  }

  all<Args extends object, Row>(query: Query<Args, Row>, args: Args): Row[] {
    const prepared = this.#prepare(query as Query<never, unknown>)
    if (!prepared.isRead) this.#changes++
    const values = bind(prepared.compiled, args) as SQLInputValue[]
    const rows = exactly(
      prepared,
      () => prepared.statement.all(...values) as unknown as Cells[],
      narrowedRows,
    )
    prepared.rowOf ??= compiledRow(prepared)
    return rows.map(prepared.rowOf) as Row[]
  }

  first<Args extends object, Row>(query: Query<Args, Row>, args: Args): Row | undefined {
    const prepared = this.#prepare(query as Query<never, unknown>)
    if (!prepared.isRead) this.#changes++
    const values = bind(prepared.compiled, args) as SQLInputValue[]
    const row = exactly(
      prepared,
      () => prepared.statement.get(...values) as unknown as Cells | undefined,
      narrowed,
    )
    if (row === undefined) return undefined
    prepared.rowOf ??= compiledRow(prepared)
    return prepared.rowOf(row) as Row
  }

  run<Args extends object>(query: Query<Args, unknown>, args: Args): number {
    const { statement, compiled } = this.#prepare(query as Query<never, unknown>)
    const changed = Number(statement.run(...(bind(compiled, args) as SQLInputValue[])).changes)
    this.#changes += changed
    return changed
  }

  #prepare(query: Query<never, unknown>): PreparedStatement {
    const known = query.prepared ? this.#prepared[query.index] : this.#adHoc.get(query.index)
    if (known) return known
    const prepared = preparedStatement(this.#db, query)
    if (query.prepared) this.#prepared[query.index] = prepared
    else this.#adHoc.set(query.index, prepared)
    return prepared
  }
}

function preparedStatement(db: DatabaseSync, query: Query<never, unknown>): PreparedStatement {
  const compiled = query.compile('sqlite')
  const statement = db.prepare(compiled.sql)
  statement.setReturnArrays(true)
  const conversions = conversionsOf(statement)
  if (conversions) statement.setReadBigInts(true)
  const isRead = IS_READ.test(compiled.sql)
  return { statement, compiled, isRead, conversions, rowOf: undefined }
}

type Conversion = 'idOf' | 'integerOf' | undefined

/** The types of columns whose cells are never integers. */
const WITHOUT_INTEGERS = new Set(['text', 'blob', 'real'])
const ID_TYPE = columnTypeOf('id64', 'sqlite')

/**
 * How each cell of a result with ids is converted; undefined for a result without ids. All integers
 * of a statement are read as bigints, or none is. An expression has no type, so a query must return
 * an id as a column, or as text.
 */
function conversionsOf(statement: StatementSync): Conversion[] | undefined {
  const types = statement.columns().map(({ type }) => type)
  if (!types.includes(ID_TYPE)) return undefined
  return types.map((type) => {
    if (type === ID_TYPE) return 'idOf'
    return type !== null && WITHOUT_INTEGERS.has(type) ? undefined : 'integerOf'
  })
}

const idOf = (cell: unknown): unknown => (cell === null ? null : String(cell))

/** A number where it can hold the integer. */
function integerOf(cell: unknown): unknown {
  if (typeof cell !== 'bigint') return cell
  const value = Number(cell)
  return Number.isSafeInteger(value) ? value : cell
}

/**
 * Compiles the conversion of cells to a row. The objects of node:sqlite are dictionaries: making
 * and reading one costs twice as much as one to which cells are assigned. As a generated literal, a
 * row of 38 columns takes a sixth less again, which is an eighth of the processor time of a list of
 * 200 line items.
 */
function compiledRow({ statement, conversions = [] }: PreparedStatement): (cells: Cells) => unknown {
  const members = statement
    .columns()
    .map(({ name }, at) => `${memberOf(name)}: ${conversions[at] ?? ''}(cells[${at}])`)
  const body = `'use strict'\nreturn (cells) => ({ ${members.join(', ')} })`
  return new Function('idOf', 'integerOf', body)(idOf, integerOf) as (cells: Cells) => unknown
}

/** In a literal, `__proto__` would set the prototype unless it is computed. */
const memberOf = (name: string): string => (name === '__proto__' ? '["__proto__"]' : JSON.stringify(name))

/**
 * Reads rows again, as bigints, that node:sqlite could not return because they hold an integer too
 * large for a number. Writes must not run twice, so their error is rethrown.
 */
function exactly<Row>(
  { statement, isRead }: PreparedStatement,
  read: () => Row,
  narrow: (read: Row) => Row,
): Row {
  try {
    return read()
  } catch (error) {
    const isTooLarge = (error as { code?: string }).code === 'ERR_OUT_OF_RANGE'
    if (!isTooLarge || !isRead) throw error
    statement.setReadBigInts(true)
    try {
      return narrow(read())
    } finally {
      statement.setReadBigInts(false)
    }
  }
}

const narrowedRows = (rows: Cells[]): Cells[] => rows.map((cells) => cells.map(integerOf))
const narrowed = (cells: Cells | undefined): Cells | undefined => cells?.map(integerOf)
