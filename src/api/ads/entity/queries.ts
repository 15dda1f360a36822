import { type Kysely, type RawBuilder, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Int64 } from '../../../platform/common/int64.ts'
import {
  adHocQueriesOver,
  anyIn,
  type DialectName,
  locked,
  postgres,
  type Query,
  queriesOver,
} from '../../../platform/storage/query.ts'
import type { Table } from '../../../platform/storage/table.ts'
import { adHocQuery } from '../../tables.ts'
import type { Cell, CellRow } from './fields.ts'

/** The visibility of an entity in lists. */
export const VISIBLE = 0
export const DRAFT = 1
/** Not deleted itself, but its parent is. */
export const PARENT_DELETED = 2
export const DELETED = 3
/** A deleted draft: returned with both `with_deleted` and `with_draft`. */
export const DELETED_DRAFT = 4

/**
 * How rows are filtered: by one value, by any of several values, by a prefix of the name, by a
 * bound.
 */
export interface ListNarrowing {
  column: string
  by: 'one' | 'many' | 'prefix' | 'above' | 'below'
}

export interface SortKey {
  column: string
  descending: boolean
}

/**
 * One kind of list query; its sort ends with the id. Few differ, so each is compiled once and
 * cached.
 */
export interface Listing {
  table: string
  /** The column with the owner of a row. */
  owner?: string
  columns: readonly string[]
  /** The computed ones of `columns`. The query has the argument `now`. */
  computed?: ComputedColumns
  narrowings: readonly ListNarrowing[]
  sort: readonly SortKey[]
  /** The nullable columns in `sort`. */
  nullable?: readonly string[]
  visibilities: readonly number[]
  /** Whether it continues after a position. */
  after: boolean
}

/** Columns, including computed ones. */
const selectedOf = (columns: readonly string[], computed: ComputedColumns | undefined, at: { now: number }) =>
  sql.join(
    columns.map((column) => {
      const made = computed?.[column]
      return made ? sql`${made(at)} as ${sql.ref(column)}` : sql.ref(column)
    }),
  )

/** SQL expressions on the rows of a table, by the names of the resulting columns. */
export type ComputedColumns = Readonly<Record<string, (at: { now: number }) => RawBuilder<unknown>>>

/** The owner of a row, in the table of every entity. */
const OWNER = 'account_id'

/** The values of a list query. */
export type ListArgs = Record<string, string | Int64>

/** The name of the argument of a filter or of a position. */
export const narrowingArg = (index: number) => `f${index}`
export const positionArg = (index: number) => `k${index}`

/**
 * Cached forms of lists: callers can request more of them than a program should hold in memory.
 * Without them, a list of 200 line items takes a fifth to a half more processor time, because SQL
 * is compiled and prepared once more.
 */
const MAX_FORMS = 1000
const cache = new LRUCache<string, Query<ListArgs, CellRow>>({ max: MAX_FORMS })
const keptCounts = new LRUCache<string, Query<ListArgs, { total: number }>>({ max: MAX_FORMS })

const nameOf = ({ table, narrowings, sort, visibilities, after }: Listing, what: string) =>
  [
    what,
    table,
    ...narrowings.map(({ column, by }) => `${column}_${by}`),
    ...sort.map(({ column, descending }) => `${column}_${descending ? 'desc' : 'asc'}`),
    visibilities.join(''),
    ...(after ? ['after'] : []),
  ].join('_')

/** The query of a kind of list. */
export function listQuery(listing: Listing): Query<ListArgs, CellRow> {
  const name = nameOf(listing, 'list')
  const key = `${name} ${listing.owner ?? ''} ${listing.columns.join()}`
  const known = cache.get(key)
  if (known) return known
  const made = adHocQuery<ListArgs, CellRow>(name, (db, at) => ({
    compile: () => listSql(listing, at, postgres(db)).compile(db),
  }))
  cache.set(key, made)
  return made
}

/** How many rows a list has in all. */
export function countQuery(listing: Listing): Query<ListArgs, { total: number }> {
  const name = nameOf({ ...listing, sort: [], after: false }, 'count')
  const key = `${name} ${listing.owner ?? ''}`
  const known = keptCounts.get(key)
  if (known) return known
  const made = adHocQuery<ListArgs, { total: number }>(name, (db, at) => ({
    compile: () =>
      sql`select count(*) as total from ${sourceOf(listing.table, listing.narrowings, at, postgres(db))} where ${and(
        [
          sql`${sql.ref(listing.owner ?? OWNER)} = ${at.account}`,
          sql`visibility in (${sql.join(listing.visibilities.map((visibility) => sql.lit(visibility)))})`,
          ...narrowed(listing.narrowings, at, postgres(db)),
        ],
      )}`.compile(db),
  }))
  keptCounts.set(key, made)
  return made
}

