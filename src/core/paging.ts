import { Type } from 'typebox'
import { boundOf, fromBase36, LAST_ID } from '../common/ids.ts'
import { component } from '../http/schema.ts'

/** Where a page begins: after an entry of a list that is sorted by time, and by id where times are equal. */
interface Place {
  newer: boolean
  /** Epoch milliseconds. */
  time: number
  id: string
}

/** Before the newest entry. */
const NEWEST: Place = { newer: false, time: Number.MAX_SAFE_INTEGER, id: LAST_ID }

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
      description: `Number of ${of.what} in a page.`,
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
export interface Sent {
  max_results?: number
  pagination_token?: string
}

/**
 * The requested page of a list. `direction` is the order of the rows, and the side of the position on which they are.
 */
export interface PageArgs {
  readonly direction: 'older' | 'newer'
  readonly time: number
  readonly id: string
  readonly limit: number
}

interface Page<Row> {
  /** Newest first. */
  rows: Row[]
  tokens: { next_token?: string; previous_token?: string }
}

/** Reads a page and one more entry, which shows whether the list continues. */
export async function readPage<Row extends Entry>(
  { max_results, pagination_token }: Sent,
  defaultLimit: number,
  read: (args: PageArgs) => Promise<readonly Row[]>,
): Promise<Page<Row>> {
  const limit = max_results ?? defaultLimit
  const { newer, time, id } = pagination_token === undefined ? NEWEST : placeOf(pagination_token)
  const found = await read({ direction: newer ? 'newer' : 'older', time, id, limit: limit + 1 })
  const rows = found.slice(0, limit)
  if (newer) rows.reverse()
  const [first, last] = [rows[0], rows.at(-1)]
  const goesOn = found.length > limit
  const hasOlder = newer || goesOn
  const hasNewer = newer ? goesOn : pagination_token !== undefined
  return {
    rows,
    tokens: {
      ...(hasOlder && last && { next_token: tokenOf('o', last) }),
      ...(hasNewer && first && { previous_token: tokenOf('n', first) }),
    },
  }
}

const tokenOf = (direction: 'o' | 'n', { id, created_at }: Entry) =>
  direction +
  created_at.toString(BASE).padStart(TIME_DIGITS, '0') +
  BigInt(id).toString(BASE).padStart(ID_DIGITS, '0')

function placeOf(token: string): Place {
  const time = Number.parseInt(token.slice(1, 1 + TIME_DIGITS), BASE)
  const id = boundOf(fromBase36(token.slice(1 + TIME_DIGITS)))
  return { newer: token.startsWith('n'), time: Math.min(time, Number.MAX_SAFE_INTEGER), id }
}
