import type { Int64, Operation, PagedOperation } from '../types.ts'

export interface Ads {
  /** List accounts: `GET /12/accounts`. */
  listAccounts: PagedOperation<{ account_ids?: string[]; q?: string; count?: number; cursor?: string; sort_by?: SortOrderName[]; with_deleted?: boolean; with_total_count?: boolean }, AccountList>
  /** Create a sandbox account: `POST /12/accounts`. */
  createAccount: Operation<{}, AccountWritten>
  /** Delete a sandbox account: `DELETE /12/accounts/{account_id}`. */
  deleteAccount: Operation<{ account_id: string }, AccountReply>
  /** Get an account: `GET /12/accounts/{account_id}`. */
  getAccount: Operation<{ account_id: string; with_deleted?: boolean }, AccountReply>
  /** Update an account: `PUT /12/accounts/{account_id}`. */
  updateAccount: Operation<{ account_id: string } & UpdateAccountForm, AccountReply>
  /** List A/B tests: `GET /12/accounts/{account_id}/ab_tests`. */
  listABTests: PagedOperation<{ account_id: string; ab_test_ids?: string[]; user_id?: string; username?: string; status?: ABTestStatus; live_during?: string[]; q?: string; count?: number; cursor?: string; sort_by?: SortOrderStartTimeEndTime[]; with_deleted?: boolean; with_total_count?: boolean }, ABTestList>
  /** Create an A/B test: `POST /12/accounts/{account_id}/ab_tests`. */
  createABTest: Operation<{ account_id: string } & CreateABTestBody, ABTestReply>
  /** Delete an A/B test: `DELETE /12/accounts/{account_id}/ab_tests/{ab_test_id}`. */
  deleteABTest: Operation<{ account_id: string; ab_test_id: string }, ABTestReply>
  /** Get an A/B test: `GET /12/accounts/{account_id}/ab_tests/{ab_test_id}`. */
  getABTest: Operation<{ account_id: string; ab_test_id: string; with_deleted?: boolean }, ABTestReply>
  /** Update an A/B test: `PUT /12/accounts/{account_id}/ab_tests/{ab_test_id}`. */
  updateABTest: Operation<{ account_id: string; ab_test_id: string } & UpdateABTestBody, ABTestReply>
  /** List account apps: `GET /12/accounts/{account_id}/account_apps`. */
  listAccountApps: PagedOperation<{ account_id: string; count?: number; cursor?: string; sort_by?: SortOrder[]; with_deleted?: boolean; with_total_count?: boolean }, AccountAppList>
  /** List the changes of an entity: `GET /12/accounts/{account_id}/account_history`. */
  listAccountHistory: PagedOperation<{ account_id: string; entity_type: HistoryEntity; entity_id: string; start_time: string; end_time: string; user_id?: string; count?: number; cursor?: string }, AccountChangeList>
  /** List account media: `GET /12/accounts/{account_id}/account_media`. */
  listAccountMedia: PagedOperation<{ account_id: string; account_media_ids?: string[]; creative_types?: CreativeType[]; count?: number; cursor?: string; sort_by?: SortOrder[]; with_deleted?: boolean; with_total_count?: boolean }, AccountMediaList>
  /**
   * Delete an account media: `DELETE /12/accounts/{account_id}/account_media/{account_media_id}`.
   */
  deleteAccountMedia: Operation<{ account_id: string; account_media_id: string }, AccountMediaReply>
  /** Get an account media: `GET /12/accounts/{account_id}/account_media/{account_media_id}`. */
  getAccountMedia: Operation<{ account_id: string; account_media_id: string; with_deleted?: boolean }, AccountMediaReply>
  /**
   * List app event provider configurations: `GET
   * /12/accounts/{account_id}/app_event_provider_configurations`.
   */
  listAppEventProviderConfigurations: PagedOperation<{ account_id: string; ids?: string[]; count?: number; cursor?: string; sort_by?: SortOrder[]; with_deleted?: boolean; with_total_count?: boolean }, AppEventProviderConfigurationList>
  /**
   * Create an app event provider configuration: `POST
   * /12/accounts/{account_id}/app_event_provider_configurations`.
   */
  createAppEventProviderConfiguration: Operation<{ account_id: string } & CreateAppEventProviderConfigurationForm, AppEventProviderConfigurationReply>
  /** Delete an app event provider configuration. */
  deleteAppEventProviderConfiguration: Operation<{ account_id: string; app_event_provider_configuration_id: string }, AppEventProviderConfigurationReply>
  /** Get an app event provider configuration. */
  getAppEventProviderConfiguration: Operation<{ account_id: string; app_event_provider_configuration_id: string; with_deleted?: boolean }, AppEventProviderConfigurationReply>
  /** List app event tags: `GET /12/accounts/{account_id}/app_event_tags`. */
  listAppEventTags: PagedOperation<{ account_id: string; app_event_tag_ids?: string[]; count?: number; cursor?: string; sort_by?: SortOrder[]; with_deleted?: boolean; with_total_count?: boolean }, AppEventTagList>
  /** Create an app event tag: `POST /12/accounts/{account_id}/app_event_tags`. */
  createAppEventTag: Operation<{ account_id: string } & CreateAppEventTagForm, AppEventTagReply>
  /**
   * Delete an app event tag: `DELETE /12/accounts/{account_id}/app_event_tags/{app_event_tag_id}`.
   */
  deleteAppEventTag: Operation<{ account_id: string; app_event_tag_id: string }, AppEventTagReply>
  /** Get an app event tag: `GET /12/accounts/{account_id}/app_event_tags/{app_event_tag_id}`. */
  getAppEventTag: Operation<{ account_id: string; app_event_tag_id: string; with_deleted?: boolean }, AppEventTagReply>
  /** List app lists: `GET /12/accounts/{account_id}/app_lists`. */
  listAppLists: PagedOperation<{ account_id: string; app_list_ids?: string[]; count?: number; cursor?: string; sort_by?: SortOrder[]; with_deleted?: boolean; with_total_count?: boolean }, AppListList>
  /** Create an app list: `POST /12/accounts/{account_id}/app_lists`. */
  createAppList: Operation<{ account_id: string } & CreateAppListForm, AppListReply>
  /** Delete an app list: `DELETE /12/accounts/{account_id}/app_lists/{app_list_id}`. */
  deleteAppList: Operation<{ account_id: string; app_list_id: string }, AppListReply>
  /** Get an app list: `GET /12/accounts/{account_id}/app_lists/{app_list_id}`. */
  getAppList: Operation<{ account_id: string; app_list_id: string; with_deleted?: boolean }, AppListReply>
  /** Estimate an audience: `POST /12/accounts/{account_id}/audience_estimate`. */
  estimateAudience: Operation<{ account_id: string; body: EstimateAudienceBody }, EstimateAudienceReply>
  /**
   * Get the permissions of the user in an account: `GET
   * /12/accounts/{account_id}/authenticated_user_access`.
   */
  getAuthenticatedUserAccess: Operation<{ account_id: string }, AuthenticatedUserAccessReply>
  /** List campaigns: `GET /12/accounts/{account_id}/campaigns`. */
  listCampaigns: PagedOperation<{ account_id: string; campaign_ids?: string[]; funding_instrument_ids?: string[]; q?: string; with_draft?: boolean; count?: number; cursor?: string; sort_by?: SortOrderNameDailyBudgetAmountLocalMicroTotalBudgetAmountLocalMicroStandardDelivery[]; with_deleted?: boolean; with_total_count?: boolean }, CampaignList>
  /** Create a campaign: `POST /12/accounts/{account_id}/campaigns`. */
  createCampaign: Operation<{ account_id: string } & CreateCampaignForm, CampaignReply>
  /** Delete a campaign: `DELETE /12/accounts/{account_id}/campaigns/{campaign_id}`. */
  deleteCampaign: Operation<{ account_id: string; campaign_id: string }, CampaignReply>
  /** Get a campaign: `GET /12/accounts/{account_id}/campaigns/{campaign_id}`. */
  getCampaign: Operation<{ account_id: string; campaign_id: string; with_deleted?: boolean }, CampaignReply>
  /** Update a campaign: `PUT /12/accounts/{account_id}/campaigns/{campaign_id}`. */
  updateCampaign: Operation<{ account_id: string; campaign_id: string } & UpdateCampaignForm, CampaignReply>
  /** Activate a campaign: `PUT /12/accounts/{account_id}/campaigns/{campaign_id}/activate`. */
  activateCampaign: Operation<{ account_id: string; campaign_id: string }, CampaignReply>
  /** List cards: `GET /12/accounts/{account_id}/cards`. */
  listCards: PagedOperation<{ account_id: string; card_types?: string[]; card_id?: string[]; card_ids?: string[]; card_uris?: string[]; count?: number; cursor?: string; include_legacy_cards?: boolean; q?: string; sort_by?: SortOrderName[]; with_deleted?: boolean }, CardList>
  /** Create a card: `POST /12/accounts/{account_id}/cards`. */
  createCard: Operation<{ account_id: string } & CreateCardBody, CardReply>
  /** Get cards by URI: `GET /12/accounts/{account_id}/cards/all`. */
  listAllCards: Operation<{ account_id: string; card_uris: string[]; with_deleted?: boolean }, AnyCardResults>
  /** Get a card of any type: `GET /12/accounts/{account_id}/cards/all/{card_id}`. */
  getAnyCard: Operation<{ account_id: string; card_id: string; with_deleted?: boolean }, AnyCardReply>
  /** List image conversation cards: `GET /12/accounts/{account_id}/cards/image_conversation`. */
  listImageConversationCards: PagedOperation<{ account_id: string; card_ids?: string[]; q?: string; count?: number; cursor?: string; sort_by?: SortOrderName[]; with_deleted?: boolean; with_total_count?: boolean }, ImageConversationCardList>
  /**
   * Create an image conversation card: `POST /12/accounts/{account_id}/cards/image_conversation`.
   */
  createImageConversationCard: Operation<{ account_id: string } & CreateImageConversationCardForm, ImageConversationCardReply>
  /**
   * Delete an image conversation card: `DELETE
   * /12/accounts/{account_id}/cards/image_conversation/{card_id}`.
   */
  deleteImageConversationCard: Operation<{ account_id: string; card_id: string }, ImageConversationCardReply>
  /**
   * Get an image conversation card: `GET
   * /12/accounts/{account_id}/cards/image_conversation/{card_id}`.
   */
  getImageConversationCard: Operation<{ account_id: string; card_id: string; with_deleted?: boolean }, ImageConversationCardReply>
  /**
   * Update an image conversation card: `PUT
   * /12/accounts/{account_id}/cards/image_conversation/{card_id}`.
   */
  updateImageConversationCard: Operation<{ account_id: string; card_id: string } & UpdateImageConversationCardForm, ImageConversationCardReply>
  /** List poll cards: `GET /12/accounts/{account_id}/cards/poll`. */
  listPollCards: PagedOperation<{ account_id: string; card_ids?: string[]; q?: string; count?: number; cursor?: string; sort_by?: SortOrderName[]; with_deleted?: boolean; with_total_count?: boolean }, PollCardList>
  /** Create a poll card: `POST /12/accounts/{account_id}/cards/poll`. */
  createPollCard: Operation<{ account_id: string } & CreatePollCardForm, PollCardReply>
  /** Delete a poll card: `DELETE /12/accounts/{account_id}/cards/poll/{card_id}`. */
  deletePollCard: Operation<{ account_id: string; card_id: string }, PollCardReply>
  /** Get a poll card: `GET /12/accounts/{account_id}/cards/poll/{card_id}`. */
  getPollCard: Operation<{ account_id: string; card_id: string; with_deleted?: boolean }, PollCardReply>
  /** List video conversation cards: `GET /12/accounts/{account_id}/cards/video_conversation`. */
  listVideoConversationCards: PagedOperation<{ account_id: string; card_ids?: string[]; q?: string; count?: number; cursor?: string; sort_by?: SortOrderName[]; with_deleted?: boolean; with_total_count?: boolean }, VideoConversationCardList>
  /**
   * Create a video conversation card: `POST /12/accounts/{account_id}/cards/video_conversation`.
   */
  createVideoConversationCard: Operation<{ account_id: string } & CreateVideoConversationCardForm, VideoConversationCardReply>
  /**
   * Delete a video conversation card: `DELETE
   * /12/accounts/{account_id}/cards/video_conversation/{card_id}`.
   */
  deleteVideoConversationCard: Operation<{ account_id: string; card_id: string }, VideoConversationCardReply>
  /**
   * Get a video conversation card: `GET
   * /12/accounts/{account_id}/cards/video_conversation/{card_id}`.
   */
  getVideoConversationCard: Operation<{ account_id: string; card_id: string; with_deleted?: boolean }, VideoConversationCardReply>
  /**
   * Update a video conversation card: `PUT
   * /12/accounts/{account_id}/cards/video_conversation/{card_id}`.
   */
  updateVideoConversationCard: Operation<{ account_id: string; card_id: string } & UpdateVideoConversationCardForm, VideoConversationCardReply>
  /** Delete a card: `DELETE /12/accounts/{account_id}/cards/{card_id}`. */
  deleteCard: Operation<{ account_id: string; card_id: string }, CardReply>
  /** Get a card: `GET /12/accounts/{account_id}/cards/{card_id}`. */
  getCard: Operation<{ account_id: string; card_id: string; with_deleted?: boolean }, CardReply>
  /** Update a card: `PUT /12/accounts/{account_id}/cards/{card_id}`. */
  updateCard: Operation<{ account_id: string; card_id: string } & CardChange, CardReply>
  /**
   * Delete a card by its legacy type: `DELETE
   * /12/accounts/{account_id}/cards/{card_type}/{card_id}`.
   */
  deleteFormerCard: Operation<{ account_id: string; card_type: 'website' | 'video_website' | 'image_app_download' | 'video_app_download' | 'image_direct_message' | 'video_direct_message'; card_id: string }, CardReply>
  /** List curated categories: `GET /12/accounts/{account_id}/curated_categories`. */
  listCuratedCategories: PagedOperation<{ account_id: string; country_codes?: CountryCode[]; count?: number; cursor?: string }, CuratedCategoryList>
  /**
   * Get a curated category: `GET
   * /12/accounts/{account_id}/curated_categories/{curated_category_id}`.
   */
  getCuratedCategory: Operation<{ account_id: string; curated_category_id: string }, CuratedCategoryReply>
  /** List custom audiences: `GET /12/accounts/{account_id}/custom_audiences`. */
  listCustomAudiences: PagedOperation<{ account_id: string; custom_audience_ids?: string[]; q?: string; count?: number; cursor?: string; sort_by?: SortOrderName[]; with_deleted?: boolean; with_total_count?: boolean; permission_scope?: 'OWNER' | 'SHARED' }, CustomAudienceList>
  /** Create a custom audience: `POST /12/accounts/{account_id}/custom_audiences`. */
  createCustomAudience: Operation<{ account_id: string } & CreateCustomAudienceForm, CustomAudienceReply>
  /**
   * Delete a custom audience: `DELETE
   * /12/accounts/{account_id}/custom_audiences/{custom_audience_id}`.
   */
  deleteCustomAudience: Operation<{ account_id: string; custom_audience_id: string }, CustomAudienceReply>
  /**
   * Get a custom audience: `GET /12/accounts/{account_id}/custom_audiences/{custom_audience_id}`.
   */
  getCustomAudience: Operation<{ account_id: string; custom_audience_id: string; with_deleted?: boolean }, CustomAudienceReply>
  /**
   * Update a custom audience: `PUT
   * /12/accounts/{account_id}/custom_audiences/{custom_audience_id}`.
   */
  updateCustomAudience: Operation<{ account_id: string; custom_audience_id: string } & UpdateCustomAudienceForm, CustomAudienceReply>
  /**
   * List the permissions of a custom audience: `GET
   * /12/accounts/{account_id}/custom_audiences/{custom_audience_id}/permissions`.
   */
  listCustomAudiencePermissions: PagedOperation<{ account_id: string; custom_audience_id: string; granted_account_ids?: string[]; custom_audience_permission_ids?: string[]; count?: number; cursor?: string; sort_by?: SortOrderCreatedAtUpdatedAt[]; with_total_count?: boolean }, CustomAudiencePermissionList>
  /**
   * Share a custom audience: `POST
   * /12/accounts/{account_id}/custom_audiences/{custom_audience_id}/permissions`.
   */
  createCustomAudiencePermission: Operation<{ account_id: string; custom_audience_id: string } & CreateCustomAudiencePermissionForm, CustomAudiencePermissionReply>
  /** Stop sharing a custom audience with an account. */
  deleteCustomAudiencePermission: Operation<{ account_id: string; custom_audience_id: string; custom_audience_permission_id: string }, CustomAudiencePermissionReply>
  /**
   * List the line items that target a custom audience: `GET
   * /12/accounts/{account_id}/custom_audiences/{custom_audience_id}/targeted`.
   */
  listCustomAudienceTargeted: PagedOperation<{ account_id: string; custom_audience_id: string; with_active?: boolean; cursor?: string }, TargetedCampaignList>
  /**
   * Add, change and remove members of a custom audience: `POST
   * /12/accounts/{account_id}/custom_audiences/{custom_audience_id}/users`.
   */
  uploadCustomAudienceUsers: Operation<{ account_id: string; custom_audience_id: string; body: UploadAudienceUsersBody }, UserCountsReply>
  /** List do not reach lists: `GET /12/accounts/{account_id}/do_not_reach_lists`. */
  listDoNotReachLists: PagedOperation<{ account_id: string; count?: number; cursor?: string; sort_by?: SortOrder[]; with_deleted?: boolean; with_total_count?: boolean }, DoNotReachListList>
  /** Create a do not reach list: `POST /12/accounts/{account_id}/do_not_reach_lists`. */
  createDoNotReachList: Operation<{ account_id: string } & CreateDoNotReachListForm, DoNotReachListReply>
  /**
   * Delete a do not reach list: `DELETE
   * /12/accounts/{account_id}/do_not_reach_lists/{do_not_reach_list_id}`.
   */
  deleteDoNotReachList: Operation<{ account_id: string; do_not_reach_list_id: string }, DoNotReachListReply>
  /** List draft posts: `GET /12/accounts/{account_id}/draft_posts`. */
  listDraftPosts: PagedOperation<{ account_id: string; user_id?: string; count?: number; cursor?: string }, DraftPostList>
  /** Create a draft post: `POST /12/accounts/{account_id}/draft_posts`. */
  createDraftPost: Operation<{ account_id: string } & CreateDraftPostForm, DraftPostReply>
  /** Preview a draft post: `POST /12/accounts/{account_id}/draft_posts/preview/{draft_post_id}`. */
  previewDraftPost: Operation<{ account_id: string; draft_post_id: string }, PreviewDraftPostReply>
  /** Delete a draft post: `DELETE /12/accounts/{account_id}/draft_posts/{draft_post_id}`. */
  deleteDraftPost: Operation<{ account_id: string; draft_post_id: string }, DraftPostReply>
  /** Get a draft post: `GET /12/accounts/{account_id}/draft_posts/{draft_post_id}`. */
  getDraftPost: Operation<{ account_id: string; draft_post_id: string }, DraftPostReply>
  /** Update a draft post: `PUT /12/accounts/{account_id}/draft_posts/{draft_post_id}`. */
  updateDraftPost: Operation<{ account_id: string; draft_post_id: string } & UpdateDraftPostForm, DraftPostReply>
  /** Create a dynamic product card: `POST /12/accounts/{account_id}/dynamic_product_cards`. */
  createDynamicProductCard: Operation<{ account_id: string } & NewDynamicProductCard, DynamicProductCardReply>
  /** Revoke features of a sandbox account: `DELETE /12/accounts/{account_id}/features`. */
  removeFeatures: Operation<{ account_id: string } & RemoveFeaturesForm, FeatureKeyResults>
  /** List the features of an account: `GET /12/accounts/{account_id}/features`. */
  listFeatures: Operation<{ account_id: string; feature_keys?: FeatureKey[] }, FeatureKeyResults>
  /** Grant features to a sandbox account: `POST /12/accounts/{account_id}/features`. */
  addFeatures: Operation<{ account_id: string } & AddFeaturesForm, FeatureKeyResults>
  /** List funding instruments: `GET /12/accounts/{account_id}/funding_instruments`. */
  listFundingInstruments: PagedOperation<{ account_id: string; funding_instrument_ids?: string[]; count?: number; cursor?: string; sort_by?: SortOrderStartTimeEndTimeFundedAmountLocalMicro[]; with_deleted?: boolean; with_total_count?: boolean }, FundingInstrumentList>
  /** Create a funding instrument: `POST /12/accounts/{account_id}/funding_instruments`. */
  createFundingInstrument: Operation<{ account_id: string } & CreateFundingInstrumentForm, FundingInstrumentReply>
  /**
   * Delete a funding instrument: `DELETE
   * /12/accounts/{account_id}/funding_instruments/{funding_instrument_id}`.
   */
  deleteFundingInstrument: Operation<{ account_id: string; funding_instrument_id: string }, FundingInstrumentReply>
  /**
   * Get a funding instrument: `GET
   * /12/accounts/{account_id}/funding_instruments/{funding_instrument_id}`.
   */
  getFundingInstrument: Operation<{ account_id: string; funding_instrument_id: string; with_deleted?: boolean }, FundingInstrumentReply>
  /**
   * Update a funding instrument: `PUT
   * /12/accounts/{account_id}/funding_instruments/{funding_instrument_id}`.
   */
  updateFundingInstrument: Operation<{ account_id: string; funding_instrument_id: string } & UpdateFundingInstrumentForm, FundingInstrumentReply>
  /** List line item apps: `GET /12/accounts/{account_id}/line_item_apps`. */
  listLineItemApps: PagedOperation<{ account_id: string; line_item_app_ids?: string[]; line_item_ids?: string[]; count?: number; cursor?: string; sort_by?: SortOrder[]; with_deleted?: boolean; with_total_count?: boolean }, LineItemAppList>
  /** Create a line item app: `POST /12/accounts/{account_id}/line_item_apps`. */
  createLineItemApp: Operation<{ account_id: string } & CreateLineItemAppForm, LineItemAppReply>
  /**
   * Delete a line item app: `DELETE /12/accounts/{account_id}/line_item_apps/{line_item_app_id}`.
   */
  deleteLineItemApp: Operation<{ account_id: string; line_item_app_id: string }, LineItemAppReply>
  /** Get a line item app: `GET /12/accounts/{account_id}/line_item_apps/{line_item_app_id}`. */
  getLineItemApp: Operation<{ account_id: string; line_item_app_id: string; with_deleted?: boolean }, LineItemAppReply>
  /**
   * List line item curated categories: `GET
   * /12/accounts/{account_id}/line_item_curated_categories`.
   */
  listLineItemCuratedCategories: PagedOperation<{ account_id: string; count?: number; cursor?: string; sort_by?: SortOrder[]; with_deleted?: boolean; with_total_count?: boolean }, LineItemCuratedCategoryList>
  /**
   * Create a line item curated category: `POST
   * /12/accounts/{account_id}/line_item_curated_categories`.
   */
  createLineItemCuratedCategory: Operation<{ account_id: string } & CreateLineItemCuratedCategoryForm, LineItemCuratedCategoryReply>
  /** Delete a line item curated category. */
  deleteLineItemCuratedCategory: Operation<{ account_id: string; line_item_curated_category_id: string }, LineItemCuratedCategoryReply>
  /** Get a line item curated category. */
  getLineItemCuratedCategory: Operation<{ account_id: string; line_item_curated_category_id: string; with_deleted?: boolean }, LineItemCuratedCategoryReply>
  /** Update a line item curated category. */
  updateLineItemCuratedCategory: Operation<{ account_id: string; line_item_curated_category_id: string } & UpdateLineItemCuratedCategoryForm, LineItemCuratedCategoryReply>
  /** List line items: `GET /12/accounts/{account_id}/line_items`. */
  listLineItems: PagedOperation<{ account_id: string; line_item_ids?: string[]; campaign_ids?: string[]; funding_instrument_ids?: string[]; q?: string; with_draft?: boolean; count?: number; cursor?: string; sort_by?: SortOrderBidAmountLocalMicro[]; with_deleted?: boolean; with_total_count?: boolean }, LineItemList>
  /** Create a line item: `POST /12/accounts/{account_id}/line_items`. */
  createLineItem: Operation<{ account_id: string } & CreateLineItemForm, LineItemReply>
  /** Delete a line item: `DELETE /12/accounts/{account_id}/line_items/{line_item_id}`. */
  deleteLineItem: Operation<{ account_id: string; line_item_id: string }, LineItemReply>
  /** Get a line item: `GET /12/accounts/{account_id}/line_items/{line_item_id}`. */
  getLineItem: Operation<{ account_id: string; line_item_id: string; with_deleted?: boolean }, LineItemReply>
  /** Update a line item: `PUT /12/accounts/{account_id}/line_items/{line_item_id}`. */
  updateLineItem: Operation<{ account_id: string; line_item_id: string } & UpdateLineItemForm, LineItemReply>
  /** Activate a line item: `PUT /12/accounts/{account_id}/line_items/{line_item_id}/activate`. */
  activateLineItem: Operation<{ account_id: string; line_item_id: string }, LineItemReply>
  /** List media creatives: `GET /12/accounts/{account_id}/media_creatives`. */
  listMediaCreatives: PagedOperation<{ account_id: string; campaign_id?: string; line_item_ids?: string[]; media_creative_ids?: string[]; count?: number; cursor?: string; sort_by?: SortOrder[]; with_deleted?: boolean; with_total_count?: boolean }, MediaCreativeList>
  /** Create a media creative: `POST /12/accounts/{account_id}/media_creatives`. */
  createMediaCreative: Operation<{ account_id: string } & CreateMediaCreativeForm, MediaCreativeReply>
  /**
   * Delete a media creative: `DELETE
   * /12/accounts/{account_id}/media_creatives/{media_creative_id}`.
   */
  deleteMediaCreative: Operation<{ account_id: string; media_creative_id: string }, MediaCreativeReply>
  /** Get a media creative: `GET /12/accounts/{account_id}/media_creatives/{media_creative_id}`. */
  getMediaCreative: Operation<{ account_id: string; media_creative_id: string; with_deleted?: boolean }, MediaCreativeReply>
  /** List the media library: `GET /12/accounts/{account_id}/media_library`. */
  listMediaLibrary: PagedOperation<{ account_id: string; count?: number; cursor?: string; media_type?: MediaType; q?: string }, LibraryMediaList>
  /** Add a medium to the library: `POST /12/accounts/{account_id}/media_library`. */
  createMediaLibraryItem: Operation<{ account_id: string } & CreateMediaLibraryItemForm, LibraryMediaReply>
  /**
   * Delete a medium of the library: `DELETE /12/accounts/{account_id}/media_library/{media_key}`.
   */
  deleteMediaLibraryItem: Operation<{ account_id: string; media_key: string }, LibraryMediaReply>
  /** Get a medium of the library: `GET /12/accounts/{account_id}/media_library/{media_key}`. */
  getMediaLibraryItem: Operation<{ account_id: string; media_key: string }, LibraryMediaReply>
  /** Update a medium of the library: `PUT /12/accounts/{account_id}/media_library/{media_key}`. */
  updateMediaLibraryItem: Operation<{ account_id: string; media_key: string } & UpdateMediaLibraryItemForm, LibraryMediaReply>
  /** Create a post: `POST /12/accounts/{account_id}/post`. */
  createAccountPost: Operation<{ account_id: string } & CreateAccountPostForm, NewPostReply>
  /** List previews of posts: `GET /12/accounts/{account_id}/post_previews`. */
  listPostPreviews: Operation<{ account_id: string; post_ids: string[]; post_type: PostType }, PostPreviewResults>
  /** List posts: `GET /12/accounts/{account_id}/posts`. */
  listAccountPosts: PagedOperation<{ account_id: string; post_type: PostType; count?: number; cursor?: string; include_mentions_and_replies?: boolean; name?: string; post_ids?: string[]; timeline_type?: 'ALL' | 'NULLCAST' | 'ORGANIC'; trim_user?: boolean; user_id?: string }, AccountPostList>
  /** Set the name of a post: `PUT /12/accounts/{account_id}/posts/{post_id}/name`. */
  nameAccountPost: Operation<{ account_id: string; post_id: string } & NameAccountPostForm, AccountPostReply>
  /** List preroll call to actions: `GET /12/accounts/{account_id}/preroll_call_to_actions`. */
  listPrerollCallToActions: PagedOperation<{ account_id: string; line_item_ids?: string[]; preroll_call_to_action_ids?: string[]; count?: number; cursor?: string; sort_by?: SortOrder[]; with_deleted?: boolean; with_total_count?: boolean }, PrerollCallToActionList>
  /** Create a preroll call to action: `POST /12/accounts/{account_id}/preroll_call_to_actions`. */
  createPrerollCallToAction: Operation<{ account_id: string } & CreatePrerollCallToActionForm, PrerollCallToActionReply>
  /**
   * Delete a preroll call to action: `DELETE
   * /12/accounts/{account_id}/preroll_call_to_actions/{preroll_call_to_action_id}`.
   */
  deletePrerollCallToAction: Operation<{ account_id: string; preroll_call_to_action_id: string }, PrerollCallToActionReply>
  /**
   * Get a preroll call to action: `GET
   * /12/accounts/{account_id}/preroll_call_to_actions/{preroll_call_to_action_id}`.
   */
  getPrerollCallToAction: Operation<{ account_id: string; preroll_call_to_action_id: string; with_deleted?: boolean }, PrerollCallToActionReply>
  /**
   * Update a preroll call to action: `PUT
   * /12/accounts/{account_id}/preroll_call_to_actions/{preroll_call_to_action_id}`.
   */
  updatePrerollCallToAction: Operation<{ account_id: string; preroll_call_to_action_id: string } & UpdatePrerollCallToActionForm, PrerollCallToActionReply>
  /** List promotable users: `GET /12/accounts/{account_id}/promotable_users`. */
  listPromotableUsers: PagedOperation<{ account_id: string; promotable_user_ids?: string[]; count?: number; cursor?: string; sort_by?: SortOrder[]; with_deleted?: boolean; with_total_count?: boolean }, PromotableUserList>
  /**
   * Get a promotable user: `GET /12/accounts/{account_id}/promotable_users/{promotable_user_id}`.
   */
  getPromotableUser: Operation<{ account_id: string; promotable_user_id: string; with_deleted?: boolean }, PromotableUserReply>
  /** List promoted accounts: `GET /12/accounts/{account_id}/promoted_accounts`. */
  listPromotedAccounts: PagedOperation<{ account_id: string; line_item_ids?: string[]; promoted_account_ids?: string[]; count?: number; cursor?: string; sort_by?: SortOrder[]; with_deleted?: boolean; with_total_count?: boolean }, PromotedAccountList>
  /** Create a promoted account: `POST /12/accounts/{account_id}/promoted_accounts`. */
  createPromotedAccount: Operation<{ account_id: string } & CreatePromotedAccountForm, PromotedAccountReply>
  /**
   * Delete a promoted account: `DELETE
   * /12/accounts/{account_id}/promoted_accounts/{promoted_account_id}`.
   */
  deletePromotedAccount: Operation<{ account_id: string; promoted_account_id: string }, PromotedAccountReply>
  /**
   * Get a promoted account: `GET
   * /12/accounts/{account_id}/promoted_accounts/{promoted_account_id}`.
   */
  getPromotedAccount: Operation<{ account_id: string; promoted_account_id: string; with_deleted?: boolean }, PromotedAccountReply>
  /** List promoted posts: `GET /12/accounts/{account_id}/promoted_posts`. */
  listPromotedPosts: PagedOperation<{ account_id: string; line_item_ids?: string[]; promoted_post_ids?: string[]; count?: number; cursor?: string; sort_by?: SortOrder[]; with_deleted?: boolean; with_total_count?: boolean }, PromotedPostList>
  /** Promote posts: `POST /12/accounts/{account_id}/promoted_posts`. */
  createPromotedPosts: Operation<{ account_id: string } & CreatePromotedPostsForm, PromotedPostResults>
  /**
   * Delete a promoted post: `DELETE /12/accounts/{account_id}/promoted_posts/{promoted_post_id}`.
   */
  deletePromotedPost: Operation<{ account_id: string; promoted_post_id: string }, PromotedPostReply>
  /** Get a promoted post: `GET /12/accounts/{account_id}/promoted_posts/{promoted_post_id}`. */
  getPromotedPost: Operation<{ account_id: string; promoted_post_id: string; with_deleted?: boolean }, PromotedPostReply>
  /** Update a promoted post: `PUT /12/accounts/{account_id}/promoted_posts/{promoted_post_id}`. */
  updatePromotedPost: Operation<{ account_id: string; promoted_post_id: string } & UpdatePromotedPostForm, PromotedPostReply>
  /** List scheduled posts: `GET /12/accounts/{account_id}/scheduled_posts`. */
  listScheduledPosts: PagedOperation<{ account_id: string; user_id?: string; count?: number; cursor?: string }, ScheduledPostList>
  /** Create a scheduled post: `POST /12/accounts/{account_id}/scheduled_posts`. */
  createScheduledPost: Operation<{ account_id: string } & CreateScheduledPostForm, ScheduledPostReply>
  /**
   * Delete a scheduled post: `DELETE
   * /12/accounts/{account_id}/scheduled_posts/{scheduled_post_id}`.
   */
  deleteScheduledPost: Operation<{ account_id: string; scheduled_post_id: string }, ScheduledPostReply>
  /** Get a scheduled post: `GET /12/accounts/{account_id}/scheduled_posts/{scheduled_post_id}`. */
  getScheduledPost: Operation<{ account_id: string; scheduled_post_id: string }, ScheduledPostReply>
  /**
   * Update a scheduled post: `PUT /12/accounts/{account_id}/scheduled_posts/{scheduled_post_id}`.
   */
  updateScheduledPost: Operation<{ account_id: string; scheduled_post_id: string } & UpdateScheduledPostForm, ScheduledPostReply>
  /** List scheduled promoted posts: `GET /12/accounts/{account_id}/scheduled_promoted_posts`. */
  listScheduledPromotedPosts: PagedOperation<{ account_id: string; line_item_ids?: string[]; scheduled_promoted_post_ids?: string[]; count?: number; cursor?: string; sort_by?: SortOrder[]; with_deleted?: boolean; with_total_count?: boolean }, ScheduledPromotedPostList>
  /**
   * Create a scheduled promoted post: `POST /12/accounts/{account_id}/scheduled_promoted_posts`.
   */
  createScheduledPromotedPost: Operation<{ account_id: string } & CreateScheduledPromotedPostForm, ScheduledPromotedPostReply>
  /**
   * Delete a scheduled promoted post: `DELETE
   * /12/accounts/{account_id}/scheduled_promoted_posts/{scheduled_promoted_post_id}`.
   */
  deleteScheduledPromotedPost: Operation<{ account_id: string; scheduled_promoted_post_id: string }, ScheduledPromotedPostReply>
  /**
   * Get a scheduled promoted post: `GET
   * /12/accounts/{account_id}/scheduled_promoted_posts/{scheduled_promoted_post_id}`.
   */
  getScheduledPromotedPost: Operation<{ account_id: string; scheduled_promoted_post_id: string; with_deleted?: boolean }, ScheduledPromotedPostReply>
  /** List tailored audiences: `GET /12/accounts/{account_id}/tailored_audiences`. */
  listTailoredAudiences: PagedOperation<{ account_id: string; tailored_audience_ids?: string[]; q?: string; count?: number; cursor?: string; sort_by?: SortOrderName[]; with_deleted?: boolean; with_total_count?: boolean; permission_scope?: 'OWNER' | 'SHARED' }, CustomAudienceList>
  /** Create a tailored audience: `POST /12/accounts/{account_id}/tailored_audiences`. */
  createTailoredAudience: Operation<{ account_id: string } & CreateTailoredAudienceForm, CustomAudienceReply>
  /**
   * Delete a tailored audience: `DELETE
   * /12/accounts/{account_id}/tailored_audiences/{tailored_audience_id}`.
   */
  deleteTailoredAudience: Operation<{ account_id: string; tailored_audience_id: string }, CustomAudienceReply>
  /**
   * Get a tailored audience: `GET
   * /12/accounts/{account_id}/tailored_audiences/{tailored_audience_id}`.
   */
  getTailoredAudience: Operation<{ account_id: string; tailored_audience_id: string; with_deleted?: boolean }, CustomAudienceReply>
  /**
   * Update a tailored audience: `PUT
   * /12/accounts/{account_id}/tailored_audiences/{tailored_audience_id}`.
   */
  updateTailoredAudience: Operation<{ account_id: string; tailored_audience_id: string } & UpdateTailoredAudienceForm, CustomAudienceReply>
  /**
   * List the permissions of a tailored audience: `GET
   * /12/accounts/{account_id}/tailored_audiences/{tailored_audience_id}/permissions`.
   */
  listCurrentTailoredAudiencePermissions: PagedOperation<{ account_id: string; tailored_audience_id: string; granted_account_ids?: string[]; tailored_audience_permission_ids?: string[]; count?: number; cursor?: string; sort_by?: SortOrderCreatedAtUpdatedAt[]; with_total_count?: boolean }, TailoredAudiencePermissionList>
  /**
   * Share a tailored audience: `POST
   * /12/accounts/{account_id}/tailored_audiences/{tailored_audience_id}/permissions`.
   */
  createCurrentTailoredAudiencePermission: Operation<{ account_id: string; tailored_audience_id: string } & CreateCurrentTailoredAudiencePermissionForm, TailoredAudiencePermissionReply>
  /** Stop sharing a tailored audience with an account. */
  deleteCurrentTailoredAudiencePermission: Operation<{ account_id: string; tailored_audience_id: string; tailored_audience_permission_id: string }, TailoredAudiencePermissionReply>
  /**
   * List the line items that target a tailored audience: `GET
   * /12/accounts/{account_id}/tailored_audiences/{tailored_audience_id}/targeted`.
   */
  listTailoredAudienceTargeted: PagedOperation<{ account_id: string; tailored_audience_id: string; with_active?: boolean; cursor?: string }, TargetedCampaignList>
  /**
   * Add, change and remove members of a tailored audience: `POST
   * /12/accounts/{account_id}/tailored_audiences/{tailored_audience_id}/users`.
   */
  uploadTailoredAudienceUsers: Operation<{ account_id: string; tailored_audience_id: string; body: UploadAudienceUsersBody }, UserCountsReply>
  /** List targeting criteria: `GET /12/accounts/{account_id}/targeting_criteria`. */
  listTargetingCriteria: PagedOperation<{ account_id: string; line_item_ids: string[]; targeting_criterion_ids?: string[]; count?: number; cursor?: string; sort_by?: SortOrder[]; with_deleted?: boolean; with_total_count?: boolean; lang?: LanguageCode }, TargetingCriterionList>
  /** Create a targeting criterion: `POST /12/accounts/{account_id}/targeting_criteria`. */
  createTargetingCriterion: Operation<{ account_id: string } & CreateTargetingCriterionForm, TargetingCriterionReply>
  /**
   * Delete a targeting criterion: `DELETE
   * /12/accounts/{account_id}/targeting_criteria/{targeting_criterion_id}`.
   */
  deleteTargetingCriterion: Operation<{ account_id: string; targeting_criterion_id: string }, TargetingCriterionReply>
  /**
   * Get a targeting criterion: `GET
   * /12/accounts/{account_id}/targeting_criteria/{targeting_criterion_id}`.
   */
  getTargetingCriterion: Operation<{ account_id: string; targeting_criterion_id: string; lang?: LanguageCode; with_deleted?: boolean }, TargetingCriterionReply>
  /** List suggestions for targeting: `GET /12/accounts/{account_id}/targeting_suggestions`. */
  listTargetingSuggestions: Operation<{ account_id: string; suggestion_type: SuggestionType; targeting_values: string[]; count?: number }, TargetingSuggestionResults>
  /** Get the tax settings of an account: `GET /12/accounts/{account_id}/tax_settings`. */
  getTaxSettings: Operation<{ account_id: string }, TaxSettingsReply>
  /** Update the tax settings of an account: `PUT /12/accounts/{account_id}/tax_settings`. */
  updateTaxSettings: Operation<{ account_id: string } & UpdateTaxSettingsForm, TaxSettingsReply>
  /** List tracking tags: `GET /12/accounts/{account_id}/tracking_tags`. */
  listTrackingTags: PagedOperation<{ account_id: string; line_item_ids?: string[]; tracking_tag_ids?: string[]; count?: number; cursor?: string; sort_by?: SortOrder[]; with_deleted?: boolean; with_total_count?: boolean }, TrackingTagList>
  /** Create a tracking tag: `POST /12/accounts/{account_id}/tracking_tags`. */
  createTrackingTag: Operation<{ account_id: string } & CreateTrackingTagForm, TrackingTagReply>
  /** Delete a tracking tag: `DELETE /12/accounts/{account_id}/tracking_tags/{tracking_tag_id}`. */
  deleteTrackingTag: Operation<{ account_id: string; tracking_tag_id: string }, TrackingTagReply>
  /** Get a tracking tag: `GET /12/accounts/{account_id}/tracking_tags/{tracking_tag_id}`. */
  getTrackingTag: Operation<{ account_id: string; tracking_tag_id: string; with_deleted?: boolean }, TrackingTagReply>
  /** Update a tracking tag: `PUT /12/accounts/{account_id}/tracking_tags/{tracking_tag_id}`. */
  updateTrackingTag: Operation<{ account_id: string; tracking_tag_id: string } & UpdateTrackingTagForm, TrackingTagReply>
  /**
   * Get the notification settings of a user: `GET
   * /12/accounts/{account_id}/user_settings/{user_id}`.
   */
  getUserSettings: Operation<{ account_id: string; user_id: string }, UserSettingsReply>
  /**
   * Update the notification settings of a user: `PUT
   * /12/accounts/{account_id}/user_settings/{user_id}`.
   */
  updateUserSettings: Operation<{ account_id: string; user_id: string } & UpdateUserSettingsForm, UserSettingsReply>
  /** List web event tags: `GET /12/accounts/{account_id}/web_event_tags`. */
  listWebEventTags: PagedOperation<{ account_id: string; web_event_tag_ids?: string[]; count?: number; cursor?: string; sort_by?: SortOrder[]; with_deleted?: boolean; with_total_count?: boolean }, WebEventTagList>
  /** Create a web event tag: `POST /12/accounts/{account_id}/web_event_tags`. */
  createWebEventTag: Operation<{ account_id: string } & CreateWebEventTagForm, WebEventTagReply>
  /**
   * Delete a web event tag: `DELETE /12/accounts/{account_id}/web_event_tags/{web_event_tag_id}`.
   */
  deleteWebEventTag: Operation<{ account_id: string; web_event_tag_id: string }, WebEventTagReply>
  /** Get a web event tag: `GET /12/accounts/{account_id}/web_event_tags/{web_event_tag_id}`. */
  getWebEventTag: Operation<{ account_id: string; web_event_tag_id: string; with_deleted?: boolean }, WebEventTagReply>
  /** Update a web event tag: `PUT /12/accounts/{account_id}/web_event_tags/{web_event_tag_id}`. */
  updateWebEventTag: Operation<{ account_id: string; web_event_tag_id: string } & UpdateWebEventTagForm, WebEventTagReply>
  /** List business categories of advertisers: `GET /12/advertiser_business_categories`. */
  listAdvertiserBusinessCategories: Operation<{}, BusinessCategoryList>
  /** Create, change and delete many campaigns: `POST /12/batch/accounts/{account_id}/campaigns`. */
  batchCampaigns: Operation<{ account_id: string; body: BatchCampaignsBody }, CampaignBatch>
  /**
   * Create, change and delete many custom audiences: `POST
   * /12/batch/accounts/{account_id}/custom_audiences`.
   */
  batchCustomAudiences: Operation<{ account_id: string; body: BatchCustomAudiencesBody }, CustomAudienceBatch>
  /**
   * Add and remove the members of a do not reach list: `POST
   * /12/batch/accounts/{account_id}/do_not_reach_lists/{do_not_reach_list_id}/users`.
   */
  batchDoNotReachListUsers: Operation<{ account_id: string; do_not_reach_list_id: string; body: BatchDoNotReachListUsersBody }, UserCountsBatch>
  /**
   * Create, change and delete many line items: `POST /12/batch/accounts/{account_id}/line_items`.
   */
  batchLineItems: Operation<{ account_id: string; body: BatchLineItemsBody }, LineItemBatch>
  /**
   * Create, change and delete many tailored audiences: `POST
   * /12/batch/accounts/{account_id}/tailored_audiences`.
   */
  batchTailoredAudiences: Operation<{ account_id: string; body: BatchTailoredAudiencesBody }, CustomAudienceBatch>
  /**
   * Create, change and delete many targeting criteria: `POST
   * /12/batch/accounts/{account_id}/targeting_criteria`.
   */
  batchTargetingCriteria: Operation<{ account_id: string; body: BatchTargetingCriteriaBody }, TargetingCriterionBatch>
  /** List bidding rules: `GET /12/bidding_rules`. */
  listBiddingRules: Operation<{ currency?: string }, BiddingRuleResults>
  /** List content categories: `GET /12/content_categories`. */
  listContentCategories: Operation<{}, ContentCategoryList>
  /** Find out what led to a conversion in an app: `GET /12/conversion_attribution`. */
  getConversionAttribution: Operation<{ app_id: string; os_type: AppSystem; conversion_type: AppConversionType; conversion_time: string; hashed_device_id: string; click_window?: ClickWindow; view_through_window?: ViewThroughWindow; extra_device_ids?: string[]; non_service_engagement_time?: string; non_service_engagement_type?: AdEngagement; limit_ad_tracking?: boolean }, ConversionAttributionTypedReply>
  /** Record a conversion in an app: `POST /12/conversion_event`. */
  recordConversionEvent: Operation<RecordConversionEventForm, ConversionEventReply>
  /** List IAB categories: `GET /12/iab_categories`. */
  listIabCategories: PagedOperation<{ count?: number; cursor?: string; with_total_count?: boolean }, IabCategoryList>
  /** Search insights about keywords: `GET /12/insights/keywords/search`. */
  searchKeywordInsights: Operation<{ granularity: InsightGranularity; keywords: string[]; start_time: string; end_time?: string; location?: string; negative_keywords?: string[] }, KeywordInsightsReply>
  /** List placements: `GET /12/line_items/placements`. */
  listPlacements: Operation<{ product_type?: ProductType }, ProductPlacementsResults>
  /** Report conversions: `POST /12/measurement/conversions/{pixel_id}`. */
  receiveConversions: Operation<{ pixel_id: string } & ReceiveConversionsBody, ConversionsReceivedReply>
  /** List product catalogs: `GET /12/product_catalogs`. */
  listProductCatalogs: Operation<{ user_id?: string }, ProductCatalogList>
  /** Create a product catalog: `POST /12/product_catalogs`. */
  createProductCatalog: Operation<CreateProductCatalogForm, ProductCatalogReply>
  /** Delete a product catalog: `DELETE /12/product_catalogs/{product_catalog_id}`. */
  deleteProductCatalog: Operation<{ product_catalog_id: string }, ProductCatalogReply>
  /** Rename a product catalog: `PUT /12/product_catalogs/{product_catalog_id}`. */
  updateProductCatalog: Operation<{ product_catalog_id: string } & UpdateProductCatalogForm, ProductCatalogReply>
  /** List product sets: `GET /12/product_catalogs/{product_catalog_id}/product_sets`. */
  listProductSets: PagedOperation<{ product_catalog_id: string; count?: number; cursor?: string }, ProductSetList>
  /** Create a product set: `POST /12/product_catalogs/{product_catalog_id}/product_sets`. */
  createProductSet: Operation<{ product_catalog_id: string } & NewProductSet, ProductSetReply>
  /**
   * Delete a product set: `DELETE
   * /12/product_catalogs/{product_catalog_id}/product_sets/{product_set_id}`.
   */
  deleteProductSet: Operation<{ product_catalog_id: string; product_set_id: string }, ProductSetReply>
  /**
   * Get a product set: `GET
   * /12/product_catalogs/{product_catalog_id}/product_sets/{product_set_id}`.
   */
  getProductSet: Operation<{ product_catalog_id: string; product_set_id: string }, ProductSetReply>
  /**
   * Update a product set: `PUT
   * /12/product_catalogs/{product_catalog_id}/product_sets/{product_set_id}`.
   */
  updateProductSet: Operation<{ product_catalog_id: string; product_set_id: string } & UpdateProductSetBody, ProductSetReply>
  /** Delete products: `DELETE /12/product_catalogs/{product_catalog_id}/products`. */
  deleteProducts: Operation<{ product_catalog_id: string } & DeleteProductsBody, DeleteProductsReply>
  /** List products: `GET /12/product_catalogs/{product_catalog_id}/products`. */
  listProducts: PagedOperation<{ product_catalog_id: string; item_group_key?: string; count?: number; cursor?: string }, ProductList>
  /** Create and change products: `PUT /12/product_catalogs/{product_catalog_id}/products`. */
  upsertProducts: Operation<{ product_catalog_id: string } & UpsertProductsBody, UpsertProductsReply>
  /** List scheduled feeds: `GET /12/product_catalogs/{product_catalog_id}/scheduled_feeds`. */
  listScheduledFeeds: PagedOperation<{ product_catalog_id: string; count?: number; cursor?: string }, ScheduledFeedList>
  /** Schedule a feed: `POST /12/product_catalogs/{product_catalog_id}/scheduled_feeds`. */
  createScheduledFeed: Operation<{ product_catalog_id: string } & CreateScheduledFeedForm, ScheduledFeedReply>
  /**
   * Delete a scheduled feed: `DELETE
   * /12/product_catalogs/{product_catalog_id}/scheduled_feeds/{scheduled_feed_id}`.
   */
  deleteScheduledFeed: Operation<{ product_catalog_id: string; scheduled_feed_id: string }, ScheduledFeedReply>
  /**
   * Change a scheduled feed: `PUT
   * /12/product_catalogs/{product_catalog_id}/scheduled_feeds/{scheduled_feed_id}`.
   */
  updateScheduledFeed: Operation<{ product_catalog_id: string; scheduled_feed_id: string } & UpdateScheduledFeedForm, ScheduledFeedReply>
  /** List publishers: `GET /12/publishers`. */
  listPublishers: Operation<{}, PublisherList>
  /** Get analytics: `GET /12/stats/accounts/{account_id}`. */
  getStats: Operation<{ account_id: string; entity: StatsEntity; granularity: StatsGranularity; placement: StatsPlacement; metric_groups: MetricGroup[]; entity_ids: string[]; start_time: string; end_time: string }, EntityStatsResults>
  /** List entities with activity: `GET /12/stats/accounts/{account_id}/active_entities`. */
  listActiveEntities: Operation<{ account_id: string; entity: ActiveEntityType; start_time: string; end_time: string; campaign_ids?: string[]; funding_instrument_ids?: string[]; line_item_ids?: string[] }, ActiveEntityResults>
  /** Get the reach of campaigns: `GET /12/stats/accounts/{account_id}/reach/campaigns`. */
  getReachOfCampaigns: Operation<{ account_id: string; campaign_ids: string[]; start_time: string; end_time: string }, ReachResults>
  /**
   * Get the reach of funding instruments: `GET
   * /12/stats/accounts/{account_id}/reach/funding_instruments`.
   */
  getReachOfFundingInstruments: Operation<{ account_id: string; funding_instrument_ids: string[]; start_time: string; end_time: string }, ReachResults>
  /** List analytics jobs: `GET /12/stats/jobs/accounts/{account_id}`. */
  listStatsJobs: PagedOperation<{ account_id: string; job_ids?: string[]; count?: number; cursor?: string }, StatsJobList>
  /** Create an analytics job: `POST /12/stats/jobs/accounts/{account_id}`. */
  createStatsJob: Operation<{ account_id: string } & CreateStatsJobForm, StatsJobReply>
  /** Cancel an analytics job: `DELETE /12/stats/jobs/accounts/{account_id}/{job_id}`. */
  cancelStatsJob: Operation<{ account_id: string; job_id: string }, StatsJobTypedReply>
  /** List app store categories to target: `GET /12/targeting_criteria/app_store_categories`. */
  listAppStoreCategories: Operation<{ q?: string; os_type?: AppStoreSystem }, AppStoreCategoryOptionList>
  /** List behavior taxonomies: `GET /12/targeting_criteria/behavior_taxonomies`. */
  listBehaviorTaxonomies: PagedOperation<{ behavior_taxonomy_ids?: string[]; parent_behavior_taxonomy_ids?: string[]; count?: number; cursor?: string; sort_by?: SortOrderCreatedAtUpdatedAt[]; with_total_count?: boolean }, BehaviorTaxonomyList>
  /** List behaviors: `GET /12/targeting_criteria/behaviors`. */
  listBehaviors: PagedOperation<{ behavior_ids?: string[]; country_code?: CountryCode; count?: number; cursor?: string; sort_by?: SortOrderCreatedAtUpdatedAt[]; with_total_count?: boolean }, BehaviorList>
  /** List conversation topics to target: `GET /12/targeting_criteria/conversations`. */
  listConversations: PagedOperation<{ conversation_type?: ConversationType; count?: number; cursor?: string }, ConversationOptionList>
  /** List devices to target: `GET /12/targeting_criteria/devices`. */
  listDevices: PagedOperation<{ count?: number; cursor?: string; q?: string }, DeviceOptionList>
  /** List events to target: `GET /12/targeting_criteria/events`. */
  listEvents: PagedOperation<{ event_types?: EventType[]; country_codes?: CountryCode[]; start_time?: string; end_time?: string; count?: number; cursor?: string }, TargetingEventList>
  /** List interests to target: `GET /12/targeting_criteria/interests`. */
  listInterests: PagedOperation<{ count?: number; cursor?: string; q?: string }, InterestOptionList>
  /** List languages to target: `GET /12/targeting_criteria/languages`. */
  listLanguages: PagedOperation<{ count?: number; cursor?: string; q?: string; lang?: LanguageCode }, LanguageOptionList>
  /** List locations to target: `GET /12/targeting_criteria/locations`. */
  listLocations: PagedOperation<{ count?: number; cursor?: string; country_code?: string; location_type?: LocationType; q?: string; lang?: LanguageCode }, LocationOptionList>
  /** List network operators to target: `GET /12/targeting_criteria/network_operators`. */
  listNetworkOperators: PagedOperation<{ count?: number; cursor?: string; country_code?: CountryCode; q?: string }, NetworkOperatorOptionList>
  /** List platform versions to target: `GET /12/targeting_criteria/platform_versions`. */
  listPlatformVersions: Operation<{ q?: string }, PlatformVersionOptionList>
  /** List platforms to target: `GET /12/targeting_criteria/platforms`. */
  listPlatforms: PagedOperation<{ count?: number; cursor?: string; q?: string; lang?: LanguageCode }, PlatformOptionList>
  /** List TV markets: `GET /12/targeting_criteria/tv_markets`. */
  listTvMarkets: Operation<{}, TvMarketList>
  /** List TV shows: `GET /12/targeting_criteria/tv_shows`. */
  listTvShows: PagedOperation<{ locale: 'fr-FR' | 'es-CL' | 'de-DE' | 'nl-NL' | 'en-US' | 'es-VE' | 'pt-BR' | 'es-MX' | 'es-CO' | 'en-GB' | 'es-AR' | 'ja-JP' | 'en-CA' | 'es-ES' | 'it-IT' | 'es-US' | 'en-IE'; count?: number; cursor?: string; q?: string }, TvShowList>
  /**
   * List the permissions of a tailored audience: `GET
   * /5/accounts/{account_id}/tailored_audiences/{tailored_audience_id}/permissions`.
   */
  listTailoredAudiencePermissions: PagedOperation<{ account_id: string; tailored_audience_id: string; granted_account_ids?: string[]; tailored_audience_permission_ids?: string[]; count?: number; cursor?: string; sort_by?: SortOrderCreatedAtUpdatedAt[]; with_total_count?: boolean }, TailoredAudiencePermissionList>
  /**
   * Share a tailored audience: `POST
   * /5/accounts/{account_id}/tailored_audiences/{tailored_audience_id}/permissions`.
   */
  createTailoredAudiencePermission: Operation<{ account_id: string; tailored_audience_id: string } & CreateTailoredAudiencePermissionForm, TailoredAudiencePermissionReply>
  /** Stop sharing a tailored audience with an account. */
  deleteTailoredAudiencePermission: Operation<{ account_id: string; tailored_audience_id: string; tailored_audience_permission_id: string }, TailoredAudiencePermissionReply>
}

