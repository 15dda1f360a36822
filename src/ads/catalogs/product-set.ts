import type { Static } from 'typebox'
import { Type } from 'typebox'
import { endOfTurn } from '../../common/turn.ts'
import { RawJson } from '../../http/reply.ts'
import { choice, component, id, nullable } from '../../http/schema.ts'
import type { Store } from '../../storage/store.ts'
import type { ProductSetRow } from '../../storage/tables.ts'
import { Filter } from './filters.ts'
import { pageOfMembers } from './queries.ts'

export const SET_TYPES = ['MANUAL', 'FILTERED'] as const

/** A set of products (interface, Advertising resources). */
export const ProductSet = component(
  'ProductSet',
  Type.Object(
    {
      id: id('Identifies the set.'),
      name: Type.String({ description: 'Human-readable name.' }),
      description: nullable(Type.String({ description: 'Human-readable name.' })),
      type: choice(
        [...SET_TYPES],
        'Whether its products are listed or selected by filters.',
        'ProductSetType',
      ),
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
    },
    { additionalProperties: false },
  ),
)

/** Members that are read at a time. Other work runs in between. */
const MEMBERS_AT_ONCE = 2_000

/** The products of a set as a JSON list, and their number. */
export async function productIdsOf(
  { id: set, catalog_id: catalog }: Pick<ProductSetRow, 'id' | 'catalog_id'>,
  store: Pick<Store, 'all'>,
): Promise<{ text: string; count: number }> {
  let text = ''
  let count = 0
  for (let after = ''; ; ) {
    const rows = await store.all(pageOfMembers, { set, catalog, after, limit: MEMBERS_AT_ONCE })
    if (rows.length > 0)
      text += `${count > 0 ? ',' : ''}${JSON.stringify(rows.map((row) => row.id)).slice(1, -1)}`
    count += rows.length
    const last = rows.at(-1)
    if (!last || rows.length < MEMBERS_AT_ONCE) return { text: `[${text}]`, count }
    after = last.product_key
    await endOfTurn()
  }
}

/** A set in a reply. `productIds` is a JSON list. */
export const shownSet = (row: ProductSetRow, productIds: string): Static<typeof ProductSet> => ({
  id: row.id,
  name: row.name,
  description: row.description,
  type: row.type as 'MANUAL',
  filters: JSON.parse(row.filters),
  // A list of a million ids is never parsed.
  product_ids: new RawJson(productIds) as never,
  processing_status: row.processing_status as 'DONE',
})
