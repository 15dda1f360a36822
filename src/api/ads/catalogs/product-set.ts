import { type Static, Type } from 'typebox'
import { endOfTurn } from '../../../platform/common/turn.ts'
import { RawJson, StreamedJson } from '../../../platform/http/reply.ts'
import { choice, closedComponent, id, nullable } from '../../../platform/http/schema.ts'
import type { Store } from '../../../platform/storage/store.ts'
import { Filter } from './filters.ts'
import { pageOfMembers } from './queries.ts'
import type { ProductRow, ProductSetRow } from './tables.ts'

export const SET_TYPES = ['MANUAL', 'FILTERED'] as const

/** A set of products (interface, Advertising resources). */
export const ProductSet = closedComponent('ProductSet', {
  id: id('Identifies the set.'),
  name: Type.String({ description: 'Human-readable name.' }),
  description: nullable(Type.String({ description: 'Human-readable name.' })),
  type: choice([...SET_TYPES], 'Whether its products are listed or selected by filters.', 'ProductSetType'),
  filters: Type.Array(Filter, {
    description: 'Filters, all of which its products match. Empty for a manual set.',
  }),
  product_ids: Type.Array(Type.String(), {
    description: 'Ids of its products, as they were submitted.',
  }),
  processing_status: choice(
    ['DONE', 'PROCESSING', 'FAILED'],
    'Whether `product_ids` contains the products that currently match the filters. A manual set is always `DONE`.',
  ),
})

/** Members that are read at a time. Other work runs in between. */
const MEMBERS_AT_ONCE = 2_000

type Members = readonly Pick<ProductRow, 'id' | 'product_key'>[]

/**
 * The products of a set as a JSON list. If they are many, all but the first are read while the
 * reply is sent.
 */
async function productIdsOf(
  { id: set, catalog_id: catalog }: Pick<ProductSetRow, 'id' | 'catalog_id'>,
  store: Pick<Store, 'all'>,
): Promise<RawJson> {
  const pageAfter = (after: string): Promise<Members> =>
    store.all(pageOfMembers, { set, catalog, after, limit: MEMBERS_AT_ONCE })
  const first = await pageAfter('')
  if (first.length < MEMBERS_AT_ONCE) return new RawJson(`[${textOf(first)}]`)
  return new StreamedJson(async function* () {
    yield `[${textOf(first)}`
    for (let page = first; page.length === MEMBERS_AT_ONCE; ) {
      await endOfTurn()
      page = await pageAfter(page.at(-1)?.product_key ?? '')
      if (page.length > 0) yield `,${textOf(page)}`
    }
    yield ']'
  })
}

const textOf = (members: Members) => JSON.stringify(members.map(({ id }) => id)).slice(1, -1)

/** Sets in a reply, with their products. */
export async function shownSets(rows: readonly ProductSetRow[], store: Pick<Store, 'all'>) {
  const data: Static<typeof ProductSet>[] = []
  const streamed: StreamedJson[] = []
  for (const row of rows) {
    const ids = await productIdsOf(row, store)
    if (ids instanceof StreamedJson) streamed.push(ids)
    data.push(shownSet(row, ids))
  }
  return { data, streamed }
}

/** A set in a reply. `productIds` is a JSON list. */
export const shownSet = (row: ProductSetRow, productIds: RawJson): Static<typeof ProductSet> => ({
  id: row.id,
  name: row.name,
  description: row.description,
  type: row.type as 'MANUAL',
  filters: JSON.parse(row.filters),
  // A list of a million ids is never parsed.
  product_ids: productIds as never,
  processing_status: row.processing_status as 'DONE',
})