export interface ABTest {
  /** Id, unique within the account. */
  id: string
  /** When it was created. */
  created_at: string
  /** When it was last updated. */
  updated_at: string
  /** Whether it was deleted. */
  deleted: boolean
  /** Human-readable name. */
  name: string | null
  /** Description. */
  description: string | null
  /** What is compared. */
  entity_type: TestedType
  /** Start of the test. */
  start_time: string
  /** End of the test, exclusive. */
  end_time: string
  /** State, which follows from the time: before `start_time`, until `end_time`, and after it. */
  status: ABTestStatus
  /** The groups into which people are split: 2 to 30. */
  user_groups: UserGroup[]
  /** The user groups once more. */
  entities: TestedEntity[]
  /** Who created it; null if the user was deleted. */
  created_by: AccountUser | null
  /** Who changed it last; null if the user was deleted. */
  updated_by: AccountUser | null
}

export interface ABTestList {
  request: RequestEcho
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  /** Number of all items; present with `with_total_count`. */
  total_count?: number
  data: ABTest[]
}

export interface ABTestReply {
  request: RequestEcho
  data: ABTest
}

export type ABTestStatus = 'SCHEDULED' | 'LIVE' | 'COMPLETED'

export interface Account {
  /** Id, unique within the account. */
  id: string
  /** When it was created. */
  created_at: string
  /** When it was last updated. */
  updated_at: string
  /** Whether it was deleted. */
  deleted: boolean
  /** Human-readable name. */
  name: string
  /** Name of the business that it belongs to. */
  business_name: string | null
  /** Id of the business that it belongs to. */
  business_id: string | null
  /** IANA name of the time zone of the account. */
  timezone: string
  /** When the time zone was set. */
  timezone_switch_at: string | null
  /** Whether it may advertise. */
  approval_status: 'ACCEPTED' | 'REJECTED' | 'UNDER_REVIEW'
  /** Industry of the advertiser. */
  industry_type: IndustryType | null
}

