import type { AdsEndpoint } from '../endpoint.ts'
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

export const categoryEndpoints: readonly AdsEndpoint[] = [
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
