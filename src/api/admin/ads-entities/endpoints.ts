import { customAudiences } from '../../ads/audiences/custom-audiences.ts'
import { cards } from '../../ads/cards/cards.ts'
import { fundingInstruments } from '../../ads/funding-instruments/funding-instruments.ts'
import { promotedPosts } from '../../ads/promoted-posts/promoted-posts.ts'
import { scheduledPosts } from '../../ads/scheduled-posts/scheduled-posts.ts'
import { targetingCriteria } from '../../ads/targeting/criteria.ts'
import { entityList } from './entity.ts'

// GET /admin/v1/accounts/{account_id}/… of what an account has besides campaigns and line items.

export * from './campaigns.ts'
export * from './line-items.ts'
export const listAdminCards = entityList(cards)
export const listAdminCustomAudiences = entityList(customAudiences)
export const listAdminFundingInstruments = entityList(fundingInstruments)
export const listAdminPromotedPosts = entityList(promotedPosts)
export const listAdminScheduledPosts = entityList(scheduledPosts)
export const listAdminTargetingCriteria = entityList(targetingCriteria)
