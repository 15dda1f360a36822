import type { Int64 } from '../platform/common/int64.ts'

/** A body that is not JSON. */
type Upload = AsyncIterable<Uint8Array> | Uint8Array | string

export interface AdminCalls {
  /** List advertising accounts. */
  'GET /accounts': { given: { query?: { limit?: number; pagination_token?: string } }; reply: ListAllAccountsReply }
  /** Open an advertising account. */
  'POST /accounts': { given: { body: CreateAccountBody }; reply: CreateAccountReply }
  /** Get an advertising account. */
  'GET /accounts/{account_id}': { given: { path: { account_id: string } }; reply: ReadAccountReply }
  /** Change an advertising account. */
  'PUT /accounts/{account_id}': { given: { path: { account_id: string }; body: ChangeAccountBody }; reply: ChangeAccountReply }
  /** Register a mobile app that an account may promote. */
  'POST /accounts/{account_id}/account_apps': { given: { path: { account_id: string }; body: CreateAccountAppBody }; reply: CreateAccountAppReply }
  /** List clicks on links or the app of a promoted post. */
  'GET /accounts/{account_id}/ad_clicks': { given: { path: { account_id: string }; query: { limit?: number; pagination_token?: string; promoted_post_id: string } }; reply: ListAdClicksReply }
  /** List campaigns. */
  'GET /accounts/{account_id}/campaigns': { given: { path: { account_id: string }; query?: { limit?: number; pagination_token?: string; with_deleted?: boolean; campaign_ids?: string[]; funding_instrument_ids?: string[] } }; reply: ListAdminCampaignsReply }
  /** Create a campaign. */
  'POST /accounts/{account_id}/campaigns': { given: { path: { account_id: string }; body: CreateAdminCampaignBody }; reply: CreateAdminCampaignReply }
  /** Delete a campaign. */
  'DELETE /accounts/{account_id}/campaigns/{campaign_id}': { given: { path: { account_id: string; campaign_id: string }; query?: { as_user?: string } }; reply: DeleteAdminCampaignReply }
  /** Change a campaign. */
  'PUT /accounts/{account_id}/campaigns/{campaign_id}': { given: { path: { account_id: string; campaign_id: string }; body: UpdateAdminCampaignBody }; reply: UpdateAdminCampaignReply }
  /** List cards. */
  'GET /accounts/{account_id}/cards': { given: { path: { account_id: string }; query?: { limit?: number; pagination_token?: string; with_deleted?: boolean; card_types?: string[]; card_ids?: string[] } }; reply: ListAdminCardsReply }
  /** List custom audiences. */
  'GET /accounts/{account_id}/custom_audiences': { given: { path: { account_id: string }; query?: { limit?: number; pagination_token?: string; with_deleted?: boolean; custom_audience_ids?: string[] } }; reply: ListAdminCustomAudiencesReply }
  /** List funding instruments. */
  'GET /accounts/{account_id}/funding_instruments': { given: { path: { account_id: string }; query?: { limit?: number; pagination_token?: string; with_deleted?: boolean; funding_instrument_ids?: string[] } }; reply: ListAdminFundingInstrumentsReply }
  /** Add a funding instrument to an account. */
  'POST /accounts/{account_id}/funding_instruments': { given: { path: { account_id: string }; body: CreateFundingInstrumentBody }; reply: CreateFundingInstrumentReply }
  /** List line items. */
  'GET /accounts/{account_id}/line_items': { given: { path: { account_id: string }; query?: { limit?: number; pagination_token?: string; with_deleted?: boolean; line_item_ids?: string[]; campaign_ids?: string[]; funding_instrument_ids?: string[] } }; reply: ListAdminLineItemsReply }
  /** Create a line item. */
  'POST /accounts/{account_id}/line_items': { given: { path: { account_id: string }; body: CreateAdminLineItemBody }; reply: CreateAdminLineItemReply }
  /** Delete a line item. */
  'DELETE /accounts/{account_id}/line_items/{line_item_id}': { given: { path: { account_id: string; line_item_id: string }; query?: { as_user?: string } }; reply: DeleteAdminLineItemReply }
  /** Change a line item. */
  'PUT /accounts/{account_id}/line_items/{line_item_id}': { given: { path: { account_id: string; line_item_id: string }; body: UpdateAdminLineItemBody }; reply: UpdateAdminLineItemReply }
  /** List promoted posts. */
  'GET /accounts/{account_id}/promoted_posts': { given: { path: { account_id: string }; query?: { limit?: number; pagination_token?: string; with_deleted?: boolean; line_item_ids?: string[]; promoted_post_ids?: string[] } }; reply: ListAdminPromotedPostsReply }
  /** List scheduled posts. */
  'GET /accounts/{account_id}/scheduled_posts': { given: { path: { account_id: string }; query?: { limit?: number; pagination_token?: string; with_deleted?: boolean; user_id?: string } }; reply: ListAdminScheduledPostsReply }
  /** List targeting criteria. */
  'GET /accounts/{account_id}/targeting_criteria': { given: { path: { account_id: string }; query: { limit?: number; pagination_token?: string; with_deleted?: boolean; line_item_ids: string[]; targeting_criterion_ids?: string[] } }; reply: ListAdminTargetingCriteriaReply }
  /** Remove a user from an account. */
  'DELETE /accounts/{account_id}/users/{user}': { given: { path: { account_id: string; user: string } }; reply: RemoveRolesReply }
  /** Set the roles of a user in an account. */
  'PUT /accounts/{account_id}/users/{user}': { given: { path: { account_id: string; user: string }; body: SetRolesBody }; reply: SetRolesReply }
  /** List the types of activities. */
  'GET /activity_types': { given: {  }; reply: ListActivityTypesReply }
  /** List apps. */
  'GET /apps': { given: { query?: { limit?: number; pagination_token?: string } }; reply: ListAppsReply }
  /** Register an app. */
  'POST /apps': { given: { body: CreateAppBody }; reply: CreateAppReply }
  /** Delete an app. */
  'DELETE /apps/{app_id}': { given: { path: { app_id: string } }; reply: DeleteAppReply }
  /** Get an app. */
  'GET /apps/{app_id}': { given: { path: { app_id: string } }; reply: ReadAppReply }
  /** Change an app. */
  'PUT /apps/{app_id}': { given: { path: { app_id: string }; body: ChangeAppBody }; reply: ChangeAppReply }
  /** List the activity subscriptions of an app. */
  'GET /apps/{app_id}/activity_subscriptions': { given: { path: { app_id: string }; query?: { limit?: number; pagination_token?: string } }; reply: ListSubscriptionsReply }
  /** Subscribe an app to activities. */
  'POST /apps/{app_id}/activity_subscriptions': { given: { path: { app_id: string }; body: CreateSubscriptionBody }; reply: CreateSubscriptionReply }
  /** Delete an activity subscription of an app. */
  'DELETE /apps/{app_id}/activity_subscriptions/{subscription_id}': { given: { path: { app_id: string; subscription_id: string } }; reply: DeleteSubscriptionReply }
  /** Give an app new keys. */
  'POST /apps/{app_id}/rotate_keys': { given: { path: { app_id: string } }; reply: RotateKeysReply }
  /** List the rules of an app. */
  'GET /apps/{app_id}/stream_rules': { given: { path: { app_id: string }; query?: { limit?: number; pagination_token?: string; stream?: 'filtered' | 'powerstream' } }; reply: ListStreamRulesReply }
  /** Add a rule to a stream of an app. */
  'POST /apps/{app_id}/stream_rules': { given: { path: { app_id: string }; body: CreateStreamRuleBody }; reply: CreateStreamRuleReply }
  /** Delete a rule of an app. */
  'DELETE /apps/{app_id}/stream_rules/{rule_id}': { given: { path: { app_id: string; rule_id: string } }; reply: DeleteStreamRuleReply }
  /** List the webhooks of an app. */
  'GET /apps/{app_id}/webhooks': { given: { path: { app_id: string } }; reply: ListAppWebhooksReply }
  /** List sources of broadcasts. */
  'GET /broadcast-sources': { given: { query?: { limit?: number; pagination_token?: string } }; reply: ListBroadcastSourcesReply }
  /** Make a source of broadcasts. */
  'POST /broadcast-sources': { given: { body: CreateBroadcastSourceBody }; reply: CreateBroadcastSourceReply }
  /** Say whether a source receives video. */
  'PUT /broadcast-sources/{source_id}': { given: { path: { source_id: string }; body: ChangeBroadcastSourceBody }; reply: ChangeBroadcastSourceReply }
  /** List broadcasts. */
  'GET /broadcasts': { given: { query?: { limit?: number; pagination_token?: string } }; reply: ListBroadcastsReply }
  /** Start or schedule a broadcast. */
  'POST /broadcasts': { given: { body: CreateBroadcastBody }; reply: CreateBroadcastReply }
  /** End a broadcast. */
  'POST /broadcasts/{broadcast_id}/end': { given: { path: { broadcast_id: string }; body: EndBroadcastBody }; reply: EndBroadcastReply }
  /** Start a scheduled broadcast. */
  'POST /broadcasts/{broadcast_id}/start': { given: { path: { broadcast_id: string } }; reply: StartBroadcastReply }
  /** Leave a broadcast. */
  'DELETE /broadcasts/{broadcast_id}/watchers/{user}': { given: { path: { broadcast_id: string; user: string } }; reply: LeaveBroadcastReply }
  /** Watch a broadcast. */
  'PUT /broadcasts/{broadcast_id}/watchers/{user}': { given: { path: { broadcast_id: string; user: string } }; reply: WatchBroadcastReply }
  /** Check counters and indexes. */
  'POST /check': { given: { body: CheckDataBody }; reply: CheckDataReply }
  /** Read the clock. */
  'GET /clock': { given: {  }; reply: GetClockReply }
  /** Set, freeze or resume the clock. */
  'PUT /clock': { given: { body: UpdateClockBody }; reply: UpdateClockReply }
  /** Advance the clock. */
  'POST /clock/advance': { given: { body: AdvanceClockBody }; reply: AdvanceClockReply }
  /** List communities. */
  'GET /communities': { given: { query?: { limit?: number; pagination_token?: string } }; reply: ListCommunitiesReply }
  /** Create a community. */
  'POST /communities': { given: { body: CreateCommunityBody }; reply: CreateCommunityReply }
  /** Delete a community. */
  'DELETE /communities/{community_id}': { given: { path: { community_id: string } }; reply: DeleteCommunityReply }
  /** Get a community. */
  'GET /communities/{community_id}': { given: { path: { community_id: string } }; reply: GetAnyCommunityReply }
  /** Change a community. */
  'PUT /communities/{community_id}': { given: { path: { community_id: string }; body: ChangeCommunityBody }; reply: ChangeCommunityReply }
  /** List the members of a community. */
  'GET /communities/{community_id}/members': { given: { path: { community_id: string }; query?: { limit?: number; pagination_token?: string } }; reply: ListMembersOfCommunityReply }
  /** Remove a member from a community. */
  'DELETE /communities/{community_id}/members/{user}': { given: { path: { community_id: string; user: string } }; reply: LeaveCommunityReply }
  /** Add a member to a community. */
  'PUT /communities/{community_id}/members/{user}': { given: { path: { community_id: string; user: string } }; reply: JoinCommunityReply }
  /** List the posts of a community. */
  'GET /communities/{community_id}/posts': { given: { path: { community_id: string }; query?: { limit?: number; pagination_token?: string } }; reply: ListPostsOfCommunityReply }
  /** Create a key for the console. */
  'POST /console_keys': { given: {  }; reply: CreateConsoleKeyReply }
  /** List the posts of a conversation. */
  'GET /conversations/{conversation_id}/posts': { given: { path: { conversation_id: string }; query?: { limit?: number; pagination_token?: string } }; reply: ListConversationReply }
  /** List deliveries to webhooks. */
  'GET /deliveries': { given: { query?: { limit?: number; pagination_token?: string; webhook_id?: string; state?: 'pending' | 'delivered' | 'failed' | 'skipped' | 'dropped' | 'oversized' | 'withdrawn' | 'capped' } }; reply: ListDeliveriesReply }
  /** Get a delivery. */
  'GET /deliveries/{delivery_id}': { given: { path: { delivery_id: string } }; reply: ReadDeliveryReply }
  /** Send a delivery again. */
  'POST /deliveries/{delivery_id}/resend': { given: { path: { delivery_id: string } }; reply: ResendDeliveryReply }
  /** Send a direct message as a user. */
  'POST /direct_messages': { given: { body: CreateDirectMessageBody }; reply: CreateDirectMessageReply }
  /** Emit an activity as if it had happened. */
  'POST /emit': { given: { body: EmitActivityBody }; reply: EmitActivityReply }
  /** Send a request as any user or app. */
  'POST /explorer/requests': { given: { body: SendExplorerRequestBody }; reply: SendExplorerRequestReply }
  /** Follow a stream as an app. */
  'GET /explorer/streams/{stream}': { given: { path: { stream: 'posts' | 'powerstream' | 'activity' }; query?: { app_id?: string } }; reply: FollowStreamReply }
  /** Remove all fault rules. */
  'DELETE /faults': { given: {  }; reply: undefined }
  /** List fault rules. */
  'GET /faults': { given: {  }; reply: ListFaultsReply }
  /** Add a fault rule. */
  'POST /faults': { given: { body: AddFaultBody }; reply: AddFaultReply }
  /** Remove a fault rule. */
  'DELETE /faults/{id}': { given: { path: { id: string } }; reply: undefined }
  /** Get a fault rule. */
  'GET /faults/{id}': { given: { path: { id: string } }; reply: GetFaultReply }
  /** Replace or move a fault rule. */
  'PUT /faults/{id}': { given: { path: { id: string }; body: UpdateFaultBody }; reply: UpdateFaultReply }
  /** Clear the journal. */
  'DELETE /journal': { given: {  }; reply: undefined }
  /** List journal entries. */
  'GET /journal': { given: { query?: { kind?: 'request' | 'outgoing' | 'stream'; host?: 'core' | 'ads' | 'sandbox'; route?: string; status?: string; app_id?: string; user_id?: string; text?: string; since?: string; until?: string; after?: number; before?: number; limit?: number } }; reply: ListJournalReply }
  /** Count journal entries. */
  'GET /journal/counts': { given: { query?: { kind?: 'request' | 'outgoing' | 'stream'; host?: 'core' | 'ads' | 'sandbox'; route?: string; status?: string; app_id?: string; user_id?: string; since?: string; until?: string; after?: number; before?: number } }; reply: CountJournalReply }
  /** Export journal entries. */
  'GET /journal/export': { given: { query?: { kind?: 'request' | 'outgoing' | 'stream'; host?: 'core' | 'ads' | 'sandbox'; route?: string; status?: string; app_id?: string; user_id?: string; text?: string; since?: string; until?: string; after?: number; before?: number; format?: 'har' } }; reply: ExportJournalReply }
  /** Follow the journal. */
  'GET /journal/stream': { given: { query?: { kind?: 'request' | 'outgoing' | 'stream'; host?: 'core' | 'ads' | 'sandbox'; route?: string; status?: string; app_id?: string; user_id?: string; text?: string; since?: string; until?: string; after?: number; before?: number } }; reply: StreamJournalReply }
  /** Wait for a journal entry. */
  'POST /journal/wait': { given: { body?: WaitForJournalEntryBody }; reply: WaitForJournalEntryReply }
  /** Get a journal entry. */
  'GET /journal/{id}': { given: { path: { id: string } }; reply: GetJournalEntryReply }
  /** Export a journal entry. */
  'GET /journal/{id}/export': { given: { path: { id: string }; query: { format: 'curl' | 'har' | 'test' } }; reply: ExportJournalEntryReply }
  /** Send a request again. */
  'POST /journal/{id}/resend': { given: { path: { id: string } }; reply: ResendJournalEntryReply }
  /** Rotate the master key. */
  'POST /key/rotate': { given: { body: RotateMasterKeyBody }; reply: RotateMasterKeyReply }
  /** Remove the preview of a web page. */
  'DELETE /link_previews': { given: { query: { url: string } }; reply: DeleteLinkPreviewReply }
  /** List the previews of web pages. */
  'GET /link_previews': { given: { query?: { limit?: number; pagination_token?: string } }; reply: ListLinkPreviewsReply }
  /** Set the preview of a web page. */
  'PUT /link_previews': { given: { body: PutLinkPreviewBody }; reply: PutLinkPreviewReply }
  /** Create a list as a user. */
  'POST /lists': { given: { body: CreateAnyListBody }; reply: CreateAnyListReply }
  /** Delete a list. */
  'DELETE /lists/{list_id}': { given: { path: { list_id: string } }; reply: DeleteAnyListReply }
  /** List the members, the followers or the pins of a list. */
  'GET /lists/{list_id}/{relation}': { given: { path: { list_id: string; relation: 'members' | 'followers' | 'pins' }; query?: { limit?: number; pagination_token?: string } }; reply: ListUsersOfListReply }
  /** Remove a member, a follower or a pin from a list. */
  'DELETE /lists/{list_id}/{relation}/{user}': { given: { path: { list_id: string; relation: 'members' | 'followers' | 'pins'; user: string } }; reply: UnrelateUserFromListReply }
  /** Add a member, a follower or a pin to a list. */
  'PUT /lists/{list_id}/{relation}/{user}': { given: { path: { list_id: string; relation: 'members' | 'followers' | 'pins'; user: string } }; reply: RelateUserToListReply }
  /** Read the log. */
  'GET /logs': { given: { query?: { limit?: number; after?: number; wait_seconds?: number } }; reply: ListLogsReply }
  /** List media. */
  'GET /media': { given: { query: { media_keys: string } }; reply: ListMediaReply }
  /** Upload a medium as a user. */
  'POST /media': { given: { query: { user: string; category?: 'POST_IMAGE' | 'POST_GIF' | 'POST_VIDEO' | 'AMPLIFY_VIDEO'; alt_text?: string } }; reply: UploadAnyMediumReply }
  /** Add views to a video. */
  'POST /media/{media_key}/metrics': { given: { path: { media_key: string }; body: AddMediaMetricsBody }; reply: undefined }
  /** Read the metrics. */
  'GET /metrics': { given: {  }; reply: GetMetricsReply }
  /** List news stories. */
  'GET /news': { given: { query?: { limit?: number; pagination_token?: string } }; reply: ListNewsReply }
  /** Refresh the news. */
  'POST /news/refresh': { given: {  }; reply: RefreshNewsReply }
  /** List community notes. */
  'GET /notes': { given: { query?: { limit?: number; pagination_token?: string } }; reply: ListNotesReply }
  /** Rate a community note as a user. */
  'PUT /notes/{note_id}/ratings/{user}': { given: { path: { note_id: string; user: string }; body: RateNoteBody }; reply: RateNoteReply }
  /** Publish a post as a user. */
  'POST /posts': { given: { body: CreateAnyPostBody }; reply: CreateAnyPostReply }
  /** Generate posts. */
  'POST /posts/generate': { given: { body: GeneratePostsBody }; reply: GeneratePostsReply }
  /** Import past posts. */
  'POST /posts/import': { given: { query?: { name?: string; create_authors?: boolean; again?: boolean; author?: string }; body: Upload }; reply: ImportPostsReply }
  /** Delete a post. */
  'DELETE /posts/{post_id}': { given: { path: { post_id: string } }; reply: DeleteAnyPostReply }
  /** Get a post. */
  'GET /posts/{post_id}': { given: { path: { post_id: string } }; reply: ReadPostReply }
  /** Annotate, withhold or drop a post. */
  'PUT /posts/{post_id}': { given: { path: { post_id: string }; body: ChangePostBody }; reply: ChangePostReply }
  /** Add views and clicks to a post. */
  'POST /posts/{post_id}/metrics': { given: { path: { post_id: string }; body: AddPostMetricsBody }; reply: undefined }
  /** Request a community note as a user. */
  'PUT /posts/{post_id}/note_requests/{user}': { given: { path: { post_id: string; user: string }; body?: RequestNoteBody }; reply: RequestNoteReply }
  /** Import a product feed. */
  'POST /products/import': { given: { query?: { catalog_id?: string; user?: string; environment?: 'production' | 'sandbox'; name?: string; format?: 'tsv' | 'csv' | 'xml'; encoding?: string } }; reply: ImportProductsReply }
  /** Reset to the seed. */
  'POST /reset': { given: {  }; reply: ResetDataReply }
  /** Rebuild the search index. */
  'POST /search/rebuild': { given: {  }; reply: RebuildSearchReply }
  /** Export the present state as a seed. */
  'GET /seed': { given: { query?: { users?: number; posts?: number; media_bytes?: number; secrets?: boolean } }; reply: ExportSeedReply }
  /** List the settings that can be changed. */
  'GET /settings': { given: {  }; reply: ListSettingsReply }
  /** Change settings. */
  'PUT /settings': { given: { body: UpdateSettingsBody }; reply: UpdateSettingsReply }
  /** Check a signature. */
  'POST /signature-check': { given: { body: CheckSignatureBody }; reply: CheckSignatureReply }
  /** List snapshots. */
  'GET /snapshots': { given: {  }; reply: ListSnapshotsReply }
  /** Save a snapshot. */
  'POST /snapshots': { given: { body?: SaveSnapshotBody }; reply: SaveSnapshotReply }
  /** Import a snapshot. */
  'POST /snapshots/import': { given: { query?: { name?: string; replace?: boolean } }; reply: ImportSnapshotReply }
  /** Delete a snapshot. */
  'DELETE /snapshots/{name}': { given: { path: { name: string } }; reply: undefined }
  /** Get a snapshot. */
  'GET /snapshots/{name}': { given: { path: { name: string } }; reply: GetSnapshotReply }
  /** Export a snapshot. */
  'GET /snapshots/{name}/export': { given: { path: { name: string } }; reply: Upload }
  /** Restore a snapshot. */
  'POST /snapshots/{name}/restore': { given: { path: { name: string } }; reply: RestoreSnapshotReply }
  /** List spaces. */
  'GET /spaces': { given: { query?: { limit?: number; pagination_token?: string } }; reply: ListSpacesReply }
  /** Start or schedule a space. */
  'POST /spaces': { given: { body: CreateSpaceBody }; reply: CreateSpaceReply }
  /** Buy a ticket of a space. */
  'PUT /spaces/{space_id}/buyers/{user}': { given: { path: { space_id: string; user: string } }; reply: AddBuyerOfSpaceReply }
  /** End a space. */
  'POST /spaces/{space_id}/end': { given: { path: { space_id: string } }; reply: EndSpaceReply }
  /** Share a post in a space. */
  'PUT /spaces/{space_id}/posts/{post_id}': { given: { path: { space_id: string; post_id: string } }; reply: SharePostInSpaceReply }
  /** Start a scheduled space. */
  'POST /spaces/{space_id}/start': { given: { path: { space_id: string } }; reply: StartSpaceReply }
  /** Read the status. */
  'GET /status': { given: {  }; reply: GetStatusReply }
  /** Count background tasks. */
  'GET /tasks/counts': { given: {  }; reply: CountTasksReply }
  /** List dead letters. */
  'GET /tasks/dead_letters': { given: { query?: { limit?: number; pagination_token?: string; kind?: string } }; reply: ListDeadLettersReply }
  /** Delete a dead letter. */
  'DELETE /tasks/dead_letters/{task_id}': { given: { path: { task_id: string } }; reply: DiscardDeadLetterReply }
  /** Run a dead letter again. */
  'POST /tasks/dead_letters/{task_id}/retry': { given: { path: { task_id: string } }; reply: RetryDeadLetterReply }
  /** Create a token. */
  'POST /tokens': { given: { body: CreateTokenBody }; reply: CreateTokenReply }
  /** Revoke tokens. */
  'POST /tokens/revoke': { given: { body: RevokeTokensBody }; reply: RevokeTokensReply }
  /** Refresh the trends. */
  'POST /trends/refresh': { given: {  }; reply: RefreshTrendsReply }
  /** List users. */
  'GET /users': { given: { query?: { limit?: number; pagination_token?: string; screen_name_prefix?: string } }; reply: ListUsersReply }
  /** Create a user. */
  'POST /users': { given: { body: CreateUserBody }; reply: CreateUserReply }
  /** Delete a user. */
  'DELETE /users/{user}': { given: { path: { user: string } }; reply: DeleteAnyUserReply }
  /** Get a user. */
  'GET /users/{user}': { given: { path: { user: string } }; reply: ReadUserReply }
  /** Change a user. */
  'PUT /users/{user}': { given: { path: { user: string }; body: ChangeUserBody }; reply: ChangeUserReply }
  /** Accept a request to follow. */
  'POST /users/{user}/accept_follow': { given: { path: { user: string }; body: AcceptFollowRequestBody }; reply: AcceptFollowRequestReply }
  /** List the communities of a user. */
  'GET /users/{user}/communities': { given: { path: { user: string }; query?: { limit?: number; pagination_token?: string } }; reply: ListCommunitiesOfUserReply }
  /** List the direct messages of a user. */
  'GET /users/{user}/direct_messages': { given: { path: { user: string }; query?: { limit?: number; pagination_token?: string } }; reply: ListDirectMessagesReply }
  /** List the lists of a user. */
  'GET /users/{user}/lists': { given: { path: { user: string }; query?: { limit?: number; pagination_token?: string } }; reply: ListListsReply }
  /** List the posts of a user. */
  'GET /users/{user}/posts': { given: { path: { user: string }; query?: { limit?: number; pagination_token?: string } }; reply: ListPostsReply }
  /** Vote in the poll of a post. */
  'PUT /users/{user}/posts/{post_id}/vote': { given: { path: { user: string; post_id: string }; body: VoteAsUserBody }; reply: VoteAsUserReply }
  /** Take back a like, a bookmark or a repost. */
  'DELETE /users/{user}/posts/{post_id}/{reaction}': { given: { path: { user: string; reaction: 'likes' | 'bookmarks' | 'reposts'; post_id: string } }; reply: EndReactionReply }
  /** Like, bookmark or repost a post. */
  'PUT /users/{user}/posts/{post_id}/{reaction}': { given: { path: { user: string; reaction: 'likes' | 'bookmarks' | 'reposts'; post_id: string } }; reply: BeginReactionReply }
  /** Remove the places of the posts of a user. */
  'POST /users/{user}/remove_places': { given: { path: { user: string }; body?: RemovePlacesOfUserBody }; reply: RemovePlacesOfUserReply }
  /** Give a user a new password. */
  'POST /users/{user}/rotate_password': { given: { path: { user: string } }; reply: RotatePasswordReply }
  /** List the apps with access to a user. */
  'GET /users/{user}/tokens': { given: { path: { user: string }; query?: { limit?: number; pagination_token?: string } }; reply: ListTokensReply }
  /** List whom a user follows, blocks or mutes. */
  'GET /users/{user}/{relation}': { given: { path: { user: string; relation: 'following' | 'blocking' | 'muting' }; query?: { limit?: number; pagination_token?: string } }; reply: ListRelationsReply }
  /** Unfollow, unblock or unmute a user. */
  'DELETE /users/{user}/{relation}/{target}': { given: { path: { user: string; relation: 'following' | 'blocking' | 'muting'; target: string } }; reply: EndRelationReply }
  /** Follow, block or mute a user. */
  'PUT /users/{user}/{relation}/{target}': { given: { path: { user: string; relation: 'following' | 'blocking' | 'muting'; target: string }; body?: BeginRelationBody }; reply: BeginRelationReply }
  /** Read the vocabulary again. */
  'POST /vocabulary/reload': { given: {  }; reply: ReloadVocabularyReply }
  /** Register a webhook of an app. */
  'POST /webhooks': { given: { body: CreateAppWebhookBody }; reply: CreateAppWebhookReply }
  /** Delete a webhook. */
  'DELETE /webhooks/{webhook_id}': { given: { path: { webhook_id: string } }; reply: DeleteAppWebhookReply }
  /** List the users whose activity a webhook receives. */
  'GET /webhooks/{webhook_id}/account_subscriptions': { given: { path: { webhook_id: string } }; reply: ListAdminAccountSubscriptionsReply }
  /** End the subscription of a webhook to the activity of a user. */
  'DELETE /webhooks/{webhook_id}/account_subscriptions/{user}': { given: { path: { webhook_id: string; user: string } }; reply: DeleteAdminAccountSubscriptionReply }
  /** Subscribe a webhook to the activity of a user. */
  'PUT /webhooks/{webhook_id}/account_subscriptions/{user}': { given: { path: { webhook_id: string; user: string } }; reply: CreateAdminAccountSubscriptionReply }
  /** Check a webhook. */
  'POST /webhooks/{webhook_id}/check': { given: { path: { webhook_id: string } }; reply: CheckAppWebhookReply }
}