export interface AccountApp {
  /** Id, unique within the account. */
  id: string
  /** When it was created. */
  created_at: string
  /** When it was last updated. */
  updated_at: string
  /** Whether it was deleted. */
  deleted: boolean
  /** Package name, or number in the store. */
  app_store_identifier: string
  /** Whether conversions are counted. */
  conversion_tracking_enabled: boolean
  /** Pattern of deep links into the app. */
  deep_link_pattern: string | null
  /** Operating system of the app. */
  os_type: 'Android' | 'iOS'
}

export interface AccountAppList {
  request: RequestEcho
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  /** Number of all items; present with `with_total_count`. */
  total_count?: number
  data: AccountApp[]
}

export interface AccountChange {
  change_by: { user_id: string; platform: 'API_OTHER' }
  /** For an update: each changed member with `before` and `after`. */
  changes: Record<string, unknown>
  /** When the change was made. */
  change_time: string
  /** Entity that was changed. */
  entity_id: string
  /** Type of the entity. */
  entity: HistoryEntity
  /** The entity after the change, without ids of its parents. */
  entity_data: Record<string, unknown>
  /** Type of change. */
  change_type: 'CREATE' | 'UPDATE' | 'DELETE'
}

export interface AccountChangeList {
  request: RequestEcho
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  data: AccountChange[]
}

export interface AccountList {
  request: RequestEcho
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  /** Number of all items; present with `with_total_count`. */
  total_count?: number
  data: Account[]
}

export interface AccountMedia {
  /** Id, unique within the account. */
  id: string
  /** When it was created. */
  created_at: string
  /** When it was last updated. */
  updated_at: string
  /** Whether it was deleted. */
  deleted: boolean
  /** Type of creative. */
  creative_type: CreativeType
  /** Property of an image. */
  media_url: string | null
  /** The key of a video. */
  video_id: string | null
}

export interface AccountMediaList {
  request: RequestEcho
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  /** Number of all items; present with `with_total_count`. */
  total_count?: number
  data: AccountMedia[]
}

export interface AccountMediaReply {
  request: RequestEcho
  data: AccountMedia
}

export interface AccountPost {
  /** When it was created, like `Wed Jan 20 22:00:00 +0000 2017`. */
  created_at: string
  /** The post. */
  id: Int64
  /** The id of the post as a string, for clients without 64-bit integers. */
  id_str: string
  /** With `compat`: the text, truncated after 140 characters. */
  text?: string
  /** With `extended`: the full text. */
  full_text?: string
  /** Start and end in code points; the end is exclusive. */
  display_text_range?: number[]
  /** Whether `text` was truncated. */
  truncated: boolean
  entities: PostEntities
  /** All media of the post. */
  extended_entities?: ExtendedEntities
  /** HTML link to the app that created the post. */
  source: string
  /** Post that it replies to. */
  in_reply_to_status_id: Int64 | null
  /** Post that it replies to. */
  in_reply_to_status_id_str: string | null
  /** Author of the post that it replies to, or the user with whose name it begins. */
  in_reply_to_user_id: Int64 | null
  /** Author of the post that it replies to, or the user with whose name it begins. */
  in_reply_to_user_id_str: string | null
  in_reply_to_screen_name: string | null
  user: PostUser
  /** Where exactly it was written: latitude, then longitude. */
  geo: ClassicPoint | null
  /** Where exactly it was written: longitude, then latitude. */
  coordinates: ClassicPoint | null
  place: Record<string, never> | null
  contributors: Int64[] | null
  repost_count: number
  favorite_count: number
  favorited: boolean
  reposted: boolean
  scopes: PostScopes
  /** Language, detected from the text; `und` if it has no words. */
  lang: string
  /** The card that it shows. */
  card_uri?: string
  /** Human-readable name, which only this account sees. */
  name: string | null
  /** Who may reply. */
  conversation_settings: ConversationSettings
  /** Whether only advertisements show it. */
  nullcast: boolean
  /** When it is published. */
  scheduled_at: string | null
  /** Status of its publication. */
  scheduled_status: string | null
  /** Type of the post. */
  post_type: PostType
  /** The post. */
  post_id: string
}

export interface AccountPostList {
  request: RequestEcho
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  data: AccountPost[]
}

export interface AccountPostReply {
  request: RequestEcho
  data: AccountPost
}

export interface AccountReply {
  request: RequestEcho
  data: Account
}

export type AccountRole = 'ACCOUNT_ADMIN' | 'AD_MANAGER' | 'CREATIVE_MANAGER' | 'CAMPAIGN_ANALYST' | 'ANALYST' | 'PARTNER_AUDIENCE_MANAGER' | 'POST_COMPOSER'

export interface AccountUser {
  /** Id of the user. */
  user_id: string
  /** Name of the user. */
  username: string
}

export interface AccountWritten {
  request: RequestEcho
  /** Present if the reply is a list. */
  next_cursor?: string | null
  data: Account
}

export interface ActiveEntity {
  /** The entity. */
  entity_id: string
  /** When its figures begin to change. */
  activity_start_time: string
  /** When they end to change. */
  activity_end_time: string
  /** Where it was shown. */
  placements: string[]
}

export interface ActiveEntityResults {
  request: RequestEcho
  data_type: string
  data: ActiveEntity[]
}

export type ActiveEntityType = 'CAMPAIGN' | 'FUNDING_INSTRUMENT' | 'LINE_ITEM' | 'MEDIA_CREATIVE' | 'PROMOTED_ACCOUNT' | 'PROMOTED_POST'

export type ActiveStatus = 'ACTIVE' | 'PAUSED'

export type AdEngagement = 'CLICK' | 'VIEW'

export interface AddFeaturesForm {
  /** Keys of features. */
  feature_keys?: FeatureKey[]
}

export type AmountSeries = Int64[]

export interface AnyCard {
  /** Id, unique among the cards of this type. */
  id: string
  /** When it was created. */
  created_at: string
  /** When it was last updated. */
  updated_at: string
  /** Whether it was deleted. */
  deleted: boolean
  /** Human-readable name. */
  name: string | null
  /** One of the choices. */
  first_choice?: string
  /** One of the choices. */
  second_choice?: string
  /** One of the choices. */
  third_choice?: string
  /** One of the choices. */
  fourth_choice?: string
  /** When it was created. */
  start_time?: string
  /** When it ends. */
  end_time?: string
  /** Duration, as text. */
  duration_in_minutes?: string
  /** Type of the card. Cards with one media file have their legacy types. */
  card_type: 'IMAGE_APP_DOWNLOAD' | 'WEBSITE' | 'VIDEO_APP_DOWNLOAD' | 'VIDEO_WEBSITE' | 'IMAGE_CAROUSEL_APP' | 'IMAGE_CAROUSEL_WEBSITE' | 'IMAGE_MULTI_DEST_CAROUSEL_WEBSITE' | 'MIXED_MEDIA_MULTI_DEST_CAROUSEL_WEBSITE' | 'MIXED_MEDIA_SINGLE_DEST_CAROUSEL_APP' | 'MIXED_MEDIA_SINGLE_DEST_CAROUSEL_WEBSITE' | 'VIDEO_CAROUSEL_APP' | 'VIDEO_CAROUSEL_WEBSITE' | 'VIDEO_MULTI_DEST_CAROUSEL_WEBSITE' | 'TEXT_POLLS' | 'IMAGE_POLLS' | 'VIDEO_POLLS' | 'VIDEO_CONVERSATION' | 'IMAGE_CONVERSATION' | 'DYNAMIC_PRODUCT'
  /** URI by which a post refers to the card. */
  card_uri: string
  /** URL of its image. */
  image?: string
  /** Size in pixels. */
  image_display_width?: string
  /** Size in pixels. */
  image_display_height?: string
  /** URL of its video. */
  video_url?: string
  /** The same value as `video_url`. */
  video_hls_url?: string
  /** Part of its aspect ratio. */
  video_width?: string
  /** Part of its aspect ratio. */
  video_height?: string
  /** URL of its preview image. */
  video_poster_url?: string | null
  /** Part of its aspect ratio. */
  video_poster_width?: string | null
  /** Part of its aspect ratio. */
  video_poster_height?: string | null
  /** Property of its video. */
  content_duration_seconds?: string
  /** URL or text of a website or a conversation card. */
  title?: string | null
  /** Hashtag of up to 20 characters, without the leading sign. */
  first_cta?: string
  /** Text of the post of a user who chooses it. Its weight is at most 280. */
  first_cta_post?: string
  /** Hashtag of up to 20 characters, without the leading sign. */
  second_cta?: string
  /** Text of the post of a user who chooses it. Its weight is at most 280. */
  second_cta_post?: string
  /** Hashtag of up to 20 characters, without the leading sign. */
  third_cta?: string
  /** Text of the post of a user who chooses it. Its weight is at most 280. */
  third_cta_post?: string
  /** Hashtag of up to 20 characters, without the leading sign. */
  fourth_cta?: string
  /** Text of the post of a user who chooses it. Its weight is at most 280. */
  fourth_cta_post?: string
  /** Text shown to users who responded. */
  thank_you_text?: string
  /** URL that the thank-you text links to. */
  thank_you_url?: string
  /** An image of 1.91:1, at least 800 pixels wide,, in the library. */
  media_key?: string
  /** A video for users who responded, in the library. */
  unlocked_video_media_key?: string
  /** URL of the image. */
  media_url?: string
  /** URL of its preview image. */
  poster_media_url?: string | null
  /** Who uploaded the video. */
  video_owner_id?: string
  /** The website that it leads to. */
  url?: string
  /** How it shows the products. */
  creative_type?: ProductCreativeType
  /** URL that a website card links to. */
  website_url?: string
  /** The same value as `website_url`. */
  website_dest_url?: string
  /** The same URL, as it is displayed. */
  website_display_url?: string
  /** The same URL: Plaza does not shorten it. */
  website_shortened_url?: string
  /** Label of the button of an app card. */
  app_cta?: string
  /** The store of an app. */
  country_code?: string
  /** App identifier, for an app. */
  googleplay_app_id?: string
  /** App identifier, for an app. */
  ios_app_store_identifier?: string
  /** Deep link into the app. */
  googleplay_deep_link?: string
  /** Deep link into the app. */
  ios_deep_link?: string
  /** URL of the image of an app card. */
  wide_app_image?: string
  /** The video. */
  video_content_id?: string
  /** Components of a carousel. */
  components?: CardComponent[]
  /** Slides of a carousel with several destinations. */
  slides?: CardComponent[][]
}

export interface AnyCardReply {
  request: RequestEcho
  data: AnyCard
}

export interface AnyCardResults {
  request: RequestEcho
  data: AnyCard[]
}

export type AppConversionType = 'ACHIEVEMENT_UNLOCKED' | 'ADDED_PAYMENT_INFO' | 'ADD_TO_CART' | 'ADD_TO_WISHLIST' | 'CHECKOUT_INITIATED' | 'CONTENT_VIEW' | 'INSTALL' | 'INVITE' | 'LEVEL_ACHIEVED' | 'LOGIN' | 'PURCHASE' | 'RATED' | 'RESERVATION' | 'RE_ENGAGE' | 'SEARCH' | 'SHARE' | 'SIGN_UP' | 'SPENT_CREDITS' | 'TUTORIAL_COMPLETE' | 'UPDATE'

export interface AppEventProviderConfiguration {
  /** Id, unique within the account. */
  id: string
  /** When it was created. */
  created_at: string
  /** When it was last updated. */
  updated_at: string
  /** Whether it was deleted. */
  deleted: boolean
  /** Id of the advertiser at the provider. */
  provider_advertiser_id: string
  /** The same as `provider_advertiser_id`. */
  provider_advertiser_identifier: string
  /** The app that created it: that of the provider. */
  provider_name: string
}

export interface AppEventProviderConfigurationList {
  request: RequestEcho
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  /** Number of all items; present with `with_total_count`. */
  total_count?: number
  data: AppEventProviderConfiguration[]
}

export interface AppEventProviderConfigurationReply {
  request: RequestEcho
  data: AppEventProviderConfiguration
}

export interface AppEventTag {
  /** Id, unique within the account. */
  id: string
  /** When it was created. */
  created_at: string
  /** When it was last updated. */
  updated_at: string
  /** Whether it was deleted. */
  deleted: boolean
  /** Package name, or number in the store. */
  app_store_identifier: string
  /** Operating system of the app. */
  os_type: AppSystem
  /** Type of conversion. */
  conversion_type: AppConversionType
  /** Id of the event at the provider that measures it. */
  provider_app_event_id: string
  /** Name of the event at the provider that measures it. */
  provider_app_event_name: string
  /** Scheme of deep links into the app. */
  deep_link_scheme: string | null
  /** Days after an engagement during which a conversion is counted; 30 by default. */
  post_engagement_attribution_window: PostEngagementWindow
  /** Days after a view during which a conversion is counted, 0 for none; 1 by default. */
  post_view_attribution_window: PostViewWindow
  /** Whether users of the app can be targeted; `true` by default. */
  retargeting_enabled: boolean
  /** Whether a conversion has been seen. */
  status: 'UNVERIFIED' | 'TRACKING'
  /** When a conversion was last seen. */
  last_tracked_at: string | null
}

export interface AppEventTagList {
  request: RequestEcho
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  /** Number of all items; present with `with_total_count`. */
  total_count?: number
  data: AppEventTag[]
}

export interface AppEventTagReply {
  request: RequestEcho
  data: AppEventTag
}

export interface AppList {
  /** Id, unique within the account. */
  id: string
  /** When it was created. */
  created_at: string
  /** When it was last updated. */
  updated_at: string
  /** Whether it was deleted. */
  deleted: boolean
  /** Name of the list. */
  name: string
  /** The apps. */
  apps: ListedApp[]
}

export interface AppListList {
  request: RequestEcho
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  /** Number of all items; present with `with_total_count`. */
  total_count?: number
  data: AppList[]
}

export interface AppListReply {
  request: RequestEcho
  data: AppList
}

export interface AppStoreCategoryOption {
  /** Human-readable name. */
  name: string
  /** Operating system of the store. */
  os_type: AppStoreSystem
  /** Type for a targeting criterion. */
  targeting_type: 'APP_STORE_CATEGORY'
  /** Value for a targeting criterion. */
  targeting_value: string
}

export interface AppStoreCategoryOptionList {
  request: RequestEcho
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  data: AppStoreCategoryOption[]
}

export type AppStoreSystem = 'ANDROID' | 'IOS'

export type AppSystem = 'ANDROID' | 'IOS'

export type AudienceExpansion = 'BROAD' | 'DEFINED' | 'EXPANDED'

export interface AudienceMetadata {
  /** The audience. */
  custom_audience_id: string
  /** The account that it belongs to. */
  account_id: string
  /** Human-readable name, unique in the account in any case. */
  name: string
  /** Source of its members: other audiences. */
  audience_source: 'FLEXIBLE_AUDIENCE'
  /** Its segments are stored. */
  upload_status: 'UPLOADED'
  segments: AudienceSegment
}

export interface AudienceSegment {
  /** An audience of uploaded users. Exclusive with `child_segments`. */
  custom_audience_id?: string
  /** How `child_segments` are combined. */
  boolean_operator?: SegmentOperator
  /** How often. Every member of an audience fulfills it. */
  frequency: number
  /** How the frequency is compared; `NUM_GTE` by default. */
  frequency_comparator: FrequencyComparator
  /** Days: only members who became members in them. Every member by default. */
  lookback_window?: LookbackDays
  /** Whether those who match are excluded. */
  negate: boolean
  /** Segments of the same form; empty for a segment that names an audience. */
  child_segments: Record<string, unknown>[]
}

export type AudienceType = 'CRM' | 'FLEXIBLE' | 'MOBILE_AUDIENCE'

export interface AuthenticatedUserAccess {
  /** The user of the access token. */
  user_id: string
  /** Permissions of the user in the account. */
  permissions: AccountRole[]
}

export interface AuthenticatedUserAccessReply {
  request: RequestEcho
  data: AuthenticatedUserAccess
}

export type BatchCampaignsBody = CampaignOperation[]

export type BatchCustomAudiencesBody = CustomAudienceOperation[]

export type BatchDoNotReachListUsersBody = { operation_type: 'Update' | 'Delete'; params: { users: { email?: string[]; phone_number?: string[] }[]; expires_at?: string } }[]

export type BatchLineItemsBody = LineItemOperation[]

export type BatchTailoredAudiencesBody = TailoredAudienceOperation[]

export type BatchTargetingCriteriaBody = TargetingCriterionOperation[]

export interface Behavior {
  /** The behavior. */
  id: string
  /** Human-readable name. */
  name: string
  /** Uses of the behavior. */
  targetable_types: string[]
  /** ISO 3166-1 alpha-2 code. */
  country_code: string
  /** Where it comes from. */
  partner_source: string
  /** Where it is in the taxonomy. */
  behavior_taxonomy_id: string
  /** Number of people. */
  audience_size: number
}

export interface BehaviorList {
  request: RequestEcho
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  /** Number of all items; present with `with_total_count`. */
  total_count?: number
  data: Behavior[]
}