const and = (conditions: readonly RawBuilder<unknown>[]) => sql.join([...conditions], sql` and `)

/**
 * Each visibility is a separate index scan, limited to the page; the pages of several visibilities
 * are merged. So a list never reads more rows than it returns, however many rows are deleted.
 */
function listSql(listing: Listing, at: ListArgs, isPostgres: boolean): RawBuilder<unknown> {
  const { table, owner = OWNER, columns, narrowings, visibilities, after } = listing
  // Prevents a query driven by parents or by a bound from scanning the account in the order of the
  // list.
  const isLed = ledBy(narrowings, isPostgres) !== -1 || firstBound(narrowings, isPostgres) !== -1
  const keys = listing.sort
    .map(keyOf(listing.nullable ?? []))
    .map((key) => (isLed ? { ...key, expression: sql`+${key.expression}` } : key))
  const selected = selectedOf(columns, listing.computed, at as { now: never })
  const walk = (visibility: number) =>
    sql`select ${selected} from ${sourceOf(table, narrowings, at, isPostgres)} where ${and([
      sql`${sql.ref(owner)} = ${at.account}`,
      sql`visibility = ${sql.lit(visibility)}`,
      ...narrowed(narrowings, at, isPostgres),
      ...(after ? [beyondIn(visibility, keys, at)] : []),
    ])} order by ${orderOf(keys.filter(({ column }) => column !== 'deleted'))} limit ${at.limit}`
  const [only] = visibilities
  if (visibilities.length === 1 && only !== undefined) return walk(only)
  const walks = visibilities.map(
    (visibility) => sql`select * from (${walk(visibility)}) as walk_${sql.raw(String(visibility))}`,
  )
  return sql`select * from (${sql.join(walks, sql` union all `)}) as walks order by ${orderOf(keys)} limit ${at.limit}`
}

/**
 * With several parents, SQLite is made to start from them: otherwise it would scan the whole
 * account in the order of the list. The result is sorted.
 */
function sourceOf(table: string, narrowings: readonly ListNarrowing[], at: ListArgs, isPostgres: boolean) {
  const led = ledBy(narrowings, isPostgres)
  if (led === -1) return sql.table(table)
  const wanted = sql`(select value as wanted from json_each(${at[narrowingArg(led)]})) as wanted_values`
  return sql`${wanted} cross join ${sql.table(table)}`
}

const ledBy = (narrowings: readonly ListNarrowing[], isPostgres: boolean) =>
  isPostgres ? -1 : narrowings.findIndex(({ by }) => by === 'many')

const isBound = ({ by }: ListNarrowing) => by === 'above' || by === 'below'

/** The bound whose index SQLite is made to use: the first. The others are checked row by row. */
const firstBound = (narrowings: readonly ListNarrowing[], isPostgres: boolean) =>
  isPostgres ? -1 : narrowings.findIndex(isBound)

interface Key extends SortKey {
  expression: RawBuilder<unknown>
}

/** Null sorts before any value: amounts and times are never negative. */
const keyOf =
  (nullable: readonly string[]) =>
  ({ column, descending }: SortKey): Key => ({
    column,
    descending,
    expression: nullable.includes(column) ? sql`coalesce(${sql.ref(column)}, -1)` : sql.ref(column),
  })

const orderOf = (keys: readonly Key[]) =>
  sql.join(keys.map(({ expression, descending }) => sql`${expression}${descending ? sql` desc` : sql``}`))

/** The rows of one scan after a position. */
function beyondIn(visibility: number, keys: readonly Key[], at: ListArgs): RawBuilder<unknown> {
  const [first, second] = keys
  if (first?.column !== 'deleted' || keys.length !== 2 || !second) return beyond(keys, at)
  // All rows of a scan are deleted or none is: the scan is before, at, or after the position.
  const own = sql.lit(visibility >= DELETED ? 1 : 0)
  const position = sql`cast(${at[positionArg(0)]} as integer)`
  const toCome = first.descending ? sql`${position} > ${own}` : sql`${position} < ${own}`
  const [start, end, sign] = second.descending
    ? [sql.lit('~'), sql.lit(''), sql`<`]
    : [sql.lit(''), sql.lit('~'), sql`>`]
  return sql`${sql.ref(second.column)} ${sign} case when ${toCome} then ${start} when ${position} = ${own} then ${at[positionArg(1)]} else ${end} end`
}

