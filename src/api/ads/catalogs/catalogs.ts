import { Type } from 'typebox'
import { msg } from '../../../platform/http/message.ts'
import { long, text } from '../../../platform/http/schema.ts'
import { rejected } from '../../../platform/protocols/ads/api-error.ts'
import { UniqueViolation } from '../../../platform/storage/store.ts'
import { adsEndpoint, type Echo } from '../endpoint.ts'
import { rejectChanged } from '../entity/write.ts'
import {
  Catalog,
  catalogLock,
  catalogOwnerOf,
  catalogParams,
  limited,
  MAX_NAME,
  ONE,
  PATH,
  rejectOtherUser,
  SOURCE,
} from './catalog.ts'
import { addCatalog, catalogsOfUser, changeCatalog } from './queries.ts'
import { dropCatalog } from './removal.ts'

const name = text(1, MAX_NAME, 'Human-readable name.')
const userId = Type.Optional(long('Owner: the caller, which is also the default.'))
/** Replies and errors name the catalog `id`. */
const echo: Echo = { parameters: { product_catalog_id: { as: 'id' } } }
const EARLY = 'Only for apps of `--catalog-apps`.'

export const listProductCatalogs = adsEndpoint({
  id: 'listProductCatalogs',
  method: 'GET',
  path: PATH,
  summary: 'List product catalogs',
  description: `Returns the catalog of the user, if there is one. ${EARLY}`,
  source: SOURCE,
  limits: limited(1000),
  query: { user_id: userId },
  codes: ['UNAUTHORIZED_CLIENT_APPLICATION', 'USER_NOT_FOUND'],
  data: Type.Array(Catalog),
  beside: ['cursor'],
  async handle(call, { store, config }) {
    const owner = catalogOwnerOf(call, config)
    rejectOtherUser(call.principal, call.query.user_id)
    return { data: await store.all(catalogsOfUser, owner), next_cursor: null }
  },
})

export const createProductCatalog = adsEndpoint({
  id: 'createProductCatalog',
  method: 'POST',
  path: PATH,
  summary: 'Create a product catalog',
  description: `Creates the product catalog of a user. A user has at most one catalog. ${EARLY}`,
  source: SOURCE,
  limits: limited(20),
  form: { name, user_id: userId },
  status: 201,
  codes: ['UNAUTHORIZED_CLIENT_APPLICATION', 'USER_NOT_FOUND'],
  data: Catalog,
  async handle({ principal, host, form }, { store, config, ids, clock }) {
    const { user, environment } = catalogOwnerOf({ principal, host }, config)
    rejectOtherUser(principal, form.user_id)
    const row = {
      id: ids.next(),
      environment,
      user_id: user,
      name: form.name,
      revision: 0,
      sets: 0,
      filtered_sets: 0,
      created_at: clock.now(),
    }
    await store
      .write((tx) => tx.run(addCatalog, row))
      .catch((error: unknown) => {
        if (!(error instanceof UniqueViolation)) throw error
        throw rejected('user_id', msg`User ${user} already has a product catalog`)
      })
    return { data: row }
  },
})

export const updateProductCatalog = adsEndpoint({
  id: 'updateProductCatalog',
  method: 'PUT',
  path: ONE,
  summary: 'Rename a product catalog',
  description: `Changes the name of the catalog. ${EARLY}`,
  source: SOURCE,
  limits: limited(20),
  params: catalogParams,
  echo,
  form: { name },
  readOnly: { id: Catalog.properties.id },
  codes: ['NOT_FOUND', 'UNAUTHORIZED_CLIENT_APPLICATION'],
  data: Catalog,
  async handle(call, { store, config }) {
    const lock = catalogLock(call, config)
    const row = await store.write(async (tx) => {
      const before = await lock(tx)
      rejectChanged(call.sentBack, { ...before })
      const changed = { ...before, name: call.form.name }
      await tx.run(changeCatalog, changed)
      return changed
    })
    return { data: row }
  },
})

export const deleteProductCatalog = adsEndpoint({
  id: 'deleteProductCatalog',
  method: 'DELETE',
  path: ONE,
  summary: 'Delete a product catalog',
  description: `Deletes the catalog with all of its products and sets. Deletion is final. ${EARLY}`,
  source: SOURCE,
  limits: limited(20),
  params: catalogParams,
  echo,
  codes: ['NOT_FOUND', 'UNAUTHORIZED_CLIENT_APPLICATION'],
  data: Catalog,
  async handle(call, { store, config }) {
    const lock = catalogLock(call, config)
    const row = await store.write(async (tx) => {
      const before = await lock(tx)
      await dropCatalog(tx, before)
      return before
    })
    return { data: row }
  },
})