export interface BehaviorTaxonomy {
  /** The entry. */
  id: string
  /** Human-readable name. */
  name: string
  /** The entry that contains it. */
  parent_id: string | null
  /** When it was created. */
  created_at: string
  /** When it was last updated. */
  updated_at: string
}

export interface BehaviorTaxonomyList {
  request: RequestEcho
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  /** Number of all items; present with `with_total_count`. */
  total_count?: number
  data: BehaviorTaxonomy[]
}

export type BidStrategy = 'AUTO' | 'MAX' | 'TARGET'

export interface BiddingRule {
  /** ISO 4217. */
  currency: string
  /** Minimum bid. */
  minimum_cpe_bid_local_micro: number
  /** Maximum bid. */
  maximum_cpe_bid_local_micro: number
  /** Every amount must be a multiple of this value. */
  minimum_denomination: number
}

export interface BiddingRuleResults {
  request: RequestEcho
  total_count: number
  data_type: string
  data: BiddingRule[]
}

export type BillTo = 'ADVERTISER' | 'AGENCY' | 'NOT_SET'

export type BillToChoice = 'ADVERTISER' | 'AGENCY'

export type BudgetOptimization = 'LINE_ITEM' | 'CAMPAIGN'

export interface BusinessCategory {
  id: string
  /** Human-readable name. */
  name: string
  /** IAB categories that it contains. */
  iab_categories: string[]
}

export interface BusinessCategoryList {
  request: RequestEcho
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  data: BusinessCategory[]
}

export type BusinessRelationship = 'AGENCY' | 'SELF'

export interface ButtonLabel {
  /** The only type. */
  type: 'ENUM'
  /** Text of the button. */
  value: ButtonText
}

export type ButtonText = 'BOOK' | 'CONNECT' | 'INSTALL' | 'OPEN' | 'ORDER' | 'PLAY' | 'SHOP'

export interface CallToActionLink {
  /** Where it leads. */
  url: string
}

export interface CallToActions {
  /** The app to install, in at least one store. */
  app_install?: { app_store_id?: string; ipad_app_store_id?: string; play_store_id?: string }
  visit_site?: CallToActionLink
  watch_now?: CallToActionLink
}

export interface Campaign {
  /** Id, unique within the account. */
  id: string
  /** When it was created. */
  created_at: string
  /** When it was last updated. */
  updated_at: string
  /** Whether it was deleted. */
  deleted: boolean
  /** Human-readable name. */
  name: string
  /** Funding instrument that pays for it. */
  funding_instrument_id: string
  /** Currency of the funding instrument. */
  currency: string
  /** Level at which budgets are set. */
  budget_optimization: BudgetOptimization
  /** Daily budget; at most the total budget. */
  daily_budget_amount_local_micro: Int64 | null
  /** Budget for the whole duration. */
  total_budget_amount_local_micro: Int64 | null
  /** Status. Lists omit drafts unless `with_draft` is true. */
  entity_status: EntityStatus
  /** Number for invoices. */
  purchase_order_number: string | null
  /** Moved to line items: accepted, and always null. */
  standard_delivery: boolean | null
  /** Moved to line items. */
  duration_in_days: FrequencyWindow | null
  /** Moved to line items. */
  frequency_cap: number | null
  /** Whether it can be shown now. */
  servable: boolean
  /** Reasons why it cannot be shown now. */
  reasons_not_servable: NotServableReason[]
  /**
   * `RUNNING` if it is servable, `PAUSED` if only its status prevents it from running, otherwise
   * `UNKNOWN`.
   */
  effective_status: EffectiveStatus
}

export interface CampaignBatch {
  request: OperationEcho[]
  data: Campaign[]
}

export interface CampaignList {
  request: RequestEcho
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  /** Number of all items; present with `with_total_count`. */
  total_count?: number
  data: Campaign[]
}

export interface CampaignOperation {
  operation_type: CreateUpdateDeleteOperation
  /** The parameters of the single call. Unless it is a `Create`, `campaign_id` is one of them. */
  params: Record<string, unknown>
}

export interface CampaignReply {
  request: RequestEcho
  data: Campaign
}

export interface Card {
  /** Its id. */
  id: string
  /** When it was created. */
  created_at: string
  /** When it was last updated. */
  updated_at: string
  /** Whether it was deleted. */
  deleted: boolean
  /** Human-readable name. */
  name: string
  /** Components from top to bottom. */
  components?: CardComponent[]
  /** Slides of a carousel with several destinations; present instead of `components`. */
  slides?: CardComponent[][]
  /** URI by which a post refers to the card. */
  card_uri: string
  /** Type, derived from its media and destination. */
  card_type: CardType
}

export interface CardChange {
  /** Human-readable name. */
  name?: string
  /** Components from top to bottom. */
  components?: NewCardComponent[]
  /** Slides of a carousel with several destinations; each has a medium and details. */
  slides?: NewCardComponent[][]
}

export interface CardComponent {
  /** Its type. */
  type: CardComponentType
  /** For `MEDIA`: a medium in the library of the account. */
  media_key?: string
  /** For `SWIPEABLE_MEDIA`. */
  media_keys?: string[]
  /** For `DETAILS`. */
  title?: string
  /** For `BUTTON`. */
  label?: ButtonLabel
  destination?: CardDestination
}

export type CardComponentType = 'MEDIA' | 'SWIPEABLE_MEDIA' | 'DETAILS' | 'BUTTON'

export interface CardDestination {
  /** Details lead to a website, a button to an app. */
  type: 'WEBSITE' | 'APP'
  /** URL of a website. */
  url?: string
  /** For an app: country of the store, ISO 3166-1. */
  country_code?: string
  /** App identifier, for an app. */
  googleplay_app_id?: string
  /** App identifier, for an app. */
  ios_app_store_identifier?: string
  /** Deep link into the app of that store. */
  googleplay_deep_link?: string
  /** Deep link into the app of that store. */
  ios_deep_link?: string
}

export interface CardList {
  request: RequestEcho
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  data: Card[]
}

export interface CardReply {
  request: RequestEcho
  data: Card
}

export type CardType = 'IMAGE_APP' | 'IMAGE_CAROUSEL_APP' | 'IMAGE_CAROUSEL_WEBSITE' | 'IMAGE_MULTI_DEST_CAROUSEL_WEBSITE' | 'IMAGE_WEBSITE' | 'MIXED_MEDIA_MULTI_DEST_CAROUSEL_WEBSITE' | 'MIXED_MEDIA_SINGLE_DEST_CAROUSEL_APP' | 'MIXED_MEDIA_SINGLE_DEST_CAROUSEL_WEBSITE' | 'VIDEO_APP' | 'VIDEO_CAROUSEL_APP' | 'VIDEO_CAROUSEL_WEBSITE' | 'VIDEO_MULTI_DEST_CAROUSEL_WEBSITE' | 'VIDEO_WEBSITE'

export type ChangedGoal = 'APP_CLICKS' | 'APP_INSTALLS' | 'APP_PURCHASES' | 'ENGAGEMENT' | 'FOLLOWERS' | 'LINK_CLICKS' | 'MAX_REACH' | 'PREROLL' | 'PREROLL_STARTS' | 'REACH_WITH_ENGAGEMENT' | 'VIDEO_VIEW' | 'VIEW_3S_100PCT' | 'VIEW_6S' | 'VIEW_15S' | 'WEBSITE_CONVERSIONS'

export interface ClassicPoint {
  type: 'Point'
  coordinates: number[]
}

export type ClickWindow = 1 | 7 | 14 | 30

export interface ContentCategory {
  id: string
  /** Human-readable name. */
  name: string
  /** IAB categories that it contains. */
  iab_categories: string[]
  /** Number of publishers. */
  publishers_in_last_thirty_days: number
  /** Number of videos. */
  videos_monetized_in_last_thirty_days: number
}

export interface ContentCategoryList {
  request: RequestEcho
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  total_count: number
  data: ContentCategory[]
}

export interface ConversationOption {
  /** Human-readable name. */
  name: string
  /** Topic of the conversation. */
  conversation_type: ConversationType
  /** Type for a targeting criterion. */
  targeting_type: 'CONVERSATION'
  /** Value for a targeting criterion. */
  targeting_value: string
}

export interface ConversationOptionList {
  request: RequestEcho
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  data: ConversationOption[]
}

export type ConversationSettings = 'EVERYONE' | 'FOLLOWING' | 'MENTIONED_USERS' | 'SUBSCRIBERS' | 'VERIFIED'

export type ConversationType = 'ACTORS' | 'ATHLETES' | 'BOOK_GENRES' | 'BOOKS' | 'BRAND_CATEGORIES' | 'BRANDS' | 'CELEBRITIES' | 'COACHES' | 'DIGITAL_CREATORS' | 'ENTERTAINMENT_BRANDS' | 'ENTERTAINMENT_PERSONALITIES' | 'FICTIONAL_CHARACTERS' | 'JOURNALISTS' | 'LIFESTYLES' | 'MOVIE_GENRES' | 'MOVIES' | 'MUSIC_GENRES' | 'MUSICIANS' | 'NEWS_STORIES' | 'NEWS' | 'PERSONS' | 'PLACES' | 'PODCASTS' | 'POLITICAL_AFFILIATIONS' | 'POLITICIANS' | 'PRODUCTS' | 'RADIO_STATIONS' | 'SPORTS_LEAGUES' | 'SPORTS_PERSONALITIES' | 'SPORTS_TEAMS' | 'SPORTS' | 'TRENDS' | 'TV_SHOWS' | 'VIDEO_GAME_PLATFORMS' | 'VIDEO_GAME_PUBLISHERS' | 'VIDEO_GAMES'

export interface ConversionAttribution {
  /** Package name of the app, or its number in the store. */
  app_id: string
  /** Operating system of the app. */
  os_type: AppSystem
  /**
   * Hash of the advertising id of the device. Each stands for one person. A `click_id` stands for
   * the person who clicked.
   */
  hashed_device_id: string
  /** Type of conversion. */
  conversion_type: AppConversionType
  /** When it happened. UTC, with milliseconds. */
  conversion_time: string
  /** Days after an engagement during which it counted. */
  click_window: number
  /** Days after a view during which it counted. */
  view_through_window: number
  /** As they were sent. */
  extra_device_ids: string[] | null
  /** When the person last met an advertisement elsewhere. UTC, with milliseconds. */
  non_service_engagement_time: string | null
  /** As it was sent. */
  non_service_engagement_type: AdEngagement | null
  /** The client application that called. */
  partner_client_id: string
  /** `price_micro` of an event. */
  conversion_value_micro: number
  /** As it was sent. */
  limit_ad_tracking: boolean
  event_metadata: EventMetadata | null
  network_attribution: Record<string, never> | null
  service_attribution: ServiceAttribution | null
}

export interface ConversionAttributionTypedReply {
  request: RequestEcho
  data_type: string
  data: ConversionAttribution
}

export interface ConversionEvent {
  /** Package name of the app, or its number in the store. */
  app_id: string
  /** Operating system of the app. */
  os_type: AppSystem
  /**
   * Hash of the advertising id of the device. Each stands for one person. A `click_id` stands for
   * the person who clicked.
   */
  hashed_device_id: string
  /** Type of conversion. */
  conversion_type: AppConversionType
  /** When it happened. UTC, with milliseconds. */
  conversion_time: string
  /** Days after an engagement during which it counted. */
  click_window: number
  /** Days after a view during which it counted. */
  view_through_window: number
  /** When the person last met an advertisement elsewhere. UTC, with milliseconds. */
  non_service_engagement_time: string | null
  /** As it was sent. */
  non_service_engagement_type: AdEngagement | null
  /** The client application that called. */
  partner_client_id: string
  /** `price_micro` of an event. */
  conversion_value_micro: number
  /** As it was sent. */
  limit_ad_tracking: boolean
  event_metadata: EventMetadata | null
  network_attribution: Record<string, never> | null
  service_attribution: ServiceAttribution | null
}

export interface ConversionEventReply {
  request: RequestEcho
  data: ConversionEvent
}

export interface ConversionSeries {
  metric?: MetricSeries | null
  post_view?: MetricSeries | null
  post_engagement?: MetricSeries | null
  assisted?: MetricSeries | null
  order_quantity?: AmountSeries | null
  order_quantity_view?: AmountSeries | null
  order_quantity_engagement?: AmountSeries | null
  sale_amount?: AmountSeries | null
  sale_amount_view?: AmountSeries | null
  sale_amount_engagement?: AmountSeries | null
}

export type ConversionType = 'ADDED_PAYMENT_INFO' | 'ADD_TO_CART' | 'ADD_TO_WISHLIST' | 'CHECKOUT_INITIATED' | 'CONTENT_VIEW' | 'CUSTOM' | 'DOWNLOAD' | 'PRODUCT_CUSTOMIZATION' | 'PURCHASE' | 'SEARCH' | 'SIGN_UP' | 'SITE_VISIT' | 'START_TRIAL' | 'SUBSCRIBE'

export interface ConversionsReceived {
  /** Conversions that were accepted. */
  conversions_processed: number
  /** Id of this request. */
  debug_id: string
}

export interface ConversionsReceivedReply {
  request: RequestEcho
  data: ConversionsReceived
}

export type CountryCode = 'AD' | 'AE' | 'AF' | 'AG' | 'AI' | 'AL' | 'AM' | 'AO' | 'AQ' | 'AR' | 'AS' | 'AT' | 'AU' | 'AW' | 'AX' | 'AZ' | 'BA' | 'BB' | 'BD' | 'BE' | 'BF' | 'BG' | 'BH' | 'BI' | 'BJ' | 'BL' | 'BM' | 'BN' | 'BO' | 'BQ' | 'BR' | 'BS' | 'BT' | 'BV' | 'BW' | 'BY' | 'BZ' | 'CA' | 'CC' | 'CD' | 'CF' | 'CG' | 'CH' | 'CI' | 'CK' | 'CL' | 'CM' | 'CN' | 'CO' | 'CR' | 'CU' | 'CV' | 'CW' | 'CX' | 'CY' | 'CZ' | 'DE' | 'DJ' | 'DK' | 'DM' | 'DO' | 'DZ' | 'EC' | 'EE' | 'EG' | 'EH' | 'ER' | 'ES' | 'ET' | 'FI' | 'FJ' | 'FK' | 'FM' | 'FO' | 'FR' | 'GA' | 'GB' | 'GD' | 'GE' | 'GF' | 'GG' | 'GH' | 'GI' | 'GL' | 'GM' | 'GN' | 'GP' | 'GQ' | 'GR' | 'GS' | 'GT' | 'GU' | 'GW' | 'GY' | 'HK' | 'HM' | 'HN' | 'HR' | 'HT' | 'HU' | 'ID' | 'IE' | 'IL' | 'IM' | 'IN' | 'IO' | 'IQ' | 'IR' | 'IS' | 'IT' | 'JE' | 'JM' | 'JO' | 'JP' | 'KE' | 'KG' | 'KH' | 'KI' | 'KM' | 'KN' | 'KP' | 'KR' | 'KW' | 'KY' | 'KZ' | 'LA' | 'LB' | 'LC' | 'LI' | 'LK' | 'LR' | 'LS' | 'LT' | 'LU' | 'LV' | 'LY' | 'MA' | 'MC' | 'MD' | 'ME' | 'MF' | 'MG' | 'MH' | 'MK' | 'ML' | 'MM' | 'MN' | 'MO' | 'MP' | 'MQ' | 'MR' | 'MS' | 'MT' | 'MU' | 'MV' | 'MW' | 'MX' | 'MY' | 'MZ' | 'NA' | 'NC' | 'NE' | 'NF' | 'NG' | 'NI' | 'NL' | 'NO' | 'NP' | 'NR' | 'NU' | 'NZ' | 'OM' | 'PA' | 'PE' | 'PF' | 'PG' | 'PH' | 'PK' | 'PL' | 'PM' | 'PN' | 'PR' | 'PS' | 'PT' | 'PW' | 'PY' | 'QA' | 'RE' | 'RO' | 'RS' | 'RU' | 'RW' | 'SA' | 'SB' | 'SC' | 'SD' | 'SE' | 'SG' | 'SH' | 'SI' | 'SJ' | 'SK' | 'SL' | 'SM' | 'SN' | 'SO' | 'SR' | 'SS' | 'ST' | 'SV' | 'SX' | 'SY' | 'SZ' | 'TC' | 'TD' | 'TF' | 'TG' | 'TH' | 'TJ' | 'TK' | 'TL' | 'TM' | 'TN' | 'TO' | 'TR' | 'TT' | 'TV' | 'TW' | 'TZ' | 'UA' | 'UG' | 'UM' | 'US' | 'UY' | 'UZ' | 'VA' | 'VC' | 'VE' | 'VG' | 'VI' | 'VN' | 'VU' | 'WF' | 'WS' | 'YE' | 'YT' | 'ZA' | 'ZM' | 'ZW'

export interface CreateABTestBody {
  /** Human-readable name. */
  name?: string
  /** Description. */
  description?: string
  /** What is compared. */
  entity_type: TestedType
  /** Start of the test. */
  start_time: string
  /** End of the test, exclusive. */
  end_time: string
  /** The groups into which people are split: 2 to 30. */
  user_groups: { size: string; entity_ids: string[]; name?: string; description?: string }[]
}

export interface CreateAccountPostForm {
  /** Author of the post: the user that the account belongs to. */
  as_user_id?: string
  /** Text with a weight of at most 280. Required without media. */
  text?: string
  /** The card that it shows. */
  card_uri?: string
  /** Who may reply to the post. The response does not include this value. */
  conversation_settings?: NewConversationSettings
  /** Whether its card shows products of the set of a line item. */
  dynamic_product_ad?: boolean
  /** Up to 4 images, or 1 GIF, or 1 video: from the library, or uploaded by the caller. */
  media_keys?: string[]
  /** Human-readable name, which only this account sees. */
  name?: string
  /**
   * Whether the post is shown only in advertisements. False is allowed only for posts of the
   * authenticated user.
   */
  nullcast?: boolean
  /** Whether to return only the ids of the user. */
  trim_user?: boolean
  /** Format of the reply; `compat` by default. */
  post_mode?: 'compat' | 'extended'
  /** Call to action of the video. */
  video_cta?: 'VISIT_SITE' | 'WATCH_NOW'
  /** URL of the call to action. */
  video_cta_value?: string
  /** Text of the video. */
  video_description?: string
  /** Text of the video. */
  video_title?: string
}

export interface CreateAppEventProviderConfigurationForm {
  /** Id of the advertiser at the provider. */
  provider_advertiser_id?: string
}

export interface CreateAppEventTagForm {
  /** Package name, or number in the store. */
  app_store_identifier?: string
  /** Operating system of the app. */
  os_type?: AppSystem
  /** Type of conversion. */
  conversion_type?: AppConversionType
  /** Id of the event at the provider that measures it. */
  provider_app_event_id?: string
  /** Name of the event at the provider that measures it. */
  provider_app_event_name?: string
  /** Scheme of deep links into the app. */
  deep_link_scheme?: string
  /** Days after an engagement during which a conversion is counted; 30 by default. */
  post_engagement_attribution_window?: PostEngagementWindow
  /** Days after a view during which a conversion is counted, 0 for none; 1 by default. */
  post_view_attribution_window?: PostViewWindow
  /** Whether users of the app can be targeted; `true` by default. */
  retargeting_enabled?: boolean
}

export interface CreateAppListForm {
  /** Name of the list. */
  name?: string
  /** The apps. */
  app_store_identifiers?: string[]
}

export interface CreateCampaignForm {
  /** Human-readable name. */
  name?: string
  /** Funding instrument that pays for it. */
  funding_instrument_id?: string
  /** Level at which budgets are set. */
  budget_optimization?: BudgetOptimization
  /** Daily budget; at most the total budget. */
  daily_budget_amount_local_micro?: Int64
  /** Budget for the whole duration. */
  total_budget_amount_local_micro?: Int64
  /** Status. Lists omit drafts unless `with_draft` is true. */
  entity_status?: EntityStatus
  /** Number for invoices. */
  purchase_order_number?: string
  /** Moved to line items: accepted, and always null. */
  standard_delivery?: boolean
}

export interface CreateCardBody {
  /** Human-readable name. */
  name: string
  /** Components from top to bottom. */
  components?: NewCardComponent[]
  /** Slides of a carousel with several destinations; each has a medium and details. */
  slides?: NewCardComponent[][]
}

export interface CreateCurrentTailoredAudiencePermissionForm {
  /** The account that may use it. */
  granted_account_id?: string
  /** Whether the account may also write. */
  permission_level?: PermissionLevel
}

export interface CreateCustomAudienceForm {
  /** Human-readable name, unique in the account in any case. */
  name?: string
  /** Human-readable name. */
  description?: string
}

export interface CreateCustomAudiencePermissionForm {
  /** The account that may use it. */
  granted_account_id?: string
  /** Whether the account may also write. */
  permission_level?: PermissionLevel
}

export type CreateDeleteOperation = 'Create' | 'Delete'

export interface CreateDoNotReachListForm {
  /** Human-readable name. */
  description?: string
}

export interface CreateDraftPostForm {
  /** Author of the post: the user that the account belongs to. */
  as_user_id?: string
  /** Human-readable name, which only this account sees. */
  name?: string
  /** Text with a weight of at most 280. Required without media. */
  text?: string
  /**
   * Whether the post is shown only in advertisements; true by default. False is allowed only for
   * posts of the authenticated user.
   */
  nullcast?: boolean
  /** Up to 4 images, or 1 GIF, or 1 video: from the library, or uploaded by the caller. */
  media_keys?: string[]
  /** The card that it shows. */
  card_uri?: string
}

export interface CreateFundingInstrumentForm {
  /** Type of funding. */
  type?: FundingType
  /** ISO 4217 code of the currency. */
  currency?: string
  /** When the funding instrument becomes valid. */
  start_time?: string
  /** When the funding instrument expires. */
  end_time?: string
  /** Limit of a credit line or card. */
  credit_limit_local_micro?: Int64
  /** Funded amount of an insertion order. */
  funded_amount_local_micro?: Int64
}

export interface CreateImageConversationCardForm {
  /** Human-readable name. */
  name?: string
  /** Required if there is no second call to action. */
  title?: string
  /** Hashtag of up to 20 characters, without the leading sign. */
  first_cta?: string
  /** Text of the post of a user who chooses it. Its weight is at most 280. */
  first_cta_post?: string
  /** Hashtag of up to 20 characters, without the leading sign. */
  second_cta?: string
  /** Text of the post of a user who chooses it. Its weight is at most 280. */
  second_cta_post?: string
  /** Hashtag of up to 20 characters, without the leading sign. */
  third_cta?: string
  /** Text of the post of a user who chooses it. Its weight is at most 280. */
  third_cta_post?: string
  /** Hashtag of up to 20 characters, without the leading sign. */
  fourth_cta?: string
  /** Text of the post of a user who chooses it. Its weight is at most 280. */
  fourth_cta_post?: string
  /** Text shown to users who responded. */
  thank_you_text?: string
  /** URL that the thank-you text links to. */
  thank_you_url?: string
  /** An image for users who responded, in the library. */
  unlocked_image_media_key?: string
  /** An image of 1.91:1, at least 800 pixels wide,, in the library. */
  media_key?: string
}

export interface CreateLineItemAppForm {
  /** The line item. */
  line_item_id?: string
  /** Package name, or number in the store. */
  app_store_identifier?: string
  /** Operating system of the app. */
  os_type?: AppSystem
}

export interface CreateLineItemCuratedCategoryForm {
  /** The line item. */
  line_item_id?: string
  /** The curated category. */
  curated_category_id?: string
}

export interface CreateLineItemForm {
  /** The campaign that it belongs to. */
  campaign_id?: string
  /** Human-readable name. */
  name?: string
  /** Objective. */
  objective?: Objective
  /** Type of product that it promotes. */
  product_type?: ProductType
  /** Placements where it is shown. */
  placements?: Placement[]
  /** When it begins; immediately by default. */
  start_time?: string
  /** When it ends; never by default. */
  end_time?: string
  /** Goal that bids are optimized for. */
  goal?: Goal
  /** Bidding strategy. */
  bid_strategy?: BidStrategy
  /** Amount of the bid. Not allowed with AUTO. */
  bid_amount_local_micro?: Int64
  /** Event that is charged for. */
  pay_by?: PayBy
  /** Daily budget; at most the total budget. */
  daily_budget_amount_local_micro?: Int64
  /** Budget for the whole duration. */
  total_budget_amount_local_micro?: Int64
  /** `true` delivers evenly over the day, `false` as fast as possible. */
  standard_delivery?: boolean
  /** Status. Lists omit drafts unless `with_draft` is true. */
  entity_status?: EntityStatus
  /** Maximum number of times that one person sees it. */
  frequency_cap?: number
  /** Window of the frequency cap, in days. */
  duration_in_days?: FrequencyWindow
  /** IAB categories of the advertiser. */
  categories?: string[]
  /** Domain of the advertiser, without protocol. */
  advertiser_domain?: string
  /** User on whose behalf it is shown. */
  advertiser_user_id?: string
  /** Package name of the app. */
  android_app_store_identifier?: string
  /** Numeric part of the store identifier. */
  ios_app_store_identifier?: string
  /** Web event tag that counts its conversions. */
  primary_web_event_tag?: string
  /** How far delivery may expand beyond the targeting. */
  audience_expansion?: AudienceExpansion
  /** Source of its creatives: the advertiser, or a product set. */
  creative_source?: CreativeSource
  /** Product catalog of `product_set_id`. */
  catalog_id?: string
  /** Products that are shown with creative_source DYNAMIC_PRODUCT_CREATIVE. */
  product_set_id?: string
}