/**
 * The rows after a position. Keys of one direction are compared as a row value, which an index
 * supports.
 */
function beyond(keys: readonly Key[], at: ListArgs): RawBuilder<unknown> {
  const places = keys.map((_, index) => sql`${at[positionArg(index)]}`)
  const [first] = keys
  if (keys.every(({ descending }) => descending === first?.descending)) {
    const row = sql.join(keys.map(({ expression }) => expression))
    const sign = first?.descending ? sql`<` : sql`>`
    return keys.length === 1 ? sql`${row} ${sign} ${places[0]}` : sql`(${row}) ${sign} (${sql.join(places)})`
  }
  const cases = keys.map(
    ({ expression, descending }, index) =>
      sql`(${and([
        ...keys.slice(0, index).map((key, before) => sql`${key.expression} = ${places[before]}`),
        sql`${expression} ${descending ? sql`<` : sql`>`} ${places[index]}`,
      ])})`,
  )
  return sql`(${sql.join(cases, sql` or `)})`
}

function narrowed(
  narrowings: readonly ListNarrowing[],
  at: ListArgs,
  isPostgres: boolean,
): RawBuilder<unknown>[] {
  const led = ledBy(narrowings, isPostgres)
  const bound = firstBound(narrowings, isPostgres)
  return narrowings.flatMap(({ column, by }, index) => {
    const value = at[narrowingArg(index)]
    const ref = bound !== -1 && index > bound ? sql`+${sql.ref(column)}` : sql.ref(column)
    if (index === led) return [sql`${ref} = wanted_values.wanted`]
    switch (by) {
      case 'one':
        return [sql`${ref} = ${value}`]
      case 'many':
        return [anyIn(isPostgres, ref, value)]
      case 'above':
        return [sql`${ref} > ${value}`]
      case 'below':
        return [sql`${ref} < ${value}`]
      default:
        return [sql`${ref} >= ${value}`, sql`${ref} < ${at[`${narrowingArg(index)}_end`]}`]
    }
  })
}

/** Whether a column has one of the values of a JSON list. */
export const anyOf = (db: object, ref: RawBuilder<unknown>, list: string) => anyIn(postgres(db), ref, list)

/** The tables of all entities, which have some columns in common. */
interface EntityTables {
  [table: string]: { [column: string]: Cell }
}

/** A row as it is written: its columns, and its owner. */
export type NewRow = CellRow & { account_id: string; id: string }

const entityQuery = queriesOver<EntityTables>()
const adHocEntityQuery = adHocQueriesOver<EntityTables>()

/** Reads one row as a list does, with its visibility. */
export const shownQuery = (
  table: string,
  columns: readonly string[],
  computed: ComputedColumns | undefined,
) =>
  entityQuery<{ account: string; id: string; now: number }, CellRow>(`${table}_shown`, (db, at) => ({
    compile: () =>
      sql`select ${selectedOf(columns, computed, at)}, visibility from ${sql.table(table)}
          where ${sql.ref(OWNER)} = ${at.account} and id = ${at.id}`.compile(db),
  }))

/** A visible row with the same values in some columns. */
export const sameQuery = (table: string, columns: readonly string[], same: readonly string[]) =>
  entityQuery<Record<string, unknown> & { account_id: string }, CellRow>(`${table}_same`, (db, at) =>
    ['account_id', ...same]
      .reduce(
        (qb, column) => qb.where(column, '=', at[column] as Cell),
        db.selectFrom(table).select([...columns]),
      )
      .where('visibility', '=', VISIBLE)
      .limit(1),
  )

/** Columns that an update does not set like the others. */
const FIXED = ['id', 'created_at', 'updated_at', 'deleted']

/**
 * The statements that read and write single rows of a table. `removed`: a deletion removes the row.
 */
