// Every endpoint of the advertising API, by area. The endpoints of an entity are declared with it.
export { abTests } from './ab-tests/ab-tests.ts'
export { accountMedia } from './account-media/account-media.ts'
export { getAuthenticatedUserAccess } from './accounts/access.ts'
export { accountApps } from './accounts/apps.ts'
export { createAccount } from './accounts/create.ts'
export { deleteAccount } from './accounts/delete.ts'
export { addFeatures, listFeatures, removeFeatures } from './accounts/features.ts'
export { getAccount } from './accounts/get.ts'
export { listAccounts } from './accounts/list.ts'
export { getTaxSettings, updateTaxSettings } from './accounts/tax-settings.ts'
export { updateAccount } from './accounts/update.ts'
export { getUserSettings, updateUserSettings } from './accounts/user-settings.ts'
export { appEventProviderConfigurations } from './app-event-provider-configurations/app-event-provider-configurations.ts'
export { appEventTags } from './app-event-tags/app-event-tags.ts'
export { appLists } from './app-lists/app-lists.ts'
export { lineItemApps } from './line-item-apps/line-item-apps.ts'
export { customAudiences, tailoredAudiences } from './audiences/custom-audiences.ts'
export { batchDoNotReachListUsers, doNotReachLists } from './audiences/do-not-reach-lists.ts'
export { listCustomAudiences, listTailoredAudiences } from './audiences/list-custom-audiences.ts'
export { audiencePermissions } from './audiences/permissions.ts'
export { listTailoredTargeted, listTargeted } from './audiences/targeted.ts'
export { uploadCustomAudienceUsers, uploadTailoredAudienceUsers } from './audiences/users.ts'
export { campaigns } from './campaigns/campaigns.ts'
export { getAnyCard, listAllCards } from './cards/all.ts'
export { cards, deleteFormerCard, listCards } from './cards/cards.ts'
export { dynamicProductCards } from './cards/dynamic-product-cards.ts'
export { imageConversationCards, videoConversationCards } from './cards/conversations.ts'
export { pollCards } from './cards/polls.ts'
export {
  createProductCatalog,
  deleteProductCatalog,
  listProductCatalogs,
  updateProductCatalog,
} from './catalogs/catalogs.ts'
export { createProductSet } from './catalogs/create-set.ts'
export {
  deleteProductSet,
  getProductSet,
  listProductSets,
  updateProductSet,
} from './catalogs/product-sets.ts'
export { deleteProducts, listProducts, upsertCatalogProducts } from './catalogs/products.ts'
export {
  createScheduledFeed,
  deleteScheduledFeed,
  listScheduledFeeds,
  updateScheduledFeed,
} from './catalogs/scheduled-feeds.ts'
export { lineItemCuratedCategories } from './categories/line-item-curated-categories.ts'
export {
  getCuratedCategory,
  listAdvertiserBusinessCategories,
  listBiddingRules,
  listContentCategories,
  listCuratedCategories,
  listIabCategories,
  listPlacements,
  listPublishers,
} from './categories/lists.ts'
export { receiveConversions } from './conversions/receive.ts'
export { getConversionAttribution } from './mobile-conversions/get-attribution.ts'
export { recordConversionEvent } from './mobile-conversions/record-event.ts'
export { draftPosts } from './draft-posts/draft-posts.ts'
export { fundingInstruments } from './funding-instruments/funding-instruments.ts'
export { listAccountHistory } from './history/list.ts'
export { searchKeywordInsights } from './keyword-insights/search.ts'
export { lineItems } from './line-items/line-items.ts'
export {
  createMediaLibraryItem,
  deleteMediaLibraryItem,
  getMediaLibraryItem,
  listMediaLibrary,
  updateMediaLibraryItem,
} from './media/media-library.ts'
export { mediaCreatives } from './media-creatives/media-creatives.ts'
export { createAccountPost } from './posts/create.ts'
export { listAccountPosts } from './posts/list.ts'
export { nameAccountPost } from './posts/name.ts'
export { prerollCallToActions } from './preroll-call-to-actions/preroll-call-to-actions.ts'
export { previewDraftPost } from './previews/draft.ts'
export { listPostPreviews } from './previews/list.ts'
export { showPostPreview } from './previews/show.ts'
export { promotableUsers } from './promotable-users/promotable-users.ts'
export { promotedAccounts } from './promoted-accounts/promoted-accounts.ts'
export { createPromotedPosts } from './promoted-posts/create.ts'
export { promotedPosts } from './promoted-posts/promoted-posts.ts'
export { scheduledPosts } from './scheduled-posts/scheduled-posts.ts'
export { scheduledPromotedPosts } from './scheduled-promoted-posts/scheduled-promoted-posts.ts'
export { listActiveEntities } from './stats/active-entities.ts'
export { getStats } from './stats/get.ts'
export { getReachOfCampaigns, getReachOfFundingInstruments } from './stats/reach.ts'
export { cancelStatsJob } from './stats-jobs/cancel.ts'
export { createStatsJob } from './stats-jobs/create.ts'
export { getStatsJobFile } from './stats-jobs/download.ts'
export { listStatsJobs } from './stats-jobs/list.ts'
export { listBehaviors, listBehaviorTaxonomies } from './targeting/behaviors.ts'
export { targetingCriteria } from './targeting/criteria.ts'
export { estimateAudience } from './targeting/estimate/estimate.ts'
export { listEvents } from './targeting/events.ts'
export {
  listAppStoreCategories,
  listConversations,
  listDevices,
  listInterests,
  listLanguages,
  listLocations,
  listNetworkOperators,
  listPlatforms,
  listPlatformVersions,
} from './targeting/options.ts'
export { listTargetingSuggestions } from './targeting/suggestions/suggestions.ts'
export { listTvMarkets, listTvShows } from './targeting/tv.ts'
export { trackingTags } from './tracking-tags/tracking-tags.ts'
export { webEventTags } from './web-event-tags/web-event-tags.ts'
