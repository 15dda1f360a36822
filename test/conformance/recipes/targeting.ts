import { targetingCriteria } from '../../../src/api/ads/targeting/criteria.ts'
import { instantText } from '../../../src/platform/common/instant.ts'
import type { Advertiser } from '../../support/advertiser.ts'
import { own } from './campaigns.ts'
import type { Recipe } from './recipe.ts'

const english = (line_item_id: string) => ({
  line_item_id,
  targeting_type: 'LANGUAGE',
  targeting_value: 'en',
})

const aCriterion = own(async (one: Advertiser) => {
  const made = await one.make(targetingCriteria, english((await one.lineItem()).id))
  return { params: { targeting_criterion_id: made.id } }
})

const simple: Recipe = async () => ({})

/** Calls of endpoints about targeting criteria and their options. */
export const targetingRecipes: Readonly<Record<string, Recipe>> = {
  listTargetingCriteria: own(async (one) => ({ query: { line_item_ids: (await one.lineItem()).id } })),
  getTargetingCriterion: aCriterion,
  createTargetingCriterion: own(async (one) => ({ form: english((await one.lineItem()).id) })),
  deleteTargetingCriterion: aCriterion,
  batchTargetingCriteria: own(async (one) => ({
    json: [{ operation_type: 'Create', params: english((await one.lineItem()).id) }],
  })),
  listAppStoreCategories: simple,
  listConversations: simple,
  listDevices: simple,
  listEvents: simple,
  listBehaviors: simple,
  listBehaviorTaxonomies: simple,
  listInterests: simple,
  listLanguages: simple,
  listLocations: simple,
  listNetworkOperators: simple,
  listPlatformVersions: simple,
  listPlatforms: simple,
  listTvMarkets: simple,
  listTvShows: async () => ({ query: { locale: 'en-US' } }),
  listTargetingSuggestions: own(async () => ({
    query: { suggestion_type: 'KEYWORD', targeting_values: 'coffee' },
  })),
  searchKeywordInsights: async ({ plaza }) => ({
    query: {
      granularity: 'HOUR',
      keywords: 'coffee',
      start_time: instantText(plaza.clock.now() - 3_600_000),
    },
  }),
  estimateAudience: own(async () => ({
    json: { targeting_criteria: [{ targeting_type: 'BROAD_KEYWORD', targeting_value: 'coffee' }] },
  })),
}