export interface AcceptFollowRequestBody {
  /** Id or screen name of the user who requested it. */
  follower: string
}

export interface AcceptFollowRequestReply {
  data: Relation
}

export type ActiveStatus = 'ACTIVE' | 'PAUSED'

export type ActivityDirection = 'sent' | 'received' | 'outbound' | 'inbound'

export type ActivityEventType = 'post.create' | 'post.delete' | 'post.mention.create' | 'post.reply.create' | 'post.quote.create' | 'post.repost.create' | 'like.create' | 'follow.follow' | 'follow.unfollow' | 'mute.mute' | 'mute.unmute' | 'block.block' | 'block.unblock' | 'profile.update.bio' | 'profile.update.geo' | 'profile.update.url' | 'profile.update.profile_picture' | 'profile.update.banner_picture' | 'profile.update.screenname' | 'profile.update.handle' | 'profile.update.verified' | 'profile.update.verified_badge' | 'profile.update.affiliate' | 'profile.update.affiliate_badge' | 'spaces.start' | 'spaces.end' | 'broadcast.start' | 'broadcast.end' | 'broadcast.chat' | 'chat.received' | 'chat.sent' | 'chat.conversation_join' | 'chat.conversation.join' | 'chat.conversation.member_added' | 'dm.received' | 'dm.sent' | 'dm.join' | 'dm.leave' | 'dm.indicate_typing' | 'dm.read' | 'news.new' | 'oauth.revoke'

