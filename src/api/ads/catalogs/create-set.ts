import { type Static, Type } from 'typebox'
import { msg } from '../../../platform/http/message.ts'
import { choice, component, raw } from '../../../platform/http/schema.ts'
import { AdsApiError, adsApiError } from '../../../platform/protocols/ads/api-error.ts'
import {
  type AdsError,
  missingParameter,
  wrongAttribute,
  wrongParameter,
} from '../../../platform/protocols/ads/codes.ts'
import { enqueue } from '../../../platform/queue/enqueue.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import { adsEndpoint } from '../endpoint.ts'
import { catalogLock, catalogParams, limited, SOURCE } from './catalog.ts'
import { Filter, type FilterValue, MAX_FILTER_TEXT, MAX_FILTERS, wrongFilters } from './filters.ts'
import { processStep } from './process-set.ts'
import { ProductSet, SET_TYPES } from './product-set.ts'
import {
  completeSet,
  productKeys,
  replaceMembers,
  SETS_PATH,
  setDescription,
  setName,
} from './product-sets.ts'
import { addSet, changeCatalog } from './queries.ts'
import type { ProductCatalogRow, ProductSetRow } from './tables.ts'
import { processSet } from './tasks.ts'

/** Each set with filters is evaluated after every change of products. */
const MAX_SETS = 1_000

const SubmittedFilter = component(
  'NewProductFilter',
  Type.Object({ ...Filter.properties, value: raw(Filter.properties.value) }),
)

const body = component(
  'NewProductSet',
  Type.Object({
    name: setName,
    description: setDescription,
    type: choice(
      [...SET_TYPES],
      '`MANUAL` needs `product_keys`, `FILTERED` needs `filters`.',
      'ProductSetType',
    ),
    filters: Type.Optional(
      Type.Array(SubmittedFilter, { maxItems: MAX_FILTERS, description: 'All filters must match.' }),
    ),
    product_keys: Type.Optional(productKeys(0)),
  }),
)

type CreateSetBody = Static<typeof body>

export const createProductSet = adsEndpoint({
  id: 'createProductSet',
  method: 'POST',
  path: SETS_PATH,
  summary: 'Create a product set',
  description: `Creates a set of listed products, or of the products that match filters. A set with filters is \`PROCESSING\` while Plaza searches the catalog, and follows later changes of products. A catalog has up to ${MAX_SETS} sets.`,
  source: SOURCE,
  limits: limited(100),
  params: catalogParams,
  body,
  echo: { body: true },
  maxBodyBytes: 512 * 1024,
  status: 201,
  codes: ['EXCLUSIVE_PARAMETERS', 'INVALID', 'NOT_FOUND', 'UNAUTHORIZED_CLIENT_APPLICATION'],
  data: ProductSet,
  async handle(call, { store, config, ids }) {
    const lock = catalogLock(call, config)
    const filters = filtersOf(call.body)
    const row = await store.write(async (tx) =>
      make(tx, await lock(tx), { ...call.body, filters, id: ids.next() }),
    )
    return completeSet(row, store)
  },
})

/** The filters of a new set. Throws all errors of its definition. */
function filtersOf({ type, filters = [], product_keys = [] }: CreateSetBody): FilterValue[] {
  const errors: AdsError[] = []
  const hasFilters = filters.length > 0
  const hasKeys = product_keys.length > 0
  if (hasFilters && hasKeys)
    errors.push(
      wrongParameter(
        type === 'MANUAL' ? 'filters' : 'product_keys',
        msg`filters and product_keys are exclusive parameters`,
        'EXCLUSIVE_PARAMETERS',
      ),
    )
  else if (type === 'MANUAL' && !hasKeys) errors.push(missingParameter('product_keys'))
  else if (type === 'FILTERED' && !hasFilters) errors.push(missingParameter('filters'))
  const read = filters.map(({ value, ...rest }, index) => {
    const text = typeof value === 'number' ? String(value) : value
    if (
      typeof text === 'string' &&
      text !== '' &&
      [...text].length <= MAX_FILTER_TEXT &&
      !/\0|\p{Surrogate}/u.test(text)
    )
      return { ...rest, value: text }
    errors.push(
      wrongParameter(
        'filters',
        msg`Expected text of up to ${MAX_FILTER_TEXT} characters for the value of filter ${index + 1} of filters`,
      ),
    )
    return { ...rest, value: '' }
  })
  if (errors.length === 0) errors.push(...wrongFilters(read))
  if (errors.length > 0) throw new AdsApiError({ errors })
  return type === 'FILTERED' ? read : []
}

/** Creates a set in a locked catalog. In a small catalog, filters are evaluated immediately. */
async function make(
  tx: Transaction,
  catalog: ProductCatalogRow,
  submitted: Pick<CreateSetBody, 'name' | 'description' | 'type' | 'product_keys'> & {
    filters: FilterValue[]
    id: string
  },
): Promise<ProductSetRow> {
  const { id, name, description, type, filters, product_keys = [] } = submitted
  if (catalog.sets >= MAX_SETS)
    throw adsApiError(wrongAttribute('product_catalog_id', msg`A catalog has at most ${MAX_SETS} sets`))
  const isManual = type === 'MANUAL'
  const row: ProductSetRow = {
    id,
    catalog_id: catalog.id,
    name,
    description: description || null,
    type,
    filters: JSON.stringify(filters),
    processing_status: isManual ? 'DONE' : 'PROCESSING',
    made_revision: catalog.revision,
    position_revision: 0,
    position_key: '',
  }
  await tx.run(addSet, row)
  const filtered_sets = catalog.filtered_sets + (isManual ? 0 : 1)
  await tx.run(changeCatalog, { ...catalog, sets: catalog.sets + 1, filtered_sets })
  if (isManual) {
    await replaceMembers(tx, row, product_keys)
    return row
  }
  const processed = await processStep(tx, catalog, row)
  if (processed.processing_status === 'PROCESSING')
    await enqueue(tx, processSet.task({ catalog: catalog.id, set: id, user: catalog.user_id }))
  return processed
}