export interface CreateMediaCreativeForm {
  /** The line item that shows it. */
  line_item_id?: string
  /** The image or video. */
  account_media_id?: string
  /** URL that an image links to. Not allowed for videos. */
  landing_url?: string
}

export interface CreateMediaLibraryItemForm {
  /** The medium. */
  media_key?: string
  /** Text of a video or GIF. */
  description?: string
  /** Name of the file. */
  file_name?: string
  /** Human-readable name. */
  name?: string
  /** Preview image of a video; its first frame by default. */
  poster_media_key?: string
  /** Text of a video or GIF. */
  title?: string
}

export interface CreatePollCardForm {
  /** Human-readable name. */
  name?: string
  /** One of the choices. */
  first_choice?: string
  /** One of the choices. */
  second_choice?: string
  /** One of the choices. */
  third_choice?: string
  /** One of the choices. */
  fourth_choice?: string
  /** Duration in minutes, from creation. */
  duration_in_minutes?: number
  /** Image or video in the library. Requires the feature PROMOTED_MEDIA_POLLS. */
  media_key?: string
}

export interface CreatePrerollCallToActionForm {
  /** Line item whose videos show the call to action. */
  line_item_id?: string
  /** Call to action. */
  call_to_action?: PrerollAction
  /** URL of the call to action. */
  call_to_action_url?: string
}

export interface CreateProductCatalogForm {
  /** Human-readable name. */
  name?: string
  /** Owner: the caller, which is also the default. */
  user_id?: string
}

export interface CreatePromotedAccountForm {
  /** The line item that promotes it. */
  line_item_id?: string
  /** The user that is promoted. */
  user_id?: string
}

export interface CreatePromotedPostsForm {
  /** Line item that will show them. */
  line_item_id?: string
  /** Posts to promote. */
  post_ids?: string[]
}

export interface CreateScheduledFeedForm {
  /** Address of the file, with https. */
  feed_url?: string
  /** Format of the file. */
  feed_format?: FeedFormat
  /** How often the file is read. */
  frequency?: FeedFrequency
  /** Hour and minute of the first time of a day: `05:00`. */
  start_time?: string
  /** IANA name of the time zone of `start_time`. */
  time_zone?: string
  /** `HOURLY`: 1, 2, 3, 4, 6, 8 or 12 hours. `WEEKLY`: a day, `MONDAY`. `DAILY` has none. */
  repeat?: string
}

export interface CreateScheduledPostForm {
  /** Author of the post: the user that the account belongs to. */
  as_user_id?: string
  /** Human-readable name, which only this account sees. */
  name?: string
  /** Text with a weight of at most 280. Required without media. */
  text?: string
  /**
   * Whether the post is shown only in advertisements; true by default. False is allowed only for
   * posts of the authenticated user.
   */
  nullcast?: boolean
  /** Up to 4 images, or 1 GIF, or 1 video: from the library, or uploaded by the caller. */
  media_keys?: string[]
  /** The card that it shows. */
  card_uri?: string
  /** When to publish it: within the next 365 days, to the minute. */
  scheduled_at?: string
}

export interface CreateScheduledPromotedPostForm {
  /** Line item that will show it. */
  line_item_id?: string
  /** The scheduled post. */
  scheduled_post_id?: string
}

export interface CreateStatsJobForm {
  /** Type of the entities that the ids name. */
  entity?: StatsEntity
  /** Period of each number: a day of the account’s time zone, an hour, or the whole time. */
  granularity?: StatsGranularity
  /** Where it was shown. Everything is shown on the service; other placements have no figures. */
  placement?: StatsPlacement
  /** Groups of metrics. */
  metric_groups?: MetricGroup[]
  /** The entities. Unknown ones are left out. */
  entity_ids?: string[]
  /**
   * Start: a whole hour; for days, midnight in the time zone of the account. A date is midnight
   * there.
   */
  start_time?: string
  /** End, exclusive, in the same form. */
  end_time?: string
  /** Divides the figures by a kind of people. */
  segmentation_type?: SegmentationType
  /** Targeting value of a country. METROS and other types of places need it. */
  country?: string
  /** Targeting value of a platform. DEVICES and PLATFORM_VERSIONS need it. */
  platform?: string
}

export interface CreateTailoredAudienceForm {
  /** Human-readable name, unique in the account in any case. */
  name?: string
  /** Human-readable name. */
  description?: string
}

export interface CreateTailoredAudiencePermissionForm {
  /** The account that may use it. */
  granted_account_id?: string
  /** Whether the account may also write. */
  permission_level?: PermissionLevel
}

export interface CreateTargetingCriterionForm {
  /** The line item that it targets. */
  line_item_id?: string
  /** Operator; `EQ` by default. Each type accepts some of them. */
  operator_type?: TargetingOperator
  /**
   * One of AGE, GENDER, LANGUAGE, LOCATION, INTEREST, SIMILAR_TO_FOLLOWERS_OF_USER,
   * FOLLOWERS_OF_USER, BROAD_KEYWORD, EXACT_KEYWORD, PHRASE_KEYWORD, UNORDERED_KEYWORD, EVENT,
   * CONVERSATION, TV_SHOW, LIVE_TV_EVENT, DEVICE, PLATFORM, PLATFORM_VERSION, NETWORK_OPERATOR,
   * NETWORK_ACTIVATION_DURATION, WIFI_ONLY, CUSTOM_AUDIENCE, CUSTOM_AUDIENCE_EXPANDED,
   * CAMPAIGN_ENGAGEMENT, CAMPAIGN_ENGAGEMENT_LOOKALIKE, USER_ENGAGEMENT, USER_ENGAGEMENT_LOOKALIKE,
   * ENGAGEMENT_TYPE, APP_STORE_CATEGORY, APP_STORE_CATEGORY_LOOKALIKE, APP_LIST, IAB_CATEGORY,
   * CONTENT_PUBLISHER_USER.
   */
  targeting_type?: string
  /** Value: the id of a targeting option or of a user, or a keyword. */
  targeting_value?: string
}

export interface CreateTrackingTagForm {
  /** The line item that is tracked. */
  line_item_id?: string
  /** Event that is tracked. */
  tracking_tag_type?: 'IMPRESSION_TAG' | 'CLICK_TRACKER'
  /** URL that is requested. */
  tracking_tag_url?: string
}

export type CreateUpdateDeleteOperation = 'Create' | 'Update' | 'Delete'

export interface CreateVideoConversationCardForm {
  /** Human-readable name. */
  name?: string
  /** Required if there is no second call to action. */
  title?: string
  /** Hashtag of up to 20 characters, without the leading sign. */
  first_cta?: string
  /** Text of the post of a user who chooses it. Its weight is at most 280. */
  first_cta_post?: string
  /** Hashtag of up to 20 characters, without the leading sign. */
  second_cta?: string
  /** Text of the post of a user who chooses it. Its weight is at most 280. */
  second_cta_post?: string
  /** Hashtag of up to 20 characters, without the leading sign. */
  third_cta?: string
  /** Text of the post of a user who chooses it. Its weight is at most 280. */
  third_cta_post?: string
  /** Hashtag of up to 20 characters, without the leading sign. */
  fourth_cta?: string
  /** Text of the post of a user who chooses it. Its weight is at most 280. */
  fourth_cta_post?: string
  /** Text shown to users who responded. */
  thank_you_text?: string
  /** URL that the thank-you text links to. */
  thank_you_url?: string
  /** An image for users who responded, in the library. */
  unlocked_image_media_key?: string
  /** A video of 16:9, in the library. */
  media_key?: string
  /** An image that represents the video, in the library. */
  poster_media_key?: string
  /** A video for users who responded, in the library. */
  unlocked_video_media_key?: string
}

export interface CreateWebEventTagForm {
  /** Name of the tag. */
  name?: string
  /** Type of conversion. */
  type?: ConversionType
  /** Days after a click during which a conversion is counted. */
  click_window?: ClickWindow
  /** Days after a view during which a conversion is counted; 0 for none. */
  view_through_window?: ViewThroughWindow
  /** Whether visitors of the website can be targeted. */
  retargeting_enabled?: boolean
}

export type CreativeSource = 'MANUAL' | 'DYNAMIC_PRODUCT_CREATIVE'

export type CreativeType = 'BANNER' | 'BANNER_TABLET' | 'INTERSTITIAL' | 'INTERSTITIAL_LANDSCAPE' | 'INTERSTITIAL_LANDSCAPE_TABLET' | 'INTERSTITIAL_TABLET' | 'MEDIUM_RECTANGLE' | 'PREROLL' | 'VAST_PREROLL'

export interface CuratedCategory {
  id: string
  /** Human-readable name. */
  name: string
  description: string
  /** Countries where it is available. */
  country_codes: string[]
  /** Publishers whose videos are in it. */
  publisher_user_ids: string[]
  /** Number of videos. */
  videos_monetized_in_last_thirty_days: number
  /** When it was created. */
  created_at: string
  /** When it was last updated. */
  updated_at: string
}

export interface CuratedCategoryList {
  request: RequestEcho
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  total_count: number
  data: CuratedCategory[]
}

export interface CuratedCategoryReply {
  request: RequestEcho
  data: CuratedCategory
}

export interface CustomAudience {
  /** Id, unique within the account. */
  id: string
  /** When it was created. */
  created_at: string
  /** When it was last updated. */
  updated_at: string
  /** Whether it was deleted. */
  deleted: boolean
  /** Human-readable name, unique in the account in any case. */
  name: string
  /** Human-readable name. */
  description: string | null
  /** Source of its members: uploads of `CRM`, other audiences of the others. */
  audience_type: AudienceType
  /** Whether it can be used. */
  targetable: boolean
  /** Uses of the audience. */
  targetable_types: ('CRM' | 'FLEXIBLE' | 'MOBILE_AUDIENCE' | 'EXCLUDED_CRM' | 'EXCLUDED_FLEXIBLE' | 'EXCLUDED_MOBILE_AUDIENCE')[]
  /**
   * `PROCESSING` while uploads wait to be merged; the audience may be targetable in the meantime.
   */
  reasons_not_targetable: ('PROCESSING' | 'TOO_SMALL')[]
  /** Number of current members; null if there are too few to report. */
  audience_size: number | null
  /** The account that it belongs to. */
  owner_account_id: string
  /** Whether this is the account of the request. */
  is_owner: boolean
  /** Permission of the account. */
  permission_level: PermissionLevel
  /** The segments of an audience that combines others. */
  metadata?: AudienceMetadata[]
  /** Source of its members. */
  partner_source: 'OTHER'
}

export interface CustomAudienceBatch {
  request: OperationEcho[]
  data: CustomAudience[]
}

export interface CustomAudienceList {
  request: RequestEcho
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  /** Number of all items; present with `with_total_count`. */
  total_count?: number
  data: CustomAudience[]
}

export interface CustomAudienceOperation {
  operation_type: CreateUpdateDeleteOperation
  /**
   * The parameters of the single call. Unless it is a `Create`, `custom_audience_id` is one of
   * them.
   */
  params: CustomAudiencesBatchParameters
}

export interface CustomAudiencePermission {
  /** Its id. */
  id: string
  /** The audience. */
  custom_audience_id: string
  /** The account that may use it. */
  granted_account_id: string
  /** Whether the account may also write. */
  permission_level: PermissionLevel
  /** When it was created. */
  created_at: string
  /** When it was last updated. */
  updated_at: string
  /** Whether it was deleted. */
  deleted: boolean
}

export interface CustomAudiencePermissionList {
  request: RequestEcho
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  /** Number of all items; present with `with_total_count`. */
  total_count?: number
  data: CustomAudiencePermission[]
}

export interface CustomAudiencePermissionReply {
  request: RequestEcho
  data: CustomAudiencePermission
}

export interface CustomAudienceReply {
  request: RequestEcho
  data: CustomAudience
}

export interface CustomAudiencesBatchParameters {
  /** Source of its members: uploads of `CRM`, other audiences of the others. */
  audience_type?: AudienceType
  /** What an audience of another type than `CRM` combines. */
  segments?: NewAudienceSegment
}

export interface DeleteProductsBody {
  /** Keys of the products to delete. */
  product_keys: string[]
}

export interface DeleteProductsReply {
  request: RequestEcho
  data: { delete_products: { product_key: string | null; failed_product_key: string | null; message: string | null }[] }
}

export interface DeviceOption {
  /** Human-readable name. */
  name: string
  manufacturer: string
  /** Operating system. */
  os_type: 'iOS' | 'Android' | 'BlackBerry'
  /** Type for a targeting criterion. */
  targeting_type: 'DEVICE'
  /** Value for a targeting criterion. */
  targeting_value: string
}

export interface DeviceOptionList {
  request: RequestEcho
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  data: DeviceOption[]
}

export interface DoNotReachList {
  /** Id, unique within the account. */
  id: string
  /** When it was created. */
  created_at: string
  /** When it was last updated. */
  updated_at: string
  /** Whether it was deleted. */
  deleted: boolean
  /** Type. The same for every list. */
  name: string
  /** Human-readable name. */
  description: string | null
  /** Whether it can be used. */
  targetable: boolean
  /**
   * `PROCESSING` while uploads wait to be merged; the audience may be targetable in the meantime.
   */
  reasons_not_targetable: ('PROCESSING' | 'TOO_SMALL')[]
  /** Number of current members; null if there are too few to report. */
  list_size: number | null
}

export interface DoNotReachListList {
  request: RequestEcho
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  /** Number of all items; present with `with_total_count`. */
  total_count?: number
  data: DoNotReachList[]
}

export interface DoNotReachListReply {
  request: RequestEcho
  data: DoNotReachList
}

export interface DraftPost {
  /** Its id. */
  id: string
  /** When it was created. */
  created_at: string
  /** When it was last updated. */
  updated_at: string
  /** Human-readable name, which only this account sees. */
  name: string | null
  /** Text with a weight of at most 280. Required without media. */
  text: string
  /** Author of the post. */
  user_id: string
  /**
   * Whether the post is shown only in advertisements; true by default. False is allowed only for
   * posts of the authenticated user.
   */
  nullcast: boolean
  /** Up to 4 images, or 1 GIF, or 1 video: from the library, or uploaded by the caller. */
  media_keys: string[]
  /** The card that it shows. */
  card_uri: string | null
  /** Present in the reply to its deletion. */
  status?: 'DELETED'
}

export interface DraftPostList {
  request: RequestEcho
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  data: DraftPost[]
}

export interface DraftPostReply {
  request: RequestEcho
  data: DraftPost
}

export interface DynamicProductCard {
  /** Its id. */
  id: string
  /** When it was created. */
  created_at: string
  /** When it was last updated. */
  updated_at: string
  /** Whether it was deleted. */
  deleted: boolean
  /** The website that it leads to. */
  url: string
  /** How it shows the products. */
  creative_type: ProductCreativeType
  /** Type of the card. */
  card_type: 'DYNAMIC_PRODUCT'
  /** URI by which a post refers to the card. */
  card_uri: string
}

export interface DynamicProductCardReply {
  request: RequestEcho
  data: DynamicProductCard
}

export type EffectiveStatus = 'UNKNOWN' | 'PAUSED' | 'RUNNING'

export interface EntityStats {
  /** The entity. */
  id: string
  /** One item, or one for each segment with figures. */
  id_data: { segment: { segment_name: string; segment_value: string } | null; metrics: Metrics }[]
}

export interface EntityStatsResults {
  request: RequestEcho
  data_type: string
  /** Number of periods: the length of each list of numbers. */
  time_series_length: number
  data: EntityStats[]
}

export type EntityStatus = 'ACTIVE' | 'PAUSED' | 'DRAFT'

export type EstimateAudienceBody = EstimatedCriterion[]

export interface EstimateAudienceReply {
  request: RequestEcho
  data: { audience_size: { min: number; max: number } }
}

export interface EstimatedCriterion {
  /**
   * One of AGE, GENDER, LANGUAGE, LOCATION, INTEREST, SIMILAR_TO_FOLLOWERS_OF_USER,
   * FOLLOWERS_OF_USER, BROAD_KEYWORD, EXACT_KEYWORD, PHRASE_KEYWORD, UNORDERED_KEYWORD, EVENT,
   * CONVERSATION, TV_SHOW, LIVE_TV_EVENT, DEVICE, PLATFORM, PLATFORM_VERSION, NETWORK_OPERATOR,
   * NETWORK_ACTIVATION_DURATION, WIFI_ONLY, CUSTOM_AUDIENCE, CUSTOM_AUDIENCE_EXPANDED,
   * CAMPAIGN_ENGAGEMENT, CAMPAIGN_ENGAGEMENT_LOOKALIKE, USER_ENGAGEMENT, USER_ENGAGEMENT_LOOKALIKE,
   * ENGAGEMENT_TYPE, APP_STORE_CATEGORY, APP_STORE_CATEGORY_LOOKALIKE, APP_LIST, IAB_CATEGORY,
   * CONTENT_PUBLISHER_USER.
   */
  targeting_type: string
  /** Value as in a targeting criterion. */
  targeting_value: string
  /** Operator; `EQ` by default. */
  operator_type?: TargetingOperator
}

export interface EventMetadata {
  /** Level of a game. */
  level?: number
  /** Number of items; 1 by default. */
  number_items?: number
  /** ISO 4217; `USD` by default. */
  price_currency?: string
  /** What it is worth, in millionths of `price_currency`; 0 by default. */
  price_micro?: number
  /** Whether the person has stored a means of payment. */
  user_payment_info?: boolean
}

export type EventType = 'CONFERENCE' | 'HOLIDAY' | 'MUSIC_AND_ENTERTAINMENT' | 'OTHER' | 'POLITICS' | 'RECURRING' | 'SPORTS'

export interface ExtendedEntities {
  media: PostMedia[]
}

export type FeatureKey = 'AGE_TARGETING' | 'ALLOW_SKIPPABLE_VIDEOS_FOR_PREROLL_VIEWS_OBJECTIVE' | 'AWARENESS_OBJECTIVE' | 'BRAND_TPN' | 'CHARGE_FOR_GOOD_CLICK' | 'CITY_TARGETING' | 'CONVERSATION_CARD' | 'CONVERSATION_CARD_FOUR_OPTIONS' | 'CONVERSATION_CARD_UNLOCK' | 'CPI_CHARGING' | 'DIRECT_MESSAGE_CARD' | 'DR_TAP' | 'ENGAGER_RETARGETING' | 'EVENT_TARGETING' | 'INSTALLED_APP_CATEGORY_TARGETING' | 'MOBILE_CONVERSION_TRANSACTION_VALUE' | 'OPTIMIZED_ACTION_BIDDING' | 'PREROLL_VIEWS_OBJECTIVE' | 'PROMOTED_MEDIA_POLLS' | 'REACH_AND_FREQUENCY_ANALYTICS' | 'REACH_FREQUENCY_CAP' | 'SHARE_AUDIENCE_OUTSIDE_BUSINESS' | 'UNIVERSAL_LOOKALIKE' | 'VALIDATED_AGE_TARGETING' | 'VIDEO_APP_DOWNLOAD_CARD' | 'VIDEO_VIEWS_MIDROLL_OBJECTIVE' | 'WEBSITE_CLICKS_CPM_BILLING'

export interface FeatureKeyResults {
  request: RequestEcho
  data: FeatureKey[]
}

export type FeedFormat = 'CSV' | 'TSV' | 'XML'

export type FeedFrequency = 'HOURLY' | 'DAILY' | 'WEEKLY'

export type FrequencyComparator = 'NUM_GTE' | 'NUM_GT' | 'NUM_EQ' | 'NUM_LTE' | 'NUM_LT'

export type FrequencyWindow = 1 | 7 | 30

export interface FundingInstrument {
  /** Id, unique within the account. */
  id: string
  /** When it was created. */
  created_at: string
  /** When it was last updated. */
  updated_at: string
  /** Whether it was deleted. */
  deleted: boolean
  /** Account that it belongs to. */
  account_id: string
  /** Type of funding. */
  type: FundingType
  /** ISO 4217 code of the currency. */
  currency: string
  /** Human-readable name. */
  description: string
  /** When the funding instrument becomes valid. */
  start_time: string
  /** When the funding instrument expires. */
  end_time: string | null
  /** Whether it is enabled. */
  entity_status: ActiveStatus
  /** Limit of a credit line or card. */
  credit_limit_local_micro: Int64 | null
  /** Funded amount of an insertion order. */
  funded_amount_local_micro: Int64 | null
  /** Remaining amount of a credit line. */
  credit_remaining_local_micro: Int64 | null
  /** Header of the insertion order, which several funding instruments may share. */
  io_header: string | null
  /** Whether it can pay. */
  able_to_fund: boolean
  /** Reasons why it cannot pay. */
  reasons_not_able_to_fund: ('BUDGET_EXHAUSTED' | 'CREDIT_CARD_APPROVAL_PENDING' | 'CREDIT_CARD_DELETED' | 'CREDIT_CARD_REJECTED' | 'DELETED' | 'EXPIRED' | 'PAUSED' | 'STARTS_IN_FUTURE')[]
}

export interface FundingInstrumentList {
  request: RequestEcho
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  /** Number of all items; present with `with_total_count`. */
  total_count?: number
  data: FundingInstrument[]
}

export interface FundingInstrumentReply {
  request: RequestEcho
  data: FundingInstrument
}

export type FundingType = 'AGENCY_CREDIT_LINE' | 'CREDIT_CARD' | 'CREDIT_LINE' | 'INSERTION_ORDER' | 'PARTNER_MANAGED'

export type Goal = 'APP_CLICKS' | 'APP_INSTALLS' | 'APP_PURCHASES' | 'ENGAGEMENT' | 'FOLLOWERS' | 'LINK_CLICKS' | 'MAX_REACH' | 'PREROLL' | 'PREROLL_STARTS' | 'REACH_WITH_ENGAGEMENT' | 'SITE_VISITS' | 'VIDEO_VIEW' | 'VIEW_3S_100PCT' | 'VIEW_6S' | 'VIEW_15S' | 'WEBSITE_CONVERSIONS'

export type HistoryEntity = 'CAMPAIGN' | 'LINE_ITEM' | 'PROMOTED_POST' | 'TARGETING_CRITERIA' | 'PROMOTED_ACCOUNT'

export interface IabCategory {
  id: string
  /** Id of the parent; null for a top category. */
  parent_id: string | null
  /** Human-readable name. */
  name: string
}

export interface IabCategoryList {
  request: RequestEcho
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  /** Number of all items; present with `with_total_count`. */
  total_count?: number
  data: IabCategory[]
}

export interface ImageConversationCard {
  /** Id, unique within the account. */
  id: string
  /** When it was created. */
  created_at: string
  /** When it was last updated. */
  updated_at: string
  /** Whether it was deleted. */
  deleted: boolean
  /** Human-readable name. */
  name: string
  /** Required if there is no second call to action. */
  title: string | null
  /** Hashtag of up to 20 characters, without the leading sign. */
  first_cta: string
  /** Text of the post of a user who chooses it. Its weight is at most 280. */
  first_cta_post: string
  /** Hashtag of up to 20 characters, without the leading sign. */
  second_cta?: string
  /** Text of the post of a user who chooses it. Its weight is at most 280. */
  second_cta_post?: string
  /** Hashtag of up to 20 characters, without the leading sign. */
  third_cta?: string
  /** Text of the post of a user who chooses it. Its weight is at most 280. */
  third_cta_post?: string
  /** Hashtag of up to 20 characters, without the leading sign. */
  fourth_cta?: string
  /** Text of the post of a user who chooses it. Its weight is at most 280. */
  fourth_cta_post?: string
  /** Text shown to users who responded. */
  thank_you_text: string
  /** URL that the thank-you text links to. */
  thank_you_url?: string
  /** URI by which a post refers to the card. */
  card_uri: string
  /** An image of 1.91:1, at least 800 pixels wide,, in the library. */
  media_key: string
  /** URL of the image. */
  media_url?: string
  /** Size in pixels. */
  image_display_width?: string
  /** Size in pixels. */
  image_display_height?: string
  /** Its type. */
  card_type: 'IMAGE_CONVERSATION'
}

export interface ImageConversationCardList {
  request: RequestEcho
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  /** Number of all items; present with `with_total_count`. */
  total_count?: number
  data: ImageConversationCard[]
}

export interface ImageConversationCardReply {
  request: RequestEcho
  data: ImageConversationCard
}

export type IndustryType = 'AGENCY' | 'BUSINESS_TO_BUSINESS' | 'ONLINE_SERVICES' | 'EDUCATION' | 'FINANCIAL' | 'HEALTH' | 'GOVERNMENT' | 'MEDIA' | 'MOBILE' | 'RESTAURANT' | 'RETAIL' | 'TECHNOLOGY' | 'TRAVEL' | 'OTHER'

export type InsightGranularity = 'DAY' | 'HOUR'

export interface InterestOption {
  /** Human-readable name. */
  name: string
  /** Type for a targeting criterion. */
  targeting_type: 'INTEREST'
  /** Value for a targeting criterion. */
  targeting_value: string
}

