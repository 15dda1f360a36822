import type { Endpoint } from '../../http/endpoint.ts'
import { lineItemCuratedCategories } from './line-item-curated-categories.ts'
import {
  getCuratedCategory,
  listAdvertiserBusinessCategories,
  listBiddingRules,
  listContentCategories,
  listCuratedCategories,
  listIabCategories,
  listPlacements,
  listPublishers,
} from './lists.ts'

export const categoryEndpoints: readonly Endpoint[] = [
  ...lineItemCuratedCategories.endpoints,
  listAdvertiserBusinessCategories,
  listContentCategories,
  listCuratedCategories,
  getCuratedCategory,
  listIabCategories,
  listPublishers,
  listPlacements,
  listBiddingRules,
]
