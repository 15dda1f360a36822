import { lineItemCuratedCategories } from '../../../src/api/ads/categories/line-item-curated-categories.ts'
import { targetingCriteria } from '../../../src/api/ads/targeting/criteria.ts'
import type { Advertiser } from '../../support/advertiser.ts'
import { own } from './campaigns.ts'
import type { Recipe } from './recipe.ts'

const SOCCER = '9ddrgesiap6o'
const UNITED_STATES = '96683cc9126741d1'

/**
 * A line item that may have a curated category: its videos are shown before others, in the right
 * country.
 */
async function preroll(one: Advertiser): Promise<string> {
  const { id } = await one.lineItem({
    objective: 'PREROLL_VIEWS',
    product_type: 'MEDIA',
    categories: ['IAB2'],
  })
  await one.make(targetingCriteria, {
    line_item_id: id,
    targeting_type: 'LOCATION',
    targeting_value: UNITED_STATES,
  })
  return id
}

const link = async (one: Advertiser) => ({
  line_item_id: await preroll(one),
  curated_category_id: SOCCER,
})

const aLink = own(async (one) => ({
  params: { line_item_curated_category_id: (await one.make(lineItemCuratedCategories, await link(one))).id },
}))

const simple: Recipe = async () => ({})

/** Calls of endpoints about categories, publishers and other lists for line items. */
export const categoryRecipes: Readonly<Record<string, Recipe>> = {
  listLineItemCuratedCategories: own(),
  getLineItemCuratedCategory: aLink,
  createLineItemCuratedCategory: own(async (one) => ({ form: await link(one) })),
  updateLineItemCuratedCategory: aLink,
  deleteLineItemCuratedCategory: aLink,
  listAdvertiserBusinessCategories: simple,
  listContentCategories: simple,
  listCuratedCategories: own(),
  getCuratedCategory: own(async () => ({ params: { curated_category_id: SOCCER } })),
  listIabCategories: simple,
  listPublishers: simple,
  listPlacements: simple,
  listBiddingRules: async () => ({ query: { currency: 'USD' } }),
}
