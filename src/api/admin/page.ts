import { type TSchema, Type } from 'typebox'
import { boundOf, LAST_ID } from '../../platform/common/ids.ts'
import { component } from '../../platform/http/schema.ts'
import type { PairRow } from '../../platform/storage/pair-pages.ts'

export const DEFAULT_LIMIT = 50
const MAX_LIMIT = 200

/** The parameters of a list of the admin API. */
export const PAGE_PARAMETERS = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_LIMIT,
      default: DEFAULT_LIMIT,
      description: 'Maximum number of entries in the page.',
    }),
  ),
  pagination_token: Type.Optional(
    Type.String({ pattern: '^[A-Za-z0-9_.-]{1,200}$', description: '`next_token` of the page before.' }),
  ),
}

export interface PageQuery {
  limit?: number
  pagination_token?: string
}

const AdminPageMeta = component(
  'AdminPageMeta',
  Type.Object(
    {
      result_count: Type.Integer({ minimum: 0, description: 'Entries of the page.' }),
      next_token: Type.Optional(
        Type.String({ description: 'Token for the next page; absent on the last one.' }),
      ),
    },
    { additionalProperties: false },
  ),
)

/** The reply of a list. */
export const pageReply = <Item extends TSchema>(item: Item) =>
  Type.Object({ data: Type.Array(item), meta: AdminPageMeta }, { additionalProperties: false })

/**
 * Reads a page, one row more than it has, so that a full last page has no token. `keyOf` returns
 * what the next page begins after. A row of which nothing is shown leaves the page shorter.
 */
export async function readPage<Row, Item>(
  { limit = DEFAULT_LIMIT, pagination_token: after }: PageQuery,
  list: {
    read(place: { after: string | undefined; limit: number }): Promise<readonly Row[]>
    keyOf(row: Row): string
    show(row: Row): Item | undefined | Promise<Item>
  },
): Promise<{ data: Item[]; meta: { result_count: number; next_token?: string } }> {
  const rows = await list.read({ after, limit: limit + 1 })
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const data: Item[] = []
  for (const row of shown) {
    const item = await list.show(row)
    if (item !== undefined) data.push(item)
  }
  const hasMore = rows.length > limit && last !== undefined
  return { data, meta: { result_count: data.length, ...(hasMore && { next_token: list.keyOf(last) }) } }
}

/** The place after an entry of a list in the order of ids, newest first, from its key. */
export const placeOfId = (key: string | undefined): string =>
  key !== undefined && /^[0-9]{1,19}$/.test(key) ? boundOf(key) : LAST_ID

/** The key of an entry of a list that is sorted by time, newest first. */
export const keyOfPair = ({ id, created_at }: PairRow): string => `${created_at}.${id}`

/** The place after an entry, from its key. */
export function placeOfPair(key: string | undefined): { time: number; id: string } {
  const [, time, id] = /^([0-9]{1,15})\.([0-9]{1,19})$/.exec(key ?? '') ?? []
  return time === undefined || id === undefined
    ? { time: Number.MAX_SAFE_INTEGER, id: LAST_ID }
    : { time: Number(time), id }
}
