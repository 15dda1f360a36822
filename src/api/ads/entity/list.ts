import { type TProperties, Type } from 'typebox'
import { msg } from '../../../platform/http/message.ts'
import { component, componentName, flag, text } from '../../../platform/http/schema.ts'
import { rejected } from '../../../platform/protocols/ads/api-error.ts'
import type { AdsDependencies } from '../dependencies.ts'
import { type AdsEndpoint, adsEndpoint, LIMITS } from '../endpoint.ts'
import { nameKey } from '../name-key.ts'
import type { AccountScope } from '../scope.ts'
import { cursorOf, positionOf } from './cursor.ts'
import type { Fields } from './fields.ts'
import {
  type ComputedColumns,
  countQuery,
  DELETED,
  DELETED_DRAFT,
  DRAFT,
  type ListArgs,
  type Listing,
  type ListNarrowing,
  listQuery,
  narrowingArg,
  PARENT_DELETED,
  positionArg,
  type SortKey,
  VISIBLE,
} from './queries.ts'
import { mayBeNull } from './table.ts'
import { type Entity, type Filter, idOf, type RangeFilter } from './types.ts'

/** Cursors of lists ordered by name contain names of up to 255 characters. */
const MAX_CURSOR_LENGTH = 4000

/** The paging parameters of every list (interface, common advertising rules). */
export const paging = (max = 1000, fallback = 200) => ({
  count: Type.Optional(
    Type.Integer({ minimum: 1, maximum: max, default: fallback, description: 'Number of items in a page.' }),
  ),
  cursor: Type.Optional(text(1, MAX_CURSOR_LENGTH, '`next_cursor` of the previous page.')),
})

export const withDeleted = flag('Whether to include deleted items.')

export const withTotalCount = flag(
  'Whether to return `total_count`. Not allowed with `cursor`; such calls have a limit of 200 in 15 minutes.',
)

const SORTABLE = ['created_at', 'updated_at', 'deleted']

export function sortBy(names: readonly string[]) {
  const directions = names.flatMap((name) => [`${name}-asc`, `${name}-desc`])
  const others = names.filter((name) => !SORTABLE.includes(name))
  const known = SORTABLE.every((name) => names.includes(name)) ? others : names
  return Type.Optional(
    Type.Array(component(componentName('sort order', ...known), Type.Enum(directions)), {
      minItems: 1,
      maxItems: 3,
      description: 'Attributes to sort by, each with a direction.',
    }),
  )
}

const MAX_SEARCH_LENGTH = 255

/** The definition of a list; the declaration of an entity is one. */
export interface ListDeclaration {
  table: string
  /** The column with the owner of a row; `account_id` by default. */
  owner?: string
  path: string
  filters?: Readonly<Record<string, Filter>>
  ranges?: Readonly<Record<string, RangeFilter>>
  newestFirst?: true
  search?: true | number
  drafts?: true
  hiddenWithParent?: true
  sort?: Readonly<Record<string, string>>
  paging?: readonly [max: number, fallback: number]
  removed?: true
  /** The declared columns, including nullable ones. */
  fields?: Fields
}

/** The parameters of a list: filters, search, paging and sorting, as declared. */
export function listParameters(list: ListDeclaration): TProperties {
  const { filters = {}, ranges = {}, search, drafts, sort = {}, paging: pages = [], removed } = list
  return {
    ...Object.fromEntries(
      Object.entries(filters).map(([name, { schema, required }]) => [
        name,
        required ? schema : Type.Optional(schema),
      ]),
    ),
    ...Object.fromEntries(Object.entries(ranges).map(([name, { schema }]) => [name, Type.Optional(schema)])),
    ...(search && {
      q: Type.Optional(
        text(1, search === true ? MAX_SEARCH_LENGTH : search, 'Prefix of the name. Not case-sensitive.'),
      ),
    }),
    ...(drafts && {
      with_draft: flag('Whether to include drafts.'),
    }),
    ...paging(...pages),
    ...(!removed && {
      sort_by: sortBy([...SORTABLE, ...Object.keys(sort)]),
      with_deleted: withDeleted,
      with_total_count: withTotalCount,
    }),
  }
}