export interface InterestOptionList {
  request: RequestEcho
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  data: InterestOption[]
}

export type InvoiceJurisdiction = 'LOI_SAPIN' | 'NONE' | 'NOT_SET'

export interface KeywordInsights {
  /** What at least 3 users write beside the keywords, closest first. */
  related_keywords: string[]
  /** Posts of each day or hour from `start_time` on; the last may be cut by `end_time`. */
  post_volume: number[]
}

export interface KeywordInsightsReply {
  request: RequestEcho
  data: KeywordInsights
}

export type LanguageCode = 'aa' | 'ab' | 'ae' | 'af' | 'ak' | 'am' | 'an' | 'ar' | 'as' | 'av' | 'ay' | 'az' | 'ba' | 'be' | 'bg' | 'bi' | 'bm' | 'bn' | 'bo' | 'br' | 'bs' | 'ca' | 'ce' | 'ch' | 'co' | 'cr' | 'cs' | 'cu' | 'cv' | 'cy' | 'da' | 'de' | 'dv' | 'dz' | 'ee' | 'el' | 'en' | 'eo' | 'es' | 'et' | 'eu' | 'fa' | 'ff' | 'fi' | 'fj' | 'fo' | 'fr' | 'fy' | 'ga' | 'gd' | 'gl' | 'gn' | 'gu' | 'gv' | 'ha' | 'he' | 'hi' | 'ho' | 'hr' | 'ht' | 'hu' | 'hy' | 'hz' | 'ia' | 'id' | 'ie' | 'ig' | 'ii' | 'ik' | 'io' | 'is' | 'it' | 'iu' | 'ja' | 'jv' | 'ka' | 'kg' | 'ki' | 'kj' | 'kk' | 'kl' | 'km' | 'kn' | 'ko' | 'kr' | 'ks' | 'ku' | 'kv' | 'kw' | 'ky' | 'la' | 'lb' | 'lg' | 'li' | 'ln' | 'lo' | 'lt' | 'lu' | 'lv' | 'mg' | 'mh' | 'mi' | 'mk' | 'ml' | 'mn' | 'mr' | 'ms' | 'mt' | 'my' | 'na' | 'nb' | 'nd' | 'ne' | 'ng' | 'nl' | 'nn' | 'no' | 'nr' | 'nv' | 'ny' | 'oc' | 'oj' | 'om' | 'or' | 'os' | 'pa' | 'pi' | 'pl' | 'ps' | 'pt' | 'qu' | 'rm' | 'rn' | 'ro' | 'ru' | 'rw' | 'sa' | 'sc' | 'sd' | 'se' | 'sg' | 'si' | 'sk' | 'sl' | 'sm' | 'sn' | 'so' | 'sq' | 'sr' | 'ss' | 'st' | 'su' | 'sv' | 'sw' | 'ta' | 'te' | 'tg' | 'th' | 'ti' | 'tk' | 'tl' | 'tn' | 'to' | 'tr' | 'ts' | 'tt' | 'tw' | 'ty' | 'ug' | 'uk' | 'ur' | 'uz' | 've' | 'vi' | 'vo' | 'wa' | 'wo' | 'xh' | 'yi' | 'yo' | 'za' | 'zh' | 'zu'

export interface LanguageOption {
  /** Human-readable name. */
  name: string
  /** The name in `lang`. */
  localized_name?: string
  /** Type for a targeting criterion. */
  targeting_type: 'LANGUAGE'
  /** Value for a targeting criterion. */
  targeting_value: string
}

export interface LanguageOptionList {
  request: RequestEcho
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  data: LanguageOption[]
}

export interface LibraryMedia {
  /** Its id. */
  media_key: string
  /** Human-readable name. */
  name: string | null
  /** Name of the file. */
  file_name: string | null
  /** Text of a video or GIF. */
  description?: string | null
  /** Text of a video or GIF. */
  title?: string | null
  /** URL of its file. */
  media_url: string | null
  /** Category that it was uploaded for. */
  media_category: MediaCategory
  /** Its type. */
  media_type: MediaType
  /** Whether it is ready to be shown. */
  media_status: 'PENDING_TRANSCODE' | 'TRANSCODE_COMPLETED' | 'TRANSCODE_FAILED'
  /** Only for videos and GIFs. */
  poster_media_url?: string | null
  /** Only for videos and GIFs. */
  poster_media_key?: string | null
  /** Duration of a video in milliseconds. */
  duration?: number | null
  /** `16:9`. Only for videos and GIFs. */
  aspect_ratio?: string
  /** Whether it has appeared in a post. */
  posted: boolean
  /** When it was added to the library. */
  created_at: string
  /** When it was last updated. */
  updated_at: string
  /** Whether it was deleted. */
  deleted: boolean
}

export interface LibraryMediaList {
  request: RequestEcho
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  data: LibraryMedia[]
}

export interface LibraryMediaReply {
  request: RequestEcho
  data: LibraryMedia
}

export interface LineItem {
  /** Id, unique within the account. */
  id: string
  /** When it was created. */
  created_at: string
  /** When it was last updated. */
  updated_at: string
  /** Whether it was deleted. */
  deleted: boolean
  /** The campaign that it belongs to. */
  campaign_id: string
  /** Funding instrument of the campaign. */
  funding_instrument_id: string
  /** Currency of the funding instrument. */
  currency: string
  /** Human-readable name. */
  name: string | null
  /** Objective. */
  objective: Objective
  /** Type of product that it promotes. */
  product_type: ProductType
  /** Placements where it is shown. */
  placements: Placement[]
  /** When it begins; immediately by default. */
  start_time: string | null
  /** When it ends; never by default. */
  end_time: string | null
  /** Goal that bids are optimized for. */
  goal: Goal
  /** Bidding strategy. */
  bid_strategy: BidStrategy
  /** Amount of the bid. Not allowed with AUTO. */
  bid_amount_local_micro: Int64 | null
  /** Event that is charged for. */
  pay_by: 'APP_CLICK' | 'IMPRESSION' | 'LINK_CLICK' | 'ENGAGEMENT' | 'FOLLOW' | 'VIEW' | 'VIEW_3S_100PCT'
  /** Daily budget; at most the total budget. */
  daily_budget_amount_local_micro: Int64 | null
  /** Budget for the whole duration. */
  total_budget_amount_local_micro: Int64 | null
  /** `true` delivers evenly over the day, `false` as fast as possible. */
  standard_delivery: boolean | null
  /** Status. Lists omit drafts unless `with_draft` is true. */
  entity_status: EntityStatus
  /** Maximum number of times that one person sees it. */
  frequency_cap: number | null
  /** Window of the frequency cap, in days. */
  duration_in_days: FrequencyWindow | null
  /** IAB categories of the advertiser. */
  categories: string[]
  /** Domain of the advertiser, without protocol. */
  advertiser_domain: string | null
  /** User on whose behalf it is shown. */
  advertiser_user_id: string | null
  /** Package name of the app. */
  android_app_store_identifier: string | null
  /** Numeric part of the store identifier. */
  ios_app_store_identifier: string | null
  /** Web event tag that counts its conversions. */
  primary_web_event_tag: string | null
  /** Unused. */
  target_cpa_local_micro: Int64 | null
  /** Unused. */
  automatic_post_promotion: boolean | null
  /** Source of its creatives: the advertiser, or a product set. */
  creative_source: CreativeSource
  /** Product catalog of `product_set_id`. */
  catalog_id?: string
  /** Products that are shown with creative_source DYNAMIC_PRODUCT_CREATIVE. */
  product_set_id?: string
  /** Whether it can be shown now. */
  servable: boolean
  /** Reasons why it cannot be shown now. */
  reasons_not_servable: NotServableReason[]
  /**
   * `RUNNING` if it is servable, `PAUSED` if only its status prevents it from running, otherwise
   * `UNKNOWN`.
   */
  effective_status: EffectiveStatus
}

export interface LineItemApp {
  /** Id, unique within the account. */
  id: string
  /** When it was created. */
  created_at: string
  /** When it was last updated. */
  updated_at: string
  /** Whether it was deleted. */
  deleted: boolean
  /** The line item. */
  line_item_id: string
  /** Package name, or number in the store. */
  app_store_identifier: string
  /** Operating system of the app. */
  os_type: AppSystem
}

export interface LineItemAppList {
  request: RequestEcho
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  /** Number of all items; present with `with_total_count`. */
  total_count?: number
  data: LineItemApp[]
}

export interface LineItemAppReply {
  request: RequestEcho
  data: LineItemApp
}

export interface LineItemBatch {
  request: OperationEcho[]
  data: LineItem[]
}

export interface LineItemCuratedCategory {
  /** Id, unique within the account. */
  id: string
  /** When it was created. */
  created_at: string
  /** When it was last updated. */
  updated_at: string
  /** Whether it was deleted. */
  deleted: boolean
  /** The line item. */
  line_item_id: string
  /** The curated category. */
  curated_category_id: string
}

export interface LineItemCuratedCategoryList {
  request: RequestEcho
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  /** Number of all items; present with `with_total_count`. */
  total_count?: number
  data: LineItemCuratedCategory[]
}

export interface LineItemCuratedCategoryReply {
  request: RequestEcho
  data: LineItemCuratedCategory
}

export interface LineItemList {
  request: RequestEcho
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  /** Number of all items; present with `with_total_count`. */
  total_count?: number
  data: LineItem[]
}

export interface LineItemOperation {
  operation_type: CreateUpdateDeleteOperation
  /** The parameters of the single call. Unless it is a `Create`, `line_item_id` is one of them. */
  params: Record<string, unknown>
}

export interface LineItemReply {
  request: RequestEcho
  data: LineItem
}

export interface ListedApp {
  /** Package name, or number in the store. */
  app_store_identifier: string
  /** Operating system of the app. */
  os_type: 'Android' | 'iOS'
}

export interface LocationOption {
  /** Human-readable name. */
  name: string
  country_code: string
  /** Type of location. */
  location_type: LocationType
  /** The name in `lang`. */
  localized_name?: string
  /** Type for a targeting criterion. */
  targeting_type: 'LOCATION'
  /** Value for a targeting criterion. */
  targeting_value: string
}

export interface LocationOptionList {
  request: RequestEcho
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  data: LocationOption[]
}

export type LocationType = 'COUNTRIES' | 'REGIONS' | 'METROS' | 'CITIES' | 'POSTAL_CODES'

export type LookbackDays = 1 | 7 | 14 | 30

export type MediaCategory = 'POST_IMAGE' | 'POST_GIF' | 'POST_VIDEO' | 'AMPLIFY_VIDEO'

export interface MediaCreative {
  /** Id, unique within the account. */
  id: string
  /** When it was created. */
  created_at: string
  /** When it was last updated. */
  updated_at: string
  /** Whether it was deleted. */
  deleted: boolean
  /** The line item that shows it. */
  line_item_id: string
  /** The image or video. */
  account_media_id: string
  /** URL that an image links to. Not allowed for videos. */
  landing_url: string | null
  /** Type of creative. */
  creative_type: CreativeType
  /** Whether it is shown with its line item. */
  entity_status: ActiveStatus
  /** Result of its review. */
  approval_status: PromotionApproval
}

export interface MediaCreativeList {
  request: RequestEcho
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  /** Number of all items; present with `with_total_count`. */
  total_count?: number
  data: MediaCreative[]
}

export interface MediaCreativeReply {
  request: RequestEcho
  data: MediaCreative
}

export interface MediaSize {
  w: number
  h: number
  /** How it becomes this size. */
  resize: 'fit' | 'crop'
}

export type MediaType = 'GIF' | 'IMAGE' | 'VIDEO'

export type MetricGroup = 'BILLING' | 'ENGAGEMENT' | 'LIFE_TIME_VALUE_MOBILE_CONVERSION' | 'MEDIA' | 'MOBILE_CONVERSION' | 'VIDEO' | 'WEB_CONVERSION'

export type MetricSeries = number[]

export interface Metrics {
  billed_engagements?: MetricSeries | null
  billed_charge_local_micro?: MetricSeries | null
  impressions?: MetricSeries | null
  posts_send?: MetricSeries | null
  qualified_impressions?: MetricSeries | null
  follows?: MetricSeries | null
  app_clicks?: MetricSeries | null
  reposts?: MetricSeries | null
  unfollows?: MetricSeries | null
  likes?: MetricSeries | null
  engagements?: MetricSeries | null
  clicks?: MetricSeries | null
  card_engagements?: MetricSeries | null
  poll_card_vote?: MetricSeries | null
  replies?: MetricSeries | null
  url_clicks?: MetricSeries | null
  carousel_swipes?: MetricSeries | null
  mobile_conversion_lifetime_value_purchases?: MobileConversionSeries | null
  mobile_conversion_lifetime_value_sign_ups?: MobileConversionSeries | null
  mobile_conversion_lifetime_value_updates?: MobileConversionSeries | null
  mobile_conversion_lifetime_value_tutorials_completed?: MobileConversionSeries | null
  mobile_conversion_lifetime_value_reservations?: MobileConversionSeries | null
  mobile_conversion_lifetime_value_add_to_carts?: MobileConversionSeries | null
  mobile_conversion_lifetime_value_add_to_wishlists?: MobileConversionSeries | null
  mobile_conversion_lifetime_value_checkouts_initiated?: MobileConversionSeries | null
  mobile_conversion_lifetime_value_levels_achieved?: MobileConversionSeries | null
  mobile_conversion_lifetime_value_achievements_unlocked?: MobileConversionSeries | null
  mobile_conversion_lifetime_value_shares?: MobileConversionSeries | null
  mobile_conversion_lifetime_value_invites?: MobileConversionSeries | null
  mobile_conversion_lifetime_value_payment_info_additions?: MobileConversionSeries | null
  mobile_conversion_lifetime_value_spent_credits?: MobileConversionSeries | null
  mobile_conversion_lifetime_value_rates?: MobileConversionSeries | null
  media_views?: MetricSeries | null
  media_engagements?: MetricSeries | null
  mobile_conversion_spent_credits?: MobileConversionSeries | null
  mobile_conversion_installs?: MobileConversionSeries | null
  mobile_conversion_content_views?: MobileConversionSeries | null
  mobile_conversion_add_to_wishlists?: MobileConversionSeries | null
  mobile_conversion_checkouts_initiated?: MobileConversionSeries | null
  mobile_conversion_reservations?: MobileConversionSeries | null
  mobile_conversion_tutorials_completed?: MobileConversionSeries | null
  mobile_conversion_achievements_unlocked?: MobileConversionSeries | null
  mobile_conversion_searches?: MobileConversionSeries | null
  mobile_conversion_add_to_carts?: MobileConversionSeries | null
  mobile_conversion_payment_info_additions?: MobileConversionSeries | null
  mobile_conversion_re_engages?: MobileConversionSeries | null
  mobile_conversion_shares?: MobileConversionSeries | null
  mobile_conversion_rates?: MobileConversionSeries | null
  mobile_conversion_logins?: MobileConversionSeries | null
  mobile_conversion_updates?: MobileConversionSeries | null
  mobile_conversion_levels_achieved?: MobileConversionSeries | null
  mobile_conversion_invites?: MobileConversionSeries | null
  mobile_conversion_key_page_views?: MobileConversionSeries | null
  mobile_conversion_downloads?: MobileConversionSeries | null
  mobile_conversion_purchases?: MobileConversionSeries | null
  mobile_conversion_sign_ups?: MobileConversionSeries | null
  mobile_conversion_site_visits?: MobileConversionSeries | null
  video_total_views?: MetricSeries | null
  video_views_25?: MetricSeries | null
  video_views_50?: MetricSeries | null
  video_views_75?: MetricSeries | null
  video_views_100?: MetricSeries | null
  video_cta_clicks?: MetricSeries | null
  video_content_starts?: MetricSeries | null
  video_3s100pct_views?: MetricSeries | null
  video_6s_views?: MetricSeries | null
  video_15s_views?: MetricSeries | null
  conversion_purchases?: ConversionSeries | null
  conversion_sign_ups?: ConversionSeries | null
  conversion_site_visits?: ConversionSeries | null
  conversion_downloads?: ConversionSeries | null
  conversion_custom?: ConversionSeries | null
  conversion_add_to_carts?: ConversionSeries | null
  conversion_checkouts_initiated?: ConversionSeries | null
  conversion_content_views?: ConversionSeries | null
  conversion_payment_info_additions?: ConversionSeries | null
  conversion_add_to_wishlists?: ConversionSeries | null
  conversion_searches?: ConversionSeries | null
  conversion_landing_page_views?: ConversionSeries | null
  conversion_subscriptions?: ConversionSeries | null
}

export interface MobileConversionSeries {
  post_view?: MetricSeries | null
  post_engagement?: MetricSeries | null
  assisted?: MetricSeries | null
  order_quantity?: AmountSeries | null
  sale_amount?: AmountSeries | null
}

export interface NameAccountPostForm {
  /** Human-readable name, which only this account sees. */
  name?: string
}

export interface NetworkOperatorOption {
  /** Human-readable name. */
  name: string
  country_code: string
  /** Type for a targeting criterion. */
  targeting_type: 'NETWORK_OPERATOR'
  /** Value for a targeting criterion. */
  targeting_value: string
}

export interface NetworkOperatorOptionList {
  request: RequestEcho
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  data: NetworkOperatorOption[]
}

export interface NewAudienceSegment {
  /** An audience of uploaded users. Exclusive with `child_segments`. */
  custom_audience_id?: string
  /** How `child_segments` are combined. */
  boolean_operator?: SegmentOperator
  /** How often. Every member of an audience fulfills it. */
  frequency?: number
  /** How the frequency is compared; `NUM_GTE` by default. */
  frequency_comparator?: FrequencyComparator
  /** Days: only members who became members in them. Every member by default. */
  lookback_window?: LookbackDays
  /** Whether those who match are excluded. */
  negate?: boolean
  /** Segments of the same form; empty for a segment that names an audience. */
  child_segments?: Record<string, unknown>[]
}

export interface NewButtonLabel {
  /** The only type. */
  type: 'ENUM'
  /** Text of the button. */
  value: ButtonText
}

export interface NewCardComponent {
  /** Its type. */
  type: CardComponentType
  /** For `MEDIA`: a medium in the library of the account. */
  media_key?: string
  /** For `SWIPEABLE_MEDIA`. */
  media_keys?: string[]
  /** For `DETAILS`. */
  title?: string
  /** For `BUTTON`. */
  label?: NewButtonLabel
  destination?: NewCardDestination
}

export interface NewCardDestination {
  /** Details lead to a website, a button to an app. */
  type: 'WEBSITE' | 'APP'
  /** URL of a website. */
  url?: string
  /** For an app: country of the store, ISO 3166-1. */
  country_code?: string
  /** App identifier, for an app. */
  googleplay_app_id?: string
  /** App identifier, for an app. */
  ios_app_store_identifier?: string
  /** Deep link into the app of that store. */
  googleplay_deep_link?: string
  /** Deep link into the app of that store. */
  ios_deep_link?: string
}

export type NewConversationSettings = 'EVERYONE' | 'FOLLOWING' | 'MENTIONED_USERS'

export interface NewDynamicProductCard {
  /** The website that it leads to. */
  url: string
  /** How it shows the products. */
  creative_type?: ProductCreativeType
}

export interface NewPost {
  /** When it was created, like `Wed Jan 20 22:00:00 +0000 2017`. */
  created_at: string
  /** The post. */
  id: Int64
  /** The id of the post as a string, for clients without 64-bit integers. */
  id_str: string
  /** With `compat`: the text, truncated after 140 characters. */
  text?: string
  /** With `extended`: the full text. */
  full_text?: string
  /** Start and end in code points; the end is exclusive. */
  display_text_range?: number[]
  /** Whether `text` was truncated. */
  truncated: boolean
  entities: PostEntities
  /** All media of the post. */
  extended_entities?: ExtendedEntities
  /** HTML link to the app that created the post. */
  source: string
  /** Post that it replies to. */
  in_reply_to_status_id: Int64 | null
  /** Post that it replies to. */
  in_reply_to_status_id_str: string | null
  /** Author of the post that it replies to, or the user with whose name it begins. */
  in_reply_to_user_id: Int64 | null
  /** Author of the post that it replies to, or the user with whose name it begins. */
  in_reply_to_user_id_str: string | null
  in_reply_to_screen_name: string | null
  user: PostUser
  /** Where exactly it was written: latitude, then longitude. */
  geo: ClassicPoint | null
  /** Where exactly it was written: longitude, then latitude. */
  coordinates: ClassicPoint | null
  place: Record<string, never> | null
  contributors: Int64[] | null
  repost_count: number
  favorite_count: number
  favorited: boolean
  reposted: boolean
  scopes: PostScopes
  /** Language, detected from the text; `und` if it has no words. */
  lang: string
  /** The card that it shows. */
  card_uri?: string
  /** Human-readable name, which only this account sees. */
  name: string | null
}

export interface NewPostReply {
  request: RequestEcho
  data: NewPost
}

export interface NewProduct {
  /** Identifies the item. An id that occurs several times in a request is an error each time. */
  id: string
  /** Key given by the service. A value that is sent must be this key. */
  product_key?: string
  /** Title of up to 150 characters. */
  title: string
  /** Plain text without HTML, up to 5000 characters. */
  description: string
  /** Availability. */
  availability: 'in stock' | 'available for order' | 'preorder' | 'out of stock' | 'discontinued'
  /** Condition of the product. */
  condition: 'new' | 'used' | 'refurbished'
  /**
   * A number, one space and the ISO 4217 code, with at most the decimals of the currency: `20.00
   * USD`.
   */
  price: string
  /** URL of the page of the product; https. */
  link: string
  /** JPG, GIF, WEBP or PNG, at least 500 x 500 pixels, at most 5 MB; https. */
  image_link: string
  /** Brand; required when `gtin` and `mpn` are absent. */
  brand?: string
  /** A UPC, EAN, JAN or ISBN; required when `brand` and `mpn` are absent. */
  gtin?: string
  /** Manufacturer part number; required when `gtin` and `brand` are absent. */
  mpn?: string
  /** URL of the mobile page of the product; https. */
  mobile_link?: string
  /** Up to 10 URLs, separated by commas, with the same rules as `image_link`. */
  additional_image_link?: string
  /** Path (`A > B`) or id in the external taxonomy. */
  google_product_category?: string
  /** Your own taxonomy, with levels separated by ` > `. */
  product_type?: string
  /** Number in stock; at least 1 when the product is `in stock`. */
  inventory?: number
  /** Sale price: lower than `price`, in the same currency. */
  sale_price?: string
  /**
   * Start and end, separated by a slash, ISO 8601 with time zones:
   * `2026-10-04T17:20+01:00/2026-10-10T04:00+01:00`.
   */
  sale_price_effective_date?: string
  /** Groups variants (size, color, age group, gender). Required for variants. */
  item_group_id?: string
  /** Key of the group, given by the service. A value that is sent must be this key. */
  item_group_key?: string
  /** Gender that the product is for. */
  gender?: 'female' | 'male' | 'unisex'
  /** A color word, not a hex code. */
  color?: string
  /** A word, an abbreviation or a number. */
  size?: string
  /** Age group that the product is for. */
  age_group?: 'adult' | 'all ages' | 'teen' | 'kids' | 'toddler' | 'infant' | 'newborn'
  /** Custom label. */
  custom_label_0?: string
  /** Custom label. */
  custom_label_1?: string
  /** Custom label. */
  custom_label_2?: string
  /** Custom label. */
  custom_label_3?: string
  /** Custom label. */
  custom_label_4?: string
}

export interface NewProductFilter {
  /** Attribute of the product. */
  attribute: ProductAttribute
  /** Operator of the comparison. */
  operator: ProductOperator
  /**
   * Value to compare with: a price, an integer for `inventory`, otherwise text, which is not
   * case-sensitive.
   */
  value: string
}

export interface NewProductSet {
  /** Human-readable name. */
  name: string
  /** Human-readable name. */
  description?: string
  /** `MANUAL` needs `product_keys`, `FILTERED` needs `filters`. */
  type: ProductSetType
  /** All filters must match. */
  filters?: NewProductFilter[]
  /** The products of a manual set, by their keys. */
  product_keys?: string[]
}

export type NotServableReason = 'ACCOUNT_REJECTED' | 'ACCOUNT_UNDER_REVIEW' | 'AWAITING_APPROVAL_BY_ADVERTISER' | 'BUDGET_EXHAUSTED' | 'CONTENT_REVIEW_PROBLEM' | 'DELETED' | 'EXPIRED' | 'FUNDING_PROBLEM' | 'INCOMPLETE' | 'PAUSED_BY_ADVERTISER' | 'RETIRED_OBJECTIVE' | 'STARTS_IN_FUTURE'

export type Objective = 'APP_ENGAGEMENTS' | 'APP_INSTALLS' | 'REACH' | 'FOLLOWERS' | 'ENGAGEMENTS' | 'VIDEO_VIEWS' | 'PREROLL_VIEWS' | 'WEBSITE_CLICKS'

export interface OperationEcho {
  operation_type: string
  /** The parameters as Plaza parsed them. */
  params: Record<string, unknown>
}

export type PayBy = 'APP_CLICK' | 'IMPRESSION' | 'LINK_CLICK'

export type PermissionLevel = 'READ_ONLY' | 'READ_WRITE'