export interface ActivityFilter {
  /** The user whose activity it is. */
  user_id?: string
  /** Words that must occur together in a news story. Other types of events ignore it. */
  keyword?: string
  /**
   * Only what the user sent (`sent`, `outbound`) or received (`received`, `inbound`); both by
   * default.
   */
  direction?: ActivityDirection
}

export interface ActivitySubscription {
  /** The subscription. */
  subscription_id: string
  /** What the app receives. */
  event_type: ActivityEventType
  filter: ActivityFilter
  /** When it was created. */
  created_at: string
  /** When it was last changed. */
  updated_at: string
  /** Name that the app gave to it. */
  tag?: string
  /** The webhook that receives the events, in addition to the stream of the app. */
  webhook_id?: string
}

export interface AdClick {
  /** What the landing page or the app gets, for a conversion. */
  click_id: string
  /** When it happened. */
  clicked_at: string
}

export interface AddBuyerOfSpaceReply {
  data: RelatedUser
}

export interface AddFaultBody {
  /**
   * `error`: a documented error. `latency`: only later. `expired_token`: bearer tokens count as
   * expired. `exhausted_limit`, `exhausted_usage`: the rate limit, or a usage cap, is reached.
   * `lost_database`: as if the database were unavailable. `drop`, `drop_after`: the connection ends
   * before the call, or after it took effect. `truncate`, `throttle`: the reply ends early, or is
   * slow. `disconnect`, `stall`: a stream ends, or sends nothing more. `webhook_…`: deliveries get
   * a status, no answer in time, no connection, a TLS error, or are slow.
   */
  kind: FaultKind
  /** For `error`: a documented status. For `webhook_status`: the answer. */
  status?: number
  /**
   * For `error`: which of the documented errors with the status. For `exhausted_usage`: which cap.
   */
  cause?: string
  /**
   * Waits before anything else, for at most 5 minutes of real time: `2s`, `uniform 100ms 2s`,
   * `normal 200ms 50ms` (mean and deviation), `lognormal 200ms 0.5` (median and sigma) or
   * `percentiles 50=100ms 99=2s`.
   */
  latency?: string
  /** For `truncate`: how many bytes of the body are sent. */
  bytes?: number
  /** For `throttle`. */
  bytes_per_second?: number
  /** For streams: after how many lines. */
  posts?: number
  /** For streams: after how much real time, such as `10s`, up to 5 minutes. */
  after?: string
  /**
   * For `disconnect`: the recorded reason, from which the last line follows. Default:
   * `operator_disconnect`.
   */
  reason?: FaultDisconnectReason
  /**
   * An endpoint: `POST /2/posts`, `/2/posts` with any method, or with `*` for any text: `GET
   * /2/users/*`. Default: every endpoint.
   */
  route?: string
  /** The listener. */
  host?: 'core' | 'ads' | 'sandbox'
  /** The app of the caller, or of the webhook. */
  app_id?: string
  /** The user of the caller. */
  user_id?: string
  /** For deliveries: the id or the URL of the webhook. */
  webhook?: string
  /** The share that fails. Default: 1. */
  probability?: number
  /** Only the first so many fail, on each node. */
  times?: number
  /** Only every so many-th fails: with 3, the third, the sixth, …. */
  every?: number
  /** From when, on the clock that Plaza shows: a time, or a duration from now such as `2h`. */
  from?: string
  /** Until when: a time, or a duration from now. */
  until?: string
  /** Makes probability and latency the same in each run. Default: the id. */
  seed?: string
  /** The place in the order, from 1: the first rule that applies counts. */
  position?: number
  /** Callers may send what they read. */
  id?: unknown
  /** Callers may send what they read. */
  matches?: unknown
  /** Callers may send what they read. */
  hits?: unknown
}

export interface AddFaultReply {
  data: Fault
}

export interface AddMediaMetricsBody {
  /**
   * When they happened, to the hour: RFC 3339, or a distance from now such as `-2h` or `-1d12h`.
   * Now by default; never later.
   */
  at?: string
  metrics: { cta_url_clicks?: number; cta_watch_clicks?: number; play_from_tap?: number; playback25?: number; playback50?: number; playback75?: number; playback_complete?: number; playback_start?: number; video_views?: number; watch_time_ms?: number }
}

export interface AddPostMetricsBody {
  /**
   * When they happened, to the hour: RFC 3339, or a distance from now such as `-2h` or `-1d12h`.
   * Now by default; never later.
   */
  at?: string
  metrics: { app_install_attempts?: number; app_opens?: number; detail_expands?: number; email_post?: number; hashtag_clicks?: number; link_clicks?: number; media_engagements?: number; permalink_clicks?: number; profile_visits?: number; shares?: number; url_clicks?: number; user_profile_clicks?: number; follows?: number; impressions?: number; media_views?: number; unfollows?: number }
}

export interface AdminAccount {
  /** The account. */
  id: string
  /** Where it is. */
  environment: 'production' | 'sandbox'
  name: string
  business_name: string | null
  business_id: string | null
  /** IANA name. */
  timezone: string
  approval_status: string
  industry_type: string | null
  deleted: boolean
  /** When it was opened. */
  created_at: string
  users: { screen_name: string; roles: string[] }[]
  features: string[]
}

export interface AdminAccountSubscription {
  /** The webhook. */
  webhook_id: string
  /** The user whose activity the webhook receives. */
  user_id: string
}

export interface AdminApp {
  /** The app. */
  id: string
  name: string
  website: string
  /** The developer. */
  owner_user_id: string
  callbacks: string[]
  /** Desktop apps use a PIN. */
  kind: 'web' | 'desktop'
  /** What the app may ask for. */
  permission: 'read' | 'read-write' | 'read-write-directmessages'
  /** Whether a user who granted the app before is not asked again. */
  sign_in: boolean
  /** Of OAuth 2.0. */
  client_id: string | null
  /** Of OAuth 2.0. */
  client_type: 'confidential' | 'public' | 'native' | null
  /** Whether the app may use the endpoints under `/2/`. */
  enrolled: boolean
  /** Whether the app may open the streams of enterprise plans. */
  enterprise: boolean
  suspended: boolean
  /** When the app was registered. */
  created_at: string
}

export interface AdminBroadcast {
  /** The broadcast. */
  id: string
  /** Its state now. */
  state: 'Created' | 'Scheduled' | 'Running' | 'Ended' | 'Error'
  title: string
  /** The user who has it. */
  owner_id: string
  /** The source of the video. */
  source_id: string | null
  /** Whether only its owner knows of it. */
  locked: boolean
  /** When it starts or started; null while it waits for a call. */
  starts_at: string | null
  /** When it ends or ended; null until it is ended. */
  ends_at: string | null
}

export interface AdminBroadcastSource {
  /** The source. */
  id: string
  /** The user who has it. */
  owner_id: string
  /** Name. */
  name: string
  /** Whether video arrives. */
  receiving: boolean
  /** Width of the video, in pixels. */
  width: number
  /** Height of the video, in pixels. */
  height: number
  /** Whether the video is late. */
  high_latency: boolean
}

export interface AdminCommunity {
  /** The community. */
  id: string
  name: string
  description: string
  /** Who sees its posts: everyone, or its members. */
  access: 'Public' | 'Closed'
  /** What is shown about joining. */
  join_policy: 'Open' | 'RestrictedJoinRequestsDisabled' | 'RestrictedJoinRequestsRequireAdminApproval' | 'RestrictedJoinRequestsRequireModeratorApproval' | 'SuperFollowRequired'
  /** Number of members. */
  member_count: number
  /** When it was created. */
  created_at: string
}

export interface AdminLinkPreview {
  /** URL of the page, without a fragment. */
  url: string
  /** Title of the page. */
  title?: string
  /** Description of the page. */
  description?: string
  /** Where the link leads in the end. */
  unwound_url?: string
  /** Status with which the page answers. */
  status?: number
  /** Images of the page. */
  images?: { url: string; width?: number; height?: number }[]
}

export interface AdminList {
  /** The list. */
  id: string
  /** The owner. */
  owner_id: string
  name: string
  description: string
  /** Whether only the owner sees it. */
  private: boolean
  /** Number of members. */
  member_count: number
  /** Number of followers. */
  follower_count: number
  /** When it was created. */
  created_at: string
}

export interface AdminMedium {
  /** The medium. */
  id: string
  media_key: string
  /** What it is. */
  type: 'IMAGE' | 'GIF' | 'VIDEO'
  /** The path of its file; null until the upload is complete. */
  path: string | null
  /** The path of the preview image. */
  poster_path: string | null
  /** In pixels. */
  width: number | null
  /** In pixels. */
  height: number | null
  /** Alternative text. */
  alt_text: string | null
}

export interface AdminMessage {
  /** The message. */
  id: string
  /** The conversation. */
  conversation_id: string
  /** The sender. */
  sender_id: string
  text: string
  /** When it was sent. */
  created_at: string
}

export interface AdminNewsStory {
  /** The story. */
  id: string
  /** Its first keywords. */
  name: string
  /** Sentences of its posts. */
  summary: string
  /** `News`, `Sports`, `Entertainment` or `Other`. */
  category: string
  /** What its posts have in common. */
  keywords: string[]
  /** Its public posts, the most typical first. */
  post_ids: string[]
  /** When its first post was added. */
  started_at: string
  /** When its last post was added. */
  updated_at: string
}

export interface AdminNote {
  /** The note. */
  id: string
  /** Its writer. */
  author_id: string
  /** The post that it is about. */
  post_id: string
  text: string
  /** What it says about the post. */
  classification: string
  /** What its ratings say. */
  status: NoteStatus
  /** Whether it is a test, which is not public. */
  test_mode: boolean
  /** When it was written. */
  created_at: string
}

export interface AdminPageMeta {
  /** Entries of the page. */
  result_count: number
  /** Token for the next page; absent on the last one. */
  next_token?: string
}

export interface AdminPost {
  /** The post. */
  id: string
  /** The author. */
  author_id: string
  text: string
  /** Language code. */
  lang: string
  /** The first post of the conversation. */
  conversation_id: string
  /** The post that it replies to. */
  in_reply_to_post_id: string | null
  /** The post that it quotes. */
  quote_post_id: string | null
  /** The post that it reposts. */
  repost_of_post_id: string | null
  /** The community that it was posted in. */
  community_id: string | null
  media_keys: string[]
  /** Its poll. */
  poll_id: string | null
  /** Its place. */
  place_id: string | null
  /** Who may reply. */
  reply_settings: string
  possibly_sensitive: boolean
  /** Countries in which it is withheld. */
  withheld_in: string[]
  /** Whether it is out of public view. */
  dropped: boolean
  /** Number of likes. */
  like_count: number
  /** Number of reposts. */
  repost_count: number
  /** Number of replies. */
  reply_count: number
  /** Number of posts that quote it. */
  quote_count: number
  /** Number of bookmarks. */
  bookmark_count: number
  /** When it was published. */
  created_at: string
}

export interface AdminRule {
  /** The rule. */
  id: string
  /** The app. */
  app_id: string
  /** The stream; `filtered` by default. */
  stream: 'filtered' | 'powerstream'
  value: string
  tag: string | null
  /** When it was added. */
  created_at: string
}

export interface AdminSpace {
  /** The space. */
  id: string
  /** Its state now. */
  state: 'live' | 'scheduled' | 'ended'
  title: string
  /** Language code. */
  lang: string | null
  /** Who made it. */
  creator_id: string
  /** The creator and the other hosts. */
  host_ids: string[]
  /** The speakers. */
  speaker_ids: string[]
  /** Who is invited to speak. */
  invited_user_ids: string[]
  /** When it starts or started. */
  starts_at: string
  /** When it ends or ended; null until it is ended. */
  ends_at: string | null
}

export interface AdminUser {
  /** The user. */
  id: string
  screen_name: string
  /** Display name. */
  name: string
  description: string
  location: string
  url: string | null
  profile_image_url: string | null
  profile_banner_url: string | null
  /** Whether only followers see the posts of the user. */
  protected: boolean
  verified: boolean
  /** The badge. */
  verified_type: 'none' | 'blue' | 'government' | 'business'
  /** The subscription that the user pays for. */
  subscription_type: 'None' | 'Basic' | 'Premium' | 'PremiumPlus'
  /** The organization that the user belongs to. */
  affiliation_user_id: string | null
  /** Who may send the user direct messages. */
  direct_messages_from: 'everyone' | 'followed'
  /** The level of a writer of community notes. */
  note_writer: 'regular' | 'top' | null
  suspended: boolean
  parody: boolean
  is_identity_verified: boolean
  /** Countries in which the user is withheld. */
  withheld_in: string[]
  /** Number of followers. */
  followers_count: number
  /** Number of users that the user follows. */
  following_count: number
  /** Number of posts. */
  post_count: number
  /** When the user joined. */
  created_at: string
}

export interface AdvanceClockBody {
  /** How far: amounts with the units `ms`, `s`, `m`, `h` and `d`, such as `2h` or `1d12h`. */
  by: string
  /** How long to wait for the work, in real seconds. Default: 30. */
  timeout_seconds?: number
}

export interface AdvanceClockReply {
  data: AdvancedClock
}

