import { abTests } from '../../../src/api/ads/ab-tests/ab-tests.ts'
import { trackingTags } from '../../../src/api/ads/tracking-tags/tracking-tags.ts'
import { Advertiser } from '../../support/advertiser.ts'
import { makeWebEventTag } from '../../support/targeting.ts'
import type { Recipe } from './recipe.ts'

/** A recipe for a call about the caller's own account. */
const onAccount =
  (host: 'production' | 'sandbox', make: (advertiser: Advertiser) => Promise<object>): Recipe =>
  async ({ plaza }, { user }) => {
    const advertiser = await Advertiser.open(plaza.context, user.id, host)
    const good: { params?: Record<string, string> } = await make(advertiser)
    return { ...good, params: { account_id: advertiser.account.id, ...good.params } }
  }

const own = (make: (advertiser: Advertiser) => Promise<object> = async () => ({})) =>
  onAccount('production', make)

const aCampaign = own(async (one) => ({ params: { campaign_id: (await one.campaign()).id } }))
const aLineItem = own(async (one) => ({ params: { line_item_id: (await one.lineItem()).id } }))
const funding = async (one: Advertiser) => ({ params: { funding_instrument_id: (await one.fund()).id } })

const lineItem = (campaign_id: string) => ({
  campaign_id,
  objective: 'ENGAGEMENTS',
  product_type: 'PROMOTED_POSTS',
  placements: 'ALL_ON_SERVICE',
})

const webEventTag = {
  name: 'A web event tag',
  type: 'PURCHASE',
  click_window: '30',
  view_through_window: '1',
  retargeting_enabled: 'false',
}
const aWebEventTag = own(async (one) => ({ params: { web_event_tag_id: (await makeWebEventTag(one)).id } }))

const trackingTag = async (one: Advertiser) => ({
  line_item_id: (await one.lineItem()).id,
  tracking_tag_type: 'IMPRESSION_TAG',
  tracking_tag_url: 'https://ad.example.com/seen',
})
const tracked = async (one: Advertiser) => ({
  params: { tracking_tag_id: (await one.make(trackingTags, await trackingTag(one))).id },
})
const aTrackingTag = own(tracked)

/** Long enough for every time that is tried. */
const aTest = async (one: Advertiser) => ({
  entity_type: 'CAMPAIGN',
  start_time: Date.UTC(2030, 0, 1),
  end_time: Date.UTC(2031, 0, 1),
  user_groups: [
    { size: 4_999, entity_ids: [(await one.campaign()).id] },
    { size: 5_001, entity_ids: [(await one.campaign()).id] },
  ],
})
const anABTest = async (one: Advertiser) => ({
  params: { ab_test_id: (await one.make(abTests, await aTest(one))).id },
})

/** Calls of endpoints about campaigns, line items and funding instruments. */
export const campaignRecipes: Readonly<Record<string, Recipe>> = {
  listFundingInstruments: own(),
  getFundingInstrument: own(funding),
  createFundingInstrument: onAccount('sandbox', async () => ({
    form: { currency: 'USD', type: 'CREDIT_LINE', start_time: '2026-03-01T12:00:00Z' },
  })),
  updateFundingInstrument: onAccount('sandbox', funding),
  deleteFundingInstrument: onAccount('sandbox', funding),
  listPromotableUsers: own(),
  getPromotableUser: own(async (one) => ({ params: { promotable_user_id: await one.promotableUser() } })),
  listCampaigns: own(),
  getCampaign: aCampaign,
  createCampaign: own(async (one) => ({
    form: { name: 'A campaign', funding_instrument_id: (await one.fund()).id },
  })),
  updateCampaign: aCampaign,
  activateCampaign: aCampaign,
  deleteCampaign: aCampaign,
  batchCampaigns: own(async (one) => ({
    json: [
      {
        operation_type: 'Create',
        params: { name: 'A campaign', funding_instrument_id: (await one.fund()).id },
      },
    ],
  })),
  listLineItems: own(),
  getLineItem: aLineItem,
  createLineItem: own(async (one) => ({ form: lineItem((await one.campaign()).id) })),
  updateLineItem: aLineItem,
  activateLineItem: aLineItem,
  deleteLineItem: aLineItem,
  listABTests: own(async (one) => {
    await anABTest(one)
    return {}
  }),
  getABTest: own(anABTest),
  createABTest: own(async (one) => ({ json: await aTest(one) })),
  updateABTest: own(async (one) => ({ ...(await anABTest(one)), json: { name: 'Another name' } })),
  deleteABTest: own(anABTest),
  listWebEventTags: own(),
  getWebEventTag: aWebEventTag,
  createWebEventTag: own(async () => ({ form: webEventTag })),
  updateWebEventTag: aWebEventTag,
  deleteWebEventTag: aWebEventTag,
  listTrackingTags: own(),
  getTrackingTag: aTrackingTag,
  createTrackingTag: own(async (one) => ({ form: await trackingTag(one) })),
  updateTrackingTag: own(async (one) => ({
    ...(await tracked(one)),
    form: { tracking_tag_url: 'https://ad.example.com/other' },
  })),
  deleteTrackingTag: aTrackingTag,
  batchLineItems: own(async (one) => ({
    json: [{ operation_type: 'Create', params: lineItem((await one.campaign()).id) }],
  })),
}

export { onAccount, own }