export type Placement = 'ALL_ON_SERVICE' | 'PUBLISHER_NETWORK' | 'TAP_BANNER' | 'TAP_FULL' | 'TAP_FULL_LANDSCAPE' | 'TAP_NATIVE' | 'TAP_MRECT' | 'SERVICE_PROFILE' | 'SERVICE_REPLIES' | 'SERVICE_SEARCH' | 'SERVICE_TIMELINE'

export interface PlatformOption {
  /** Human-readable name. */
  name: string
  /** The name in `lang`. */
  localized_name?: string
  /** Type for a targeting criterion. */
  targeting_type: 'PLATFORM'
  /** Value for a targeting criterion. */
  targeting_value: string
}

export interface PlatformOptionList {
  request: RequestEcho
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  data: PlatformOption[]
}

export interface PlatformVersionOption {
  /** Human-readable name. */
  name: string
  /** The version. */
  number: string
  /** Operating system of the version. */
  os_type: 'iOS' | 'Android'
  /** Type for a targeting criterion. */
  targeting_type: 'PLATFORM_VERSION'
  /** Value for a targeting criterion. */
  targeting_value: string
}

export interface PlatformVersionOptionList {
  request: RequestEcho
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  data_type: string
  data: PlatformVersionOption[]
}

export interface PollCard {
  /** Id, unique within the account. */
  id: string
  /** When it was created. */
  created_at: string
  /** When it was last updated. */
  updated_at: string
  /** Whether it was deleted. */
  deleted: boolean
  /** Human-readable name. */
  name: string
  /** One of the choices. */
  first_choice: string
  /** One of the choices. */
  second_choice: string
  /** One of the choices. */
  third_choice?: string
  /** One of the choices. */
  fourth_choice?: string
  /** When it was created. */
  start_time: string
  /** When it ends. */
  end_time: string
  /** Duration, as text. */
  duration_in_minutes: string
  /** Type, derived from its medium. */
  card_type: 'TEXT_POLLS' | 'IMAGE_POLLS' | 'VIDEO_POLLS'
  /** URI by which a post refers to the card. */
  card_uri: string
  /** URL of its image. */
  image?: string
  /** Size in pixels. */
  image_display_width?: string
  /** Size in pixels. */
  image_display_height?: string
  /** URL of its video. */
  video_url?: string
  /** The same value as `video_url`. */
  video_hls_url?: string
  /** Part of its aspect ratio. */
  video_width?: string
  /** Part of its aspect ratio. */
  video_height?: string
  /** URL of its preview image. */
  video_poster_url?: string | null
  /** Part of its aspect ratio. */
  video_poster_width?: string | null
  /** Part of its aspect ratio. */
  video_poster_height?: string | null
  /** Property of its video. */
  content_duration_seconds?: string
}

export interface PollCardList {
  request: RequestEcho
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  /** Number of all items; present with `with_total_count`. */
  total_count?: number
  data: PollCard[]
}

export interface PollCardReply {
  request: RequestEcho
  data: PollCard
}

export type PostEngagementWindow = 1 | 7 | 14 | 30

export interface PostEntities {
  hashtags: PostTag[]
  symbols: PostTag[]
  user_mentions: { screen_name: string; name: string; id: Int64; id_str: string; indices: number[] }[]
  urls: TextLink[]
  /** The first medium of the post. */
  media?: PostMedia[]
}

export interface PostMedia {
  /** The medium. */
  id: Int64
  /** The medium. */
  id_str: string
  /** Its key in the advertising API. */
  media_key: string
  /** A preview image: the image itself, or the image that represents the video or GIF. */
  media_url: string | null
  /** The same. */
  media_url_https: string | null
  /** The medium itself. */
  url: string | null
  /** `url`, shortened for readers. */
  display_url: string | null
  /** The same as `url`. */
  expanded_url: string | null
  /** Start and end in code points; the end is exclusive. */
  indices: number[]
  /** Its type. */
  type: 'photo' | 'animated_gif' | 'video'
  /** Usual sizes. The file has the size in `original_info`. */
  sizes: { thumb: MediaSize; small: MediaSize; medium: MediaSize; large: MediaSize }
  original_info: { width: number; height: number }
  video_info?: { aspect_ratio: number[]; duration_millis?: number; variants: { content_type: string; url: string }[] }
  additional_media_info?: VideoDescription
}

export interface PostPreview {
  /** The post. */
  post_id: string
  /** An `iframe` element. */
  preview: string
}

export interface PostPreviewResults {
  request: RequestEcho
  data: PostPreview[]
}

export interface PostScopes {
  followers: boolean
}

export interface PostTag {
  text: string
  /** Start and end in code points; the end is exclusive. */
  indices: number[]
}

export type PostType = 'DRAFT' | 'PUBLISHED' | 'SCHEDULED'

export interface PostUser {
  /** The user. */
  id: Int64
  /** The user. */
  id_str: string
  name?: string
  screen_name?: string
  location?: string
  description?: string
  url?: string | null
  protected?: boolean
  verified?: boolean
  followers_count?: number
  friends_count?: number
  listed_count?: number
  favourites_count?: number
  statuses_count?: number
  created_at?: string
  /** Its own picture, or the default one. */
  profile_image_url_https?: string
  profile_banner_url?: string | null
}

export type PostViewWindow = 0 | 1 | 7 | 14 | 30

export type PrerollAction = 'GO_TO' | 'SEE_MORE' | 'SHOP' | 'VISIT_SITE' | 'WATCH_NOW'

export interface PrerollCallToAction {
  /** Id, unique within the account. */
  id: string
  /** When it was created. */
  created_at: string
  /** When it was last updated. */
  updated_at: string
  /** Whether it was deleted. */
  deleted: boolean
  /** Line item whose videos show the call to action. */
  line_item_id: string
  /** Call to action. */
  call_to_action: PrerollAction
  /** URL of the call to action. */
  call_to_action_url: string
}

export interface PrerollCallToActionList {
  request: RequestEcho
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  /** Number of all items; present with `with_total_count`. */
  total_count?: number
  data: PrerollCallToAction[]
}

export interface PrerollCallToActionReply {
  request: RequestEcho
  data: PrerollCallToAction
}

export interface PreviewDraftPostReply {
  request: RequestEcho
  /** A sentence that contains the URL. */
  message: string
}

export interface Product {
  /** Identifies the item. An id that occurs several times in a request is an error each time. */
  id: string | null
  /** Key given by the service. A value that is sent must be this key. */
  product_key: string | null
  /** Title of up to 150 characters. */
  title: string | null
  /** Plain text without HTML, up to 5000 characters. */
  description: string | null
  /** Availability. */
  availability: 'in stock' | 'available for order' | 'preorder' | 'out of stock' | 'discontinued' | null
  /** Condition of the product. */
  condition: 'new' | 'used' | 'refurbished' | null
  /**
   * A number, one space and the ISO 4217 code, with at most the decimals of the currency: `20.00
   * USD`.
   */
  price: string | null
  /** URL of the page of the product; https. */
  link: string | null
  /** JPG, GIF, WEBP or PNG, at least 500 x 500 pixels, at most 5 MB; https. */
  image_link: string | null
  /** Brand; required when `gtin` and `mpn` are absent. */
  brand: string | null
  /** A UPC, EAN, JAN or ISBN; required when `brand` and `mpn` are absent. */
  gtin: string | null
  /** Manufacturer part number; required when `gtin` and `brand` are absent. */
  mpn: string | null
  /** URL of the mobile page of the product; https. */
  mobile_link: string | null
  /** Up to 10 URLs, separated by commas, with the same rules as `image_link`. */
  additional_image_link: string | null
  /** Path (`A > B`) or id in the external taxonomy. */
  google_product_category: string | null
  /** Your own taxonomy, with levels separated by ` > `. */
  product_type: string | null
  /** Number in stock; at least 1 when the product is `in stock`. */
  inventory: number | null
  /** Sale price: lower than `price`, in the same currency. */
  sale_price: string | null
  /**
   * Start and end, separated by a slash, ISO 8601 with time zones:
   * `2026-10-04T17:20+01:00/2026-10-10T04:00+01:00`.
   */
  sale_price_effective_date: string | null
  /** Groups variants (size, color, age group, gender). Required for variants. */
  item_group_id: string | null
  /** Key of the group, given by the service. A value that is sent must be this key. */
  item_group_key: string | null
  /** Gender that the product is for. */
  gender: 'female' | 'male' | 'unisex' | null
  /** A color word, not a hex code. */
  color: string | null
  /** A word, an abbreviation or a number. */
  size: string | null
  /** Age group that the product is for. */
  age_group: 'adult' | 'all ages' | 'teen' | 'kids' | 'toddler' | 'infant' | 'newborn' | null
  /** Custom label. */
  custom_label_0: string | null
  /** Custom label. */
  custom_label_1: string | null
  /** Custom label. */
  custom_label_2: string | null
  /** Custom label. */
  custom_label_3: string | null
  /** Custom label. */
  custom_label_4: string | null
}

export type ProductAttribute = 'price' | 'product_type' | 'google_product_category' | 'sale_price' | 'inventory' | 'custom_label_0' | 'custom_label_1' | 'custom_label_2' | 'custom_label_3' | 'custom_label_4'

export interface ProductCatalog {
  /** Identifies the catalog. */
  id: string
  /** Human-readable name. */
  name: string
}

export interface ProductCatalogList {
  request: RequestEcho
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  data: ProductCatalog[]
}

export interface ProductCatalogReply {
  request: RequestEcho
  data: ProductCatalog
}

export type ProductCreativeType = 'CAROUSEL' | 'SINGLE' | 'COLLECTION'

export interface ProductFilter {
  /** Attribute of the product. */
  attribute: ProductAttribute
  /** Operator of the comparison. */
  operator: ProductOperator
  /**
   * Value to compare with: a price, an integer for `inventory`, otherwise text, which is not
   * case-sensitive.
   */
  value: string
}

export interface ProductList {
  request: RequestEcho
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  data: Product[]
}

export type ProductOperator = 'GREATER_THAN' | 'EQUAL_TO' | 'LESS_THAN' | 'MATCH' | 'NOT_CONTAINS' | 'CONTAINS'

export interface ProductPlacements {
  /** Type of product that a line item promotes. */
  product_type: ProductType
  /** Allowed combinations. */
  placements: Placement[][]
}

export interface ProductPlacementsResults {
  request: RequestEcho
  data: ProductPlacements[]
}

export interface ProductSet {
  /** Identifies the set. */
  id: string
  /** Human-readable name. */
  name: string
  /** Human-readable name. */
  description: string | null
  /** Whether its products are listed or selected by filters. */
  type: ProductSetType
  /** Filters, all of which its products match. Empty for a manual set. */
  filters: ProductFilter[]
  /** Ids of its products, as they were submitted. */
  product_ids: string[]
  /**
   * Whether `product_ids` contains the products that currently match the filters. A manual set is
   * always `DONE`.
   */
  processing_status: 'DONE' | 'PROCESSING' | 'FAILED'
}

export interface ProductSetList {
  request: RequestEcho
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  data: ProductSet[]
}

export interface ProductSetReply {
  request: RequestEcho
  data: ProductSet
}

export type ProductSetType = 'MANUAL' | 'FILTERED'

export type ProductType = 'MEDIA' | 'PROMOTED_ACCOUNT' | 'PROMOTED_POSTS'

export interface PromotableUser {
  /** Id, unique within the account. */
  id: string
  /** When it was created. */
  created_at: string
  /** When it was last updated. */
  updated_at: string
  /** Whether it was deleted. */
  deleted: boolean
  /** The user. */
  user_id: string
  /** Whether all posts of the user may be promoted. */
  promotable_user_type: 'FULL' | 'REPOSTS_ONLY'
}

export interface PromotableUserList {
  request: RequestEcho
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  /** Number of all items; present with `with_total_count`. */
  total_count?: number
  data: PromotableUser[]
}

export interface PromotableUserReply {
  request: RequestEcho
  data: PromotableUser
}

export interface PromotedAccount {
  /** Id, unique within the account. */
  id: string
  /** When it was created. */
  created_at: string
  /** When it was last updated. */
  updated_at: string
  /** Whether it was deleted. */
  deleted: boolean
  /** The line item that promotes it. */
  line_item_id: string
  /** The user that is promoted. */
  user_id: string
  /** Whether it is shown with its line item. */
  entity_status: ActiveStatus
  /** Result of its review. */
  approval_status: PromotionApproval
}

export interface PromotedAccountList {
  request: RequestEcho
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  /** Number of all items; present with `with_total_count`. */
  total_count?: number
  data: PromotedAccount[]
}

export interface PromotedAccountReply {
  request: RequestEcho
  data: PromotedAccount
}

export interface PromotedPost {
  /** Id, unique within the account. */
  id: string
  /** When it was created. */
  created_at: string
  /** When it was last updated. */
  updated_at: string
  /** Whether it was deleted. */
  deleted: boolean
  /** The line item that shows it. */
  line_item_id: string
  /** The post that is shown. */
  post_id: string
  /** Whether it is shown with its line item. */
  entity_status: ActiveStatus
  /** Result of its review. */
  approval_status: PromotionApproval
}

export interface PromotedPostList {
  request: RequestEcho
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  /** Number of all items; present with `with_total_count`. */
  total_count?: number
  data: PromotedPost[]
}

export interface PromotedPostReply {
  request: RequestEcho
  data: PromotedPost
}

export interface PromotedPostResults {
  request: RequestEcho
  total_count: number
  data: PromotedPost[]
}

export type PromotionApproval = 'ACCEPTED' | 'UNDER_REVIEW' | 'REJECTED'

export interface Publisher {
  /** User id, for a CONTENT_PUBLISHER_USER criterion. */
  user_id: string
  username: string
  /** Content categories of its videos. */
  content_category_ids: string[]
  /** Countries where its videos carry advertisements. */
  monetizable_country_codes: string[]
  /** Countries where it can be selected. */
  promotion_eligible_country_codes: string[]
  /** Whether only certain advertisers are admitted. */
  monetization_restricted: boolean
}

export interface PublisherList {
  request: RequestEcho
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  data: Publisher[]
}

export interface Reach {
  /** The campaign or funding instrument. */
  id: string
  /** Number of people who saw something. */
  total_audience_reach: number
  /** Impressions per person, with two decimals. */
  average_frequency: number
}

export interface ReachResults {
  request: RequestEcho
  data_type: string
  data: Reach[]
}

export interface ReceiveConversionsBody {
  conversions: { conversion_time: string; event_id?: string; event_name?: string; identifiers: { click_id?: string; hashed_email?: string; hashed_phone_number?: string; ip_address?: string; user_agent?: string }[]; conversion_id?: string; value?: number | string; price_currency?: string; number_items?: number; description?: string; event_source_url?: string; contents?: { content_id?: string; content_group_id?: string | number; content_name?: string; content_type?: string; content_price?: number; num_items?: number }[] }[]
}

export interface RecordConversionEventForm {
  /** Package name of the app, or its number in the store. */
  app_id?: string
  /** Operating system of the app. */
  os_type?: AppSystem
  /** Type of conversion. */
  conversion_type?: AppConversionType
  /** When it happened, in ISO 8601 with a time zone: `2026-03-01T12:00:00.000Z`. */
  conversion_time?: string
  /**
   * Hash of the advertising id of the device. Each stands for one person. A `click_id` stands for
   * the person who clicked.
   */
  hashed_device_id?: string
  /**
   * Days after an engagement during which it counts; 14 if only `view_through_window` is given.
   * Without both, the windows of the app event tag.
   */
  click_window?: ClickWindow
  /**
   * Days after a view during which it counts, 0 for none and at most `click_window`; 1 if only that
   * is given.
   */
  view_through_window?: ViewThroughWindow
  /** More hashes of the same person. */
  extra_device_ids?: string[]
  /** When the person last met an advertisement elsewhere, with a time zone. Returned in UTC. */
  non_service_engagement_time?: string
  /** How. Returned as it is. */
  non_service_engagement_type?: AdEngagement
  /** Whether the person limits tracking. Returned as it is. */
  limit_ad_tracking?: boolean
  /** Address of the device. Accepted, and not kept. */
  device_ip_address?: string
  /** Level of a game. */
  level?: number
  /** Number of items; 1 by default. */
  number_items?: number
  /** ISO 4217; `USD` by default. */
  price_currency?: string
  /** What it is worth, in millionths of `price_currency`; 0 by default. */
  price_micro?: number
  /** Whether the person has stored a means of payment. */
  user_payment_info?: boolean
}

export interface RemoveFeaturesForm {
  /** Keys of features. */
  feature_keys?: FeatureKey[]
}

export interface RequestEcho {
  /** The parameters as Plaza parsed them. */
  params: Record<string, unknown>
}

export interface ScheduledFeed {
  /** Identifies the schedule. */
  id: string
  /** The catalog. */
  product_catalog_id: string
  /** Address of the file, with https. */
  feed_url: string
  /** Format of the file. */
  feed_format: FeedFormat
  /** How often the file is read. */
  frequency: FeedFrequency
  /** Hour and minute of the first time of a day: `05:00`. */
  start_time: string
  /** IANA name of the time zone of `start_time`. */
  time_zone: string
  /** Hours, or the day of the week. */
  repeat: string | null
  /** When it was created. */
  created_at: string
  /** When it was last updated. */
  updated_at: string
}

export interface ScheduledFeedList {
  request: RequestEcho
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  data: ScheduledFeed[]
}

export interface ScheduledFeedReply {
  request: RequestEcho
  data: ScheduledFeed
}

export interface ScheduledPost {
  /** Its id. */
  id: string
  /** When it was created. */
  created_at: string
  /** When it was last updated. */
  updated_at: string
  /** Human-readable name, which only this account sees. */
  name: string | null
  /** Text with a weight of at most 280. Required without media. */
  text: string
  /** Author of the post. */
  user_id: string
  /**
   * Whether the post is shown only in advertisements; true by default. False is allowed only for
   * posts of the authenticated user.
   */
  nullcast: boolean
  /** Up to 4 images, or 1 GIF, or 1 video: from the library, or uploaded by the caller. */
  media_keys: string[]
  /** The card that it shows. */
  card_uri: string | null
  /** When to publish it: within the next 365 days, to the minute. */
  scheduled_at: string
  /** Status of its publication. */
  scheduled_status: 'SCHEDULED' | 'SUCCESS' | 'FAILED' | 'DELETED'
  /** When it was published, or when publishing failed. */
  completed_at: string | null
  /** The published post. */
  post_id: string | null
}

export interface ScheduledPostList {
  request: RequestEcho
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  data: ScheduledPost[]
}

export interface ScheduledPostReply {
  request: RequestEcho
  data: ScheduledPost
}

export interface ScheduledPromotedPost {
  /** Id, unique within the account. */
  id: string
  /** When it was created. */
  created_at: string
  /** When it was last updated. */
  updated_at: string
  /** Whether it was deleted. */
  deleted: boolean
  /** Line item that will show it. */
  line_item_id: string
  /** The scheduled post. */
  scheduled_post_id: string
  /** The published post. */
  post_id: string | null
}

export interface ScheduledPromotedPostList {
  request: RequestEcho
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  /** Number of all items; present with `with_total_count`. */
  total_count?: number
  data: ScheduledPromotedPost[]
}

export interface ScheduledPromotedPostReply {
  request: RequestEcho
  data: ScheduledPromotedPost
}

export type SegmentOperator = 'AND' | 'OR'

export type SegmentationType = 'AGE' | 'APP_STORE_CATEGORY' | 'AUDIENCES' | 'CITIES' | 'CONVERSATIONS' | 'CONVERSION_TAGS' | 'DEVICES' | 'EVENTS' | 'GENDER' | 'INTERESTS' | 'KEYWORDS' | 'LANGUAGES' | 'LOCATIONS' | 'METROS' | 'PLATFORM_VERSIONS' | 'PLATFORMS' | 'POSTAL_CODES' | 'REGIONS' | 'SIMILAR_TO_FOLLOWERS_OF_USER' | 'SLIDES' | 'TV_SHOWS'

export interface ServiceAttribution {
  /** Country of the person, ISO 3166-1 alpha-2. */
  country_code: string
  /** When the person met the advertisement. UTC, with milliseconds. */
  engagement_time: string
  /** How: by an engagement of any kind, or a view. */
  engagement_type: AdEngagement
  /** Only advertisements are credited. */
  attribution_type: 'PROMOTED'
  /** The post that was shown; null for a promoted account or a media creative. */
  post_id: string | null
  promoted_properties: { account_id: string; campaign_id: string; campaign_name: string | null; line_item_id: string; line_item_objective: Objective; publisher_app_id: string | null }
}

export type SortOrder = 'created_at-asc' | 'created_at-desc' | 'updated_at-asc' | 'updated_at-desc' | 'deleted-asc' | 'deleted-desc'

export type SortOrderBidAmountLocalMicro = 'created_at-asc' | 'created_at-desc' | 'updated_at-asc' | 'updated_at-desc' | 'deleted-asc' | 'deleted-desc' | 'bid_amount_local_micro-asc' | 'bid_amount_local_micro-desc'

export type SortOrderCreatedAtUpdatedAt = 'created_at-asc' | 'created_at-desc' | 'updated_at-asc' | 'updated_at-desc'

export type SortOrderName = 'created_at-asc' | 'created_at-desc' | 'updated_at-asc' | 'updated_at-desc' | 'deleted-asc' | 'deleted-desc' | 'name-asc' | 'name-desc'

export type SortOrderNameDailyBudgetAmountLocalMicroTotalBudgetAmountLocalMicroStandardDelivery = 'created_at-asc' | 'created_at-desc' | 'updated_at-asc' | 'updated_at-desc' | 'deleted-asc' | 'deleted-desc' | 'name-asc' | 'name-desc' | 'daily_budget_amount_local_micro-asc' | 'daily_budget_amount_local_micro-desc' | 'total_budget_amount_local_micro-asc' | 'total_budget_amount_local_micro-desc' | 'standard_delivery-asc' | 'standard_delivery-desc'

export type SortOrderStartTimeEndTime = 'created_at-asc' | 'created_at-desc' | 'updated_at-asc' | 'updated_at-desc' | 'deleted-asc' | 'deleted-desc' | 'start_time-asc' | 'start_time-desc' | 'end_time-asc' | 'end_time-desc'

export type SortOrderStartTimeEndTimeFundedAmountLocalMicro = 'created_at-asc' | 'created_at-desc' | 'updated_at-asc' | 'updated_at-desc' | 'deleted-asc' | 'deleted-desc' | 'start_time-asc' | 'start_time-desc' | 'end_time-asc' | 'end_time-desc' | 'funded_amount_local_micro-asc' | 'funded_amount_local_micro-desc'

export type StatsEntity = 'ACCOUNT' | 'CAMPAIGN' | 'FUNDING_INSTRUMENT' | 'LINE_ITEM' | 'MEDIA_CREATIVE' | 'ORGANIC_POST' | 'PROMOTED_ACCOUNT' | 'PROMOTED_POST'

export type StatsGranularity = 'DAY' | 'HOUR' | 'TOTAL'

export interface StatsJob {
  /** Id, as a number. */
  id: Int64
  /** Id, as text. */
  id_str: string
  /** Account. */
  account_id: string
  /** State. `SUCCESS`: the result is at `url`. */
  status: StatsJobStatus
  /** The result: a file in gzip format, for everyone with this address. */
  url: string | null
  /** When it was created. */
  created_at: string
  /** When its state changed. */
  updated_at: string
  /** When the file is removed. */
  expires_at: string | null
  /** Start. */
  start_time: string
  /** Divides the figures by a kind of people. */
  segmentation_type: SegmentationType | null
  /** The entities. */
  entity_ids: string[]
  /** End, exclusive. */
  end_time: string
  /** Targeting value of a country. */
  country: string | null
  /** Type of the entities that the ids name. */
  entity: StatsEntity
  /** Period of each number: a day of the account’s time zone, an hour, or the whole time. */
  granularity: StatsGranularity
  /** Where it was shown. Everything is shown on the service; other placements have no figures. */
  placement: StatsPlacement
  /** Groups of metrics. */
  metric_groups: MetricGroup[]
  /** Targeting value of a platform. */
  platform: string | null
}

export interface StatsJobList {
  request: RequestEcho
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  data: StatsJob[]
}

export interface StatsJobReply {
  request: RequestEcho
  data: StatsJob
}

export type StatsJobStatus = 'PROCESSING' | 'SUCCESS' | 'FAILED' | 'CANCELLED'

export interface StatsJobTypedReply {
  request: RequestEcho
  data_type: string
  data: StatsJob
}

export type StatsPlacement = 'ALL_ON_SERVICE' | 'PUBLISHER_NETWORK' | 'SPOTLIGHT' | 'TREND'

export type SuggestionType = 'KEYWORD' | 'USER_ID'

export interface TailoredAudienceOperation {
  operation_type: CreateUpdateDeleteOperation
  /**
   * The parameters of the single call. Unless it is a `Create`, `tailored_audience_id` is one of
   * them.
   */
  params: CustomAudiencesBatchParameters
}

export interface TailoredAudiencePermission {
  /** Its id. */
  id: string
  /** The audience. */
  tailored_audience_id: string
  /** The account that may use it. */
  granted_account_id: string
  /** Whether the account may also write. */
  permission_level: PermissionLevel
  /** When it was created. */
  created_at: string
  /** When it was last updated. */
  updated_at: string
  /** Whether it was deleted. */
  deleted: boolean
}