export interface AdvancedClock {
  /** The time that Plaza shows. */
  now: string
  /** The time of the machine's clock. */
  machine_now: string
  /** Whether the clock stands still. */
  frozen: boolean
  /**
   * Whether all tasks, events and deliveries that became due are done. False if the timeout ended
   * first, for example because a webhook does not answer.
   */
  settled: boolean
}

export interface AppKeys {
  /** The app. */
  id: string
  consumer_key: string
  /** Only this reply has it. */
  consumer_secret: string
  /** Of OAuth 2.0. */
  client_id: string | null
  /** Of OAuth 2.0. */
  client_type: 'confidential' | 'public' | 'native' | null
  /** Of a confidential client. Only this reply has it. */
  client_secret: string | null
}

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

export interface BeginReactionReply {
  data: Reaction
}

export interface BeginRelationBody {
  /** Whether a protected user accepts the follow at once. */
  accept?: boolean
}

export interface BeginRelationReply {
  data: Relation
}

export type BidStrategy = 'AUTO' | 'MAX' | 'TARGET'

export interface BroadcastWatcher {
  /** The broadcast. */
  broadcast_id: string
  /** The user. */
  user_id: string
  /** Whether the user watches. */
  watching: boolean
}

export type BudgetOptimization = 'LINE_ITEM' | 'CAMPAIGN'

export interface ButtonLabel {
  /** The only type. */
  type: 'ENUM'
  /** Text of the button. */
  value: ButtonText
}

export type ButtonText = 'BOOK' | 'CONNECT' | 'INSTALL' | 'OPEN' | 'ORDER' | 'PLAY' | 'SHOP'

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

export type CardType = 'IMAGE_APP' | 'IMAGE_CAROUSEL_APP' | 'IMAGE_CAROUSEL_WEBSITE' | 'IMAGE_MULTI_DEST_CAROUSEL_WEBSITE' | 'IMAGE_WEBSITE' | 'MIXED_MEDIA_MULTI_DEST_CAROUSEL_WEBSITE' | 'MIXED_MEDIA_SINGLE_DEST_CAROUSEL_APP' | 'MIXED_MEDIA_SINGLE_DEST_CAROUSEL_WEBSITE' | 'VIDEO_APP' | 'VIDEO_CAROUSEL_APP' | 'VIDEO_CAROUSEL_WEBSITE' | 'VIDEO_MULTI_DEST_CAROUSEL_WEBSITE' | 'VIDEO_WEBSITE'

export interface ChangeAccountBody {
  /** Whether it may advertise; ACCEPTED by default. */
  approval_status?: 'ACCEPTED' | 'REJECTED' | 'UNDER_REVIEW'
  /** Name of the business that it belongs to. */
  business_name?: string
  /** Of that business. Accounts of one business may share audiences. */
  business_id?: string
  /** Features to grant. */
  add_features?: ('AGE_TARGETING' | 'ALLOW_SKIPPABLE_VIDEOS_FOR_PREROLL_VIEWS_OBJECTIVE' | 'AWARENESS_OBJECTIVE' | 'BRAND_TPN' | 'CHARGE_FOR_GOOD_CLICK' | 'CITY_TARGETING' | 'CONVERSATION_CARD' | 'CONVERSATION_CARD_FOUR_OPTIONS' | 'CONVERSATION_CARD_UNLOCK' | 'CPI_CHARGING' | 'DIRECT_MESSAGE_CARD' | 'DR_TAP' | 'ENGAGER_RETARGETING' | 'EVENT_TARGETING' | 'INSTALLED_APP_CATEGORY_TARGETING' | 'MOBILE_CONVERSION_TRANSACTION_VALUE' | 'OPTIMIZED_ACTION_BIDDING' | 'PREROLL_VIEWS_OBJECTIVE' | 'PROMOTED_MEDIA_POLLS' | 'REACH_AND_FREQUENCY_ANALYTICS' | 'REACH_FREQUENCY_CAP' | 'SHARE_AUDIENCE_OUTSIDE_BUSINESS' | 'UNIVERSAL_LOOKALIKE' | 'VALIDATED_AGE_TARGETING' | 'VIDEO_APP_DOWNLOAD_CARD' | 'VIDEO_VIEWS_MIDROLL_OBJECTIVE' | 'WEBSITE_CLICKS_CPM_BILLING')[]
  /** Features to revoke. */
  remove_features?: ('AGE_TARGETING' | 'ALLOW_SKIPPABLE_VIDEOS_FOR_PREROLL_VIEWS_OBJECTIVE' | 'AWARENESS_OBJECTIVE' | 'BRAND_TPN' | 'CHARGE_FOR_GOOD_CLICK' | 'CITY_TARGETING' | 'CONVERSATION_CARD' | 'CONVERSATION_CARD_FOUR_OPTIONS' | 'CONVERSATION_CARD_UNLOCK' | 'CPI_CHARGING' | 'DIRECT_MESSAGE_CARD' | 'DR_TAP' | 'ENGAGER_RETARGETING' | 'EVENT_TARGETING' | 'INSTALLED_APP_CATEGORY_TARGETING' | 'MOBILE_CONVERSION_TRANSACTION_VALUE' | 'OPTIMIZED_ACTION_BIDDING' | 'PREROLL_VIEWS_OBJECTIVE' | 'PROMOTED_MEDIA_POLLS' | 'REACH_AND_FREQUENCY_ANALYTICS' | 'REACH_FREQUENCY_CAP' | 'SHARE_AUDIENCE_OUTSIDE_BUSINESS' | 'UNIVERSAL_LOOKALIKE' | 'VALIDATED_AGE_TARGETING' | 'VIDEO_APP_DOWNLOAD_CARD' | 'VIDEO_VIEWS_MIDROLL_OBJECTIVE' | 'WEBSITE_CLICKS_CPM_BILLING')[]
}

export interface ChangeAccountReply {
  data: AdminAccount
}

export interface ChangeAppBody {
  /** Shown on the consent page: up to 50 characters, none of them a control character. */
  name?: string
  /** An http or https URL, shown on the consent page. */
  website?: string
  /** URLs that users may be redirected to. */
  callbacks?: string[]
  /** What the app may ask for; `read-write` by default. */
  permission?: 'read' | 'read-write' | 'read-write-directmessages'
  /** Whether a user who granted the app before is not asked again; true by default. */
  sign_in?: boolean
  /** Whether the app may use the endpoints under `/2/`; true by default. */
  enrolled?: boolean
  /** Whether the app may open the streams of enterprise plans; false by default. */
  enterprise?: boolean
  /**
   * OAuth 2.0: a confidential client has a secret. `native` for a desktop app, otherwise
   * `confidential`, by default.
   */
  client_type?: 'confidential' | 'public' | 'native'
  /** Whether the app is suspended: its keys are rejected then. */
  suspended?: boolean
}

export interface ChangeAppReply {
  data: ChangedApp
}

export interface ChangeBroadcastSourceBody {
  /** Whether video arrives. */
  receiving: boolean
}

export interface ChangeBroadcastSourceReply {
  data: AdminBroadcastSource
}

export interface ChangeCommunityBody {
  /** Name. Several communities may have the same. */
  name?: string
  /** Description; empty by default. */
  description?: string
  /** Who sees its posts: everyone, or its members if it is `Closed`. `Public` by default. */
  access?: 'Public' | 'Closed'
  /** What is shown about joining; `Open` by default. Members are added here, whatever it says. */
  join_policy?: 'Open' | 'RestrictedJoinRequestsDisabled' | 'RestrictedJoinRequestsRequireAdminApproval' | 'RestrictedJoinRequestsRequireModeratorApproval' | 'SuperFollowRequired'
}

export interface ChangeCommunityReply {
  data: AdminCommunity
}

export interface ChangePostBody {
  /** Where it is withheld. It is still shown: who receives it decides. */
  withheld?: { country_codes: string[]; copyright?: boolean; scope?: 'post' | 'user' }
  /** Whether it is out of public view: only its author sees it then. */
  dropped?: boolean
  /** What it is about, instead of what the dictionary finds. */
  context_annotations?: { domain: { id: string; name?: string; description?: string }; entity: { id: string; name?: string; description?: string } }[]
  /** What is known of the text. */
  entities?: { annotations?: { start?: number; end?: number; probability?: number; type?: string; normalized_text?: string }[]; urls?: { url?: string; expanded_url?: string; title?: string; description?: string; unwound_url?: string; status?: number; images?: { url: string; width?: number; height?: number }[] }[] }
}

export interface ChangePostReply {
  data: AdminPost
}

export interface ChangeUserBody {
  /** 1 to 15 letters, digits or underscores. No two users have the same, in any case. */
  screen_name?: string
  /** Display name: up to 50 characters, none of them a control character. */
  name?: string
  /** Description: up to 160 characters. */
  description?: string
  /** Location: up to 30 characters. */
  location?: string
  /** URL of the profile; null without one. */
  url?: string
  /** URL of the picture, which the profile shows unchanged. */
  profile_image_url?: string
  /** URL of the banner, which the profile shows unchanged. */
  profile_banner_url?: string
  /** Whether only followers see the posts of the user. */
  protected?: boolean
  /** The badge. Any but `none` makes the user verified. */
  verified_type?: 'none' | 'blue' | 'government' | 'business'
  /** The subscription that the user pays for. */
  subscription_type?: 'None' | 'Basic' | 'Premium' | 'PremiumPlus'
  /** Id or screen name of the organization that the user belongs to. */
  affiliation?: string
  /** Who may send the user direct messages. */
  direct_messages_from?: 'everyone' | 'followed'
  /** Writes community notes; top writers read the large feeds too. */
  note_writer?: 'regular' | 'top'
  /** Whether the user is suspended. Tokens are rejected then. */
  suspended?: boolean
  /** Whether the user says to be a parody. */
  parody?: boolean
  /** Whether the identity of the user was checked. */
  is_identity_verified?: boolean
  /**
   * Countries in which the user is withheld, ISO 3166-1 alpha-2. Plaza shows the user everywhere.
   */
  withheld_in?: string[]
}

export interface ChangeUserReply {
  data: AdminUser
}

export interface ChangedApp {
  /** The app. */
  id: string
  name: string
  website: string
  /** The developer. */
  owner_user_id: string
  callbacks: string[]
  /** Desktop apps use a PIN. */
  kind: 'web' | 'desktop'
  /** What the app may ask for. */
  permission: 'read' | 'read-write' | 'read-write-directmessages'
  /** Whether a user who granted the app before is not asked again. */
  sign_in: boolean
  /** Of OAuth 2.0. */
  client_id: string | null
  /** Of OAuth 2.0. */
  client_type: 'confidential' | 'public' | 'native' | null
  /** Whether the app may use the endpoints under `/2/`. */
  enrolled: boolean
  /** Whether the app may open the streams of enterprise plans. */
  enterprise: boolean
  suspended: boolean
  /** When the app was registered. */
  created_at: string
  /** Of a confidential client. Only this reply has it. */
  client_secret?: string | null
}

export type ChangedGoal = 'APP_CLICKS' | 'APP_INSTALLS' | 'APP_PURCHASES' | 'ENGAGEMENT' | 'FOLLOWERS' | 'LINK_CLICKS' | 'MAX_REACH' | 'PREROLL' | 'PREROLL_STARTS' | 'REACH_WITH_ENGAGEMENT' | 'VIDEO_VIEW' | 'VIEW_3S_100PCT' | 'VIEW_6S' | 'VIEW_15S' | 'WEBSITE_CONVERSIONS'

export interface CheckAppWebhookReply {
  data: Webhook
}

export interface CheckDataBody {
  /** Whether to correct what differs; false by default. */
  repair?: boolean
}

export interface CheckDataReply {
  data: CheckMessage
}

export interface CheckMessage {
  progress?: { name: string; compared: number }
  difference?: { of: string; name: string; stored: string; expected: string }
  comparison?: { name: string; compared: number; differing: number }
  result?: { compared: number; differing: number; repaired: boolean }
  /** Why nothing more is compared. */
  error?: string
}

export interface CheckSignatureBody {
  /** The HTTP method. */
  method: string
  /** The absolute URL of the request, with its query. */
  url: string
  /** The Authorization header: `OAuth …`. */
  authorization?: string
  /** The body, if it is a form (`application/x-www-form-urlencoded`). */
  form?: string
  /** The base string that the client signed. */
  base_string?: string
}

export interface CheckSignatureReply {
  data: { problem?: string; signature?: SignatureAnalysis }
}

export interface Clock {
  /** The time that Plaza shows. */
  now: string
  /** The time of the machine's clock. */
  machine_now: string
  /** Whether the clock stands still. */
  frozen: boolean
}

export interface CountJournalReply {
  data: JournalCount[]
  meta: { node: number }
}

export interface CountTasksReply {
  data: TaskCount[]
}

export interface CreateAccountAppBody {
  /** Package name, or number in the store. */
  app_store_identifier: string
  /** Operating system; Android by default. */
  os_type?: 'Android' | 'iOS'
  /** Whether conversions are counted. */
  conversion_tracking_enabled?: boolean
  /** Pattern of deep links into the app. */
  deep_link_pattern?: string
}

export interface CreateAccountAppReply {
  data: MobileApp
}

export interface CreateAccountBody {
  /** Human-readable name. */
  name: string
  /** Id or screen name of the advertiser: its administrator, and whom it promotes. */
  owner: string
  /** Where it is; production by default. */
  environment?: 'production' | 'sandbox'
  /** IANA name; America/Los_Angeles by default. */
  timezone?: string
  /** Whether it may advertise; ACCEPTED by default. */
  approval_status?: 'ACCEPTED' | 'REJECTED' | 'UNDER_REVIEW'
  /** Name of the business that it belongs to. */
  business_name?: string
  /** Of that business. Accounts of one business may share audiences. */
  business_id?: string
  /** Other users of the account. */
  users?: { user: string; roles: ('ACCOUNT_ADMIN' | 'AD_MANAGER' | 'CREATIVE_MANAGER' | 'CAMPAIGN_ANALYST' | 'ANALYST' | 'PARTNER_AUDIENCE_MANAGER' | 'POST_COMPOSER')[] }[]
  /** In addition to those that every account has. */
  features?: ('AGE_TARGETING' | 'ALLOW_SKIPPABLE_VIDEOS_FOR_PREROLL_VIEWS_OBJECTIVE' | 'AWARENESS_OBJECTIVE' | 'BRAND_TPN' | 'CHARGE_FOR_GOOD_CLICK' | 'CITY_TARGETING' | 'CONVERSATION_CARD' | 'CONVERSATION_CARD_FOUR_OPTIONS' | 'CONVERSATION_CARD_UNLOCK' | 'CPI_CHARGING' | 'DIRECT_MESSAGE_CARD' | 'DR_TAP' | 'ENGAGER_RETARGETING' | 'EVENT_TARGETING' | 'INSTALLED_APP_CATEGORY_TARGETING' | 'MOBILE_CONVERSION_TRANSACTION_VALUE' | 'OPTIMIZED_ACTION_BIDDING' | 'PREROLL_VIEWS_OBJECTIVE' | 'PROMOTED_MEDIA_POLLS' | 'REACH_AND_FREQUENCY_ANALYTICS' | 'REACH_FREQUENCY_CAP' | 'SHARE_AUDIENCE_OUTSIDE_BUSINESS' | 'UNIVERSAL_LOOKALIKE' | 'VALIDATED_AGE_TARGETING' | 'VIDEO_APP_DOWNLOAD_CARD' | 'VIDEO_VIEWS_MIDROLL_OBJECTIVE' | 'WEBSITE_CLICKS_CPM_BILLING')[]
  funding?: { currency: string; type: 'AGENCY_CREDIT_LINE' | 'CREDIT_CARD' | 'CREDIT_LINE' | 'INSERTION_ORDER' | 'PARTNER_MANAGED'; credit_limit_local_micro?: Int64; funded_amount_local_micro?: Int64 }[]
}

