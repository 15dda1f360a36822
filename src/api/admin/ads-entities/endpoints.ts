import { customAudiences } from '../../ads/audiences/custom-audiences.ts'
import { campaigns } from '../../ads/campaigns/campaigns.ts'
import { cards } from '../../ads/cards/cards.ts'
import { fundingInstruments } from '../../ads/funding-instruments/funding-instruments.ts'
import { lineItems } from '../../ads/line-items/line-items.ts'
import { promotedPosts } from '../../ads/promoted-posts/promoted-posts.ts'
import { scheduledPosts } from '../../ads/scheduled-posts/scheduled-posts.ts'
import { targetingCriteria } from '../../ads/targeting/criteria.ts'
import { entityChange, entityEndpoint, entityList } from './entity.ts'

// Advertising entities under /admin/v1/accounts/{account_id}/.

export const createAdminCampaign = entityEndpoint(campaigns, 'campaigns')
export const changeAdminCampaign = entityChange(campaigns, 'campaigns')
export const listAdminCampaigns = entityList(campaigns)
export const createAdminLineItem = entityEndpoint(lineItems, 'line_items')
export const changeAdminLineItem = entityChange(lineItems, 'line_items')
export const listAdminLineItems = entityList(lineItems)
export const listAdminCards = entityList(cards)
export const listAdminCustomAudiences = entityList(customAudiences)
export const listAdminFundingInstruments = entityList(fundingInstruments)
export const listAdminPromotedPosts = entityList(promotedPosts)
export const listAdminScheduledPosts = entityList(scheduledPosts)
export const listAdminTargetingCriteria = entityList(targetingCriteria)