export interface TailoredAudiencePermissionList {
  request: RequestEcho
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  /** Number of all items; present with `with_total_count`. */
  total_count?: number
  data: TailoredAudiencePermission[]
}

export interface TailoredAudiencePermissionReply {
  request: RequestEcho
  data: TailoredAudiencePermission
}

export interface TargetedCampaign {
  /** A campaign. */
  campaign_id: string
  /** Its name. */
  campaign_name: string
  line_items: { id: string; name: string | null; servable: boolean }[]
}

export interface TargetedCampaignList {
  request: RequestEcho
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  data: TargetedCampaign[]
}

export interface TargetingCriterion {
  /** Id, unique within the account. */
  id: string
  /** When it was created. */
  created_at: string
  /** When it was last updated. */
  updated_at: string
  /** Whether it was deleted. */
  deleted: boolean
  /** The line item that it targets. */
  line_item_id: string
  /** Human-readable name of the target. */
  name: string
  /** Operator; `EQ` by default. Each type accepts some of them. */
  operator_type: TargetingOperator
  /** Type of targeting. */
  targeting_type: TargetingType
  /** Value: the id of a targeting option or of a user, or a keyword. */
  targeting_value: string
  /** Type of location, for a LOCATION. */
  location_type?: LocationType
  /** The name in `lang`. */
  localized_name?: string
}

export interface TargetingCriterionBatch {
  request: OperationEcho[]
  data_type: string
  data: TargetingCriterion[]
}

export interface TargetingCriterionList {
  request: RequestEcho
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  /** Number of all items; present with `with_total_count`. */
  total_count?: number
  data: TargetingCriterion[]
}

export interface TargetingCriterionOperation {
  operation_type: CreateDeleteOperation
  /**
   * The parameters of the single call. Unless it is a `Create`, `targeting_criterion_id` is one of
   * them.
   */
  params: Record<string, unknown>
}

export interface TargetingCriterionReply {
  request: RequestEcho
  data: TargetingCriterion
}

export interface TargetingEvent {
  /** Human-readable name. */
  name: string
  /** Type of event. */
  event_type: EventType
  /** Local time of the event, written as if it were UTC. */
  start_time: string
  /** Local time of the event, written as if it were UTC. */
  end_time: string
  /** Null for events of several countries. */
  country_code: string | null
  /** Whether the event takes place in several countries. */
  is_global: boolean
  reach: { total_reach: number | null }
  /** Empty until data is available. */
  top_users: string[]
  /** Empty until data is available. */
  top_posts: string[]
  /** Empty until data is available. */
  top_hashtags: string[]
  /** Percentages; empty until data is available. */
  gender_breakdown_percentage: Record<string, unknown>
  /** Percentages; empty until data is available. */
  device_breakdown_percentage: Record<string, unknown>
  /** Percentages; empty until data is available. */
  country_breakdown_percentage: Record<string, unknown>
  /** Value for a targeting criterion. */
  targeting_value: string
}

export interface TargetingEventList {
  request: RequestEcho
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  data_type: string
  data: TargetingEvent[]
}

export type TargetingOperator = 'EQ' | 'NE' | 'GTE' | 'LT'

export interface TargetingSuggestion {
  /** As requested. */
  suggestion_type: SuggestionType
  /** A keyword or the id of a user. */
  suggestion_value: string
}

export interface TargetingSuggestionResults {
  request: RequestEcho
  data: TargetingSuggestion[]
}

export type TargetingType = 'AGE' | 'GENDER' | 'LANGUAGE' | 'LOCATION' | 'INTEREST' | 'SIMILAR_TO_FOLLOWERS_OF_USER' | 'FOLLOWERS_OF_USER' | 'BROAD_KEYWORD' | 'EXACT_KEYWORD' | 'PHRASE_KEYWORD' | 'UNORDERED_KEYWORD' | 'EVENT' | 'CONVERSATION' | 'TV_SHOW' | 'LIVE_TV_EVENT' | 'DEVICE' | 'PLATFORM' | 'PLATFORM_VERSION' | 'NETWORK_OPERATOR' | 'NETWORK_ACTIVATION_DURATION' | 'WIFI_ONLY' | 'CUSTOM_AUDIENCE' | 'CUSTOM_AUDIENCE_EXPANDED' | 'CAMPAIGN_ENGAGEMENT' | 'CAMPAIGN_ENGAGEMENT_LOOKALIKE' | 'USER_ENGAGEMENT' | 'USER_ENGAGEMENT_LOOKALIKE' | 'ENGAGEMENT_TYPE' | 'APP_STORE_CATEGORY' | 'APP_STORE_CATEGORY_LOOKALIKE' | 'APP_LIST' | 'IAB_CATEGORY' | 'CONTENT_PUBLISHER_USER'

export type TaxCategory = 'BUSINESS_NO_VAT' | 'BUSINESS_WITH_VAT' | 'INDIVIDUAL'

export interface TaxSettings {
  /** Tax id. */
  tax_id: string | null
  /** How the advertiser is taxed. */
  tax_category: TaxCategory | null
  /** Whether the account advertises for itself or for others. */
  business_relationship: BusinessRelationship
  /** Who is billed. */
  bill_to: BillTo
  /** Jurisdiction of invoices. */
  invoice_jurisdiction: InvoiceJurisdiction
  /** Tax exemption id. */
  tax_exemption_id?: string
  /** Name of the payer. */
  address_company: string | null
  /** First name of the payer. */
  address_first_name: string | null
  /** Last name of the payer. */
  address_last_name: string | null
  /** E-mail address for invoices of the payer. */
  address_email: string | null
  /** Street of the payer. */
  address_street1: string | null
  /** Second line of the street of the payer. */
  address_street2: string | null
  /** City of the payer. */
  address_city: string | null
  /** Region of the payer. */
  address_region: string | null
  /** Postal code of the payer. */
  address_postal_code: string | null
  /** ISO 3166-1 alpha-2 code of the country of the payer. */
  address_country: string | null
  /** Name of the client of an agency. */
  client_address_company?: string
  /** First name of the client of an agency. */
  client_address_first_name?: string
  /** Last name of the client of an agency. */
  client_address_last_name?: string
  /** E-mail address for invoices of the client of an agency. */
  client_address_email?: string
  /** Street of the client of an agency. */
  client_address_street1?: string
  /** Second line of the street of the client of an agency. */
  client_address_street2?: string
  /** City of the client of an agency. */
  client_address_city?: string
  /** Region of the client of an agency. */
  client_address_region?: string
  /** Postal code of the client of an agency. */
  client_address_postal_code?: string
  /** ISO 3166-1 alpha-2 code of the country of the client of an agency. */
  client_address_country?: string
}

export interface TaxSettingsReply {
  request: RequestEcho
  data: TaxSettings
}

export interface TestedEntity {
  /** The user group. */
  id: string
  /** The account. */
  account_id: string
}

export type TestedType = 'CAMPAIGN' | 'LINE_ITEM'

export interface TextLink {
  url: string
  expanded_url: string
  display_url: string
  /** Start and end in code points; the end is exclusive. */
  indices: number[]
}

export interface TrackingTag {
  /** Id, unique within the account. */
  id: string
  /** When it was created. */
  created_at: string
  /** When it was last updated. */
  updated_at: string
  /** Whether it was deleted. */
  deleted: boolean
  /** The line item that is tracked. */
  line_item_id: string
  /** Event that is tracked. */
  tracking_tag_type: 'IMPRESSION_TAG' | 'CLICK_TRACKER'
  /** URL that is requested. */
  tracking_tag_url: string
}

export interface TrackingTagList {
  request: RequestEcho
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  /** Number of all items; present with `with_total_count`. */
  total_count?: number
  data: TrackingTag[]
}

export interface TrackingTagReply {
  request: RequestEcho
  data: TrackingTag
}

export interface TvMarket {
  /** Human-readable name. */
  name: string
  /** ISO 3166-1. */
  country_code: string
  /** Language and country: `en-US`. */
  locale: string
}

export interface TvMarketList {
  request: RequestEcho
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  data: TvMarket[]
}

export interface TvShow {
  /** Human-readable name. */
  name: string
  /** Value for a targeting criterion, as a number. */
  targeting_value: number
  /** Genre of the show. */
  genre: 'COMEDY' | 'DOCUMENTARY' | 'DRAMA' | 'GAME_SHOW' | 'KIDS' | 'MUSIC' | 'NEWS' | 'PAID' | 'REALITY' | 'SPORTS' | 'TALK'
  /** The markets that it is broadcast in. */
  locales: { language: string; country: string }[]
}

export interface TvShowList {
  request: RequestEcho
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  data: TvShow[]
}

export interface UpdateABTestBody {
  /** Human-readable name. */
  name?: string
  /** Description. */
  description?: string
  /** Start of the test. */
  start_time?: string
  /** End of the test, exclusive. */
  end_time?: string
  /**
   * Either changes of groups, each with its `id`, or without ids all groups of the test, which
   * replace the present ones.
   */
  user_groups?: { id?: string; size?: string; entity_ids?: string[]; name?: string; description?: string }[]
}

export interface UpdateAccountForm {
  /** Human-readable name. */
  name?: string
  /** Industry of the advertiser. */
  industry_type?: IndustryType
}

export interface UpdateCampaignForm {
  /** Human-readable name. */
  name?: string
  /** Level at which budgets are set. */
  budget_optimization?: BudgetOptimization
  /** Daily budget; at most the total budget. */
  daily_budget_amount_local_micro?: Int64
  /** Budget for the whole duration. */
  total_budget_amount_local_micro?: Int64
  /** Status. A draft that was activated or paused cannot become a draft again. */
  entity_status?: ActiveStatus
  /** Number for invoices. */
  purchase_order_number?: string
  /** Moved to line items: accepted, and always null. */
  standard_delivery?: boolean
}

export interface UpdateCustomAudienceForm {
  /** Human-readable name, unique in the account in any case. */
  name?: string
  /** Human-readable name. */
  description?: string
}

export interface UpdateDraftPostForm {
  /** Human-readable name, which only this account sees. */
  name?: string
  /** Text with a weight of at most 280. Required without media. */
  text?: string
  /**
   * Whether the post is shown only in advertisements; true by default. False is allowed only for
   * posts of the authenticated user.
   */
  nullcast?: boolean
  /** Up to 4 images, or 1 GIF, or 1 video: from the library, or uploaded by the caller. */
  media_keys?: string[]
  /** The card that it shows. */
  card_uri?: string
}

export interface UpdateFundingInstrumentForm {
  /** Whether it is enabled. */
  entity_status?: ActiveStatus
  /** The same as `entity_status` in older clients. */
  paused?: boolean
  /** Funded amount of an insertion order. */
  funded_amount_local_micro?: Int64
}

export interface UpdateImageConversationCardForm {
  /** Human-readable name. */
  name?: string
  /** Required if there is no second call to action. */
  title?: string
  /** Hashtag of up to 20 characters, without the leading sign. */
  first_cta?: string
  /** Text of the post of a user who chooses it. Its weight is at most 280. */
  first_cta_post?: string
  /** Hashtag of up to 20 characters, without the leading sign. */
  second_cta?: string
  /** Text of the post of a user who chooses it. Its weight is at most 280. */
  second_cta_post?: string
  /** Hashtag of up to 20 characters, without the leading sign. */
  third_cta?: string
  /** Text of the post of a user who chooses it. Its weight is at most 280. */
  third_cta_post?: string
  /** Hashtag of up to 20 characters, without the leading sign. */
  fourth_cta?: string
  /** Text of the post of a user who chooses it. Its weight is at most 280. */
  fourth_cta_post?: string
  /** Text shown to users who responded. */
  thank_you_text?: string
  /** URL that the thank-you text links to. */
  thank_you_url?: string
  /** An image for users who responded, in the library. */
  unlocked_image_media_key?: string
  /** An image of 1.91:1, at least 800 pixels wide,, in the library. */
  media_key?: string
}

export interface UpdateLineItemCuratedCategoryForm {
  /** The line item. */
  line_item_id?: string
  /** The curated category. */
  curated_category_id?: string
}

export interface UpdateLineItemForm {
  /** Human-readable name. */
  name?: string
  /** When it begins; immediately by default. */
  start_time?: string
  /** When it ends; never by default. */
  end_time?: string
  /** Goal that bids are optimized for. */
  goal?: ChangedGoal
  /** Bidding strategy. */
  bid_strategy?: BidStrategy
  /** Amount of the bid. Not allowed with AUTO. */
  bid_amount_local_micro?: Int64
  /** Event that is charged for. */
  pay_by?: PayBy
  /** Daily budget; at most the total budget. */
  daily_budget_amount_local_micro?: Int64
  /** Budget for the whole duration. */
  total_budget_amount_local_micro?: Int64
  /** `true` delivers evenly over the day, `false` as fast as possible. */
  standard_delivery?: boolean
  /** Status. A draft that was activated or paused cannot become a draft again. */
  entity_status?: ActiveStatus
  /** Maximum number of times that one person sees it. */
  frequency_cap?: number
  /** Window of the frequency cap, in days. */
  duration_in_days?: FrequencyWindow
  /** IAB categories of the advertiser. */
  categories?: string[]
  /** Domain of the advertiser, without protocol. */
  advertiser_domain?: string
  /** User on whose behalf it is shown. */
  advertiser_user_id?: string
  /** Package name of the app. */
  android_app_store_identifier?: string
  /** Numeric part of the store identifier. */
  ios_app_store_identifier?: string
  /** Web event tag that counts its conversions. */
  primary_web_event_tag?: string
  /** How far delivery may expand beyond the targeting. */
  audience_expansion?: AudienceExpansion
  /** Source of its creatives: the advertiser, or a product set. */
  creative_source?: CreativeSource
  /** Product catalog of `product_set_id`. */
  catalog_id?: string
  /** Products that are shown with creative_source DYNAMIC_PRODUCT_CREATIVE. */
  product_set_id?: string
}

export interface UpdateMediaLibraryItemForm {
  /** Text of a video or GIF. */
  description?: string
  /** Name of the file. */
  file_name?: string
  /** Human-readable name. */
  name?: string
  /** Preview image of a video; its first frame by default. */
  poster_media_key?: string
  /** Text of a video or GIF. */
  title?: string
}

export interface UpdatePrerollCallToActionForm {
  /** Call to action. */
  call_to_action?: PrerollAction
  /** URL of the call to action. */
  call_to_action_url?: string
}

export interface UpdateProductCatalogForm {
  /** Human-readable name. */
  name?: string
}

export interface UpdateProductSetBody {
  /** Human-readable name. */
  name?: string
  /** Human-readable name. */
  description?: string
  /** The products of a manual set, by their keys. */
  product_keys?: string[]
}

export interface UpdatePromotedPostForm {
  /** Whether it is shown with its line item. */
  entity_status?: ActiveStatus
}

export interface UpdateScheduledFeedForm {
  /** Address of the file, with https. */
  feed_url?: string
  /** Format of the file. */
  feed_format?: FeedFormat
  /** How often the file is read. */
  frequency?: FeedFrequency
  /** Hour and minute of the first time of a day: `05:00`. */
  start_time?: string
  /** IANA name of the time zone of `start_time`. */
  time_zone?: string
  /** `HOURLY`: 1, 2, 3, 4, 6, 8 or 12 hours. `WEEKLY`: a day, `MONDAY`. `DAILY` has none. */
  repeat?: string
}

export interface UpdateScheduledPostForm {
  /** Human-readable name, which only this account sees. */
  name?: string
  /** Text with a weight of at most 280. Required without media. */
  text?: string
  /**
   * Whether the post is shown only in advertisements; true by default. False is allowed only for
   * posts of the authenticated user.
   */
  nullcast?: boolean
  /** Up to 4 images, or 1 GIF, or 1 video: from the library, or uploaded by the caller. */
  media_keys?: string[]
  /** The card that it shows. */
  card_uri?: string
  /** When to publish it: within the next 365 days, to the minute. */
  scheduled_at?: string
}

export interface UpdateTailoredAudienceForm {
  /** Human-readable name, unique in the account in any case. */
  name?: string
  /** Human-readable name. */
  description?: string
}

export interface UpdateTaxSettingsForm {
  /** Tax id. */
  tax_id?: string
  /** How the advertiser is taxed. */
  tax_category?: TaxCategory
  /** Whether the account advertises for itself or for others. */
  business_relationship?: BusinessRelationship
  /** Who is billed. */
  bill_to?: BillToChoice
  /** Jurisdiction of invoices. */
  invoice_jurisdiction?: InvoiceJurisdiction
  /** Tax exemption id. */
  tax_exemption_id?: string
  /** Name of the payer. */
  address_name?: string
  /** First name of the payer. */
  address_first_name?: string
  /** Last name of the payer. */
  address_last_name?: string
  /** E-mail address for invoices of the payer. */
  address_email?: string
  /** Street of the payer. */
  address_street1?: string
  /** Second line of the street of the payer. */
  address_street2?: string
  /** City of the payer. */
  address_city?: string
  /** Region of the payer. */
  address_region?: string
  /** Postal code of the payer. */
  address_postal_code?: string
  /** ISO 3166-1 alpha-2 code of the country of the payer. */
  address_country?: string
  /** Name of the client of an agency. */
  client_address_name?: string
  /** First name of the client of an agency. */
  client_address_first_name?: string
  /** Last name of the client of an agency. */
  client_address_last_name?: string
  /** E-mail address for invoices of the client of an agency. */
  client_address_email?: string
  /** Street of the client of an agency. */
  client_address_street1?: string
  /** Second line of the street of the client of an agency. */
  client_address_street2?: string
  /** City of the client of an agency. */
  client_address_city?: string
  /** Region of the client of an agency. */
  client_address_region?: string
  /** Postal code of the client of an agency. */
  client_address_postal_code?: string
  /** ISO 3166-1 alpha-2 code of the country of the client of an agency. */
  client_address_country?: string
}

export interface UpdateTrackingTagForm {
  /** URL that is requested. */
  tracking_tag_url?: string
}

export interface UpdateUserSettingsForm {
  /** E-mail address for messages about the account. */
  notification_email?: string
  /** A telephone number. */
  contact_phone?: string
  /** Extension of the telephone number. */
  contact_phone_extension?: string
  /** E-mail topics that the user receives. */
  subscribed_email_types?: ('ACCOUNT_PERFORMANCE' | 'PERFORMANCE_IMPROVEMENT')[]
}

export interface UpdateVideoConversationCardForm {
  /** Human-readable name. */
  name?: string
  /** Required if there is no second call to action. */
  title?: string
  /** Hashtag of up to 20 characters, without the leading sign. */
  first_cta?: string
  /** Text of the post of a user who chooses it. Its weight is at most 280. */
  first_cta_post?: string
  /** Hashtag of up to 20 characters, without the leading sign. */
  second_cta?: string
  /** Text of the post of a user who chooses it. Its weight is at most 280. */
  second_cta_post?: string
  /** Hashtag of up to 20 characters, without the leading sign. */
  third_cta?: string
  /** Text of the post of a user who chooses it. Its weight is at most 280. */
  third_cta_post?: string
  /** Hashtag of up to 20 characters, without the leading sign. */
  fourth_cta?: string
  /** Text of the post of a user who chooses it. Its weight is at most 280. */
  fourth_cta_post?: string
  /** Text shown to users who responded. */
  thank_you_text?: string
  /** URL that the thank-you text links to. */
  thank_you_url?: string
  /** An image for users who responded, in the library. */
  unlocked_image_media_key?: string
  /** A video of 16:9, in the library. */
  media_key?: string
  /** An image that represents the video, in the library. */
  poster_media_key?: string
  /** A video for users who responded, in the library. */
  unlocked_video_media_key?: string
}

export interface UpdateWebEventTagForm {
  /** Name of the tag. */
  name?: string
  /** Type of conversion. */
  type?: ConversionType
  /** Days after a click during which a conversion is counted. */
  click_window?: ClickWindow
  /** Days after a view during which a conversion is counted; 0 for none. */
  view_through_window?: ViewThroughWindow
  /** Whether visitors of the website can be targeted. */
  retargeting_enabled?: boolean
}

export type UploadAudienceUsersBody = { operation_type: 'Update' | 'Delete'; params: { users: { email?: string[]; device_id?: string[]; handle?: string[]; service_id?: string[]; phone_number?: string[]; partner_user_id?: string[] }[]; effective_at?: string; expires_at?: string } }[]

export interface UpsertProductsBody {
  /** Products to create or update. */
  products: NewProduct[]
}

export interface UpsertProductsReply {
  request: RequestEcho
  data: { products_response: { warnings: string[]; errors: string[]; product_key: string | null; id: string | null; status: 'CREATE_SUCCESS' | 'UPDATE_SUCCESS' | 'ERROR' | 'NO_CHANGE' }[] }
}

export interface UserCounts {
  /** Users that were processed. */
  success_count: number
  /** Users that were sent; always the same number. */
  total_count: number
}

export interface UserCountsBatch {
  request: OperationEcho[]
  data: UserCounts[]
}

export interface UserCountsReply {
  request: RequestEcho
  data: UserCounts
}

export interface UserGroup {
  /** The user group. */
  id: string
  /** Human-readable name. */
  name: string | null
  /** Description. */
  description: string | null
  /** Share of the people, in percent. All shares add up to 100.00. */
  size: string
  /** Campaigns or line items that only people of this group see while the test is live. */
  entity_ids: string[]
}

export interface UserSettings {
  /** E-mail address for messages about the account. */
  notification_email: string | null
  /** Empty when there is none. */
  contact_phone: string
  /** Empty when there is none. */
  contact_phone_extension: string
  /** E-mail topics that the user receives. */
  subscribed_email_types: ('ACCOUNT_PERFORMANCE' | 'PERFORMANCE_IMPROVEMENT')[]
}

export interface UserSettingsReply {
  request: RequestEcho
  data: UserSettings
}

export interface VideoConversationCard {
  /** Id, unique within the account. */
  id: string
  /** When it was created. */
  created_at: string
  /** When it was last updated. */
  updated_at: string
  /** Whether it was deleted. */
  deleted: boolean
  /** Human-readable name. */
  name: string
  /** Required if there is no second call to action. */
  title: string | null
  /** Hashtag of up to 20 characters, without the leading sign. */
  first_cta: string
  /** Text of the post of a user who chooses it. Its weight is at most 280. */
  first_cta_post: string
  /** Hashtag of up to 20 characters, without the leading sign. */
  second_cta?: string
  /** Text of the post of a user who chooses it. Its weight is at most 280. */
  second_cta_post?: string
  /** Hashtag of up to 20 characters, without the leading sign. */
  third_cta?: string
  /** Text of the post of a user who chooses it. Its weight is at most 280. */
  third_cta_post?: string
  /** Hashtag of up to 20 characters, without the leading sign. */
  fourth_cta?: string
  /** Text of the post of a user who chooses it. Its weight is at most 280. */
  fourth_cta_post?: string
  /** Text shown to users who responded. */
  thank_you_text: string
  /** URL that the thank-you text links to. */
  thank_you_url?: string
  /** URI by which a post refers to the card. */
  card_uri: string
  /** A video of 16:9, in the library. */
  media_key: string
  /** A video for users who responded, in the library. */
  unlocked_video_media_key?: string
  /** URL of the video. */
  media_url?: string
  /** URL of its preview image. */
  poster_media_url?: string | null
  /** Who uploaded the video. */
  video_owner_id?: string
  /** Part of its aspect ratio. */
  video_width?: string
  /** Part of its aspect ratio. */
  video_height?: string
  /** Its type. */
  card_type: 'VIDEO_CONVERSATION'
}

export interface VideoConversationCardList {
  request: RequestEcho
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  /** Number of all items; present with `with_total_count`. */
  total_count?: number
  data: VideoConversationCard[]
}

export interface VideoConversationCardReply {
  request: RequestEcho
  data: VideoConversationCard
}

export interface VideoDescription {
  title?: string
  description?: string
  embeddable?: boolean
  call_to_actions?: CallToActions
}

export type ViewThroughWindow = 0 | 1 | 7 | 14 | 30

export interface WebEventTag {
  /** Id, unique within the account. */
  id: string
  /** When it was created. */
  created_at: string
  /** When it was last updated. */
  updated_at: string
  /** Whether it was deleted. */
  deleted: boolean
  /** Name of the tag. */
  name: string
  /** Type of conversion. */
  type: ConversionType
  /** Days after a click during which a conversion is counted. */
  click_window: ClickWindow
  /** Days after a view during which a conversion is counted; 0 for none. */
  view_through_window: ViewThroughWindow
  /** Whether visitors of the website can be targeted. */
  retargeting_enabled: boolean
  /** Whether a conversion has been seen. */
  status: 'UNVERIFIED' | 'TRACKING'
  /** When a conversion was last seen. */
  last_tracked_at: string | null
  /** The event source: conversions are sent to it. */
  website_tag_id: string
  /** A comment that names the event source and the tag, for the website. */
  embed_code: string
}

export interface WebEventTagList {
  request: RequestEcho
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  /** Number of all items; present with `with_total_count`. */
  total_count?: number
  data: WebEventTag[]
}

export interface WebEventTagReply {
  request: RequestEcho
  data: WebEventTag
}