export interface CreateAccountReply {
  data: CreatedAccount
}

export interface CreateAdminAccountSubscriptionReply {
  data: AdminAccountSubscription
}

export interface CreateAdminCampaignBody {
  /** Human-readable name. */
  name: string
  /** Funding instrument that pays for it. */
  funding_instrument_id: string
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
  /** Id or screen name. */
  as_user?: string
}

export interface CreateAdminCampaignReply {
  data: Campaign
}

export interface CreateAdminLineItemBody {
  /** The campaign that it belongs to. */
  campaign_id: string
  /** Human-readable name. */
  name?: string
  /** Objective. */
  objective: Objective
  /** Type of product that it promotes. */
  product_type: ProductType
  /** Placements where it is shown. */
  placements: Placement[]
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
  /** Id or screen name. */
  as_user?: string
}

export interface CreateAdminLineItemReply {
  data: LineItem
}

export interface CreateAnyListBody {
  /** Id or screen name of the owner. */
  owner: string
  /** Name. */
  name: string
  /** Description; empty by default. */
  description?: string
  /** Whether only the owner sees it; false by default. */
  private?: boolean
}

export interface CreateAnyListReply {
  data: AdminList
}

export interface CreateAnyPostBody {
  /** Id or screen name of the author. */
  author: string
  /** Text, of any weight. */
  text?: string
  /**
   * When the post was published: RFC 3339, or a distance from now such as `-2h` or `-1d12h`. Now by
   * default; never later.
   */
  created_at?: string
  /** The post that it replies to. */
  in_reply_to_post_id?: string
  /** The post that it quotes. */
  quote_post_id?: string
  /** The community to post in, of which the author is a member. */
  community_id?: string
  /** Whether followers see a post of a community too; false by default. */
  share_with_followers?: boolean
  /** Up to 4 images, or 1 GIF, or 1 video. */
  media_ids?: string[]
  /** A question with two to four answers. */
  poll?: { options: string[]; duration_minutes: number }
  /** A place. */
  place_id?: string
  /** Who may reply; everyone by default. */
  reply_settings?: 'everyone' | 'following' | 'mentionedUsers' | 'subscribers' | 'verified'
  /** Language; found in the text by default. */
  lang?: string
  /** Whether media or links may be sensitive. */
  possibly_sensitive?: boolean
  /** The app that published it; none by default. */
  app_id?: string
  /** Where it is withheld. It is still shown: who receives it decides. */
  withheld?: { country_codes: string[]; copyright?: boolean; scope?: 'post' | 'user' }
  /** Whether it is out of public view: only its author sees it then. */
  dropped?: boolean
  /** What it is about, instead of what the dictionary finds. */
  context_annotations?: { domain: { id: string; name?: string; description?: string }; entity: { id: string; name?: string; description?: string } }[]
  /** What is known of the text. */
  entities?: { annotations?: { start?: number; end?: number; probability?: number; type?: string; normalized_text?: string }[]; urls?: { url?: string; expanded_url?: string; title?: string; description?: string; unwound_url?: string; status?: number; images?: { url: string; width?: number; height?: number }[] }[] }
}

export interface CreateAnyPostReply {
  data: AdminPost
}

export interface CreateAppBody {
  /** Shown on the consent page: up to 50 characters, none of them a control character. */
  name: string
  /** An http or https URL, shown on the consent page. */
  website: string
  /** Id or screen name of the developer. */
  owner: string
  /** URLs that users may be redirected to. */
  callbacks?: string[]
  /** What the app may ask for; `read-write` by default. */
  permission?: 'read' | 'read-write' | 'read-write-directmessages'
  /** Whether a user who granted the app before is not asked again; true by default. */
  sign_in?: boolean
  /** Whether the app may use the endpoints under `/2/`; true by default. */
  enrolled?: boolean
  /** Whether the app may open the streams of enterprise plans; false by default. */
  enterprise?: boolean
  /**
   * OAuth 2.0: a confidential client has a secret. `native` for a desktop app, otherwise
   * `confidential`, by default.
   */
  client_type?: 'confidential' | 'public' | 'native'
  /** Whether the app is suspended: its keys are rejected then. */
  suspended?: boolean
  /** Desktop apps use a PIN; `web` by default. */
  kind?: 'web' | 'desktop'
  /** Users, by id or screen name, for whom the app also gets an OAuth 1.0a token. */
  grants?: string[]
}

export interface CreateAppReply {
  data: CreatedApp
}

export interface CreateAppWebhookBody {
  /** The app. */
  app_id: string
  /** URL that events are sent to. */
  url: string
}

export interface CreateAppWebhookReply {
  data: Webhook
}

export interface CreateBroadcastBody {
  /** Owner: id or screen name. */
  owner: string
  /** Title. */
  title: string
  /** The source. */
  source_id?: string
  /** When it starts: RFC 3339, or a distance from now such as `+2h`. Now by default. */
  starts_at?: string
  /** How long it lasts. By default until it is ended. */
  minutes?: number
  /** Locale, such as `en_US`. */
  locale?: string
  /** Whether it waits for the call that starts it. Only with `starts_at`. */
  manual_publish?: boolean
  /** Whether it can be watched after its end. */
  available_for_replay?: boolean
  /** Whether only its owner knows of it. */
  locked?: boolean
}

export interface CreateBroadcastReply {
  data: AdminBroadcast
}

export interface CreateBroadcastSourceBody {
  /** Owner: id or screen name. */
  owner: string
  /** Its id; made by default. */
  id?: string
  /** Name. */
  name?: string
  /** Whether video arrives. */
  receiving?: boolean
  /** Width of the video, in pixels. */
  width?: number
  /** Height of the video, in pixels. */
  height?: number
  /** Whether the video is late. */
  high_latency?: boolean
}

export interface CreateBroadcastSourceReply {
  data: AdminBroadcastSource
}

export interface CreateCommunityBody {
  /** Name. Several communities may have the same. */
  name: string
  /** Description; empty by default. */
  description?: string
  /** Who sees its posts: everyone, or its members if it is `Closed`. `Public` by default. */
  access?: 'Public' | 'Closed'
  /** What is shown about joining; `Open` by default. Members are added here, whatever it says. */
  join_policy?: 'Open' | 'RestrictedJoinRequestsDisabled' | 'RestrictedJoinRequestsRequireAdminApproval' | 'RestrictedJoinRequestsRequireModeratorApproval' | 'SuperFollowRequired'
  /** Its id, for a community that imported posts name. A new one by default. */
  id?: string
  /** Its first members. */
  members?: string[]
}

export interface CreateCommunityReply {
  data: AdminCommunity
}

export interface CreateConsoleKeyReply {
  data: { key: string }
}

export interface CreateDirectMessageBody {
  /** Id or screen name of the sender. */
  from: string
  /** Up to 10,000 characters. */
  text: string
  /**
   * Ids or screen names. With one, the message goes to the conversation of the two users; with
   * several, to a new group.
   */
  to?: string[]
  /** A conversation of the sender, instead of `to`. */
  conversation_id?: string
  /**
   * When the message was sent: RFC 3339, or a distance from now such as `-2h` or `-1d12h`. Now by
   * default; never later.
   */
  created_at?: string
}

export interface CreateDirectMessageReply {
  data: AdminMessage
}

export interface CreateFundingInstrumentBody {
  /** ISO 4217 code. */
  currency: string
  /** Type of funding. */
  type: 'AGENCY_CREDIT_LINE' | 'CREDIT_CARD' | 'CREDIT_LINE' | 'INSERTION_ORDER' | 'PARTNER_MANAGED'
  /** Limit of a credit line or card. */
  credit_limit_local_micro?: Int64
  /** Funded amount of an insertion order. */
  funded_amount_local_micro?: Int64
}

export interface CreateFundingInstrumentReply {
  data: CreatedFunding
}

export interface CreateSpaceBody {
  /** Creator and first host: id or screen name. */
  creator: string
  /** The title: up to 70 characters, none of them a control character. */
  title: string
  /** When it starts: RFC 3339, or a distance from now such as `+2h`. Now by default. */
  starts_at?: string
  /** How long it lasts. By default until it is ended. */
  minutes?: number
  /** Language code, such as `en`. */
  lang?: string
  /** Other hosts. */
  hosts?: string[]
  /** Speakers. */
  speakers?: string[]
  /** Users who are invited to speak. */
  invited?: string[]
  /** What it is about. */
  topics?: { name: string; description?: string }[]
  /** Users who want to be told of its start; 0 by default. */
  subscriber_count?: number
  /** Whether it sells tickets; false by default. */
  ticketed?: boolean
}

export interface CreateSpaceReply {
  data: AdminSpace
}

export interface CreateStreamRuleBody {
  /** A query: which posts the rule matches. */
  value: string
  /** A name, which is returned with each match. */
  tag?: string
  /** The stream; `filtered` by default. */
  stream?: 'filtered' | 'powerstream'
}

export interface CreateStreamRuleReply {
  data: AdminRule
}

export interface CreateSubscriptionBody {
  /** What to receive. */
  event_type: 'post.create' | 'post.delete' | 'post.mention.create' | 'post.reply.create' | 'post.quote.create' | 'post.repost.create' | 'like.create' | 'follow.follow' | 'follow.unfollow' | 'mute.mute' | 'mute.unmute' | 'block.block' | 'block.unblock' | 'profile.update.bio' | 'profile.update.geo' | 'profile.update.url' | 'profile.update.profile_picture' | 'profile.update.banner_picture' | 'profile.update.screenname' | 'profile.update.handle' | 'profile.update.verified' | 'profile.update.verified_badge' | 'profile.update.affiliate' | 'profile.update.affiliate_badge' | 'spaces.start' | 'spaces.end' | 'broadcast.start' | 'broadcast.end' | 'broadcast.chat' | 'chat.received' | 'chat.sent' | 'chat.conversation_join' | 'chat.conversation.join' | 'chat.conversation.member_added' | 'dm.received' | 'dm.sent' | 'dm.join' | 'dm.leave' | 'dm.indicate_typing' | 'dm.read' | 'news.new' | 'oauth.revoke'
  filter: ActivityFilter
  /** A name of your choice. */
  tag?: string
  /** A webhook of the app that receives them too. */
  webhook_id?: string
}

export interface CreateSubscriptionReply {
  data: ActivitySubscription
}

export interface CreateTokenBody {
  /**
   * `oauth1`: a token and a secret of a user, to sign with. `oauth2`: a bearer token of a user.
   * `bearer`: the app-only bearer token.
   */
  kind: 'oauth1' | 'oauth2' | 'bearer'
  /** The app. */
  app_id: string
  /** Id or screen name. Required unless the kind is `bearer`. */
  user?: string
  /** What the token allows: of OAuth 1.0a. */
  access?: 'read' | 'read-write' | 'read-write-directmessages'
  /** What the token allows: of OAuth 2.0. */
  scopes?: ('post.read' | 'post.write' | 'post.moderate.write' | 'users.read' | 'users.email' | 'follow.read' | 'follow.write' | 'offline.access' | 'space.read' | 'mute.read' | 'mute.write' | 'like.read' | 'like.write' | 'list.read' | 'list.write' | 'block.read' | 'block.write' | 'bookmark.read' | 'bookmark.write' | 'dm.read' | 'dm.write' | 'media.write' | 'timeline.read' | 'broadcast.read' | 'broadcast.write')[]
  /** When the OAuth 2.0 access token ends, by the clock of Plaza. Default: 7200. */
  expires_in_seconds?: number
}

export interface CreateTokenReply {
  data: CreatedToken
}

export interface CreateUserBody {
  /** 1 to 15 letters, digits or underscores. No two users have the same, in any case. */
  screen_name: string
  /** Display name: up to 50 characters, none of them a control character. */
  name: string
  /** Description: up to 160 characters. */
  description?: string
  /** Location: up to 30 characters. */
  location?: string
  /** URL of the profile; null without one. */
  url?: string
  /** URL of the picture, which the profile shows unchanged. */
  profile_image_url?: string
  /** URL of the banner, which the profile shows unchanged. */
  profile_banner_url?: string
  /** Whether only followers see the posts of the user. */
  protected?: boolean
  /** The badge. Any but `none` makes the user verified. */
  verified_type?: 'none' | 'blue' | 'government' | 'business'
  /** The subscription that the user pays for. */
  subscription_type?: 'None' | 'Basic' | 'Premium' | 'PremiumPlus'
  /** Id or screen name of the organization that the user belongs to. */
  affiliation?: string
  /** Who may send the user direct messages. */
  direct_messages_from?: 'everyone' | 'followed'
  /** Writes community notes; top writers read the large feeds too. */
  note_writer?: 'regular' | 'top'
  /** Whether the user is suspended. Tokens are rejected then. */
  suspended?: boolean
  /** Whether the user says to be a parody. */
  parody?: boolean
  /** Whether the identity of the user was checked. */
  is_identity_verified?: boolean
  /**
   * Countries in which the user is withheld, ISO 3166-1 alpha-2. Plaza shows the user everywhere.
   */
  withheld_in?: string[]
  /** Generated if absent. */
  password?: string
  /**
   * When the user joined: RFC 3339, or a distance from now such as `-2h` or `-1d12h`. Now by
   * default; never later.
   */
  created_at?: string
}

export interface CreateUserReply {
  data: CreatedUser
}

