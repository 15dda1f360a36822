import type { IdSource } from '../../../platform/common/ids.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import type { ProductReader } from './read-product.ts'
import type { ProductCatalogRow } from './tables.ts'

/** The result of one product (interface, states). */
export type UpsertStatus = 'CREATE_SUCCESS' | 'UPDATE_SUCCESS' | 'NO_CHANGE' | 'ERROR'

export interface UpsertResult {
  warnings: string[]
  errors: string[]
  product_key: string | null
  id: string | null
  status: UpsertStatus
}

/** What is needed to write products, in a transaction that has locked their catalog. */
export interface UpsertContext {
  tx: Transaction
  catalog: ProductCatalogRow
  reader: ProductReader
  ids: IdSource
  /** Whether images are fetched and their problems reported. */
  fetchImages: boolean
}
