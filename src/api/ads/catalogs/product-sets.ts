import { Type } from 'typebox'
import { changesOf, type SentBack } from '../../../platform/http/input/read-only.ts'
import { msg } from '../../../platform/http/message.ts'
import { RawJson } from '../../../platform/http/reply.ts'
import { clearable, ignored, long, text } from '../../../platform/http/schema.ts'
import { adsApiError, rejected } from '../../../platform/protocols/ads/api-error.ts'
import { wrongAttribute } from '../../../platform/protocols/ads/codes.ts'
import { enqueue } from '../../../platform/queue/enqueue.ts'
import type { Store, Transaction } from '../../../platform/storage/store.ts'
import { adsEndpoint, type Echo } from '../endpoint.ts'
import { cursorOf, positionOf } from '../entity/cursor.ts'
import { cutToPage, paging } from '../entity/list.ts'
import { rejectChanged } from '../entity/write.ts'
import { catalogLock, catalogParams, findCatalog, limited, MAX_NAME, ONE, SOURCE } from './catalog.ts'
import { ProductSet, shownSet, shownSets } from './product-set.ts'
import {
  addMembers,
  changeCatalog,
  countMembers,
  lockSet,
  pageOfMembers,
  pageOfSets,
  productsByKeys,
  removeMembers,
  removeSet,
  renameSet,
  setById,
} from './queries.ts'
import type { ProductSetRow } from './tables.ts'
import { removeRows } from './tasks.ts'

const PATH = `${ONE}/product_sets`
export const SETS_PATH = PATH
const ONE_SET = `${PATH}/{product_set_id}`
const MAX_COUNT = 100
const MAX_LISTED_KEYS = 50
/** A page of a list ends early when its sets have this many products. */
const MAX_IDS_IN_LIST = 10_000

const setParams = { ...catalogParams, product_set_id: long('The set.') }

/** Replies and errors name the set `id`. */
const echo: Echo = { parameters: { product_set_id: { as: 'id' } } }

export const setName = text(1, MAX_NAME, 'Human-readable name.')
export const setDescription = Type.Optional(clearable(text(0, 1000, 'Human-readable name.')))
export const productKeys = (minItems: number) =>
  Type.Array(text(1, 100, 'Key given by the service.'), {
    minItems,
    maxItems: MAX_LISTED_KEYS,
    description: 'The products of a manual set, by their keys.',
  })

const { id, type, filters, product_ids } = ProductSet.properties

/** Members of a set that callers can read but not set. */
const setReadOnly = {
  id,
  type,
  filters,
  product_ids,
  processing_status: ignored('Moves by itself.'),
}

/**
 * The read-only members of a set. Its products are read only if they were sent, and only as many as
 * the comparison needs.
 */
async function storedSet(row: ProductSetRow, sentBack: readonly SentBack[], tx: Transaction) {
  const sent = sentBack.find(({ name }) => name === 'product_ids')?.value
  const limit = Array.isArray(sent) ? sent.length + 1 : 1
  const at = { set: row.id, catalog: row.catalog_id, after: '', limit }
  return {
    id: row.id,
    type: row.type,
    filters: JSON.parse(row.filters),
    product_ids: sent === undefined ? [] : (await tx.all(pageOfMembers, at)).map((row) => row.id),
  }
}

const rejectSet = (id: string) =>
  rejected('product_set_id', msg`Product set ${id} was not found`, 'NOT_FOUND')

/** The reply with a set and its products. */
export async function completeSet(row: ProductSetRow, store: Pick<Store, 'all'>) {
  const {
    data: [data],
    streamed,
  } = await shownSets([row], store)
  return { data: data as NonNullable<typeof data>, streamed }
}

/** As many of the sets as a page of a list contains, by the number of their products. */
async function cutToIds(rows: readonly ProductSetRow[], store: Pick<Store, 'first'>) {
  let ids = 0
  for (const [index, { id: set }] of rows.entries()) {
    const counted = await store.first(countMembers, { set, limit: MAX_IDS_IN_LIST + 1 })
    ids += Number(counted?.total ?? 0)
    if (ids > MAX_IDS_IN_LIST && index > 0) return rows.slice(0, index)
  }
  return rows
}

export const listProductSets = adsEndpoint({
  id: 'listProductSets',
  method: 'GET',
  path: PATH,
  summary: 'List product sets',
  description: `Returns product sets, oldest first. A page may have fewer than \`count\` sets when they have more than ${MAX_IDS_IN_LIST} products; \`next_cursor\` says whether more follow.`,
  source: 'Product catalogs (reference: product sets)',
  limits: limited(2000),
  params: catalogParams,
  query: paging(MAX_COUNT, MAX_COUNT),
  codes: ['NOT_FOUND', 'UNAUTHORIZED_CLIENT_APPLICATION'],
  data: Type.Array(ProductSet),
  beside: ['cursor'],
  async handle(call, context) {
    const { id: catalog } = await findCatalog(call, context)
    const { store, sealer } = context
    const { query } = call
    const { count = MAX_COUNT, cursor } = query
    const list = JSON.stringify(['product sets', catalog])
    const [after = ''] = cursor === undefined ? [] : positionOf(sealer, list, cursor, 1)
    const rows = await store.all(pageOfSets, { catalog, after: String(after), limit: count + 1 })
    const next = cutToPage(rows, count)
    const page = await cutToIds(rows, store)
    const last = page.length < rows.length ? page.at(-1) : next
    return {
      ...(await shownSets(page, store)),
      next_cursor: last ? cursorOf(sealer, list, [last.id]) : null,
    }
  },
})