/** The list of an entity: filters, search, sorting and paging, as declared. */
export function listEndpoint(entity: Entity): AdsEndpoint {
  const { many, path, source, search, newestFirst, limits = 'read' } = entity.declared
  const { echo, list, describe, removed } = entity.declared
  return adsEndpoint({
    id: idOf('list', many),
    method: 'GET',
    path,
    summary: `List ${many}`,
    description:
      describe?.list ??
      `Returns ${many}, ${newestFirst ? 'newest' : 'oldest'} first by default${search ? ', by name when searched' : ''}. Unknown ids in a filter are ignored.`,
    source,
    right: 'read',
    limits: LIMITS[limits],
    query: { ...listParameters(entity.declared), ...entity.declared.query },
    codes: [...(removed ? [] : (['EXCLUSIVE_PARAMETERS'] as const)), ...(list?.codes ?? [])],
    data: Type.Array(entity.schema),
    beside: removed ? ['cursor'] : ['cursor', 'optional total'],
    ...(echo && { echo }),
    handle: ({ scope, query }, context) => readItems(entity, { scope, query }, context),
  })
}

/** A page of the entities of an account, as replies show them. */
export async function readItems(
  { declared, columns, codec }: Entity,
  { scope, query }: { readonly scope: AccountScope; readonly query: object },
  context: AdsDependencies,
) {
  const { computed, list, derive } = declared
  const asked = pageQuery(query)
  const narrowed = list ? await list.narrow(asked, { scope, context }) : query
  if (!narrowed) return { data: [], next_cursor: null, ...(asked.with_total_count && { total_count: 0 }) }
  const page = pageQuery(narrowed)
  const request = { owner: scope.accountId, columns, page, ...(computed && { computed }) }
  const { rows, ...rest } = await readPage(declared, request, context)
  const items = rows.map(codec.decodeWhole)
  await derive?.(items, { scope, context, query: asked })
  return { data: items, ...rest }
}

/**
 * One page of a list: the requested columns and the sort keys of rows of an owner, and the position
 * of the next page.
 */
export async function readPage(
  listed: ListDeclaration,
  { owner, columns: read, computed, page }: ListPageRequest,
  { store, sealer, clock }: Pick<AdsDependencies, 'store' | 'sealer' | 'clock'>,
) {
  if (page.with_total_count && page.cursor !== undefined) throw exclusive()
  const now = clock.now()
  const narrowings = narrowingsOf(listed, page, now)
  const listing = { ...listingOf(listed, { narrowings, columns: read, page }), ...(computed && { computed }) }
  const args = argsOf(narrowings, owner)
  const list = signatureOf(listed, { owner, listing, page })
  if (page.cursor !== undefined) {
    const position = positionOf(sealer, list, page.cursor, listing.sort.length)
    for (const [index, value] of position.entries()) args[positionArg(index)] = value
  }
  const rows = await store.all(listQuery(listing), {
    ...args,
    ...(computed && { now }),
    limit: page.count + 1,
  })
  const last = cutToPage(rows, page.count)
  const total = page.with_total_count ? await store.first(countQuery(listing), args) : undefined
  const position = last && listing.sort.map(({ column }) => last[column] ?? -1)
  return {
    rows,
    next_cursor: position ? cursorOf(sealer, list, position) : null,
    ...(total && { total_count: total.total }),
  }
}

interface ListPageRequest {
  owner: string
  columns: readonly string[]
  /** Computed columns. */
  computed?: ComputedColumns
  page: ListQuery
}

/**
 * Cuts the rows, one more than a page, to the page. Returns its last row when another page follows.
 */
export function cutToPage<Row>(rows: Row[], count: number): Row | undefined {
  if (rows.length <= count) return undefined
  rows.length = count
  return rows[count - 1]
}

/** The values of the parameters of a list. */
export interface ListQuery extends Record<string, unknown> {
  count: number
  cursor?: string
  sort_by?: string[]
  with_deleted: boolean
  with_draft?: boolean
  with_total_count: boolean
  q?: string
}

/** The parameters of `listParameters`, validated and with defaults. */
export const pageQuery = (query: object) => query as ListQuery

