import {
  type CompiledQuery,
  type Dialect,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresQueryCompiler,
  type RawBuilder,
  SqliteAdapter,
  SqliteQueryCompiler,
  sql,
} from 'kysely'

export type DialectName = 'sqlite' | 'postgres'

/** A declared query: each dialect compiles it once, before its first run. */
export interface Query<Args, Row> {
  readonly name: string
  readonly index: number
  /** False for ad-hoc queries: stores cache a limited number of their prepared statements. */
  readonly prepared: boolean
  /** The only dialect with its tables; undefined for both. */
  readonly only?: DialectName
  compile(dialect: DialectName): CompiledStatement
  /** Never set: carries the types of the arguments and of a row. */
  readonly types?: (args: Args) => Row
}

export interface CompiledStatement {
  readonly sql: string
  /** A literal, or a placeholder of an argument. */
  readonly values: readonly unknown[]
}

/** A placeholder of an argument in a compiled query. */
class ArgumentSlot {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/**
 * A query builder that compiles for its dialect and never runs anything: the store runs the SQL.
 */
function planner(adapter: 'sqlite' | 'postgres'): Kysely<unknown> {
  const dialect: Dialect = {
    createAdapter: () => (adapter === 'sqlite' ? new SqliteAdapter() : new PostgresAdapter()),
    createDriver: () => new DummyDriver(),
    createQueryCompiler: () =>
      adapter === 'sqlite' ? new SqliteQueryCompiler() : new PostgresQueryCompiler(),
    createIntrospector: () => {
      throw new Error('the planner does not introspect')
    },
  }
  return new Kysely<unknown>({ dialect })
}

export const planners: Record<DialectName, Kysely<unknown>> = {
  sqlite: planner('sqlite'),
  postgres: planner('postgres'),
}

/** Whether a query is being compiled for PostgreSQL, where the dialects differ. */
export const postgres = (db: object): boolean => db === planners.postgres

/**
 * Locks the selected rows until the transaction ends. SQLite has only one writer anyway. PostgreSQL
 * takes the lock of an UPDATE, so that rows that refer to a locked row can be inserted meanwhile.
 * With the lock of a DELETE, these inserts would wait, in the order of insertion, and two
 * transactions could deadlock.
 */
export const locked = <Q extends { forNoKeyUpdate(): Q }>(db: object, selected: Q): Q =>
  postgres(db) ? selected.forNoKeyUpdate() : selected

/**
 * Whether a column of text has one of the values in a JSON list. The list is an argument, so that
 * one statement serves lists of any length.
 */
export const anyIn = (isPostgres: boolean, ref: RawBuilder<unknown>, list: unknown): RawBuilder<boolean> =>
  isPostgres
    ? sql`${ref} = any(array(select jsonb_array_elements_text(${list}::jsonb)))`
    : sql`${ref} in (select value from json_each(${list}))`

/** The same for a column of the type `id64`. */
export const anyIdIn = (isPostgres: boolean, ref: RawBuilder<unknown>, list: unknown): RawBuilder<boolean> =>
  isPostgres
    ? sql`${ref} = any(array(select jsonb_array_elements_text(${list}::jsonb)::numeric))`
    : sql`${ref} in (select value from json_each(${list}))`

/**
 * The ids of a JSON list as a table with a column `value`, which is compared with columns of the
 * type `id64`.
 */
export const idsIn = (db: object, list: unknown, name: string): RawBuilder<unknown> =>
  postgres(db)
    ? sql`(select jsonb_array_elements_text(${list}::jsonb)::numeric as value) as ${sql.ref(name)}`
    : sql`json_each(${list}) as ${sql.ref(name)}`

/**
 * The distinct ids of a JSON list as a table. Followed by a cross join, SQLite begins with them;
 * otherwise it would begin with the condition on another column.
 */
export const distinctIdsIn = (db: object, list: unknown) =>
  (postgres(db)
    ? sql<{ value: string }>`(select distinct jsonb_array_elements_text(${list}::jsonb)::numeric as value)`
    : sql<{ value: string }>`(select distinct value from json_each(${list}))`
  ).as('asked')

/**
 * A JSON list of pairs of texts as a table with two columns. The list is an argument, as in
 * `anyIn`.
 */
export const pairsIn = <First extends string, Second extends string>(
  db: object,
  list: unknown,
  [first, second]: readonly [First, Second],
): RawBuilder<Record<First | Second, string>> => {
  const columns = (expression: RawBuilder<unknown>) =>
    sql`${expression} ->> 0 as ${sql.ref(first)}, ${expression} ->> 1 as ${sql.ref(second)}`
  return postgres(db)
    ? sql`(select ${columns(sql`pair`)} from jsonb_array_elements(${list}::jsonb) as pair)`
    : sql`(select ${columns(sql`value`)} from json_each(${list}))`
}

const written: Query<never, unknown>[] = []

/** Every query of the program, for the generated page that shows their SQL. */
export const allQueries: readonly Query<never, unknown>[] = written

type Kind = Pick<Query<never, unknown>, 'prepared' | 'only'>

const declaring =
  <Tables>(kind: Kind) =>
  <Args extends object, Row = unknown>(
    name: string,
    build: BuildQuery<Tables, Args, Row>,
  ): Query<Args, Row> => {
    const declared = make(name, build, kind)
    if (kind.prepared) written.push(declared as Query<never, unknown>)
    return declared
  }

/**
 * Declares queries on some tables. `at` stands for the arguments:
 *
 *     const appById = query<{ id: string }, AppRow>('appById', (db, at) =>
 *       db.selectFrom('apps').selectAll().where('id', '=', at.id))
 */
export const queriesOver = <Tables>() => declaring<Tables>({ prepared: true })

/** Declares queries on tables that exist only on PostgreSQL. */
export const postgresQueriesOver = <Tables>() => declaring<Tables>({ prepared: true, only: 'postgres' })

/**
 * Declares ad-hoc queries, compiled at run time: the many forms of a list. The caller caches a
 * limited number.
 */
export const adHocQueriesOver = <Tables>() => declaring<Tables>({ prepared: false })

/** A built query compiles to SQL. When it is typed, its rows are those that the query declares. */
type BuildQuery<Tables, Args, Row> = (
  db: Kysely<Tables>,
  at: Args,
) => { compile(): CompiledQuery; execute?(): Promise<Row[]> }

let made = 0

function make<Tables, Args extends object, Row>(
  name: string,
  build: BuildQuery<Tables, Args, Row>,
  kind: Kind,
): Query<Args, Row> {
  const compiled: Partial<Record<DialectName, CompiledStatement>> = {}
  return {
    name,
    index: made++,
    ...kind,
    compile(dialect) {
      const known = compiled[dialect]
      if (known) return known
      const at = new Proxy({} as Args, { get: (_, slot) => new ArgumentSlot(String(slot)) })
      // The builder is the same for every set of tables, which only matters for types.
      const planner = planners[dialect] as unknown as Kysely<Tables>
      const { sql, parameters } = build(planner, at).compile()
      const statement = { sql, values: parameters }
      compiled[dialect] = statement
      return statement
    },
  }
}

/** Some arguments by name: the values of the columns with the same names. */
export const picked = <Args extends object, Name extends keyof Args & string>(
  at: Args,
  names: readonly Name[],
) => Object.fromEntries(names.map((name) => [name, at[name]])) as Pick<Args, Name>

/** The values of a statement, in the order of its placeholders. */
export function bind(statement: CompiledStatement, args: object): unknown[] {
  const { values } = statement
  const bound = new Array<unknown>(values.length)
  for (let i = 0; i < bound.length; i++) {
    const value = values[i]
    bound[i] = value instanceof ArgumentSlot ? (args as Record<string, unknown>)[value.name] : value
  }
  return bound
}