export interface CreatedAccount {
  /** The account. */
  id: string
  /** Where it is. */
  environment: 'production' | 'sandbox'
  name: string
  business_name: string | null
  business_id: string | null
  /** IANA name. */
  timezone: string
  approval_status: string
  industry_type: string | null
  deleted: boolean
  /** When it was opened. */
  created_at: string
  users: { screen_name: string; roles: string[] }[]
  features: string[]
  funding_instrument_ids: string[]
}

export interface CreatedApp {
  /** The app. */
  id: string
  name: string
  website: string
  /** The developer. */
  owner_user_id: string
  callbacks: string[]
  /** Desktop apps use a PIN. */
  kind: 'web' | 'desktop'
  /** What the app may ask for. */
  permission: 'read' | 'read-write' | 'read-write-directmessages'
  /** Whether a user who granted the app before is not asked again. */
  sign_in: boolean
  /** Of OAuth 2.0. */
  client_id: string | null
  /** Of OAuth 2.0. */
  client_type: 'confidential' | 'public' | 'native' | null
  /** Whether the app may use the endpoints under `/2/`. */
  enrolled: boolean
  /** Whether the app may open the streams of enterprise plans. */
  enterprise: boolean
  suspended: boolean
  /** When the app was registered. */
  created_at: string
  consumer_key: string
  /** Only this reply has it. */
  consumer_secret: string
  /** Of a confidential client. Only this reply has it. */
  client_secret: string | null
  /** OAuth 1.0a tokens of the users in `grants`. */
  tokens: { user_id: string; screen_name: string; access_token: string; access_token_secret: string }[]
}

export interface CreatedFunding {
  /** The funding instrument. */
  id: string
  /** The account. */
  account_id: string
  currency: string
  type: string
}

export interface CreatedToken {
  /**
   * `oauth1`: a token and a secret of a user, to sign with. `oauth2`: a bearer token of a user.
   * `bearer`: the app-only bearer token.
   */
  kind: 'oauth1' | 'oauth2' | 'bearer'
  /** The app. */
  app_id: string
  /** The user; absent for an app-only token. */
  user_id?: string
  /** What the token allows: of OAuth 1.0a. */
  access?: 'read' | 'read-write' | 'read-write-directmessages'
  /** Of OAuth 2.0. */
  scopes?: string[]
  /** When access was given. */
  created_at?: string
  /** When the access token ends. */
  expires_at?: string
  /** Only this reply has it. */
  access_token?: string
  /** Of OAuth 1.0a. Only this reply has it. */
  access_token_secret?: string
  /** Of OAuth 2.0 with the scope `offline.access`. Only this reply has it. */
  refresh_token?: string
  /** The app-only bearer token. */
  bearer_token?: string
}

export interface CreatedUser {
  /** The user. */
  id: string
  screen_name: string
  /** Display name. */
  name: string
  description: string
  location: string
  url: string | null
  profile_image_url: string | null
  profile_banner_url: string | null
  /** Whether only followers see the posts of the user. */
  protected: boolean
  verified: boolean
  /** The badge. */
  verified_type: 'none' | 'blue' | 'government' | 'business'
  /** The subscription that the user pays for. */
  subscription_type: 'None' | 'Basic' | 'Premium' | 'PremiumPlus'
  /** The organization that the user belongs to. */
  affiliation_user_id: string | null
  /** Who may send the user direct messages. */
  direct_messages_from: 'everyone' | 'followed'
  /** The level of a writer of community notes. */
  note_writer: 'regular' | 'top' | null
  suspended: boolean
  parody: boolean
  is_identity_verified: boolean
  /** Countries in which the user is withheld. */
  withheld_in: string[]
  /** Number of followers. */
  followers_count: number
  /** Number of users that the user follows. */
  following_count: number
  /** Number of posts. */
  post_count: number
  /** When the user joined. */
  created_at: string
  /** The generated password. Only this reply has it. */
  password?: string
}

export type CreativeSource = 'MANUAL' | 'DYNAMIC_PRODUCT_CREATIVE'

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

export interface DeadLetter {
  /** The dead letter. */
  id: string
  /** The kind of task. */
  kind: string
  /** What it is about. */
  payload: Record<string, unknown>
  /** Why the last attempt failed. */
  reason: string
  attempts: number
  /** When it was enqueued. */
  created_at: string
  /** When the last attempt failed. */
  failed_at: string
}

export interface DeleteAdminAccountSubscriptionReply {
  data: Deleted
}

export interface DeleteAdminCampaignReply {
  data: Campaign
}

export interface DeleteAdminLineItemReply {
  data: LineItem
}

export interface DeleteAnyListReply {
  data: Deleted
}

export interface DeleteAnyPostReply {
  data: Deleted
}

export interface DeleteAnyUserReply {
  data: Deleted
}

export interface DeleteAppReply {
  data: Deleted
}

export interface DeleteAppWebhookReply {
  data: Deleted
}

export interface DeleteCommunityReply {
  data: Deleted
}

export interface DeleteLinkPreviewReply {
  data: Deleted
}

export interface DeleteStreamRuleReply {
  data: Deleted
}

export interface DeleteSubscriptionReply {
  data: Deleted
}

export interface Deleted {
  deleted: boolean
}

export interface Delivery {
  /** The delivery. */
  id: string
  /** The webhook. */
  webhook_id: string
  /** The event. */
  event_id: string
  /** What became of it. */
  state: 'pending' | 'delivered' | 'failed' | 'skipped' | 'dropped' | 'oversized' | 'withdrawn' | 'capped'
  /** When the event happened. */
  created_at: string
  /** When it was last sent again by hand. */
  resent_at?: string
  /** When the next attempt is due. */
  due_at?: string
  /** When it ended. */
  ended_at?: string
  attempts: DeliveryAttempt[]
}

export interface DeliveryAttempt {
  /** When the request was sent. */
  at: string
  /** From the request to the response, in milliseconds. */
  ms: number
  /** With the secret of that time. */
  signature?: string
  /** Of the response; absent without one. */
  status?: number
  /** The first bytes of the response. */
  answer?: string
  /** Why there was no response. */
  error?: string
  /** The replay that sent it. */
  replay?: string
}

export interface DiscardDeadLetterReply {
  data: Deleted
}

export type EffectiveStatus = 'UNKNOWN' | 'PAUSED' | 'RUNNING'

export interface EmitActivityBody {
  /** The type, also in the spelling of the vocabulary. */
  event_type: string
  /** Screen name of the user that the subscription filters by. */
  user?: string
  /** For news: text that keywords are matched against. */
  text?: string
  /** For events about an app: its id. */
  app?: string
  /** Both by default. */
  direction?: 'inbound' | 'outbound'
  /** Members that replace those of the payload. */
  with?: Record<string, unknown>
}

export interface EmitActivityReply {
  data: { event_type: string; payload: Record<string, unknown> }
}

export interface EndBroadcastBody {
  /** Whether its state is `Error` from then on. */
  failed?: boolean
}

export interface EndBroadcastReply {
  data: EndedBroadcast
}

export interface EndReactionReply {
  data: Deleted
}

export interface EndRelationReply {
  data: Deleted
}

export interface EndSpaceReply {
  data: EndedSpace
}

export interface EndedBroadcast {
  /** The broadcast. */
  id: string
  /** A broadcast that has not started is removed. */
  state: 'Ended' | 'Error' | 'removed'
}

export interface EndedSpace {
  /** The space. */
  id: string
  /** A scheduled space is removed. */
  state: 'ended' | 'removed'
}

export type EntityStatus = 'ACTIVE' | 'PAUSED' | 'DRAFT'

export interface ExportJournalEntryReply {
  data: { format: 'curl' | 'har' | 'test'; text: string }
}

export interface ExportJournalReply {
  /** The log of an HTTP Archive: `version`, `creator`, `entries`. */
  log: Record<string, unknown>
}

export interface ExportSeedReply {
  /** The content of a seed file. */
  data: Record<string, unknown>
}

export interface Fault {
  /** Its id, which is never used again. */
  id: string
  /** Its place in the order, from 1. */
  position: number
  /**
   * `error`: a documented error. `latency`: only later. `expired_token`: bearer tokens count as
   * expired. `exhausted_limit`, `exhausted_usage`: the rate limit, or a usage cap, is reached.
   * `lost_database`: as if the database were unavailable. `drop`, `drop_after`: the connection ends
   * before the call, or after it took effect. `truncate`, `throttle`: the reply ends early, or is
   * slow. `disconnect`, `stall`: a stream ends, or sends nothing more. `webhook_…`: deliveries get
   * a status, no answer in time, no connection, a TLS error, or are slow.
   */
  kind: FaultKind
  /** For `error`: a documented status. For `webhook_status`: the answer. */
  status?: number
  /**
   * For `error`: which of the documented errors with the status. For `exhausted_usage`: which cap.
   */
  cause?: string
  /**
   * Waits before anything else, for at most 5 minutes of real time: `2s`, `uniform 100ms 2s`,
   * `normal 200ms 50ms` (mean and deviation), `lognormal 200ms 0.5` (median and sigma) or
   * `percentiles 50=100ms 99=2s`.
   */
  latency?: string
  /** For `truncate`: how many bytes of the body are sent. */
  bytes?: number
  /** For `throttle`. */
  bytes_per_second?: number
  /** For streams: after how many lines. */
  posts?: number
  /** For streams: after how much real time, such as `10s`, up to 5 minutes. */
  after?: string
  /**
   * For `disconnect`: the recorded reason, from which the last line follows. Default:
   * `operator_disconnect`.
   */
  reason?: FaultDisconnectReason
  /**
   * An endpoint: `POST /2/posts`, `/2/posts` with any method, or with `*` for any text: `GET
   * /2/users/*`. Default: every endpoint.
   */
  route?: string
  /** The listener. */
  host?: 'core' | 'ads' | 'sandbox'
  /** The app of the caller, or of the webhook. */
  app_id?: string
  /** The user of the caller. */
  user_id?: string
  /** For deliveries: the id or the URL of the webhook. */
  webhook?: string
  /** The share that fails. Default: 1. */
  probability?: number
  /** Only the first so many fail, on each node. */
  times?: number
  /** Only every so many-th fails: with 3, the third, the sixth, …. */
  every?: number
  /** From when, on the clock that Plaza shows: a time, or a duration from now such as `2h`. */
  from?: string
  /** Until when: a time, or a duration from now. */
  until?: string
  /** Makes probability and latency the same in each run. Default: the id. */
  seed?: string
  /** How many its conditions matched, on this node. */
  matches: number
  /** How many of them it failed, on this node. */
  hits: number
}

export type FaultDisconnectReason = 'operator_disconnect' | 'server_shutdown' | 'slow_reader' | 'too_many_posts' | 'usage_capped' | 'internal_error' | 'token_revoked' | 'app_suspended' | 'app_unenrolled' | 'client_closed'

export type FaultKind = 'error' | 'latency' | 'expired_token' | 'exhausted_limit' | 'exhausted_usage' | 'lost_database' | 'drop' | 'drop_after' | 'truncate' | 'throttle' | 'disconnect' | 'stall' | 'webhook_status' | 'webhook_timeout' | 'webhook_unreachable' | 'webhook_tls' | 'webhook_slow'

export interface FollowStreamReply {
  data: { text: string }
}

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

export type FundingType = 'AGENCY_CREDIT_LINE' | 'CREDIT_CARD' | 'CREDIT_LINE' | 'INSERTION_ORDER' | 'PARTNER_MANAGED'

export interface GeneratePostsBody {
  /** Number of posts. */
  count: number
  /** Seed of the random generator: 1 by default. */
  seed?: number
  /** Authors: by default one per 20 posts, at most 20,000. */
  authors?: number
  /** Days that the posts span: 30 by default. */
  days?: number
  /** Bursts a day, which become news stories: 3 by default. */
  bursts?: number
  /** Percentage of posts that reply to others, for conversations: 22 by default. */
  replies?: number
  /** Percentage of posts with a poll: 0 by default. */
  polls?: number
  /** Percentage of posts with images, which have no poll: 0 by default. */
  images?: number
  /** Spaces, over all days and two more: 0 by default. */
  spaces?: number
}

export interface GeneratePostsReply {
  data: ImportMessage
}

export interface GetAnyCommunityReply {
  data: AdminCommunity
}

export interface GetClockReply {
  data: Clock
}

export interface GetFaultReply {
  data: Fault
}

export interface GetJournalEntryReply {
  data: JournalEntry
}

export interface GetMetricsReply {
  data: Measurements
}

export interface GetSnapshotReply {
  data: Snapshot
}

export interface GetStatusReply {
  data: Status
}

export type Goal = 'APP_CLICKS' | 'APP_INSTALLS' | 'APP_PURCHASES' | 'ENGAGEMENT' | 'FOLLOWERS' | 'LINK_CLICKS' | 'MAX_REACH' | 'PREROLL' | 'PREROLL_STARTS' | 'REACH_WITH_ENGAGEMENT' | 'SITE_VISITS' | 'VIDEO_VIEW' | 'VIEW_3S_100PCT' | 'VIEW_6S' | 'VIEW_15S' | 'WEBSITE_CONVERSIONS'

export interface GrantedAccess {
  /** The app. */
  app_id: string
  app_name: string
  /** Of the OAuth 1.0a token; null without one. */
  access: 'read' | 'read-write' | 'read-write-directmessages' | null
  /** Of all OAuth 2.0 tokens that have not ended. */
  scopes: string[]
  /** When the app first got access. */
  created_at: string
}

export interface ImportMessage {
  progress?: { pass: 'importing' | 'counting' | 'making'; share: number; count: number }
  rejected?: { line: number; reason: string }
  result?: { added: number; known: number; rejected: number; repeated: boolean }
  /** Why nothing more is imported. */
  error?: string
}

export interface ImportPostsReply {
  data: ImportMessage
}

export interface ImportProductsReply {
  data: ProductImportMessage
}

export interface ImportSnapshotReply {
  data: Snapshot
}

export interface JoinCommunityReply {
  data: RelatedUser
}

export interface JournalCaller {
  /** The kind of authentication: `user`, `app`, `client`, `none`, … */
  kind: string
  /** The app. */
  app_id?: string
  /** The user. */
  user_id?: string
}

export interface JournalCount {
  /** The listener; empty for outgoing calls. */
  host: string
  /** The endpoint; empty for requests that match none. */
  route: string
  /** Absent for outgoing calls without an answer. */
  status?: number
  /** How many entries. */
  count: number
  /** The average time to the reply. */
  average_ms: number
}

