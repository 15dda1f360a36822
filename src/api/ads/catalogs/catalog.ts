import { Type } from 'typebox'
import type { UserCaller } from '../../../identity/auth/principal.ts'
import type { LimitText } from '../../../platform/http/limits.ts'
import { msg } from '../../../platform/http/message.ts'
import { component, id, long } from '../../../platform/http/schema.ts'
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

export const Catalog = component(
  'ProductCatalog',
  Type.Object(
    { id: id('Identifies the catalog.'), name: Type.String({ description: 'Human-readable name.' }) },
    { additionalProperties: false },
  ),
)

export const MAX_NAME = 255

/** The user whose catalogs a call is about, and the environment. */
export interface CatalogOwner {
  user: string
  environment: string
}

type CatalogRequest = { principal: UserCaller; host: Host }

export const catalogOwnerOf = ({ principal, host }: CatalogRequest): CatalogOwner => ({
  user: principal.userId,
  environment: host === 'sandbox' ? 'sandbox' : 'production',
})

/** Catalogs are an early-access feature, which the operator may restrict to some apps. */
export function rejectOtherApps(
  { app }: UserCaller,
  { catalogApps }: Pick<AdsDependencies['config'], 'catalogApps'>,
): void {
  if (catalogApps.includes('all') || catalogApps.includes(app.id)) return
  throw adsApiError({
    code: 'UNAUTHORIZED_CLIENT_APPLICATION',
    message: msg`The app has no access to product catalogs`,
  })
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

/** The catalog in the path, locked by a transaction. */
export async function lockedCatalog(
  tx: Transaction,
  side: CatalogOwner,
  catalogId: string,
): Promise<ProductCatalogRow> {
  return known(await tx.first(lockCatalogOfUser, { ...side, id: catalogId }), catalogId)
}

/** The catalog in the path, without a lock. */
export async function findCatalog(store: Pick<Store, 'first'>, side: CatalogOwner, catalogId: string) {
  return known(await store.first(catalogOfUser, { ...side, id: catalogId }), catalogId)
}

function known(row: ProductCatalogRow | undefined, catalogId: string): ProductCatalogRow {
  if (row) return row
  throw rejected('product_catalog_id', msg`Product catalog ${catalogId} was not found`, 'NOT_FOUND')
}
