import { Type } from 'typebox'
import { boundOf, fromBase36, LAST_ID } from '../../platform/common/ids.ts'
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

const TIME_DIGITS = 11
const ID_DIGITS = 13
const BASE = 36
/** `o` for older entries and `n` for newer ones, then the position in base 36. */
const TOKEN = `^[on][0-9a-z]{${TIME_DIGITS + ID_DIGITS}}$`

/** The parameters of a list with pages. */
export const pageParameters = (of: { default: number; min: number; max: number; what: string }) => ({
  max_results: Type.Optional(
    Type.Integer({
      minimum: of.min,
      maximum: of.max,
      default: of.default,
      description: `Number of ${of.what} in a page. What the caller may not see is passed over; after ${MAX_PASSED_OVER.toLocaleString('en')} of them, a page is shorter.`,
    }),
  ),
  pagination_token: Type.Optional(
    Type.String({ pattern: TOKEN, description: '`next_token` or `previous_token` of another page.' }),
  ),
})

const tokens = {
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
export const PageMeta = component('PageMeta', Type.Object({ result_count, ...tokens }, closed))

/** The `meta` of a page of posts, where clients continue from its newest and oldest post. */
export const TimelineMeta = component(
  'TimelineMeta',
  Type.Object(
    {
      result_count,
      newest_id: Type.Optional(Type.String({ description: 'The newest post of the page.' })),
      oldest_id: Type.Optional(Type.String({ description: 'The oldest post of the page.' })),
      ...tokens,
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

interface ListPage<Row> {
  /** Newest first. */
  rows: Row[]
  tokens: { next_token?: string; previous_token?: string }
}

/** A list that is sorted by time, newest first. */
export interface TimedList<Row extends Entry> {
  /** The number of entries in a page unless the caller names one. */
  defaultLimit: number
  read(args: PageArgs): Promise<readonly Row[]>
  /** The entries that the caller sees, in the same order; all of them if absent. */
  shown?(rows: readonly Row[]): Promise<readonly Row[]>
}

/** Reads a page of the entries that the caller sees. */
export async function readPage<Row extends Entry>(
  { max_results, pagination_token }: PagingQuery,
  { defaultLimit, read, shown = async (rows) => rows }: TimedList<Row>,
): Promise<ListPage<Row>> {
  const limit = max_results ?? defaultLimit
  const { newer, ...from } = pagination_token === undefined ? NEWEST : pageStartOf(pagination_token)
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
      ...(older && { next_token: tokenOf('o', older) }),
      ...(others && { previous_token: tokenOf('n', others) }),
    },
  }
}

const positionOf = ({ created_at, id }: Entry): EntryPosition => ({ time: created_at, id })

const tokenOf = (direction: 'o' | 'n', { time, id }: EntryPosition) =>
  direction +
  time.toString(BASE).padStart(TIME_DIGITS, '0') +
  BigInt(id).toString(BASE).padStart(ID_DIGITS, '0')

function pageStartOf(token: string): PageStart {
  const time = Number.parseInt(token.slice(1, 1 + TIME_DIGITS), BASE)
  const id = boundOf(fromBase36(token.slice(1 + TIME_DIGITS)))
  return { newer: token.startsWith('n'), time: Math.min(time, Number.MAX_SAFE_INTEGER), id }
}