export interface JournalEntry {
  /** The `x-transaction-id` of a request, or the id of an outgoing call. */
  id: string
  /** Rises by one with each entry. */
  sequence: number
  /** A request, a call to a URL of a user, or a stream. */
  kind: 'request' | 'outgoing' | 'stream'
  /** When it was answered, on the clock that Plaza shows. */
  time: string
  /** The listener; absent for outgoing calls. */
  host?: string
  /** The endpoint; empty if the request matches none. */
  route: string
  /** The HTTP method. */
  method: string
  /** The target of a request, or the URL of an outgoing call. */
  url: string
  caller?: JournalCaller
  /** Absent if an outgoing call had no answer. */
  status?: number
  /** Why an outgoing call had no answer. */
  failure?: string
  /** From the request to its reply. */
  duration_ms: number
  error?: { cause: string; detail: string }
  stream?: { lines: number; open: boolean; ended_after_ms?: number }
  request: JournalMessage
  response: JournalMessage
  /** Why it was answered like this, in sentences. */
  explanation: string[]
  signature?: SignatureAnalysis
}

export interface JournalMessage {
  /** Pairs of a name and a value, in their order. Secrets are masked. */
  headers: string[][]
  /** The body, with secrets masked; of a stream, its last lines. */
  body?: string
  /** The length of the whole body. */
  body_bytes?: number
  /** Why the body, or its end, is missing. */
  body_omitted?: string
}

export interface JournalSummary {
  /** The `x-transaction-id` of a request, or the id of an outgoing call. */
  id: string
  /** Rises by one with each entry. */
  sequence: number
  /** A request, a call to a URL of a user, or a stream. */
  kind: 'request' | 'outgoing' | 'stream'
  /** When it was answered, on the clock that Plaza shows. */
  time: string
  /** The listener; absent for outgoing calls. */
  host?: string
  /** The endpoint; empty if the request matches none. */
  route: string
  /** The HTTP method. */
  method: string
  /** The target of a request, or the URL of an outgoing call. */
  url: string
  caller?: JournalCaller
  /** Absent if an outgoing call had no answer. */
  status?: number
  /** Why an outgoing call had no answer. */
  failure?: string
  /** From the request to its reply. */
  duration_ms: number
  error?: { cause: string; detail: string }
  stream?: { lines: number; open: boolean; ended_after_ms?: number }
}

export interface LeaveBroadcastReply {
  data: BroadcastWatcher
}