export function rowQueries({ name: table }: Table, columns: readonly string[], removed?: true) {
  const mutable = columns.filter((column) => !FIXED.includes(column))
  const selected = (db: Kysely<EntityTables>) => db.selectFrom(table).select([...columns, 'visibility'])
  const own = (qb: ReturnType<typeof selected>, at: { account: string; id: string }) =>
    qb.where('account_id', '=', at.account).where('id', '=', at.id)
  return {
    byId: entityQuery<{ account: string; id: string }, CellRow>(`${table}_by_id`, (db, at) =>
      own(selected(db), at),
    ),
    /** Locks the row for a change. */
    lock: entityQuery<{ account: string; id: string }, CellRow>(`${table}_lock`, (db, at) =>
      locked(db, own(selected(db), at)),
    ),
    add: entityQuery<NewRow>(`${table}_add`, (db, at) =>
      db
        .insertInto(table)
        .values(
          Object.fromEntries(['account_id', 'visibility', ...columns].map((column) => [column, at[column]])),
        ),
    ),
    change: changeQueries(table, [...mutable, 'visibility']),
    remove: removed ? removeQuery(table) : markDeletedQuery(table),
  }
}

const removeQuery = (table: string) =>
  entityQuery<{ account: string; id: string; now: number }>(`${table}_remove`, (db, at) =>
    db.deleteFrom(table).where('account_id', '=', at.account).where('id', '=', at.id),
  )

const markDeletedQuery = (table: string) =>
  entityQuery<{ account: string; id: string; now: number }>(`${table}_remove`, (db, at) =>
    db
      .updateTable(table)
      .set({
        deleted: 1,
        visibility: sql`case visibility when ${sql.lit(DRAFT)} then ${sql.lit(DELETED_DRAFT)} else ${sql.lit(DELETED)} end`,
        updated_at: at.now,
      })
      .where('account_id', '=', at.account)
      .where('id', '=', at.id),
  )

/**
 * Maximum number of cached updates per table. Clients that change one member at a time need few.
 * Without them, an update of a line item takes a fifth more processor time.
 */
const MAX_CHANGES = 64

/**
 * The statements that change a row. On SQLite, a statement sets only changed columns, because
 * SQLite rewrites the entries of every index that contains a set column, and each value costs time.
 * PostgreSQL compares the values itself, and plans one statement once.
 */
function changeQueries(table: string, columns: readonly string[]) {
  const build = (set: readonly string[]) => (db: Kysely<EntityTables>, at: NewRow) =>
    db
      .updateTable(table)
      .set(Object.fromEntries([...set, 'updated_at'].map((column) => [column, at[column]])))
      .where('account_id', '=', at.account_id)
      .where('id', '=', at.id)
  const all = entityQuery<NewRow>(`${table}_change`, build(columns))
  const forms = new LRUCache<string, Query<NewRow, unknown>>({ max: MAX_CHANGES })
  /** The statement that changes a row from `before` to `after`. */
  return (dialect: DialectName, before: CellRow, after: NewRow): Query<NewRow, unknown> => {
    if (dialect === 'postgres') return all
    const changed = columns.filter((column) => before[column] !== after[column])
    const key = changed.join()
    const known = forms.get(key)
    if (known) return known
    const made = adHocEntityQuery<NewRow>(`${table}_change_${key}`, build(changed))
    forms.set(key, made)
    return made
  }
}

/** Some rows of an account. */
export interface AccountIdsArgs {
  account: string
  /** A JSON list. */
  ids: string
}

const lockMany = (name: string, table: string) =>
  entityQuery<AccountIdsArgs>(name, (db, at) =>
    locked(
      db,
      db
        .selectFrom(table)
        .select('id')
        .where('account_id', '=', at.account)
        .where(anyOf(db, sql.ref('id'), at.ids))
        .orderBy('id'),
    ),
  )

/** The statements that lock many rows of a table and their parents, by id. */
export function lockQueries(table: string, parent: { table: string; column: string } | undefined) {
  return {
    own: lockMany(`${table}_lock_many`, table),
    parents: parent && lockMany(`${table}_lock_parents`, parent.table),
    parentsOf:
      parent &&
      entityQuery<AccountIdsArgs, { id: string; parent: string }>(`${table}_parents`, (db, at) => ({
        compile: () =>
          sql`select id, ${sql.ref(parent.column)} as parent from ${sql.table(table)}
            where account_id = ${at.account} and ${anyOf(db, sql.ref('id'), at.ids)}`.compile(db),
      })),
  } as const
}

/**
 * Hides the children of a deleted row: those of `table` whose `column` names it, unless they are
 * deleted themselves.
 */
export const hideChildrenQuery = (table: string, column: string) =>
  entityQuery<{ account: string; parent: string }>(`${table}_hide_children`, (db, at) =>
    db
      .updateTable(table)
      .set({ visibility: PARENT_DELETED })
      .where('account_id', '=', at.account)
      .where(column, '=', at.parent)
      .where('visibility', '=', VISIBLE),
  )
