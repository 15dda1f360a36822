import type { AdsEndpoint } from '../endpoint.ts'
import {
  createProductCatalog,
  deleteProductCatalog,
  listProductCatalogs,
  updateProductCatalog,
} from './catalogs.ts'
import { createProductSet } from './create-set.ts'
import { deleteProductSet, getProductSet, listProductSets, updateProductSet } from './product-sets.ts'
import { deleteProducts, listProducts, upsertCatalogProducts } from './products.ts'

/** Product catalogs of users. */
export const catalogEndpoints: readonly AdsEndpoint[] = [
  listProductCatalogs,
  createProductCatalog,
  updateProductCatalog,
  deleteProductCatalog,
  listProducts,
  upsertCatalogProducts,
  deleteProducts,
  listProductSets,
  getProductSet,
  createProductSet,
  updateProductSet,
  deleteProductSet,
]