export interface LeaveCommunityReply {
  data: Deleted
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

export interface ListActivityTypesReply {
  data: { event_type: string; needs: 'user' | 'text' | 'app'; takes_user: boolean; has_direction: boolean }[]
}

export interface ListAdClicksReply {
  data: AdClick[]
  meta: AdminPageMeta
}

export interface ListAdminAccountSubscriptionsReply {
  data: AdminAccountSubscription[]
}

export interface ListAdminCampaignsReply {
  data: Campaign[]
  meta: AdminPageMeta
}

export interface ListAdminCardsReply {
  data: Card[]
  meta: AdminPageMeta
}

export interface ListAdminCustomAudiencesReply {
  data: CustomAudience[]
  meta: AdminPageMeta
}

export interface ListAdminFundingInstrumentsReply {
  data: FundingInstrument[]
  meta: AdminPageMeta
}

export interface ListAdminLineItemsReply {
  data: LineItem[]
  meta: AdminPageMeta
}

export interface ListAdminPromotedPostsReply {
  data: PromotedPost[]
  meta: AdminPageMeta
}

export interface ListAdminScheduledPostsReply {
  data: ScheduledPost[]
  meta: AdminPageMeta
}

export interface ListAdminTargetingCriteriaReply {
  data: TargetingCriterion[]
  meta: AdminPageMeta
}

export interface ListAllAccountsReply {
  data: AdminAccount[]
  meta: AdminPageMeta
}

export interface ListAppWebhooksReply {
  data: Webhook[]
}

export interface ListAppsReply {
  data: AdminApp[]
  meta: AdminPageMeta
}

export interface ListBroadcastSourcesReply {
  data: AdminBroadcastSource[]
  meta: AdminPageMeta
}

export interface ListBroadcastsReply {
  data: AdminBroadcast[]
  meta: AdminPageMeta
}

export interface ListCommunitiesOfUserReply {
  data: AdminCommunity[]
  meta: AdminPageMeta
}

export interface ListCommunitiesReply {
  data: AdminCommunity[]
  meta: AdminPageMeta
}

export interface ListConversationReply {
  data: AdminPost[]
  meta: AdminPageMeta
}

export interface ListDeadLettersReply {
  data: DeadLetter[]
  meta: AdminPageMeta
}

export interface ListDeliveriesReply {
  data: Delivery[]
  meta: AdminPageMeta
}

export interface ListDirectMessagesReply {
  data: AdminMessage[]
  meta: AdminPageMeta
}

export interface ListFaultsReply {
  data: Fault[]
  meta: { result_count: number; node: number }
}

export interface ListJournalReply {
  data: JournalSummary[]
  meta: { result_count: number; last_sequence: number; node: number }
}

export interface ListLinkPreviewsReply {
  data: AdminLinkPreview[]
  meta: AdminPageMeta
}

export interface ListListsReply {
  data: AdminList[]
  meta: AdminPageMeta
}

export interface ListLogsReply {
  data: LogLine[]
}

export interface ListMediaReply {
  data: AdminMedium[]
}

export interface ListMembersOfCommunityReply {
  data: RelatedUser[]
  meta: AdminPageMeta
}

export interface ListNewsReply {
  data: AdminNewsStory[]
  meta: AdminPageMeta
}

export interface ListNotesReply {
  data: AdminNote[]
  meta: AdminPageMeta
}

export interface ListPostsOfCommunityReply {
  data: AdminPost[]
  meta: AdminPageMeta
}

export interface ListPostsReply {
  data: AdminPost[]
  meta: AdminPageMeta
}

export interface ListRelationsReply {
  data: RelatedUser[]
  meta: AdminPageMeta
}

export interface ListSettingsReply {
  data: Setting[]
}

export interface ListSnapshotsReply {
  data: Snapshot[]
  meta: { result_count: number }
}

export interface ListSpacesReply {
  data: AdminSpace[]
  meta: AdminPageMeta
}

export interface ListStreamRulesReply {
  data: AdminRule[]
  meta: AdminPageMeta
}

export interface ListSubscriptionsReply {
  data: ActivitySubscription[]
  meta: AdminPageMeta
}

export interface ListTokensReply {
  data: GrantedAccess[]
  meta: AdminPageMeta
}

export interface ListUsersOfListReply {
  data: RelatedUser[]
  meta: AdminPageMeta
}

export interface ListUsersReply {
  data: AdminUser[]
  meta: AdminPageMeta
}

export type LocationType = 'COUNTRIES' | 'REGIONS' | 'METROS' | 'CITIES' | 'POSTAL_CODES'

export interface LogLine {
  /** Counts the lines since the start. */
  number: number
  /** A JSON object, as in the log. */
  line: string
}

export type LookbackDays = 1 | 7 | 14 | 30

export interface Measurements {
  ready: { ready: boolean; reason?: string; warnings: string[] }
  version: string
  /** Since the process started. */
  uptime_seconds: number
  /** Resident memory of the process. */
  memory_bytes: number
  /** Processor time of the process. */
  cpu_seconds: number
  /** Streams that are open on this node. */
  stream_connections: number
  /** Requests by endpoint since the process started. */
  routes: RouteMeasurement[]
  /** The consumers of the event log. */
  consumers: { consumer: string; events: number; seconds: number }[]
  tasks: { kind: string; state: string; count: number }[]
  deliveries: { pending: number; last_hour: { state: string; count: number }[] }
}

export interface MobileApp {
  /** The app in the account. */
  id: string
  app_store_identifier: string
  /** Operating system of the app. */
  os_type: 'Android' | 'iOS'
}

export type NotServableReason = 'ACCOUNT_REJECTED' | 'ACCOUNT_UNDER_REVIEW' | 'AWAITING_APPROVAL_BY_ADVERTISER' | 'BUDGET_EXHAUSTED' | 'CONTENT_REVIEW_PROBLEM' | 'DELETED' | 'EXPIRED' | 'FUNDING_PROBLEM' | 'INCOMPLETE' | 'PAUSED_BY_ADVERTISER' | 'RETIRED_OBJECTIVE' | 'STARTS_IN_FUTURE'

export interface NoteRating {
  /** The note. */
  note_id: string
  /** Who rated it. */
  user_id: string
  /** The status of the note after the rating. */
  status: NoteStatus
}

export interface NoteRequests {
  /** The post, or one of its versions. */
  post_id: string
  /** How many users want a note on the post. */
  requests: number
}

export type NoteStatus = 'currently_rated_helpful' | 'currently_rated_not_helpful' | 'firm_reject' | 'insufficient_consensus' | 'minimum_ratings_not_met' | 'needs_more_ratings' | 'needs_your_help'

export type Objective = 'APP_ENGAGEMENTS' | 'APP_INSTALLS' | 'REACH' | 'FOLLOWERS' | 'ENGAGEMENTS' | 'VIDEO_VIEWS' | 'PREROLL_VIEWS' | 'WEBSITE_CLICKS'

export type PayBy = 'APP_CLICK' | 'IMPRESSION' | 'LINK_CLICK'

export type PermissionLevel = 'READ_ONLY' | 'READ_WRITE'

export type Placement = 'ALL_ON_SERVICE' | 'PUBLISHER_NETWORK' | 'TAP_BANNER' | 'TAP_FULL' | 'TAP_FULL_LANDSCAPE' | 'TAP_NATIVE' | 'TAP_MRECT' | 'SERVICE_PROFILE' | 'SERVICE_REPLIES' | 'SERVICE_SEARCH' | 'SERVICE_TIMELINE'

export interface PollVote {
  /** The user. */
  user_id: string
  /** The post. */
  post_id: string
  /** The answer, from 1. */
  position: number
}

export interface ProductImportMessage {
  progress?: { pass: 'checking' | 'importing'; share: number; count: number }
  problem?: { line: number; id: string | null; kind: 'error' | 'warning'; message: string }
  result?: { product_catalog_id: string; name: string; created: number; updated: number; unchanged: number; rejected: number }
  /** Why nothing more is imported. */
  error?: string
}

export type ProductType = 'MEDIA' | 'PROMOTED_ACCOUNT' | 'PROMOTED_POSTS'

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

export type PromotionApproval = 'ACCEPTED' | 'UNDER_REVIEW' | 'REJECTED'

export interface PutLinkPreviewBody {
  /** URL of the page, with its scheme. */
  url: string
  /** Title of the page. */
  title?: string
  /** Description of the page. */
  description?: string
  /** Where the link leads in the end. */
  unwound_url?: string
  /** Status with which the page answers. */
  status?: number
  /** Images of the page. */
  images?: { url: string; width?: number; height?: number }[]
}

export interface PutLinkPreviewReply {
  data: AdminLinkPreview
}

export interface RateNoteBody {
  /** How helpful the note is: `helpful` by default. */
  helpfulness?: 'helpful' | 'somewhat_helpful' | 'not_helpful'
  /** The viewpoint of the user: `neutral` by default. */
  viewpoint?: 'positive' | 'neutral' | 'negative'
  /** Reasons for the rating. */
  tags?: ('addresses_claim' | 'clear' | 'good_sources' | 'important_context' | 'unbiased_language' | 'argumentative_or_biased' | 'hard_to_understand' | 'incorrect' | 'irrelevant_sources' | 'missing_key_points' | 'note_not_needed' | 'opinion_or_speculation' | 'sources_missing_or_unreliable' | 'spam_harassment_or_abuse')[]
}

export interface RateNoteReply {
  data: NoteRating
}

export interface Reaction {
  /** The user. */
  user_id: string
  /** The post, or one of its versions. */
  post_id: string
  /** The repost, which is a post of the user. */
  repost_id?: string
}

export interface ReadAccountReply {
  data: AdminAccount
}

export interface ReadAppReply {
  data: AdminApp
}

export interface ReadDeliveryReply {
  data: WholeDelivery
}

export interface ReadPostReply {
  data: AdminPost
}

export interface ReadUserReply {
  data: AdminUser
}

export interface RebuildSearchReply {
  data: { requested: boolean }
}

export interface RefreshNewsReply {
  data: RefreshedNews
}

export interface RefreshTrendsReply {
  data: RefreshedTrends
}

export interface RefreshedNews {
  /** Number of new stories. */
  appeared: number
  /** Number of stories with new posts. */
  updated: number
}

export interface RefreshedTrends {
  /** Terms that were used since the last time. */
  terms: number
}

export interface RelateUserToListReply {
  data: RelatedUser
}

export interface RelatedUser {
  /** The user. */
  id: string
  screen_name: string
  name: string
}

export interface Relation {
  user: RelatedUser
  target: RelatedUser
  /** Whether the target, who is protected, must accept the follow first. */
  pending?: boolean
}

export interface ReloadVocabularyReply {
  data: { reloaded: boolean }
}

export interface RemovePlacesOfUserBody {
  /** The last post; by default the newest one. */
  up_to_post_id?: string
}

export interface RemovePlacesOfUserReply {
  data: RemovedPlaces
}

export interface RemoveRolesReply {
  data: Deleted
}

export interface RemovedPlaces {
  /** Posts that had a place or a point. */
  posts: number
}

export interface RequestNoteBody {
  /** What the note should say. */
  suggestion?: string
  /** A page that supports it. */
  source_link?: string
}

export interface RequestNoteReply {
  data: NoteRequests
}

export interface ResendDeliveryReply {
  data: { resent: boolean }
}

export interface ResendJournalEntryReply {
  data: JournalEntry
}

export interface ResetDataReply {
  data: { seeded_at: string }
}

export interface RestoreSnapshotReply {
  data: Snapshot
}

export interface RetryDeadLetterReply {
  data: { retried: boolean }
}

export interface RevokeTokensBody {
  /**
   * `oauth1`: a token and a secret of a user, to sign with. `oauth2`: a bearer token of a user.
   * `bearer`: the app-only bearer token.
   */
  kind: 'oauth1' | 'oauth2' | 'bearer'
  /** The app. */
  app_id: string
  /** Id or screen name. Required unless the kind is `bearer`. */
  user?: string
}

export interface RevokeTokensReply {
  data: Revoked
}

export interface Revoked {
  /** Whether there was such a token. */
  revoked: boolean
}

export interface RotateKeysReply {
  data: AppKeys
}

export interface RotateMasterKeyBody {
  /**
   * The new key, 32 bytes in hexadecimal, when the present one comes from a setting; start Plaza
   * with it from then on. Without it, `master.key` in the data folder is replaced.
   */
  new_key?: string
}

export interface RotateMasterKeyReply {
  data: { key_file: string | null }
}

export interface RotatePasswordReply {
  data: { id: string; screen_name: string; password: string }
}

export interface RouteMeasurement {
  /** The listener. */
  host: string
  /** Method and path of the endpoint; empty if a request matched none. */
  route: string
  replies: { status: number; count: number }[]
  /** The sum of the latencies. */
  duration_seconds: number
  /** Latencies by their bound. */
  buckets: { le?: number; count: number }[]
}

export interface SaveSnapshotBody {
  /**
   * The name: 1 to 64 letters, digits, `.`, `_` and `-`; the first is a letter or a digit. Default:
   * `snapshot-` and a number.
   */
  name?: string
  /** Whether to replace a snapshot that has this name. Default: false. */
  replace?: boolean
}

export interface SaveSnapshotReply {
  data: Snapshot
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

export type SegmentOperator = 'AND' | 'OR'

export interface SendExplorerRequestBody {
  /** The listener. */
  host: 'core' | 'ads' | 'sandbox'
  /** The HTTP method. */
  method: string
  /** The path with its query, percent-encoded. */
  path: string
  caller: { kind: 'user' | 'oauth2' | 'app' | 'client' | 'basic' | 'none'; user?: string; scopes?: ('post.read' | 'post.write' | 'post.moderate.write' | 'users.read' | 'users.email' | 'follow.read' | 'follow.write' | 'offline.access' | 'space.read' | 'mute.read' | 'mute.write' | 'like.read' | 'like.write' | 'list.read' | 'list.write' | 'block.read' | 'block.write' | 'bookmark.read' | 'bookmark.write' | 'dm.read' | 'dm.write' | 'media.write' | 'timeline.read' | 'broadcast.read' | 'broadcast.write')[]; app_id?: string }
  /** Pairs of a name and a value, such as `content-type`. */
  headers?: string[][]
  /** The body, exactly as it is sent. */
  body?: string
  /** The body in base64, instead: for a form with a file. */
  body_base64?: string
}

export interface SendExplorerRequestReply {
  data: { request: { method: string; url: string; headers: string[][] }; status: number; headers: string[][]; body: string; is_base64: boolean; duration_ms: number }
}

export interface SetRolesBody {
  /** Permissions of the user in the account. */
  roles: ('ACCOUNT_ADMIN' | 'AD_MANAGER' | 'CREATIVE_MANAGER' | 'CAMPAIGN_ANALYST' | 'ANALYST' | 'PARTNER_AUDIENCE_MANAGER' | 'POST_COMPOSER')[]
}

export interface SetRolesReply {
  data: AdminAccount
}

export interface Setting {
  /** Its flag. */
  name: string
  /** Its value as a flag has it; as JSON for an object. */
  value: string
  /** Whether it differs from that of the start. */
  changed: boolean
  description: string
}

export interface SharePostInSpaceReply {
  data: SharedPost
}

export interface SharedPost {
  /** The space. */
  space_id: string
  /** The post, or one of its versions. */
  post_id: string
}

export interface SignatureAnalysis {
  /** Whether the signature is right. */
  matches: boolean
  /** What the client must sign, with secrets masked. */
  expected_base_string: string
  /** What the client signed, if a known mistake explains its signature. */
  client_base_string?: string
  /** What the client did wrong, in sentences. */
  mistakes: string[]
  /** The index of the character from which the base strings differ. */
  first_difference?: number
}

export interface Snapshot {
  /** The name. */
  name: string
  /** When it was saved, on the machine's clock. */
  saved_at: string
  clock: { now: string; frozen: boolean }
  /** The size of its data, in bytes. */
  bytes: number
}

export interface StartBroadcastReply {
  data: AdminBroadcast
}

export interface StartSpaceReply {
  data: AdminSpace
}

export interface Status {
  /** Of Plaza. */
  version: string
  /** Of Node. */
  node_version: string
  /** The process. */
  pid: number
  /** How long the process has run. */
  uptime_seconds: number
  /** Where the data is. */
  mode: 'memory' | 'data' | 'postgresql'
  hardened: boolean
  /** The number of this node. */
  node: number
  /** Whether requests can be answered. */
  ready: boolean
  /** What does not work, as sentences. */
  problems: string[]
  urls: { core: string; ads: string; ads_sandbox: string; console: string }
  clock: Clock
  /** Consumers of the event log. */
  consumers: { name: string; events: number; seconds: number }[]
  /** Tasks of the queue. */
  tasks: { kind: string; state: string; count: number }[]
  deliveries: { webhooks_waiting: number; next_due_at?: string }
  /** Streams that are open on this node. */
  streams: number
  /** Which rate limits apply. */
  rate_limits: 'documented' | 'off' | 'custom'
  memory: { resident_bytes: number; heap_bytes: number; external_bytes: number }
  /** Why there are no snapshots here, where there are none. */
  snapshots_unavailable?: string
  disk?: { folder: string; free_bytes: number; total_bytes: number }
}

export interface StreamJournalReply {
  data: JournalSummary
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

export type TargetingOperator = 'EQ' | 'NE' | 'GTE' | 'LT'

export type TargetingType = 'AGE' | 'GENDER' | 'LANGUAGE' | 'LOCATION' | 'INTEREST' | 'SIMILAR_TO_FOLLOWERS_OF_USER' | 'FOLLOWERS_OF_USER' | 'BROAD_KEYWORD' | 'EXACT_KEYWORD' | 'PHRASE_KEYWORD' | 'UNORDERED_KEYWORD' | 'EVENT' | 'CONVERSATION' | 'TV_SHOW' | 'LIVE_TV_EVENT' | 'DEVICE' | 'PLATFORM' | 'PLATFORM_VERSION' | 'NETWORK_OPERATOR' | 'NETWORK_ACTIVATION_DURATION' | 'WIFI_ONLY' | 'CUSTOM_AUDIENCE' | 'CUSTOM_AUDIENCE_EXPANDED' | 'CAMPAIGN_ENGAGEMENT' | 'CAMPAIGN_ENGAGEMENT_LOOKALIKE' | 'USER_ENGAGEMENT' | 'USER_ENGAGEMENT_LOOKALIKE' | 'ENGAGEMENT_TYPE' | 'APP_STORE_CATEGORY' | 'APP_STORE_CATEGORY_LOOKALIKE' | 'APP_LIST' | 'IAB_CATEGORY' | 'CONTENT_PUBLISHER_USER'

export interface TaskCount {
  /** The kind of task. */
  kind: string
  /** Dead tasks have no attempts left. */
  state: 'waiting' | 'running' | 'dead'
  count: number
}

export interface UnrelateUserFromListReply {
  data: Deleted
}

export interface UpdateAdminCampaignBody {
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
  /** Id or screen name. */
  as_user?: string
}

export interface UpdateAdminCampaignReply {
  data: Campaign
}

export interface UpdateAdminLineItemBody {
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
  /** Id or screen name. */
  as_user?: string
}

export interface UpdateAdminLineItemReply {
  data: LineItem
}

export interface UpdateClockBody {
  /** The time to show: not before the time that it shows. */
  now?: string
  /** Whether the clock stands still. */
  frozen?: boolean
  /** Callers may send what they read. */
  machine_now?: unknown
}

export interface UpdateClockReply {
  data: Clock
}

export interface UpdateFaultBody {
  /**
   * `error`: a documented error. `latency`: only later. `expired_token`: bearer tokens count as
   * expired. `exhausted_limit`, `exhausted_usage`: the rate limit, or a usage cap, is reached.
   * `lost_database`: as if the database were unavailable. `drop`, `drop_after`: the connection ends
   * before the call, or after it took effect. `truncate`, `throttle`: the reply ends early, or is
   * slow. `disconnect`, `stall`: a stream ends, or sends nothing more. `webhook_…`: deliveries get
   * a status, no answer in time, no connection, a TLS error, or are slow.
   */
  kind: FaultKind
  /** For `error`: a documented status. For `webhook_status`: the answer. */
  status?: number
  /**
   * For `error`: which of the documented errors with the status. For `exhausted_usage`: which cap.
   */
  cause?: string
  /**
   * Waits before anything else, for at most 5 minutes of real time: `2s`, `uniform 100ms 2s`,
   * `normal 200ms 50ms` (mean and deviation), `lognormal 200ms 0.5` (median and sigma) or
   * `percentiles 50=100ms 99=2s`.
   */
  latency?: string
  /** For `truncate`: how many bytes of the body are sent. */
  bytes?: number
  /** For `throttle`. */
  bytes_per_second?: number
  /** For streams: after how many lines. */
  posts?: number
  /** For streams: after how much real time, such as `10s`, up to 5 minutes. */
  after?: string
  /**
   * For `disconnect`: the recorded reason, from which the last line follows. Default:
   * `operator_disconnect`.
   */
  reason?: FaultDisconnectReason
  /**
   * An endpoint: `POST /2/posts`, `/2/posts` with any method, or with `*` for any text: `GET
   * /2/users/*`. Default: every endpoint.
   */
  route?: string
  /** The listener. */
  host?: 'core' | 'ads' | 'sandbox'
  /** The app of the caller, or of the webhook. */
  app_id?: string
  /** The user of the caller. */
  user_id?: string
  /** For deliveries: the id or the URL of the webhook. */
  webhook?: string
  /** The share that fails. Default: 1. */
  probability?: number
  /** Only the first so many fail, on each node. */
  times?: number
  /** Only every so many-th fails: with 3, the third, the sixth, …. */
  every?: number
  /** From when, on the clock that Plaza shows: a time, or a duration from now such as `2h`. */
  from?: string
  /** Until when: a time, or a duration from now. */
  until?: string
  /** Makes probability and latency the same in each run. Default: the id. */
  seed?: string
  /** The place in the order, from 1: the first rule that applies counts. */
  position?: number
  /** Callers may send what they read. */
  id?: unknown
  /** Callers may send what they read. */
  matches?: unknown
  /** Callers may send what they read. */
  hits?: unknown
}

export interface UpdateFaultReply {
  data: Fault
}

export interface UpdateSettingsBody {
  /** Log level: silent, error, warn, info or debug. The log goes to standard error. */
  'log-level'?: unknown
  /** Rate limits: the documented ones, none, or those in a file, by endpoint and pool. */
  'rate-limits'?: unknown
  /**
   * Maximum number of posts returned to one app in a UTC day. A post counts once per app and UTC
   * day.
   */
  'usage-daily-per-app'?: unknown
  /**
   * Maximum number of posts returned to one app in a month. A post counts once per app and UTC day.
   */
  'usage-monthly-per-app'?: unknown
  /**
   * Maximum number of posts returned to all apps of one owner together in a UTC day. A post counts
   * once per app and UTC day.
   */
  'usage-daily-per-project'?: unknown
  /**
   * Maximum number of posts returned to all apps of one owner together in a month. A post counts
   * once per app and UTC day.
   */
  'usage-monthly-per-project'?: unknown
  /** Day of the month (UTC) on which the usage of a month begins. */
  'usage-reset-day'?: unknown
  /** Maximum number of webhooks per app. */
  'webhooks-per-app'?: unknown
  /** Maximum number of stream rules of one app. */
  'stream-rules-per-app'?: unknown
  /** Maximum number of stream rules of all apps of one owner together. */
  'stream-rules-per-project'?: unknown
  /** Maximum number of open connections of one app to a stream of posts. */
  'stream-connections-per-app'?: unknown
  /** Maximum number of activity subscriptions of one app. */
  'activity-subscriptions-per-app'?: unknown
  /**
   * Maximum number of campaigns of one advertising account; drafts and deleted campaigns do not
   * count.
   */
  'active-campaigns'?: unknown
  /**
   * How long an OAuth 2.0 access token is valid. Its refresh token is valid until it is used or
   * revoked.
   */
  'oauth2-access-seconds'?: unknown
  /** How long an OAuth 2.0 authorization code is valid. */
  'oauth2-code-seconds'?: unknown
}

export interface UpdateSettingsReply {
  data: Setting[]
}

export interface UploadAnyMediumReply {
  data: AdminMedium
}

export interface VoteAsUserBody {
  /** The answer, from 1. */
  position: number
}

export interface VoteAsUserReply {
  data: PollVote
}

export interface WaitForJournalEntryBody {
  /** What the entry is. */
  kind?: 'request' | 'outgoing' | 'stream'
  /** The listener. */
  host?: 'core' | 'ads' | 'sandbox'
  /**
   * An endpoint: `POST /2/posts`, `/2/posts` with any method, or with `*` for any text: `GET
   * /2/users/*`.
   */
  route?: string
  /** The status: `404`, or `4xx` for a class. */
  status?: string
  /** The app of the caller. */
  app_id?: string
  /** The user of the caller. */
  user_id?: string
  /** Text in the URL, headers, bodies or error, with secrets masked; the case is ignored. */
  text?: string
  /** Entries from this time on, on the clock that Plaza shows. */
  since?: string
  /** Entries before this time. */
  until?: string
  /** Entries after this sequence number. */
  after?: number
  /** Entries before this sequence number. */
  before?: number
  /** How long to wait, in real seconds. Default: 10. */
  timeout_seconds?: number
}

export interface WaitForJournalEntryReply {
  data?: JournalEntry
  meta: { found: boolean; node: number }
}

export interface WatchBroadcastReply {
  data: BroadcastWatcher
}

export interface Webhook {
  /** When it was registered. */
  created_at?: string
  /** The webhook. */
  id: string
  /** URL that events are sent to. It cannot be changed. */
  url?: string
  /** Whether its CRC checks succeed. Events are sent only to valid webhooks. */
  valid?: boolean
}

export interface WholeDelivery {
  /** The delivery. */
  id: string
  /** The webhook. */
  webhook_id: string
  /** The event. */
  event_id: string
  /** What became of it. */
  state: 'pending' | 'delivered' | 'failed' | 'skipped' | 'dropped' | 'oversized' | 'withdrawn' | 'capped'
  /** When the event happened. */
  created_at: string
  /** When it was last sent again by hand. */
  resent_at?: string
  /** When the next attempt is due. */
  due_at?: string
  /** When it ended. */
  ended_at?: string
  attempts: DeliveryAttempt[]
  /** Of the webhook; null if it was deleted. */
  url: string | null
  signed: { header: string; value: string | null }
  /** What was signed and sent. */
  body: string
}