export const getProductSet = adsEndpoint({
  id: 'getProductSet',
  method: 'GET',
  path: ONE_SET,
  summary: 'Get a product set',
  description: 'Returns a set with the ids of its products.',
  source: SOURCE,
  limits: limited(2000),
  params: setParams,
  echo,
  codes: ['NOT_FOUND', 'UNAUTHORIZED_CLIENT_APPLICATION'],
  data: ProductSet,
  async handle(call, context) {
    const { id: catalog } = await findCatalog(call, context)
    const { store } = context
    const { product_set_id: id } = call.params
    const row = await store.first(setById, { catalog, id })
    if (!row) throw rejectSet(id)
    return completeSet(row, store)
  },
})

export const updateProductSet = adsEndpoint({
  id: 'updateProductSet',
  method: 'PUT',
  path: ONE_SET,
  summary: 'Update a product set',
  description:
    'Changes a manual set. Only the parameters that are sent change; `product_keys` replaces all products of the set. A set with filters cannot be changed. You can send back a whole set as you read it.',
  source: 'Product catalogs (reference: product sets)',
  limits: limited(500),
  params: setParams,
  echo: { ...echo, body: true },
  body: Type.Object({
    name: Type.Optional(setName),
    description: setDescription,
    product_keys: Type.Optional(productKeys(1)),
  }),
  readOnly: setReadOnly,
  codes: ['INVALID', 'NOT_FOUND', 'UNAUTHORIZED_CLIENT_APPLICATION'],
  data: ProductSet,
  async handle(call, { store, config }) {
    const lock = catalogLock(call, config)
    const { params, body, sentBack } = call
    const { product_set_id: id } = params
    const row = await store.write(async (tx) => {
      const catalog = await lock(tx)
      const before = await tx.first(lockSet, { catalog: catalog.id, id })
      if (!before) throw rejectSet(id)
      rejectChanged(sentBack, await storedSet(before, sentBack, tx))
      const { product_keys, ...texts } = body
      const changes = changesOf({}, texts, { ...before })
      if (!product_keys && Object.keys(changes).length === 0) return before
      if (before.type !== 'MANUAL')
        throw adsApiError(wrongAttribute('type', msg`Only a MANUAL set can be changed`))
      if (product_keys) await replaceMembers(tx, before, product_keys)
      const { name = before.name, description = before.description } = changes
      const changed = { ...before, name, description: description === '' ? null : description }
      await tx.run(renameSet, changed)
      return changed
    })
    return completeSet(row, store)
  },
})

export const deleteProductSet = adsEndpoint({
  id: 'deleteProductSet',
  method: 'DELETE',
  path: ONE_SET,
  summary: 'Delete a product set',
  description:
    'Deletion is final. The products of the set stay in the catalog. The reply shows the set without products.',
  source: 'Product catalogs (reference: product sets)',
  limits: limited(100),
  params: setParams,
  echo,
  codes: ['NOT_FOUND', 'UNAUTHORIZED_CLIENT_APPLICATION'],
  data: ProductSet,
  async handle(call, { store, config }) {
    const lock = catalogLock(call, config)
    const { product_set_id: id } = call.params
    const row = await store.write(async (tx) => {
      const catalog = await lock(tx)
      const before = await tx.first(lockSet, { catalog: catalog.id, id })
      if (!before) throw rejectSet(id)
      await tx.run(removeSet, { id })
      const filtered_sets = catalog.filtered_sets - (before.type === 'FILTERED' ? 1 : 0)
      await tx.run(changeCatalog, { ...catalog, sets: catalog.sets - 1, filtered_sets })
      await enqueue(tx, removeRows.task({ of: 'set', id, user: catalog.user_id }))
      return before
    })
    return { data: shownSet(row, new RawJson('[]')) }
  },
})

/** Replaces the products of a manual set. Throws if the catalog does not have them. */
export async function replaceMembers(
  tx: Transaction,
  { id: set, catalog_id: catalog }: Pick<ProductSetRow, 'id' | 'catalog_id'>,
  productKeys: readonly string[],
): Promise<void> {
  const distinct = [...new Set(productKeys)]
  const keys = JSON.stringify(distinct)
  const found = new Set((await tx.all(productsByKeys, { catalog, keys })).map((row) => row.product_key))
  const missing = distinct.filter((key) => !found.has(key))
  if (missing.length > 0)
    throw rejected('product_keys', msg`The catalog has no product with the key ${missing.join(', ')}`)
  await tx.run(removeMembers, { set })
  await tx.run(addMembers, { set, keys })
}
