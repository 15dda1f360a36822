import { Type } from 'typebox'
import type { UserCaller } from '../../../identity/auth/principal.ts'
import type { LimitText } from '../../../platform/http/limits.ts'
import { msg } from '../../../platform/http/message.ts'
import { closedComponent, id, long } from '../../../platform/http/schema.ts'
import { adsApiError, rejected } from '../../../platform/protocols/ads/api-error.ts'
import type { Host } from '../../../platform/protocols/protocols.ts'
import type { Store, Transaction } from '../../../platform/storage/store.ts'
import type { AdsDependencies } from '../dependencies.ts'
import { catalogOfUser, lockCatalogOfUser } from './queries.ts'
import type { ProductCatalogRow } from './tables.ts'

export const PATH = '/product_catalogs'
export const ONE = `${PATH}/{product_catalog_id}`
/** The section of the interface. */
export const SOURCE = 'Product catalogs'

/** The reference's table of limits counts each endpoint and user separately. */
export const limited = (calls: number) => ({
  limits: { user: `${calls}/15m` satisfies LimitText as LimitText },
})

export const catalogParams = { product_catalog_id: long('The catalog.') }

export const Catalog = closedComponent('ProductCatalog', {
  id: id('Identifies the catalog.'),
  name: Type.String({ description: 'Human-readable name.' }),
})

export const MAX_NAME = 255

/** The user whose catalogs a call is about, and the environment. */
export interface CatalogOwner {
  user: string
  environment: string
}

type CatalogRequest = { principal: UserCaller; host: Host }
type CatalogSettings = Pick<AdsDependencies['config'], 'catalogApps'>

/**
 * Catalogs are an early-access feature, which the operator may restrict to some apps: throws for
 * others.
 */
export function checkCatalogAccess(app: { readonly id: string }, { catalogApps }: CatalogSettings): void {
  if (catalogApps.includes('all') || catalogApps.includes(app.id)) return
  throw adsApiError({
    code: 'UNAUTHORIZED_CLIENT_APPLICATION',
    message: msg`The app has no access to product catalogs`,
  })
}

/** The owner of the catalogs of a call. Throws for an app without access. */
export function catalogOwnerOf(
  { principal: { app, userId }, host }: CatalogRequest,
  settings: CatalogSettings,
): CatalogOwner {
  checkCatalogAccess(app, settings)
  return { user: userId, environment: host === 'sandbox' ? 'sandbox' : 'production' }
}

/** A user parameter must name the caller: catalogs of other users are not accessible. */
export function rejectOtherUser({ userId }: UserCaller, statedId: string | undefined): void {
  if (statedId === undefined || statedId === userId) return
  throw rejected(
    'user_id',
    msg`User ${statedId} is unknown or not accessible to the caller`,
    'USER_NOT_FOUND',
  )
}

type OneCatalogRequest = CatalogRequest & { params: { product_catalog_id: string } }

/** The catalog in the path of a call, without a lock. */
export async function findCatalog(
  call: OneCatalogRequest,
  { store, config }: { store: Pick<Store, 'first'>; config: CatalogSettings },
): Promise<ProductCatalogRow> {
  const owner = catalogOwnerOf(call, config)
  const id = call.params.product_catalog_id
  return known(await store.first(catalogOfUser, { ...owner, id }), id)
}

/** How a transaction locks the catalog in the path of a call. */
export function catalogLock(call: OneCatalogRequest, config: CatalogSettings) {
  const owner = catalogOwnerOf(call, config)
  const id = call.params.product_catalog_id
  return async (tx: Transaction) => known(await tx.first(lockCatalogOfUser, { ...owner, id }), id)
}

function known(row: ProductCatalogRow | undefined, catalogId: string): ProductCatalogRow {
  if (row) return row
  throw rejected('product_catalog_id', msg`Product catalog ${catalogId} was not found`, 'NOT_FOUND')
}