export const exclusive = () =>
  rejected(
    'with_total_count',
    msg`with_total_count and cursor are exclusive parameters`,
    'EXCLUSIVE_PARAMETERS',
  )

/** A filter of a list with its value. */
type NarrowingValue = ListNarrowing & { value: string | number }

function narrowingsOf(list: ListDeclaration, page: ListQuery, now: number): NarrowingValue[] {
  const { filters = {}, ranges = {}, search } = list
  const isSent = ([name]: [string, unknown]) => page[name] !== undefined
  return [
    ...Object.entries(filters)
      .filter(isSent)
      .map(([name, { column }]): NarrowingValue => {
        const value = page[name]
        // An index finds the rows of one parent in the order of their ids only.
        const isMany = Array.isArray(value) && (value.length > 1 || page.sort_by !== undefined)
        return isMany
          ? { column, by: 'many', value: JSON.stringify(value) }
          : { column, by: 'one', value: String([value].flat()[0]) }
      }),
    ...Object.entries(ranges)
      .filter(isSent)
      .flatMap(([name, { bounds }]) => bounds(page[name] as never, now)),
    ...(search && page.q !== undefined
      ? [{ column: 'name_key', by: 'prefix', value: nameKey(page.q) } as const]
      : []),
  ]
}

function listingOf(list: ListDeclaration, { narrowings, columns, page }: ListForm): Listing {
  const { table, owner, search, newestFirst, drafts, hiddenWithParent, sort = {}, fields = {} } = list
  // Search results are ordered by name: no index can search by one column and order by another.
  const usual = search && page.q !== undefined ? ['name_key-asc'] : newestFirst ? ['created_at-desc'] : []
  const keys = sortKeys(page.sort_by ?? usual, sort)
  return {
    table,
    ...(owner !== undefined && { owner }),
    // The sort keys determine where the next page begins.
    columns: [...new Set([...columns, ...keys.map(({ column }) => column)])],
    narrowings,
    sort: keys,
    nullable: keys.map(({ column }) => column).filter((column) => mayBeNull(fields, column)),
    visibilities: [
      VISIBLE,
      ...(drafts && page.with_draft ? [DRAFT] : []),
      ...(page.with_deleted ? [...(hiddenWithParent ? [PARENT_DELETED] : []), DELETED] : []),
      ...(drafts && page.with_deleted && page.with_draft ? [DELETED_DRAFT] : []),
    ],
    after: page.cursor !== undefined,
  }
}

interface ListForm {
  narrowings: readonly ListNarrowing[]
  columns: readonly string[]
  page: ListQuery
}

/** Ids grow with time, so the order of creation is the order of ids. The id ends every order. */
function sortKeys(sortBy: readonly string[], columns: Readonly<Record<string, string>>): SortKey[] {
  const keys: SortKey[] = []
  for (const order of sortBy) {
    const [attribute = '', direction] = order.split('-')
    const column = attribute === 'created_at' ? 'id' : (columns[attribute] ?? attribute)
    const descending = direction === 'desc'
    // Columns with the same value in every row are not sort keys.
    if (column === '') continue
    if (column === 'id') return [...keys, { column: 'id', descending }]
    if (!keys.some((key) => key.column === column)) keys.push({ column, descending })
  }
  return [...keys, { column: 'id', descending: keys.at(-1)?.descending ?? false }]
}

function argsOf(narrowings: readonly NarrowingValue[], owner: string): ListArgs {
  const args: ListArgs = { account: owner }
  for (const [index, { by, value }] of narrowings.entries()) {
    args[narrowingArg(index)] = value
    if (by === 'prefix') args[`${narrowingArg(index)}_end`] = `${value}\u{10ffff}`
  }
  return args
}

/**
 * Everything that determines the rows of a list and their order. Bounds move with the clock, so the
 * parameters that set them count.
 */
const signatureOf = (
  { path, filters, ranges }: ListDeclaration,
  { owner, listing, page }: { owner: string; listing: Listing; page: ListQuery },
) =>
  JSON.stringify([
    path,
    owner,
    listing.sort,
    listing.visibilities,
    [...Object.keys({ ...filters, ...ranges }), 'q'].map((name) => page[name] ?? null),
  ])
