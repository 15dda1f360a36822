import { Type } from 'typebox'
import { boundOf, fromBase36, LAST_ID, timeOfId } from '../../platform/common/ids.ts'
import { component } from '../../platform/http/schema.ts'
import { fullPage, MAX_PASSED_OVER, type ReadableList } from './full-page.ts'

/** A position in a list that is sorted by time, and by id where times are equal. */
interface EntryPosition {
  /** Epoch milliseconds. */
  time: number
  id: string
}

/** Where a page begins: after an entry. */
interface PageStart extends EntryPosition {
  newer: boolean
}

/** Before the newest entry. */
const NEWEST: PageStart = { newer: false, time: Number.MAX_SAFE_INTEGER, id: LAST_ID }

/** How tokens name the place where a page begins. */
interface TokenForm {
  readonly pattern: string
  write(start: PageStart): string
  read(token: string): PageStart
}

const TIME_DIGITS = 11
const ID_DIGITS = 13
const BASE = 36

/** `o` for older entries and `n` for newer ones, then the position in base 36. */
export const TIME_TOKENS: TokenForm = {
  pattern: `^[on][0-9a-z]{${TIME_DIGITS + ID_DIGITS}}$`,
  write: ({ newer, time, id }) =>
    (newer ? 'n' : 'o') +
    time.toString(BASE).padStart(TIME_DIGITS, '0') +
    BigInt(id).toString(BASE).padStart(ID_DIGITS, '0'),
  read(token) {
    const time = Number.parseInt(token.slice(1, 1 + TIME_DIGITS), BASE)
    const id = boundOf(fromBase36(token.slice(1 + TIME_DIGITS)))
    return { newer: token.startsWith('n'), time: Math.min(time, Number.MAX_SAFE_INTEGER), id }
  },
}

/**
 * Decimal numbers, for lists in the order of ids: twice the id, and one more for newer entries.
 * They have 19 digits until 2048, and 20 from then on.
 */
export const ID_TOKENS: TokenForm = {
  pattern: '^[0-9]{1,20}$',
  write: ({ newer, id }) => String(2n * BigInt(id) + (newer ? 1n : 0n)),
  read(token) {
    const value = BigInt(token)
    const id = boundOf(value >> 1n)
    return { newer: (value & 1n) === 1n, time: timeOfId(id), id }
  },
}

interface PageLimits {
  default: number
  min: number
  max: number
  what: string
  tokens?: Pick<TokenForm, 'pattern'>
}

/** The parameters of a list with pages. */
export const pageParameters = ({ tokens: { pattern } = TIME_TOKENS, ...of }: PageLimits) => ({
  max_results: Type.Optional(
    Type.Integer({
      minimum: of.min,
      maximum: of.max,
      default: of.default,
      description: `Number of ${of.what} in a page. What the caller may not see is passed over; after ${MAX_PASSED_OVER.toLocaleString('en')} of them, a page is shorter.`,
    }),
  ),
  pagination_token: Type.Optional(
    Type.String({ pattern, description: '`next_token` or `previous_token` of another page.' }),
  ),
})

const tokenMembers = {
  next_token: Type.Optional(
    Type.String({ description: 'Token for older entries; absent on the last page.' }),
  ),
  previous_token: Type.Optional(
    Type.String({ description: 'Token for newer entries; absent if there are none.' }),
  ),
}
const result_count = Type.Integer({ minimum: 0, description: 'Entries of the page.' })
const closed = { additionalProperties: false }

/** The `meta` of a page (core reference, 00 section 7). */
export const PageMeta = component('PageMeta', Type.Object({ result_count, ...tokenMembers }, closed))

/** The `meta` of a page of posts, where clients continue from its newest and oldest post. */
export const TimelineMeta = component(
  'TimelineMeta',
  Type.Object(
    {
      result_count,
      newest_id: Type.Optional(Type.String({ description: 'The newest post of the page.' })),
      oldest_id: Type.Optional(Type.String({ description: 'The oldest post of the page.' })),
      ...tokenMembers,
    },
    closed,
  ),
)

/** An entry of a list. */
export interface Entry {
  readonly id: string
  readonly created_at: number
}

/** The paging parameters of a call. */
export interface PagingQuery {
  max_results?: number
  pagination_token?: string
}

/**
 * Consecutive entries of a list. `direction` is the order of the rows, and the side of the position
 * on which they are.
 */
export interface PageArgs {
  readonly direction: 'older' | 'newer'
  readonly time: number
  readonly id: string
  readonly limit: number
}

/** The tokens of a page: for older entries, and for newer ones. */
export interface ListTokens {
  next_token?: string
  previous_token?: string
}

interface ListPage<Row> {
  /** Newest first. */
  rows: Row[]
  tokens: ListTokens
}

/** A list that is sorted by time, newest first. */
export interface TimedList<Row extends Entry> {
  /** The number of entries in a page unless the caller names one. */
  defaultLimit: number
  read(args: PageArgs): Promise<readonly Row[]>
  /** The entries that the caller sees, in the same order; all of them if absent. */
  shown?(rows: readonly Row[]): Promise<readonly Row[]>
  tokens?: TokenForm
}

/** Reads a page of the entries that the caller sees. */
export async function readPage<Row extends Entry>(
  { max_results, pagination_token }: PagingQuery,
  { defaultLimit, read, shown = async (rows) => rows, tokens = TIME_TOKENS }: TimedList<Row>,
): Promise<ListPage<Row>> {
  const limit = max_results ?? defaultLimit
  const { newer, ...from } = pagination_token === undefined ? NEWEST : tokens.read(pagination_token)
  const direction = newer ? 'newer' : 'older'
  const list: ReadableList<Row, EntryPosition> = {
    async read(place, count) {
      const rows = await read({ direction, ...place, limit: count })
      const last = rows.at(-1)
      return { rows, next: last && rows.length >= count ? positionOf(last) : undefined }
    },
    after: positionOf,
    shown,
  }
  const { rows, next } = await fullPage(list, { from, limit })
  if (newer) rows.reverse()
  const [first, last] = [rows[0], rows.at(-1)]
  const older = newer ? last && positionOf(last) : next
  const others = newer ? next : pagination_token !== undefined && first ? positionOf(first) : undefined
  return {
    rows,
    tokens: {
      ...(older && { next_token: tokens.write({ newer: false, ...older }) }),
      ...(others && { previous_token: tokens.write({ newer: true, ...others }) }),
    },
  }
}

const positionOf = ({ created_at, id }: Entry): EntryPosition => ({ time: created_at, id })
