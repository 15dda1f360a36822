import type { Int64, Operation, PagedOperation, StreamOperation, Upload } from '../types.ts'

export interface Core {
  /** Get the metadata of OAuth 2.0: `GET /.well-known/oauth-authorization-server`. */
  oauthMetadata: Operation<{}, OauthMetadataReply>
  /** Update the profile of the user: `POST /1.1/account/update_profile.json`. */
  updateProfile: Operation<UpdateProfileForm, UserAccount>
  /** Verify an access token: `GET /1.1/account/verify_credentials.json`. */
  verifyCredentials: Operation<{ include_entities?: boolean; skip_status?: boolean; include_email?: boolean }, UserAccount>
  /** Indicate that the user is typing: `POST /1.1/direct_messages/indicate_typing.json`. */
  indicateTyping: Operation<IndicateTypingForm, undefined>
  /** Mark messages as read: `POST /1.1/direct_messages/mark_read.json`. */
  markMessagesRead: Operation<MarkMessagesReadForm, undefined>
  /**
   * Set the alternative text of a media file (older clients): `POST
   * /1.1/media/metadata/create.json`.
   */
  createMediaMetadata: Operation<MediaMetadataCreateBody, undefined>
  /** Get the state of an upload: `GET /1.1/media/upload.json`. */
  getMediaUpload: Operation<{ command: 'STATUS'; media_id: string }, MediaUpload>
  /** Upload an image, GIF or video: `POST /1.1/media/upload.json`. */
  uploadMedia: Operation<{ command?: UploadCommand; media_data?: string; media?: Upload | string; media_category?: UploadCategory; additional_owners?: string[]; shared?: boolean; media_type?: string; total_bytes?: number; media_id?: string; segment_index?: number }, MediaUpload | undefined>
  /** Get the state of an upload: `GET /1.1/media/upload`. */
  getMediaUpload2: this['getMediaUpload']
  /** Upload an image, GIF or video: `POST /1.1/media/upload`. */
  uploadMedia2: this['uploadMedia']
  /** Revoke an access token: `POST /1.1/oauth/invalidate_token`. */
  invalidateToken: Operation<{}, InvalidateTokenReply>
  /** Revoke an access token: `POST /1.1/oauth/invalidate_token.json`. */
  invalidateToken2: this['invalidateToken']
  /** Get a user in classic form: `GET /1.1/users/show.json`. */
  showUser: Operation<{ user_id?: string; screen_name?: string; include_entities?: boolean }, UserAccount>
  /**
   * Replay events (deprecated path): `POST
   * /2/account_activity/replay/webhooks/{webhook_id}/subscriptions/all`. @deprecated
   */
  replayAccountActivity: Operation<{ webhook_id: string; from_date: string; to_date: string }, ReplayAccountActivityReply>
  /**
   * Count the users whose activity the app receives: `GET /2/account_activity/subscriptions/count`.
   */
  countAccountSubscriptions: Operation<{}, CountAccountSubscriptionsReply>
  /**
   * Check whether a webhook receives the activity of the caller: `GET
   * /2/account_activity/webhooks/{webhook_id}/subscriptions/all`.
   */
  findAccountSubscription: Operation<{ webhook_id: string }, AccountActivitySubscribed>
  /**
   * Subscribe a webhook to the activity of the caller: `POST
   * /2/account_activity/webhooks/{webhook_id}/subscriptions/all`.
   */
  subscribeToAccount: Operation<{ webhook_id: string; body?: SubscribeToAccountBody }, AccountActivitySubscribed>
  /**
   * List the users whose activity a webhook receives: `GET
   * /2/account_activity/webhooks/{webhook_id}/subscriptions/all/list`.
   */
  listAccountSubscriptions: Operation<{ webhook_id: string }, ListAccountSubscriptionsReply>
  /**
   * End the subscription of a webhook to the activity of a user: `DELETE
   * /2/account_activity/webhooks/{webhook_id}/subscriptions/{user_id}/all`.
   */
  unsubscribeFromAccount: Operation<{ webhook_id: string; user_id: string }, AccountActivitySubscribed>
  /** Stream activities: `GET /2/activity/stream`. */
  streamActivities: StreamOperation<{ backfill_minutes?: number; start_time?: string; end_time?: string }, StreamActivitiesReply>
  /** Delete activity subscriptions: `DELETE /2/activity/subscriptions`. */
  deleteActivitySubscriptions: Operation<{ ids: string[] }, DeleteActivitySubscriptionsReply>
  /** List the app's activity subscriptions: `GET /2/activity/subscriptions`. */
  listActivitySubscriptions: PagedOperation<{ max_results?: number; pagination_token?: string }, ListActivitySubscriptionsReply>
  /** Subscribe to activities: `POST /2/activity/subscriptions`. */
  createActivitySubscription: Operation<CreateActivitySubscriptionBody, CreateActivitySubscriptionReply>
  /** Delete an activity subscription: `DELETE /2/activity/subscriptions/{subscription_id}`. */
  deleteActivitySubscription: Operation<{ subscription_id: string }, DeleteActivitySubscriptionReply>
  /** Change an activity subscription: `PUT /2/activity/subscriptions/{subscription_id}`. */
  changeActivitySubscription: Operation<{ subscription_id: string } & ChangeActivitySubscriptionBody, ChangeActivitySubscriptionReply>
  /** Create a draft of an article: `POST /2/articles/draft`. */
  draftArticle: Operation<ArticleDraftBody, DraftArticleReply>
  /** Publish an article: `POST /2/articles/{article_id}/publish`. */
  publishArticle: Operation<{ article_id: string }, PublishArticleReply>
  /** List your broadcasts: `GET /2/broadcasts`. */
  listBroadcasts: PagedOperation<{ ids?: string[]; max_results?: number; pagination_token?: string; 'broadcast.fields'?: BroadcastField[] }, ListBroadcastsReply>
  /** List your scheduled broadcasts: `GET /2/broadcasts/scheduled`. */
  listScheduledBroadcasts: PagedOperation<{ max_results?: number; oldest_start_time?: string; newest_start_time?: string; pagination_token?: string }, ListScheduledBroadcastsReply>
  /** Schedule a broadcast: `POST /2/broadcasts/scheduled`. */
  createScheduledBroadcast: Operation<CreateScheduledBroadcastBody, CreateScheduledBroadcastReply>
  /** Delete a scheduled broadcast: `DELETE /2/broadcasts/scheduled/{id}`. */
  deleteScheduledBroadcast: Operation<{ id: string; roll_forward?: boolean }, DeleteScheduledBroadcastReply>
  /** Get a scheduled broadcast: `GET /2/broadcasts/scheduled/{id}`. */
  getScheduledBroadcast: Operation<{ id: string }, GetScheduledBroadcastReply>
  /** Replace a scheduled broadcast: `PUT /2/broadcasts/scheduled/{id}`. */
  updateScheduledBroadcast: Operation<{ id: string } & UpdateScheduledBroadcastBody, UpdateScheduledBroadcastReply>
  /** Go live with a scheduled broadcast: `POST /2/broadcasts/scheduled/{id}/live`. */
  goLiveScheduledBroadcast: Operation<{ id: string }, GoLiveScheduledBroadcastReply>
  /** Get a broadcast: `GET /2/broadcasts/{id}`. */
  getBroadcast: Operation<{ id: string; 'broadcast.fields'?: BroadcastField[] }, GetBroadcastReply>
  /** Read the chat of a broadcast: `GET /2/broadcasts/{id}/chat`. */
  getBroadcastChat: PagedOperation<{ id: string; max_results?: number; pagination_token?: string; 'broadcast_chat_message.fields'?: BroadcastChatMessageField[]; 'user.fields'?: UserField[]; expansions?: BroadcastChatMessageExpansion[] }, GetBroadcastChatReply>
  /** Write in the chat of a broadcast: `POST /2/broadcasts/{id}/chat`. */
  sendBroadcastChat: Operation<{ id: string } & SendBroadcastChatBody, SendBroadcastChatReply>
  /** Mute a user in the chats of your broadcasts: `POST /2/broadcasts/{id}/chat/mutes`. */
  muteBroadcastChatUser: Operation<{ id: string } & MuteBroadcastChatUserBody, MuteBroadcastChatUserReply>
  /**
   * Unmute a user in the chats of your broadcasts: `DELETE
   * /2/broadcasts/{id}/chat/mutes/{user_id}`.
   */
  unmuteBroadcastChatUser: Operation<{ id: string; user_id: string }, UnmuteBroadcastChatUserReply>
  /** Delete a message in the chat of a broadcast: `DELETE /2/broadcasts/{id}/chat/{message_id}`. */
  deleteBroadcastChatMessage: Operation<{ id: string; message_id: string }, DeleteBroadcastChatMessageReply>
  /** List your encrypted conversations: `GET /2/chat/conversations`. */
  listChatConversations: PagedOperation<{ max_results?: number; pagination_token?: string; 'chat_conversation.fields'?: ChatConversationField[]; 'user.fields'?: UserField[]; expansions?: ChatConversationExpansion[] }, ListChatConversationsReply>
  /** Create an encrypted group: `POST /2/chat/conversations/group`. */
  createChatGroup: Operation<CreateChatGroupBody, CreateChatGroupReply>
  /** Get an id for a new group: `POST /2/chat/conversations/group/initialize`. */
  initializeChatGroup: Operation<{}, InitializeChatGroupReply>
  /** Get an encrypted conversation: `GET /2/chat/conversations/{id}`. */
  getChatConversation: Operation<{ id: string; 'chat_conversation.fields'?: ChatConversationField[]; 'user.fields'?: UserField[]; expansions?: ChatConversationExpansion[] }, GetChatConversationReply>
  /** List the events of an encrypted conversation: `GET /2/chat/conversations/{id}/events`. */
  listChatEvents: PagedOperation<{ id: string; max_results?: number; pagination_token?: string; 'chat_message_event.fields'?: ChatMessageEventField[] }, ListChatEventsReply>
  /** Change the key of an encrypted conversation: `POST /2/chat/conversations/{id}/keys`. */
  addChatKeys: Operation<{ id: string } & AddChatKeysBody, AddChatKeysReply>
  /** Add members to an encrypted group: `POST /2/chat/conversations/{id}/members`. */
  addChatMembers: Operation<{ id: string } & AddChatMembersBody, AddChatMembersReply>
  /** Send an encrypted message: `POST /2/chat/conversations/{id}/messages`. */
  sendChatMessage: Operation<{ id: string } & SendChatMessageBody, SendChatMessageReply>
  /** Delete encrypted messages: `POST /2/chat/conversations/{id}/messages/delete`. */
  deleteChatMessages: Operation<{ id: string } & DeleteChatMessagesBody, DeleteChatMessagesReply>
  /** Mark an encrypted conversation as read: `POST /2/chat/conversations/{id}/read`. */
  markChatRead: Operation<{ id: string } & MarkChatReadBody, MarkChatReadReply>
  /**
   * Say that you are typing in an encrypted conversation: `POST /2/chat/conversations/{id}/typing`.
   */
  indicateChatTyping: Operation<{ id: string }, IndicateChatTypingReply>
  /** Begin an upload of an encrypted file: `POST /2/chat/media/upload/initialize`. */
  initializeChatMediaUpload: Operation<InitializeChatMediaUploadBody, InitializeChatMediaUploadReply>
  /** Send a part of an encrypted file: `POST /2/chat/media/upload/{id}/append`. */
  appendChatMediaUpload: Operation<{ id: string } & { media?: Upload | string; segment_index?: number; conversation_id?: string; media_hash_key?: string }, AppendChatMediaUploadReply>
  /** End an upload of an encrypted file: `POST /2/chat/media/upload/{id}/finalize`. */
  finalizeChatMediaUpload: Operation<{ id: string } & FinalizeChatMediaUploadBody, FinalizeChatMediaUploadReply>
  /** Download an encrypted file: `GET /2/chat/media/{id}/{media_hash_key}`. */
  downloadChatMedia: Operation<{ id: string; media_hash_key: string }, Upload>
  /** Search communities: `GET /2/communities/search`. */
  searchCommunities: PagedOperation<{ query: string; max_results?: number; next_token?: string; pagination_token?: string; 'community.fields'?: CommunityField[] }, SearchCommunitiesReply>
  /** Get a community: `GET /2/communities/{id}`. */
  getCommunity: Operation<{ id: string; 'community.fields'?: CommunityField[] }, GetCommunityReply>
  /** Download the result of a compliance job: `GET /2/compliance/downloads/{download_key}`. */
  downloadComplianceResult: Operation<{ download_key: string }, Upload>
  /** List the app's compliance jobs: `GET /2/compliance/jobs`. */
  listComplianceJobs: Operation<{ type: ComplianceJobType; status?: ListedComplianceJobStatus; 'compliance_job.fields'?: ComplianceJobField[] }, ListComplianceJobsReply>
  /** Create a compliance job: `POST /2/compliance/jobs`. */
  createComplianceJob: Operation<{ 'compliance_job.fields'?: ComplianceJobField[] } & CreateComplianceJobBody, CreateComplianceJobReply>
  /** Get a compliance job: `GET /2/compliance/jobs/{id}`. */
  getComplianceJob: Operation<{ id: string; 'compliance_job.fields'?: ComplianceJobField[] }, GetComplianceJobReply>
  /** Begin a resumable upload: `POST /2/compliance/uploads/{upload_key}`. */
  beginComplianceUpload: Operation<{ upload_key: string }, Upload>
  /** Upload the ids of a compliance job: `PUT /2/compliance/uploads/{upload_key}`. */
  uploadComplianceIds: Operation<{ upload_key: string } & Upload, Upload>
  /** End connections to streams: `DELETE /2/connections`. */
  endStreamConnections: Operation<{ uuids?: string[] }, EndStreamConnectionsReply>
  /** List connections to streams: `GET /2/connections`. */
  listStreamConnections: PagedOperation<{ status?: 'active' | 'inactive' | 'all'; endpoints?: StreamEndpoint[]; max_results?: number; pagination_token?: string; 'connection.fields'?: ConnectionField[] }, ListStreamConnectionsReply>
  /** End all connections to streams: `DELETE /2/connections/all`. */
  endAllStreamConnections: Operation<{}, EndAllStreamConnectionsReply>
  /** End the connections to one stream: `DELETE /2/connections/{endpoint_id}`. */
  endConnectionsToStream: Operation<{ endpoint_id: string }, EndConnectionsToStreamReply>
  /** Create a group conversation: `POST /2/dm_conversations`. */
  createConversation: Operation<CreateConversationBody, CreateConversationReply>
  /**
   * Get a file of a direct message: `GET
   * /2/dm_conversations/media/{dm_id}/{media_id}/{resource_id}`.
   */
  getDmMedia: Operation<{ dm_id: string; media_id: string; resource_id: string }, Upload>
  /**
   * List the messages between two users: `GET /2/dm_conversations/with/{participant_id}/dm_events`.
   */
  listEventsWithUser: PagedOperation<{ participant_id: string; max_results?: number; pagination_token?: string; event_types?: DmEventTypeFilter[]; 'dm_event.fields'?: DmEventField[]; 'media.fields'?: MediaField[]; 'post.fields'?: PostField[]; 'user.fields'?: UserField[]; expansions?: DmEventExpansion[] }, ListEventsWithUserReply>
  /** Send a message to a user: `POST /2/dm_conversations/with/{participant_id}/messages`. */
  sendMessageToUser: Operation<{ participant_id: string } & DirectMessageBody, SendMessageToUserReply>
  /** Send a message to a conversation: `POST /2/dm_conversations/{dm_conversation_id}/messages`. */
  sendMessageToConversation: Operation<{ dm_conversation_id: string } & DirectMessageBody, SendMessageToConversationReply>
  /**
   * Add users to a group conversation: `POST
   * /2/dm_conversations/{dm_conversation_id}/participants`.
   */
  addConversationParticipants: Operation<{ dm_conversation_id: string } & AddConversationParticipantsBody, AddConversationParticipantsReply>
  /**
   * Leave a group conversation: `DELETE
   * /2/dm_conversations/{dm_conversation_id}/participants/{participant_id}`.
   */
  leaveConversation: Operation<{ dm_conversation_id: string; participant_id: string }, LeaveConversationReply>
  /** List the events of a conversation: `GET /2/dm_conversations/{id}/dm_events`. */
  listEventsOfConversation: PagedOperation<{ id: string; max_results?: number; pagination_token?: string; event_types?: DmEventTypeFilter[]; 'dm_event.fields'?: DmEventField[]; 'media.fields'?: MediaField[]; 'post.fields'?: PostField[]; 'user.fields'?: UserField[]; expansions?: DmEventExpansion[] }, ListEventsOfConversationReply>
  /** List direct-message events: `GET /2/dm_events`. */
  listDmEvents: PagedOperation<{ max_results?: number; pagination_token?: string; event_types?: DmEventTypeFilter[]; 'dm_event.fields'?: DmEventField[]; 'media.fields'?: MediaField[]; 'post.fields'?: PostField[]; 'user.fields'?: UserField[]; expansions?: DmEventExpansion[] }, ListDmEventsReply>
  /** Delete a direct-message event: `DELETE /2/dm_events/{event_id}`. */
  deleteDmEvent: Operation<{ event_id: string }, DeleteDmEventReply>
  /** Get a direct-message event: `GET /2/dm_events/{event_id}`. */
  getDmEvent: Operation<{ event_id: string; 'dm_event.fields'?: DmEventField[]; 'media.fields'?: MediaField[]; 'post.fields'?: PostField[]; 'user.fields'?: UserField[]; expansions?: DmEventExpansion[] }, GetDmEventReply>
  /** Evaluate the text of a community note: `POST /2/evaluate_note`. */
  evaluateNote: Operation<EvaluateNoteBody, EvaluateNoteReply>
  /** Evaluate the text of a community note: `POST /2/notes/evaluate`. */
  evaluateNote2: this['evaluateNote']
  /** Get insights of the last 28 hours: `GET /2/insights/28hr`. */
  getRecentInsights: Operation<{ post_ids: string[]; granularity: 'Daily' | 'Hourly' | 'Weekly' | 'Total'; requested_metrics: InsightMetric[]; 'engagement.fields'?: EngagementField[] }, GetRecentInsightsReply>
  /** Get insights of a time span: `GET /2/insights/historical`. */
  getHistoricalInsights: Operation<{ post_ids: string[]; granularity: 'Daily' | 'Hourly' | 'Weekly' | 'Total'; requested_metrics: InsightMetric[]; 'engagement.fields'?: EngagementField[]; start_time: string; end_time: string }, GetHistoricalInsightsReply>
  /** Stream compliance events of likes: `GET /2/likes/compliance/stream`. */
  streamLikesCompliance: StreamOperation<{ backfill_minutes?: number; start_time?: string; end_time?: string }, StreamLikesComplianceReply>
  /** Stream all likes: `GET /2/likes/firehose/stream`. */
  streamLikesFirehose: StreamOperation<{ partition: number; backfill_minutes?: number; start_time?: string; end_time?: string; 'like_with_post_author.fields'?: LikeWithPostAuthorField[]; 'media.fields'?: MediaField[]; 'post.fields'?: PostField[]; 'user.fields'?: UserField[]; expansions?: LikeWithPostAuthorExpansion[] }, StreamLikesFirehoseReply>
  /** Stream a sample of likes: `GET /2/likes/sample10/stream`. */
  streamLikesSample10: StreamOperation<{ partition: number; backfill_minutes?: number; start_time?: string; end_time?: string; 'like_with_post_author.fields'?: LikeWithPostAuthorField[]; 'media.fields'?: MediaField[]; 'post.fields'?: PostField[]; 'user.fields'?: UserField[]; expansions?: LikeWithPostAuthorExpansion[] }, StreamLikesSample10Reply>
  /** Create a list: `POST /2/lists`. */
  createList: Operation<CreateListBody, CreateListReply>
  /** Delete a list: `DELETE /2/lists/{id}`. */
  deleteList: Operation<{ id: string }, DeleteListReply>
  /** Get a list: `GET /2/lists/{id}`. */
  getList: Operation<{ id: string; 'list.fields'?: ListField[]; 'user.fields'?: UserField[]; expansions?: ListExpansion[] }, GetListReply>
  /** Change a list: `PUT /2/lists/{id}`. */
  updateList: Operation<{ id: string } & UpdateListBody, UpdateListReply>
  /** List the followers of a list: `GET /2/lists/{id}/followers`. */
  listListFollowers: PagedOperation<{ id: string; max_results?: number; pagination_token?: string; 'user.fields'?: UserField[]; 'post.fields'?: PostField[]; expansions?: UserExpansion[] }, ListListFollowersReply>
  /** List the members of a list: `GET /2/lists/{id}/members`. */
  listListMembers: PagedOperation<{ id: string; max_results?: number; pagination_token?: string; 'user.fields'?: UserField[]; 'post.fields'?: PostField[]; expansions?: UserExpansion[] }, ListListMembersReply>
  /** Add a member to a list: `POST /2/lists/{id}/members`. */
  addListMember: Operation<{ id: string } & ListMemberBody, AddListMemberReply>
  /** Remove a member from a list: `DELETE /2/lists/{id}/members/{user_id}`. */
  removeListMember: Operation<{ id: string; user_id: string }, RemoveListMemberReply>
  /** Get the posts of the members of a list: `GET /2/lists/{id}/posts`. */
  readListTimeline: PagedOperation<{ id: string; max_results?: number; pagination_token?: string; 'post.fields'?: PostField[]; 'media.fields'?: MediaField[]; 'place.fields'?: PlaceField[]; 'poll.fields'?: PollField[]; 'user.fields'?: UserField[]; expansions?: PostExpansion[] }, ReadListTimelineReply>
  /** Get media by their keys: `GET /2/media`. */
  listMedia: Operation<{ media_keys: string[]; 'media.fields'?: MediaField[] }, ListMediaReply>
  /** Get analytics of media: `GET /2/media/analytics`. */
  getMediaAnalytics: Operation<{ media_keys: string[]; start_time: string; end_time: string; granularity?: 'hourly' | 'daily' | 'total'; 'media_analytics.fields'?: MediaAnalyticsField[] }, GetMediaAnalyticsReply>
  /** Set the alternative text of a media file: `POST /2/media/metadata`. */
  describeMedium: Operation<MediaMetadataBody, DescribeMediumReply>
  /** Remove subtitles from a video: `DELETE /2/media/subtitles`. */
  deleteSubtitles: Operation<SubtitlesRemovalBody, DeleteSubtitlesReply>
  /** Add subtitles to a video: `POST /2/media/subtitles`. */
  createSubtitles: Operation<SubtitlesBody, CreateSubtitlesReply>
  /** Get the state of an upload: `GET /2/media/upload`. */
  getMediumUpload: Operation<{ command?: 'STATUS'; media_id: string }, GetMediumUploadReply>
  /** Upload a file in one request: `POST /2/media/upload`. */
  uploadMedium: Operation<{ media?: Upload | string; media_type?: UploadType; media_category?: UploadCategory; additional_owners?: string[]; shared?: boolean }, UploadMediumReply>
  /** Begin an upload in segments: `POST /2/media/upload/initialize`. */
  initializeMediumUpload: Operation<InitializeMediumUploadForm, InitializeMediumUploadReply>
  /** Send a segment of an upload: `POST /2/media/upload/{id}/append`. */
  appendMediumUpload: Operation<{ id: string } & { media?: Upload | string; segment_index?: number }, AppendMediumUploadReply>
  /** End an upload in segments: `POST /2/media/upload/{id}/finalize`. */
  finalizeMediumUpload: Operation<{ id: string }, FinalizeMediumUploadReply>
  /** Get a medium: `GET /2/media/{media_key}`. */
  getMedium: Operation<{ media_key: string; 'media.fields'?: MediaField[] }, GetMediumReply>
  /** Search news stories: `GET /2/news/search`. */
  searchNews: Operation<{ query: string; max_results?: number; max_age_hours?: number; 'news.fields'?: NewsField[] }, SearchNewsReply>
  /** Get a news story: `GET /2/news/{id}`. */
  getNews: Operation<{ id: string; 'news.fields'?: NewsField[] }, GetNewsReply>
  /** Write a community note: `POST /2/notes`. */
  createNote: Operation<CreateNoteBody, CreateNoteReply>
  /** List the community notes of the writer: `GET /2/notes/search/notes_written`. */
  listNotesWritten: PagedOperation<{ test_mode: boolean; max_results?: number; pagination_token?: string; 'note.fields'?: NoteField[] }, ListNotesWrittenReply>
  /** List posts for community notes: `GET /2/notes/search/posts_eligible_for_notes`. */
  listPostsEligibleForNotes: PagedOperation<{ test_mode: boolean; max_results?: number; pagination_token?: string; post_selection?: string; 'post.fields'?: PostField[]; 'media.fields'?: MediaField[]; 'place.fields'?: PlaceField[]; 'poll.fields'?: PollField[]; 'user.fields'?: UserField[]; expansions?: PostExpansion[] }, ListPostsEligibleForNotesReply>
  /** Delete a community note: `DELETE /2/notes/{id}`. */
  deleteNote: Operation<{ id: string }, DeleteNoteReply>
  /** Ask the user for consent with OAuth 2.0: `GET /2/oauth2/authorize`. */
  userAuthorize: Operation<{ client_id: string; redirect_uri: string; response_type?: string; scope?: string; state?: string; code_challenge?: string; code_challenge_method?: string; force_login?: string }, string>
  /** Ask the user for consent with OAuth 2.0: `GET /i/oauth2/authorize`. */
  userAuthorize2: this['userAuthorize']
  /** Revoke a token of a user: `POST /2/oauth2/revoke`. */
  userRevoke: Operation<UserRevokeForm, UserRevokeReply>
  /** Get tokens of a user: `POST /2/oauth2/token`. */
  userToken: Operation<UserTokenForm, UserTokenReply>
  /** Get the OpenAPI document: `GET /2/openapi.json`. */
  getOpenApiDocument: Operation<{}, string>
  /** Get posts by their ids: `GET /2/posts`. */
  listPosts: Operation<{ ids: string[]; 'post.fields'?: PostField[]; 'media.fields'?: MediaField[]; 'place.fields'?: PlaceField[]; 'poll.fields'?: PollField[]; 'user.fields'?: UserField[]; expansions?: PostExpansion[] }, ListPostsReply>
  /** Create a post: `POST /2/posts`. */
  createPost: Operation<CreatePostBody, CreatePostReply>
  /** Get analytics of posts: `GET /2/posts/analytics`. */
  getPostsAnalytics: Operation<{ ids: string[]; start_time: string; end_time: string; granularity?: 'hourly' | 'daily' | 'weekly' | 'total'; 'analytics.fields'?: AnalyticsField[] }, GetPostsAnalyticsReply>
  /** Stream compliance events of posts: `GET /2/posts/compliance/stream`. */
  streamPostsCompliance: StreamOperation<{ partition: number; backfill_minutes?: number; start_time?: string; end_time?: string }, StreamPostsComplianceReply>
  /** Count all posts: `GET /2/posts/counts/all`. */
  countAllPosts: PagedOperation<{ query: string; start_time?: string; end_time?: string; since_id?: string; until_id?: string; next_token?: string; pagination_token?: string; granularity?: 'minute' | 'hour' | 'day'; 'search_count.fields'?: ('start' | 'end' | 'post_count')[] }, CountAllPostsReply>
  /** Count posts of the last 7 days: `GET /2/posts/counts/recent`. */
  countRecentPosts: PagedOperation<{ query: string; start_time?: string; end_time?: string; since_id?: string; until_id?: string; next_token?: string; pagination_token?: string; granularity?: 'minute' | 'hour' | 'day'; 'search_count.fields'?: ('start' | 'end' | 'post_count')[] }, CountRecentPostsReply>
  /** Stream all posts: `GET /2/posts/firehose/stream`. */
  streamFirehose: StreamOperation<{ partition: number; backfill_minutes?: number; start_time?: string; end_time?: string; 'post.fields'?: PostField[]; 'media.fields'?: MediaField[]; 'place.fields'?: PlaceField[]; 'poll.fields'?: PollField[]; 'user.fields'?: UserField[]; expansions?: PostExpansion[] }, StreamFirehoseReply>
  /** Stream all English posts: `GET /2/posts/firehose/stream/lang/en`. */
  streamFirehoseEnglish: StreamOperation<{ partition: number; backfill_minutes?: number; start_time?: string; end_time?: string; 'post.fields'?: PostField[]; 'media.fields'?: MediaField[]; 'place.fields'?: PlaceField[]; 'poll.fields'?: PollField[]; 'user.fields'?: UserField[]; expansions?: PostExpansion[] }, StreamFirehoseEnglishReply>
  /** Stream all Japanese posts: `GET /2/posts/firehose/stream/lang/ja`. */
  streamFirehoseJapanese: StreamOperation<{ partition: number; backfill_minutes?: number; start_time?: string; end_time?: string; 'post.fields'?: PostField[]; 'media.fields'?: MediaField[]; 'place.fields'?: PlaceField[]; 'poll.fields'?: PollField[]; 'user.fields'?: UserField[]; expansions?: PostExpansion[] }, StreamFirehoseJapaneseReply>
  /** Stream all Korean posts: `GET /2/posts/firehose/stream/lang/ko`. */
  streamFirehoseKorean: StreamOperation<{ partition: number; backfill_minutes?: number; start_time?: string; end_time?: string; 'post.fields'?: PostField[]; 'media.fields'?: MediaField[]; 'place.fields'?: PlaceField[]; 'poll.fields'?: PollField[]; 'user.fields'?: UserField[]; expansions?: PostExpansion[] }, StreamFirehoseKoreanReply>
  /** Stream all Portuguese posts: `GET /2/posts/firehose/stream/lang/pt`. */
  streamFirehosePortuguese: StreamOperation<{ partition: number; backfill_minutes?: number; start_time?: string; end_time?: string; 'post.fields'?: PostField[]; 'media.fields'?: MediaField[]; 'place.fields'?: PlaceField[]; 'poll.fields'?: PollField[]; 'user.fields'?: UserField[]; expansions?: PostExpansion[] }, StreamFirehosePortugueseReply>
  /** Stream labels of posts: `GET /2/posts/label/stream`. */
  streamPostLabels: StreamOperation<{ backfill_minutes?: number; start_time?: string; end_time?: string }, StreamPostLabelsReply>
  /** Stream a sample of posts: `GET /2/posts/sample/stream`. */
  streamSample: StreamOperation<{ backfill_minutes?: number; 'post.fields'?: PostField[]; 'media.fields'?: MediaField[]; 'place.fields'?: PlaceField[]; 'poll.fields'?: PollField[]; 'user.fields'?: UserField[]; expansions?: PostExpansion[] }, StreamSampleReply>
  /** Stream a larger sample of posts: `GET /2/posts/sample10/stream`. */
  streamSample10: StreamOperation<{ partition: number; backfill_minutes?: number; start_time?: string; end_time?: string; 'post.fields'?: PostField[]; 'media.fields'?: MediaField[]; 'place.fields'?: PlaceField[]; 'poll.fields'?: PollField[]; 'user.fields'?: UserField[]; expansions?: PostExpansion[] }, StreamSample10Reply>
  /** Search all posts: `GET /2/posts/search/all`. */
  searchAllPosts: PagedOperation<{ query: string; start_time?: string; end_time?: string; since_id?: string; until_id?: string; next_token?: string; pagination_token?: string; max_results?: number; sort_order?: 'recency' | 'relevancy'; 'post.fields'?: PostField[]; 'media.fields'?: MediaField[]; 'place.fields'?: PlaceField[]; 'poll.fields'?: PollField[]; 'user.fields'?: UserField[]; expansions?: PostExpansion[] }, SearchAllPostsReply>
  /** Search posts of the last 7 days: `GET /2/posts/search/recent`. */
  searchRecentPosts: PagedOperation<{ query: string; start_time?: string; end_time?: string; since_id?: string; until_id?: string; next_token?: string; pagination_token?: string; max_results?: number; sort_order?: 'recency' | 'relevancy'; 'post.fields'?: PostField[]; 'media.fields'?: MediaField[]; 'place.fields'?: PlaceField[]; 'poll.fields'?: PollField[]; 'user.fields'?: UserField[]; expansions?: PostExpansion[] }, SearchRecentPostsReply>
  /** Stream posts that match rules: `GET /2/posts/search/stream`. */
  streamPosts: StreamOperation<{ backfill_minutes?: number; start_time?: string; end_time?: string; 'post.fields'?: PostField[]; 'media.fields'?: MediaField[]; 'place.fields'?: PlaceField[]; 'poll.fields'?: PollField[]; 'user.fields'?: UserField[]; expansions?: PostExpansion[] }, StreamPostsReply>
  /** List the rules of the filtered stream: `GET /2/posts/search/stream/rules`. */
  listStreamRules: PagedOperation<{ ids?: string[]; max_results?: number; pagination_token?: string }, ListStreamRulesReply>
  /** Add or delete rules of the filtered stream: `POST /2/posts/search/stream/rules`. */
  changeStreamRules: Operation<{ dry_run?: boolean; delete_all?: boolean } & Partial<ChangeStreamRulesBody>, ChangeStreamRulesReply>
  /** Count the rules of the filtered stream: `GET /2/posts/search/stream/rules/counts`. */
  countStreamRules: Operation<{ 'rules_count.fields'?: RulesCountField[] }, CountStreamRulesReply>
  /** List the webhooks that are linked to the filtered stream: `GET /2/posts/search/webhooks`. */
  listStreamWebhooks: Operation<{}, ListStreamWebhooksReply>
  /**
   * List the webhooks that are linked to the filtered stream: `GET
   * /2/posts/search/stream/webhooks`.
   */
  listStreamWebhooks2: this['listStreamWebhooks']
  /** Unlink a webhook from the filtered stream: `DELETE /2/posts/search/webhooks/{webhook_id}`. */
  unlinkStreamWebhook: Operation<{ webhook_id: string }, UnlinkStreamWebhookReply>
  /** Link a webhook to the filtered stream: `POST /2/posts/search/webhooks/{webhook_id}`. */
  linkStreamWebhook: Operation<{ webhook_id: string; 'post.fields'?: PostField[]; 'media.fields'?: MediaField[]; 'place.fields'?: PlaceField[]; 'poll.fields'?: PollField[]; 'user.fields'?: UserField[]; expansions?: PostExpansion[] }, LinkStreamWebhookReply>
  /**
   * Unlink a webhook from the filtered stream: `DELETE
   * /2/posts/search/stream/webhooks/{webhook_id}`.
   */
  unlinkStreamWebhook2: this['unlinkStreamWebhook']
  /** Link a webhook to the filtered stream: `POST /2/posts/search/stream/webhooks/{webhook_id}`. */
  linkStreamWebhook2: this['linkStreamWebhook']
  /** Delete a post: `DELETE /2/posts/{id}`. */
  deletePost: Operation<{ id: string }, DeletePostReply>
  /** Get a post: `GET /2/posts/{id}`. */
  getPost: Operation<{ id: string; 'post.fields'?: PostField[]; 'media.fields'?: MediaField[]; 'place.fields'?: PlaceField[]; 'poll.fields'?: PollField[]; 'user.fields'?: UserField[]; expansions?: PostExpansion[] }, GetPostReply>
  /** List the users who like a post: `GET /2/posts/{id}/liking_users`. */
  listLikingUsers: PagedOperation<{ id: string; max_results?: number; pagination_token?: string; 'user.fields'?: UserField[]; 'post.fields'?: PostField[]; expansions?: UserExpansion[] }, ListLikingUsersReply>
  /** List the quotes of a post: `GET /2/posts/{id}/quote_posts`. */
  listQuotes: PagedOperation<{ id: string; max_results?: number; pagination_token?: string; exclude?: ExcludedPosts[]; 'post.fields'?: PostField[]; 'media.fields'?: MediaField[]; 'place.fields'?: PlaceField[]; 'poll.fields'?: PollField[]; 'user.fields'?: UserField[]; expansions?: PostExpansion[] }, ListQuotesReply>
  /** List the users who reposted a post: `GET /2/posts/{id}/reposted_by`. */
  listReposters: PagedOperation<{ id: string; max_results?: number; pagination_token?: string; 'user.fields'?: UserField[]; 'post.fields'?: PostField[]; expansions?: UserExpansion[] }, ListRepostersReply>
  /** List the reposts of a post: `GET /2/posts/{id}/reposts`. */
  listReposts: PagedOperation<{ id: string; max_results?: number; pagination_token?: string; 'post.fields'?: PostField[]; 'media.fields'?: MediaField[]; 'place.fields'?: PlaceField[]; 'poll.fields'?: PollField[]; 'user.fields'?: UserField[]; expansions?: PostExpansion[] }, ListRepostsReply>
  /** Hide a reply: `PUT /2/posts/{post_id}/hidden`. */
  hideReply: Operation<{ post_id: string } & HideReplyBody, HideReplyReply>
  /** Stream posts that match rules of the powerstream: `GET /2/powerstream`. */
  streamPowerstream: StreamOperation<{ backfillMinutes?: number; startTime?: string; endTime?: string; localDcOnly?: boolean }, StreamPowerstreamReply>
  /** Delete rules of the powerstream: `DELETE /2/powerstream/rules`. */
  deletePowerstreamRules: Operation<DeletePowerstreamRulesBody, DeletePowerstreamRulesReply>
  /** List the rules of the powerstream: `GET /2/powerstream/rules`. */
  listPowerstreamRules: Operation<{}, PowerstreamRules>
  /** Add rules of the powerstream: `POST /2/powerstream/rules`. */
  addPowerstreamRules: Operation<AddPowerstreamRulesBody, PowerstreamRules>
  /** Get spaces by their ids: `GET /2/spaces`. */
  listSpaces: Operation<{ ids: string[]; 'space.fields'?: SpaceField[]; 'topic.fields'?: TopicField[]; 'user.fields'?: UserField[]; expansions?: SpaceExpansion[] }, ListSpacesReply>
  /** Get the spaces of users: `GET /2/spaces/by/creator_ids`. */
  listSpacesByCreators: Operation<{ user_ids: string[]; 'space.fields'?: SpaceField[]; 'topic.fields'?: TopicField[]; 'user.fields'?: UserField[]; expansions?: SpaceExpansion[] }, ListSpacesByCreatorsReply>
  /** Search spaces: `GET /2/spaces/search`. */
  searchSpaces: Operation<{ query: string; state?: 'all' | 'live' | 'scheduled'; max_results?: number; 'space.fields'?: SpaceField[]; 'topic.fields'?: TopicField[]; 'user.fields'?: UserField[]; expansions?: SpaceExpansion[] }, SearchSpacesReply>
  /** Get a space: `GET /2/spaces/{id}`. */
  getSpace: Operation<{ id: string; 'space.fields'?: SpaceField[]; 'topic.fields'?: TopicField[]; 'user.fields'?: UserField[]; expansions?: SpaceExpansion[] }, GetSpaceReply>
  /** List who bought tickets of a space: `GET /2/spaces/{id}/buyers`. */
  listBuyersOfSpace: PagedOperation<{ id: string; max_results?: number; pagination_token?: string; 'user.fields'?: UserField[]; 'post.fields'?: PostField[]; expansions?: UserExpansion[] }, ListBuyersOfSpaceReply>
  /** Get the posts that were shared in a space: `GET /2/spaces/{id}/posts`. */
  listPostsOfSpace: PagedOperation<{ id: string; max_results?: number; pagination_token?: string; 'post.fields'?: PostField[]; 'media.fields'?: MediaField[]; 'place.fields'?: PlaceField[]; 'poll.fields'?: PollField[]; 'user.fields'?: UserField[]; expansions?: PostExpansion[] }, ListPostsOfSpaceReply>
  /** List the trends of a place: `GET /2/trends/by/woeid/{woeid}`. */
  getTrendsByWoeid: Operation<{ woeid: number; max_trends?: number; 'trend.fields'?: TrendField[] }, GetTrendsByWoeidReply>
  /** Get the usage of posts: `GET /2/usage/posts`. */
  getPostUsage: Operation<{ days?: number; 'usage.fields'?: UsageField[] }, GetPostUsageReply>
  /** Get users by their ids: `GET /2/users`. */
  listUsers: Operation<{ ids: string[]; 'user.fields'?: UserField[]; 'post.fields'?: PostField[]; expansions?: UserExpansion[] }, ListUsersReply>
  /** Get users by their names: `GET /2/users/by`. */
  listUsersByUsernames: Operation<{ usernames: string[]; 'user.fields'?: UserField[]; 'post.fields'?: PostField[]; expansions?: UserExpansion[] }, ListUsersByUsernamesReply>
  /** Get a user by name: `GET /2/users/by/username/{username}`. */
  getUserByUsername: Operation<{ username: string; 'user.fields'?: UserField[]; 'post.fields'?: PostField[]; expansions?: UserExpansion[] }, GetUserByUsernameReply>
  /** Stream compliance events of users: `GET /2/users/compliance/stream`. */
  streamUsersCompliance: StreamOperation<{ partition: number; backfill_minutes?: number; start_time?: string; end_time?: string }, StreamUsersComplianceReply>
  /** Get the user of the access token: `GET /2/users/me`. */
  getOwnUser: Operation<{ 'user.fields'?: UserField[]; 'post.fields'?: PostField[]; expansions?: UserExpansion[] }, GetOwnUserReply>
  /** List the trends for you: `GET /2/users/personalized_trends`. */
  listPersonalizedTrends: Operation<{ 'personalized_trend.fields'?: PersonalizedTrendField[] }, ListPersonalizedTrendsReply>
  /** List the public keys of several users: `GET /2/users/public_keys`. */
  listPublicKeys: Operation<{ ids: string[]; 'public_key.fields'?: PublicKeyField[] }, ListPublicKeysReply>
  /** List the reposts of your posts: `GET /2/users/reposts_of_me`. */
  listRepostsOfMe: PagedOperation<{ max_results?: number; pagination_token?: string; 'post.fields'?: PostField[]; 'media.fields'?: MediaField[]; 'place.fields'?: PlaceField[]; 'poll.fields'?: PollField[]; 'user.fields'?: UserField[]; expansions?: PostExpansion[] }, ListRepostsOfMeReply>
  /** Search users: `GET /2/users/search`. */
  searchUsers: PagedOperation<{ query: string; max_results?: number; next_token?: string; 'user.fields'?: UserField[]; 'post.fields'?: PostField[]; expansions?: UserExpansion[] }, SearchUsersReply>
  /** Get a user: `GET /2/users/{id}`. */
  getUser: Operation<{ id: string; 'user.fields'?: UserField[]; 'post.fields'?: PostField[]; expansions?: UserExpansion[] }, GetUserReply>
  /** List the users who belong to an organisation: `GET /2/users/{id}/affiliates`. */
  listAffiliates: PagedOperation<{ id: string; max_results?: number; pagination_token?: string; 'user.fields'?: UserField[]; 'post.fields'?: PostField[]; expansions?: UserExpansion[] }, ListAffiliatesReply>
  /** List the users that the user blocks: `GET /2/users/{id}/blocking`. */
  listBlocking: PagedOperation<{ id: string; max_results?: number; pagination_token?: string; 'user.fields'?: UserField[]; 'post.fields'?: PostField[]; expansions?: UserExpansion[] }, ListBlockingReply>
  /** Block a user: `POST /2/users/{id}/blocking`. */
  blockUser: Operation<{ id: string } & TargetUserBody, BlockUserReply>
  /** List bookmarks: `GET /2/users/{id}/bookmarks`. */
  listBookmarks: PagedOperation<{ id: string; max_results?: number; pagination_token?: string; 'post.fields'?: PostField[]; 'media.fields'?: MediaField[]; 'place.fields'?: PlaceField[]; 'poll.fields'?: PollField[]; 'user.fields'?: UserField[]; expansions?: PostExpansion[] }, ListBookmarksReply>
  /** Bookmark a post: `POST /2/users/{id}/bookmarks`. */
  bookmarkPost: Operation<{ id: string } & BookmarkBody, BookmarkPostReply>
  /** List bookmark folders: `GET /2/users/{id}/bookmarks/folders`. */
  listBookmarkFolders: PagedOperation<{ id: string; max_results?: number; pagination_token?: string }, ListBookmarkFoldersReply>
  /** Create a bookmark folder: `POST /2/users/{id}/bookmarks/folders`. */
  createBookmarkFolder: Operation<{ id: string } & BookmarkFolderBody, CreateBookmarkFolderReply>
  /** List the posts of a bookmark folder: `GET /2/users/{id}/bookmarks/folders/{folder_id}`. */
  listPostsOfBookmarkFolder: PagedOperation<{ id: string; folder_id: string; max_results?: number; pagination_token?: string }, ListPostsOfBookmarkFolderReply>
  /** Remove a bookmark: `DELETE /2/users/{id}/bookmarks/{post_id}`. */
  unbookmarkPost: Operation<{ id: string; post_id: string }, UnbookmarkPostReply>
  /** Block direct messages: `POST /2/users/{id}/dm/block`. */
  blockDirectMessages: Operation<{ id: string }, BlockDirectMessagesReply>
  /** Unblock direct messages: `POST /2/users/{id}/dm/unblock`. */
  unblockDirectMessages: Operation<{ id: string }, UnblockDirectMessagesReply>
  /** List the lists that a user follows: `GET /2/users/{id}/followed_lists`. */
  listFollowedLists: PagedOperation<{ id: string; max_results?: number; pagination_token?: string; 'list.fields'?: ListField[]; 'user.fields'?: UserField[]; expansions?: ListExpansion[] }, ListFollowedListsReply>
  /** Follow a list: `POST /2/users/{id}/followed_lists`. */
  followList: Operation<{ id: string } & ListIdBody, FollowListReply>
  /** Unfollow a list: `DELETE /2/users/{id}/followed_lists/{list_id}`. */
  unfollowList: Operation<{ id: string; list_id: string }, UnfollowListReply>
  /** List the followers of a user: `GET /2/users/{id}/followers`. */
  listFollowers: PagedOperation<{ id: string; max_results?: number; pagination_token?: string; 'user.fields'?: UserField[]; 'post.fields'?: PostField[]; expansions?: UserExpansion[] }, ListFollowersReply>
  /** List the users that a user follows: `GET /2/users/{id}/following`. */
  listFollowing: PagedOperation<{ id: string; max_results?: number; pagination_token?: string; 'user.fields'?: UserField[]; 'post.fields'?: PostField[]; expansions?: UserExpansion[] }, ListFollowingReply>
  /** Follow a user: `POST /2/users/{id}/following`. */
  followUser: Operation<{ id: string } & TargetUserBody, FollowUserReply>
  /** List the posts that a user likes: `GET /2/users/{id}/liked_posts`. */
  listLikedPosts: PagedOperation<{ id: string; max_results?: number; pagination_token?: string; 'post.fields'?: PostField[]; 'media.fields'?: MediaField[]; 'place.fields'?: PlaceField[]; 'poll.fields'?: PollField[]; 'user.fields'?: UserField[]; expansions?: PostExpansion[] }, ListLikedPostsReply>
  /** Like a post: `POST /2/users/{id}/likes`. */
  likePost: Operation<{ id: string } & PostIdBody, LikePostReply>
  /** Unlike a post: `DELETE /2/users/{id}/likes/{post_id}`. */
  unlikePost: Operation<{ id: string; post_id: string }, UnlikePostReply>
  /** List the lists that a user is a member of: `GET /2/users/{id}/list_memberships`. */
  listListMemberships: PagedOperation<{ id: string; max_results?: number; pagination_token?: string; 'list.fields'?: ListField[]; 'user.fields'?: UserField[]; expansions?: ListExpansion[] }, ListListMembershipsReply>
  /** List the posts that mention a user: `GET /2/users/{id}/mentions`. */
  listMentions: PagedOperation<{ id: string; max_results?: number; pagination_token?: string; since_id?: string; until_id?: string; start_time?: string; end_time?: string; 'post.fields'?: PostField[]; 'media.fields'?: MediaField[]; 'place.fields'?: PlaceField[]; 'poll.fields'?: PollField[]; 'user.fields'?: UserField[]; expansions?: PostExpansion[] }, ListMentionsReply>
  /** List the users that the user mutes: `GET /2/users/{id}/muting`. */
  listMuting: PagedOperation<{ id: string; max_results?: number; pagination_token?: string; 'user.fields'?: UserField[]; 'post.fields'?: PostField[]; expansions?: UserExpansion[] }, ListMutingReply>
  /** Mute a user: `POST /2/users/{id}/muting`. */
  muteUser: Operation<{ id: string } & TargetUserBody, MuteUserReply>
  /** List the lists that a user owns: `GET /2/users/{id}/owned_lists`. */
  listOwnedLists: PagedOperation<{ id: string; max_results?: number; pagination_token?: string; 'list.fields'?: ListField[]; 'user.fields'?: UserField[]; expansions?: ListExpansion[] }, ListOwnedListsReply>
  /** List the lists that the user has pinned: `GET /2/users/{id}/pinned_lists`. */
  listPinnedLists: Operation<{ id: string; 'list.fields'?: ListField[]; 'user.fields'?: UserField[]; expansions?: ListExpansion[] }, ListPinnedListsReply>
  /** Pin a list: `POST /2/users/{id}/pinned_lists`. */
  pinList: Operation<{ id: string } & ListIdBody, PinListReply>
  /** Unpin a list: `DELETE /2/users/{id}/pinned_lists/{list_id}`. */
  unpinList: Operation<{ id: string; list_id: string }, UnpinListReply>
  /** List the posts of a user: `GET /2/users/{id}/posts`. */
  listUserPosts: PagedOperation<{ id: string; max_results?: number; pagination_token?: string; since_id?: string; until_id?: string; start_time?: string; end_time?: string; exclude?: ExcludedPosts[]; 'post.fields'?: PostField[]; 'media.fields'?: MediaField[]; 'place.fields'?: PlaceField[]; 'poll.fields'?: PollField[]; 'user.fields'?: UserField[]; expansions?: PostExpansion[] }, ListUserPostsReply>
  /** List the public keys of a user: `GET /2/users/{id}/public_keys`. */
  listPublicKeysOfUser: Operation<{ id: string; 'public_key.fields'?: PublicKeyField[] }, ListPublicKeysOfUserReply>
  /** Add a version of your public keys: `POST /2/users/{id}/public_keys`. */
  addUserPublicKey: Operation<{ id: string } & AddUserPublicKeyBody, AddUserPublicKeyReply>
  /** Repost a post: `POST /2/users/{id}/reposts`. */
  repostPost: Operation<{ id: string } & PostIdBody, RepostPostReply>
  /** Undo a repost: `DELETE /2/users/{id}/reposts/{source_post_id}`. */
  undoRepost: Operation<{ id: string; source_post_id: string }, UndoRepostReply>
  /** Read the home timeline: `GET /2/users/{id}/timelines/reverse_chronological`. */
  readHomeTimeline: PagedOperation<{ id: string; max_results?: number; pagination_token?: string; since_id?: string; until_id?: string; start_time?: string; end_time?: string; exclude?: ExcludedPosts[]; 'post.fields'?: PostField[]; 'media.fields'?: MediaField[]; 'place.fields'?: PlaceField[]; 'poll.fields'?: PollField[]; 'user.fields'?: UserField[]; expansions?: PostExpansion[] }, ReadHomeTimelineReply>
  /** Unblock a user: `DELETE /2/users/{source_user_id}/blocking/{target_user_id}`. */
  unblockUser: Operation<{ source_user_id: string; target_user_id: string }, UnblockUserReply>
  /** Unfollow a user: `DELETE /2/users/{source_user_id}/following/{target_user_id}`. */
  unfollowUser: Operation<{ source_user_id: string; target_user_id: string }, UnfollowUserReply>
  /** Unmute a user: `DELETE /2/users/{source_user_id}/muting/{target_user_id}`. */
  unmuteUser: Operation<{ source_user_id: string; target_user_id: string }, UnmuteUserReply>
  /** List the app's webhooks: `GET /2/webhooks`. */
  listWebhooks: Operation<{ 'webhook_config.fields'?: ('created_at' | 'id' | 'url' | 'valid')[] }, ListWebhooksReply>
  /** Register a webhook: `POST /2/webhooks`. */
  createWebhook: Operation<CreateWebhookBody, CreateWebhookReply>
  /** Replay events: `POST /2/webhooks/replay`. */
  replayWebhookEvents: Operation<ReplayWebhookEventsBody, ReplayWebhookEventsReply>
  /** Delete a webhook: `DELETE /2/webhooks/{webhook_id}`. */
  deleteWebhook: Operation<{ webhook_id: string }, DeleteWebhookReply>
  /** Check a webhook now: `PUT /2/webhooks/{webhook_id}`. */
  validateWebhook: Operation<{ webhook_id: string }, ValidateWebhookReply>
  /**
   * Get the result of an analytics job: `GET
   * /advertiser-api-async-analytics/{access_key}/{file_name}`.
   */
  getStatsJobFile: Operation<{ access_key: string; file_name: string }, string>
  /** Get the file of a medium: `GET /media/{file}`. */
  getMediaFile: Operation<{ file: string }, string>
  /** Finish a sign-in: `POST /oauth/access_token`. */
  accessToken: Operation<AccessTokenForm, AccessTokenReply>
  /** Show the apps with access: `GET /oauth/apps`. */
  apps: Operation<{ after?: string }, string>
  /** Sign the user in: `GET /oauth/authenticate`. */
  authenticate: Operation<{ oauth_token: string; force_login?: string; screen_name?: string }, string>
  /** Ask the user for consent: `GET /oauth/authorize`. */
  authorize: Operation<{ oauth_token: string; force_login?: string; screen_name?: string }, string>
  /** Start a sign-in: `POST /oauth/request_token`. */
  requestToken: Operation<RequestTokenForm, RequestTokenReply>
  /** Revoke the app's bearer: `POST /oauth2/invalidate_token`. */
  invalidateBearer: Operation<InvalidateBearerForm, InvalidateBearerReply>
  /** Get the app's bearer: `POST /oauth2/token`. */
  bearerToken: Operation<BearerTokenForm, BearerTokenReply>
  /** Show the preview of a post: `GET /post-preview/{preview_id}`. */
  showPostPreview: Operation<{ preview_id: string }, string>
}

export interface AccessTokenForm {
  /** Verifier from the callback, or the PIN that was shown to the user. */
  oauth_verifier?: string
}

export interface AccessTokenReply {
  oauth_token: string
  oauth_token_secret: string
  user_id: string
  screen_name: string
}

export interface AccountActivityCounts {
  /** The name of the app. */
  account_name: string
  /** Users that the app may subscribe to. */
  provisioned_count: string
  /** Users that it has subscribed to. */
  subscriptions_count_all: string
  /** The number of those users whose direct messages the app may read. */
  subscriptions_count_direct_messages: string
}

export interface AccountActivityPost {
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
  /** The whole text, if `text` is truncated. */
  extended_post?: ExtendedPost
  quote_count: number
  reply_count: number
  /** Whether it quotes a post, or is a repost of one that does. */
  is_quote_status: boolean
  /** The post that is quoted. */
  quoted_status_id?: Int64
  /** The post that is quoted. */
  quoted_status_id_str?: string
  quoted_status?: AccountActivityQuotedPost
  reposted_status?: AccountActivityRepostedPost
}

export interface AccountActivityQuotedPost {
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
  /** The whole text, if `text` is truncated. */
  extended_post?: ExtendedPost
  quote_count: number
  reply_count: number
  /** Whether it quotes a post, or is a repost of one that does. */
  is_quote_status: boolean
  /** The post that is quoted. */
  quoted_status_id?: Int64
  /** The post that is quoted. */
  quoted_status_id_str?: string
}

export interface AccountActivityRepostedPost {
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
  /** The whole text, if `text` is truncated. */
  extended_post?: ExtendedPost
  quote_count: number
  reply_count: number
  /** Whether it quotes a post, or is a repost of one that does. */
  is_quote_status: boolean
  /** The post that is quoted. */
  quoted_status_id?: Int64
  /** The post that is quoted. */
  quoted_status_id_str?: string
  quoted_status?: AccountActivityQuotedPost
}

export interface AccountActivitySubscribed {
  data: { subscribed: boolean }
}

export interface AccountActivitySubscriptions {
  /** The app. */
  application_id: string
  /** The webhook. */
  webhook_id: string
  /** Where events are sent. */
  webhook_url: string
  subscriptions: { user_id: string }[]
}

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

export interface ActivitySubscriptionTotals {
  total_subscriptions: number
}

export interface AddChatKeysBody {
  /** Version of the key, usually the time in milliseconds. */
  conversation_key_version: string
  /** One for each member. */
  conversation_participant_keys: ChatConversationParticipantKey[]
  /** A signature for each thing that the call does: without them, it is rejected. */
  action_signatures?: ChatActionSignature[]
  /** Base64. It is not read: the signed description has the same keys. */
  base64_encoded_key_rotation?: string
}

export interface AddChatKeysReply {
  data: AddedChatKeys
}

export interface AddChatMembersBody {
  /** Who joins. */
  user_ids: string[]
  /** Version of the new key. It is required. */
  conversation_key_version?: string
  /** One for each member. */
  conversation_participant_keys?: ChatConversationParticipantKey[]
  /** A signature for each thing that the call does: without them, it is rejected. */
  action_signatures?: ChatActionSignature[]
  /** The name, encrypted with the new key. */
  encrypted_title?: string
  /** The address of the picture, likewise. */
  encrypted_avatar_url?: string
}

export interface AddChatMembersReply {
  /** All members. */
  current_member_ids: string[]
  /** The event of the new key. */
  conversation_key_change_sequence_id: string
  data: { current_member_ids: string[]; conversation_key_change_sequence_id: string }
}

export interface AddConversationParticipantsBody {
  /** Who joins. */
  participant_ids: string[]
}

export interface AddConversationParticipantsReply {
  data: MadeDmEvent
}

export interface AddListMemberReply {
  data?: AddedListMember
  errors?: ResourceProblem[]
}

export interface AddPowerstreamRulesBody {
  rules: NewRule[]
}

export interface AddUserPublicKeyBody {
  /** Version, usually the time in milliseconds. */
  version: string
  /** The server chooses the version: the time in milliseconds. */
  generate_version?: boolean
  public_key: PublicKeyBody
}

export interface AddUserPublicKeyReply {
  data: PublicKey
}

export interface AddedChatKeys {
  /** The conversation. */
  conversation_id: string
  /** The event of the change. */
  sequence_id: string
}

export interface AddedListMember {
  is_member: boolean
}

export interface AltText {
  /** Alternative text: up to 1,000 characters. */
  text: string
}

export type AnalyticsField = 'id' | 'timestamp' | 'timestamped_metrics' | 'app_install_attempts' | 'app_opens' | 'bookmarks' | 'detail_expands' | 'email_post' | 'engagements' | 'follows' | 'hashtag_clicks' | 'impressions' | 'likes' | 'link_clicks' | 'media_engagements' | 'media_views' | 'permalink_clicks' | 'profile_visits' | 'quote_posts' | 'replies' | 'reposts' | 'shares' | 'unfollows' | 'unlikes' | 'url_clicks' | 'user_profile_clicks'

export type AnyResourceType = 'user' | 'post' | 'media' | 'list' | 'space' | 'place' | 'poll' | 'note' | 'dm_event' | 'news' | 'bookmark_folder' | 'article' | 'like_with_post_author' | 'broadcast' | 'broadcast_chat_message' | 'chat_conversation' | 'chat_message_event' | 'public_key' | 'compliance_job' | 'community' | 'topic'

export interface AppRulesCount {
  /** The app. */
  client_app_id: string
  rule_count: number
}

export interface AppUsage {
  /** The app. */
  client_app_id: string
  /** Each day, the oldest first; the last is today. */
  usage: DayUsage[]
  /** Days of `usage`. */
  usage_result_count: number
}

export interface AppendChatMediaUploadReply {
  data: AppendedChatMedia
}

export interface AppendMediumUploadReply {
  data: AppendedSegment
}

export interface AppendedChatMedia {
  /** When the upload expires: seconds since the epoch. */
  expires_at: number
}

export interface AppendedSegment {
  /** When the upload expires: seconds since the epoch. */
  expires_at: number
}

export interface Article {
  /** Title. */
  title: string
  /** The beginning of the text. */
  preview_text: string
  /** The texts of its blocks, a line for each. */
  plain_text: string
  /** Key of the medium above the text. */
  cover_media?: string
  /** Keys of the media in the text, in their order. */
  media_entities?: string[]
  entities?: TextEntities
}

export type ArticleBlockType = 'unstyled' | 'header-one' | 'header-two' | 'header-three' | 'unordered-list-item' | 'ordered-list-item' | 'blockquote' | 'atomic'

export interface ArticleDraftBody {
  /** Title of the article. */
  title: string
  content_state: { blocks: { text: string; type: ArticleBlockType; key?: string; inline_style_ranges?: { offset: number; length: number; style: ArticleStyle }[]; entity_ranges?: { key: number; offset: number; length: number }[]; data?: { cashtags?: ArticleMatch[]; hashtags?: ArticleMatch[]; mentions?: ArticleMatch[]; urls?: ArticleMatch[] } }[]; entities: { key: string; value: { type: ArticleEntityType; mutability: Mutability; data: { caption?: string; entity_key?: string; markdown?: string; media_items?: ArticleMedium[]; post_id?: string; url?: string } } }[] }
  cover_media?: ArticleMedium
}

export type ArticleEntityType = 'post' | 'link' | 'image' | 'emoji' | 'markdown' | 'divider' | 'latex'

export interface ArticleMatch {
  /** Start in the text. */
  from_index: number
  /** End in the text, exclusive. */
  to_index: number
  /** What is there. */
  text: string
}

export interface ArticleMedium {
  /** A medium of the author. */
  media_id: string
  /** The category of its upload, such as `post_image`. */
  media_category: string
}

export type ArticleStyle = 'bold' | 'italic' | 'strikethrough'

export interface AssociatedMetadata {
  alt_text?: AltText
}

export interface BearerTokenForm {
  /** The only grant type. */
  grant_type: 'client_credentials'
}

export interface BearerTokenReply {
  /** Type of the token. */
  token_type: 'bearer'
  access_token: string
}

export interface BlockDirectMessagesReply {
  data?: BlockedMessages
  errors?: ResourceProblem[]
}

export interface BlockUserReply {
  data?: Blocked
  errors?: ResourceProblem[]
}

export interface Blocked {
  blocking: boolean
}

export interface BlockedMessages {
  blocked: boolean
}

export interface BookmarkBody {
  /** The post. */
  post_id: string
  /** The folder. */
  folder_id?: string
}

export interface BookmarkFolder {
  /** The folder. */
  id: string
  /** Name. */
  name: string
}

export interface BookmarkFolderBody {
  /** Name. */
  name: string
}

export interface BookmarkPostReply {
  data?: Bookmarked
  errors?: ResourceProblem[]
}

export interface Bookmarked {
  bookmarked: boolean
}

export interface BookmarkedPostId {
  /** The post. */
  id: string
}

/** A live video. Fields that were not requested, or are empty, are omitted. */
export interface Broadcast {
  /** The broadcast. */
  id: string
  /** What became of it. */
  state: BroadcastState
  /** Title; may be empty. */
  title: string
  /** The broadcast. */
  broadcast_id: string
  /** Whether it can be watched after its end. */
  available_for_replay?: boolean
  /** Who may chat, as it was given. */
  chat_option?: number
  /** When it was created, in milliseconds. */
  created_at_ms?: string
  /** When it ended, in milliseconds. */
  end_ms?: string
  /** Height of the video. */
  height?: number
  /** The picture. */
  image_url?: string
  /** The picture. It is not scaled. */
  image_url_medium?: string
  /** The picture. It is not scaled. */
  image_url_small?: string
  /** Whether the video of the source is late. */
  is_high_latency?: boolean
  /** The language of its locale. */
  language?: string
  /** The scheduled end, in milliseconds. */
  scheduled_end_ms?: string
  /** The scheduled start, in milliseconds. */
  scheduled_start_ms?: string
  /** The source of the video. */
  source_id?: string
  /** When it started, in milliseconds. */
  start_ms?: string
  /** Number of users who have watched it. */
  total_watched?: string
  /** Number of users who watch it now. */
  total_watching?: string
  /** Its owner. */
  service_user_id?: string
  /** When it was last changed, in milliseconds. */
  updated_at_ms?: string
  /** Width of the video. */
  width?: number
}

/** A message in the chat of a broadcast. Fields that were not requested are omitted. */
export interface BroadcastChatMessage {
  /** The message: its time in nanoseconds. Unique within the broadcast. */
  id: string
  /** What it says. */
  text: string
  /** Who wrote it. */
  author_id: string
  /** The name of the author. */
  author_name?: string
  /** The username of the author. */
  author_username?: string
  /** The broadcast. */
  broadcast_id?: string
  /** When it was sent, in milliseconds. */
  created_at_ms?: string
  /** The message that it answers. */
  reply_to?: string
}

export type BroadcastChatMessageExpansion = 'author_id'

export type BroadcastChatMessageField = 'author_id' | 'author_name' | 'author_username' | 'broadcast_id' | 'created_at_ms' | 'id' | 'reply_to' | 'text'

/** Objects that expansions requested, each once. */
export interface BroadcastChatMessageIncludes {
  users?: User[]
}

export type BroadcastField = 'available_for_replay' | 'broadcast_id' | 'chat_option' | 'created_at_ms' | 'end_ms' | 'height' | 'id' | 'image_url' | 'image_url_medium' | 'image_url_small' | 'is_high_latency' | 'language' | 'media_key' | 'post_id' | 'scheduled_end_ms' | 'scheduled_start_ms' | 'service_user_id' | 'share_url' | 'source_id' | 'start_ms' | 'state' | 'title' | 'total_watched' | 'total_watching' | 'updated_at_ms' | 'width'

export type BroadcastFrequency = 'Daily' | 'Weekly'

export interface BroadcastRecurrence {
  /** How often. */
  frequency: BroadcastFrequency
  /** How often after the first time: 1 to 365. */
  repeats: string
}

export type BroadcastState = 'Created' | 'Scheduled' | 'Running' | 'Ended' | 'Error'

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

export interface ChangeActivitySubscriptionBody {
  /** A name of your choice, which is returned with each event. */
  tag?: string
  /** The webhook that receives the events, in addition to the stream of the app. */
  webhook_id?: string
}

export interface ChangeActivitySubscriptionReply {
  data: { subscription: ActivitySubscription; total_subscriptions: number }
}

export interface ChangeStreamRulesBody {
  /** Rules to add. */
  add?: NewRule[]
  delete?: RuleDeletion
}

export interface ChangeStreamRulesReply {
  data?: Rule[]
  meta: { sent: string; summary: { created?: number; not_created?: number; valid?: number; invalid?: number; deleted?: number; not_deleted?: number } }
  errors?: RuleProblem[]
}

export interface ChatActionMessageEventSignature {
  /** The signature. */
  signature: string
  /** Version of the public key of the caller. */
  public_key_version: string
  /** What is signed, and how. */
  signature_version: string
  /** The key that verifies it. */
  signing_public_key?: string
  /** Keys of other members. */
  message_signing_key_info_list?: ChatMessageSigningKeyInfo[]
}

export interface ChatActionSignature {
  /** An id that the client chooses, such as a UUID. Sending it again creates nothing. */
  message_id: string
  /** The signed description of the action, in the binary protocol. */
  encoded_message_event_detail: string
  message_event_signature: ChatActionMessageEventSignature
  /** What was signed. Not read. */
  signature_payload?: string
}

/** An encrypted conversation. Names are encrypted; only groups have members and a name. */
export interface ChatConversation {
  /** Members who may add others. */
  admin_ids?: string[]
  /** When a group was created. */
  created_at?: string
  /** Encrypted address of the picture. */
  group_avatar_url?: string
  /** Encrypted name. */
  group_name?: string
  /** The conversation: two user ids with a hyphen, or `g` and digits. */
  id: string
  /** Always false. */
  is_muted?: boolean
  /** Members of a group. */
  member_ids?: string[]
  /** How long messages are kept, in milliseconds. */
  message_ttl_ms?: number
  /** The same as text. */
  message_ttl_msec?: string
  /** Members. */
  participant_ids?: string[]
  /** Always false. */
  screen_capture_blocking_enabled?: boolean
  /** Always false. */
  screen_capture_detection_enabled?: boolean
  /** Kind. */
  type: ChatConversationType
  /** When the newest event of a group happened. */
  updated_at?: string
}

export type ChatConversationExpansion = 'admin_ids' | 'member_ids' | 'participant_ids'

export type ChatConversationField = 'admin_ids' | 'created_at' | 'group_avatar_url' | 'group_name' | 'id' | 'is_muted' | 'member_ids' | 'message_ttl_ms' | 'message_ttl_msec' | 'participant_ids' | 'screen_capture_blocking_enabled' | 'screen_capture_detection_enabled' | 'type' | 'updated_at'

/** Objects that expansions requested, each once. */
export interface ChatConversationIncludes {
  users?: User[]
}

export interface ChatConversationParticipantKey {
  /** The member. */
  user_id?: string
  /** The key of the conversation, encrypted for the member. */
  encrypted_conversation_key?: string
  /** Version of the public key of the member. */
  public_key_version?: string
}

export type ChatConversationType = 'direct' | 'group'

export interface ChatConversationsMeta {
  /** Entries of the page. */
  result_count: number
  /** Whether there is another page. */
  has_more: boolean
  /** Always false. */
  has_message_requests: boolean
  /** Token for the next page. */
  next_token?: string
  /** Token for the page before. */
  previous_token?: string
}

export type ChatDeleteAction = 'delete_for_all' | 'delete_for_self'

export interface ChatEventsMeta {
  /** Entries of the page. */
  result_count: number
  /** Whether there is another page. */
  has_more: boolean
  /** Token for older events. */
  next_token?: string
  /** Token for newer events. */
  previous_token?: string
  /** Base64 of key changes, newest first. */
  conversation_key_events: string[]
}

/** An event of an encrypted conversation. What it says is in `encoded_event`. */
export interface ChatMessageEvent {
  /** Two user ids with a colon, or a group. */
  conversation_id?: string
  /** Names the conversation. */
  conversation_token?: string
  /** When it happened. */
  created_at?: string
  /** The same in milliseconds. */
  created_at_msec?: string
  /** Base64 of the event in the binary protocol. */
  encoded_event: string
  /** The sequence id. */
  id: string
  /** Always true. */
  is_trusted?: boolean
  message_event_signature?: ChatMessageEventSignature
  /** The event before it. */
  previous_id?: string
  /** The same. */
  previous_sequence_id?: string
  /** Who caused it. */
  sender_id?: string
  /** The same as `id`. */
  sequence_id?: string
}

export type ChatMessageEventField = 'conversation_id' | 'conversation_token' | 'created_at' | 'created_at_msec' | 'encoded_event' | 'id' | 'is_trusted' | 'message_event_signature' | 'previous_id' | 'previous_sequence_id' | 'sender_id' | 'sequence_id'

export interface ChatMessageEventSignature {
  /** Version of the public key of the sender. */
  public_key_version: string
  /** Base64. */
  signature: string
  /** What is signed, and how. */
  signature_version: string
  /** The key that verifies it. */
  signing_public_key?: string
}

export interface ChatMessageSigningKeyInfo {
  /** The member. */
  member_id?: string
  /** Version of the key. */
  public_key_version?: string
  /** The key. */
  signing_public_key?: string
}

export interface ClassicPoint {
  type: 'Point'
  coordinates: number[]
}

/** A community. Fields that were not requested are omitted. */
export interface Community {
  /** The community. */
  id: string
  /** Name. */
  name: string
  /** Who sees its posts: everyone, or its members. */
  access?: CommunityAccess
  /** When it was created. */
  created_at?: string
  /** Description; may be empty. */
  description?: string
  /** Who may join. */
  join_policy?: CommunityJoinPolicy
  /** Number of members. */
  member_count?: number
}

export type CommunityAccess = 'Public' | 'Closed'

export type CommunityField = 'access' | 'created_at' | 'description' | 'id' | 'join_policy' | 'member_count' | 'name'

export type CommunityJoinPolicy = 'Open' | 'RestrictedJoinRequestsDisabled' | 'RestrictedJoinRequestsRequireAdminApproval' | 'RestrictedJoinRequestsRequireModeratorApproval' | 'SuperFollowRequired'

export interface ComplianceJob {
  /** When the job was created. */
  created_at?: string
  /** Until when the result can be downloaded. */
  download_expires_at?: string
  /** URL of the result. It needs no authentication. */
  download_url?: string
  /** The job. */
  id: string
  /** A name for the job. */
  name?: string
  /** Whether the upload may take several requests. */
  resumable?: boolean
  /** A created job expires without an upload. */
  status?: ComplianceJobStatus
  /** What the ids are: of posts or of users. */
  type?: ComplianceJobType
  /** Until when the ids can be uploaded. */
  upload_expires_at?: string
  /** URL to upload the ids to. It needs no authentication. */
  upload_url?: string
  /** Why the job failed. */
  error?: string
}

export type ComplianceJobField = 'created_at' | 'download_expires_at' | 'download_url' | 'id' | 'name' | 'resumable' | 'status' | 'type' | 'upload_expires_at' | 'upload_url'

export type ComplianceJobStatus = 'created' | 'in_progress' | 'failed' | 'complete' | 'expired'

export type ComplianceJobType = 'posts' | 'users'

export interface CompliancePost {
  /** The post. */
  id: string
  /** Its author. */
  author_id: string
}

export interface ComplianceUser {
  /** The user. */
  id: string
}

export type ConnectionField = 'client_ip' | 'connected_at' | 'disconnect_reason' | 'disconnected_at' | 'endpoint_name' | 'id'

export interface ContextAnnotation {
  domain: ContextDomain
  entity: ContextEntity
}

/** A kind of things. */
export interface ContextDomain {
  /** Its number. */
  id: string
  /** Its name. */
  name?: string
  /** Its description. */
  description?: string
}

/** One of these things. */
export interface ContextEntity {
  /** Its number. */
  id: string
  /** Its name. */
  name?: string
  /** Its description. */
  description?: string
}

export interface CountAccountSubscriptionsReply {
  data: AccountActivityCounts
}

export interface CountAllPostsReply {
  data: PostCount[]
  meta: PostCountMeta
}

export interface CountRecentPostsReply {
  data: PostCount[]
  meta: PostCountMeta
}

export interface CountStreamRulesReply {
  data: RulesCount
}

export interface CreateActivitySubscriptionBody {
  /** What to receive. */
  event_type: NewActivityEventType
  filter: ActivityFilter
  /** A name of your choice, which is returned with each event. */
  tag?: string
  /** The webhook that receives the events, in addition to the stream of the app. */
  webhook_id?: string
}

export interface CreateActivitySubscriptionReply {
  data: { subscription: ActivitySubscription; total_subscriptions_for_instance_id: number }
  meta: ActivitySubscriptionTotals
}

export interface CreateBookmarkFolderReply {
  data: BookmarkFolder
}

export interface CreateChatGroupBody {
  /** The id that the user was given. */
  conversation_id: string
  /** Its members, with or without the user. */
  group_members: string[]
  /** Members who may add others; by default, the user. */
  group_admins?: string[]
  /** Encrypted name. */
  group_name?: string
  /** Encrypted description. */
  group_description?: string
  /** Encrypted address of the picture. */
  group_avatar_url?: string
  /** How long it is kept, in milliseconds. */
  ttl_msec?: string
  /** Version of the first key. */
  conversation_key_version: string
  /** One for each member. */
  conversation_participant_keys: ChatConversationParticipantKey[]
  /** A signature for each thing that the call does: without them, it is rejected. */
  action_signatures?: ChatActionSignature[]
  /** Base64. It is not read: the signed description has the same keys. */
  base64_encoded_key_rotation?: string
}

export interface CreateChatGroupReply {
  data: CreatedChatGroup
}

export interface CreateComplianceJobBody {
  /** What the ids are: of posts or of users. */
  type: ComplianceJobType
  /** A name for the job. */
  name?: string
  /** Whether the upload may take several requests. */
  resumable?: boolean
}

export interface CreateComplianceJobReply {
  data: ComplianceJob
}

export interface CreateConversationBody {
  /** The kind of conversation. */
  conversation_type: 'Group'
  /** The others. */
  participant_ids: string[]
  message: DirectMessageBody
}

export interface CreateConversationReply {
  data: MadeDmEvent
}

export interface CreateListBody {
  /** Name. */
  name: string
  /** Description; may be empty. */
  description?: string
  /** Whether only the owner sees the list. */
  private?: boolean
}

export interface CreateListReply {
  data: CreatedList
}

export interface CreateNoteBody {
  /** Whether the note is a test, which is not public. */
  test_mode: boolean
  /** The post that it is about. */
  post_id: string
  info: NoteInfo
}

export interface CreateNoteReply {
  data: { id: string }
}

export interface CreatePostBody {
  /** Text with a weight of up to 280; up to 25,000 characters for users with a subscription. */
  text?: string
  /** A card. */
  card_uri?: string
  /**
   * The community to post in, of which the user is a member. A reply is in the community of its
   * post.
   */
  community_id?: string
  /** Also shows a post of a community to followers. */
  share_with_followers?: boolean
  /** Labels it as paid promotion. */
  paid_partnership?: boolean
  /** Labels it as made with AI. */
  made_with_ai?: boolean
  /** A link to a conversation. */
  direct_message_deep_link?: string
  /** The version that it replaces. */
  edit_options?: { previous_post_id: string }
  /** Only subscribers of the author see it. */
  for_super_followers_only?: boolean
  /** A place. */
  geo?: { place_id: string }
  /** Up to 4 images, or 1 GIF, or 1 video. */
  media?: { media_ids: string[]; tagged_user_ids?: string[]; title?: string; description?: string; embeddable?: boolean; preview_media_id?: string; call_to_actions?: CallToActions }
  /** Only advertisements show it. */
  nullcast?: boolean
  /** A question with two to four answers. */
  poll?: { options: string[]; duration_minutes: number; reply_settings?: NewReplySettings }
  /** The post that it quotes. */
  quote_post_id?: string
  /** The post that this one replies to. */
  reply?: { in_reply_to_post_id: string; exclude_reply_user_ids?: string[]; auto_populate_reply_metadata?: boolean }
  /** Who may reply; everyone by default. */
  reply_settings?: NewReplySettings
}

export interface CreatePostReply {
  data: { id: string; text: string; edit_history_post_ids: string[] }
}

export interface CreateScheduledBroadcastBody {
  /** Title. */
  title?: string
  /** Description. */
  description?: string
  /** Locale, such as `en_US`. */
  locale?: string
  /** Who may chat. It is stored and returned; any user may chat. */
  chat_option?: string
  /** An image that the user has uploaded. */
  thumbnail_media_id?: string
  /** Whether it waits for the call that starts it. */
  manual_publish?: boolean
  /** Whether it can be watched after its end. */
  available_for_replay?: boolean
  /** Whether only its owner knows of it: nobody else can chat, and no event tells of it. */
  is_locked?: boolean
  /** A source of the user. */
  source_id: string
  /** The start, in milliseconds. */
  scheduled_start_ms: string
  /** The end, in milliseconds. */
  scheduled_end_ms: string
  /** A telecast. It is stored and returned. */
  telecast_id?: string
  recurrence?: BroadcastRecurrence
}

export interface CreateScheduledBroadcastReply {
  data?: ScheduledBroadcast
  errors?: ResourceProblem[]
}

export interface CreateSubtitlesReply {
  data: SubtitledVideo
}

export interface CreateWebhookBody {
  /** URL that events are sent to. */
  url: string
}

export interface CreateWebhookReply {
  data: Webhook
}

export interface CreatedChatGroup {
  /** The group. */
  conversation_id: string
  /** The event of its first key. */
  conversation_key_change_sequence_id: string
}

export interface CreatedList {
  /** The list. */
  id: string
  /** Name. */
  name: string
}

export interface DayUsage {
  /** Start of the day, UTC. */
  date: string
  /** Posts. */
  usage: number
}

export interface DeleteActivitySubscriptionReply {
  data: Deleted
  meta: ActivitySubscriptionTotals
}

export interface DeleteActivitySubscriptionsReply {
  data: Deleted
  meta: ActivitySubscriptionTotals
  errors?: ReportedProblem[]
}

export interface DeleteBroadcastChatMessageReply {
  data?: DeletedBroadcastMessage
  errors?: ResourceProblem[]
}

export interface DeleteChatMessagesBody {
  /** The messages. */
  sequence_ids: string[]
  /** For whom. */
  delete_message_action: ChatDeleteAction
  /** A signature for each thing that the call does: without them, it is rejected. */
  action_signatures: ChatActionSignature[]
  /** Files of the messages, with `delete_for_all`. */
  media_hash_keys?: string[]
}

export interface DeleteChatMessagesReply {
  data: DeletedChatMessages
}

export interface DeleteDmEventReply {
  data?: Deleted
  errors?: ResourceProblem[]
}

export interface DeleteListReply {
  data?: DeletedList
  errors?: ResourceProblem[]
}

export interface DeleteNoteReply {
  data: Deleted
}

export interface DeletePostReply {
  data?: Deleted
  errors?: ResourceProblem[]
}

export interface DeletePowerstreamRulesBody {
  rules: { id?: string; value?: string }[]
}

export interface DeletePowerstreamRulesReply {
  data: { deleted: number; not_deleted: number }
}

export interface DeleteScheduledBroadcastReply {
  data?: DeletedScheduledBroadcast
  errors?: ResourceProblem[]
}

export interface DeleteSubtitlesReply {
  data: SubtitlesRemoval
}

export interface DeleteWebhookReply {
  data: Deleted
}

export interface Deleted {
  deleted: boolean
}

export interface DeletedBroadcastMessage {
  deleted: boolean
}

export interface DeletedChatMessages {
  /** Always true. */
  deleted: boolean
}

export interface DeletedList {
  deleted: boolean
}

export interface DeletedScheduledBroadcast {
  deleted: boolean
}

export interface DescribeMediumReply {
  data: MediaMetadata
}

/** Text, a media file, or both. */
export interface DirectMessageBody {
  /** Up to 10,000 characters. */
  text?: string
  /** One media file, not used in another message. */
  attachments?: { media_id: string }[]
}

/**
 * A direct message, or a change of participants. Fields that were not requested, or are empty, are
 * omitted.
 */
export interface DmEvent {
  /** The event. */
  id: string
  /** What happened. */
  event_type: DmEventType
  /** Text of a message. */
  text?: string
  /** Attachments of a message. */
  attachments?: { media_keys?: string[] }
  /** When it happened. */
  created_at?: string
  /** The conversation. */
  dm_conversation_id?: string
  entities?: TextEntities
  /** Users who joined, or the one who left. Messages have none. */
  participant_ids?: string[]
  /** Posts that the text links to. */
  referenced_posts?: { id: string }[]
  /** Who sent the message, added the participants, or left. */
  sender_id?: string
}

export type DmEventExpansion = 'attachments.media_keys' | 'participant_ids' | 'referenced_posts.id' | 'sender_id'

export type DmEventField = 'attachments' | 'created_at' | 'dm_conversation_id' | 'entities' | 'event_type' | 'id' | 'participant_ids' | 'referenced_posts' | 'sender_id' | 'text'

/** Objects that expansions requested, each once. */
export interface DmEventIncludes {
  media?: Media[]
  posts?: Post[]
  users?: User[]
}

export type DmEventType = 'MessageCreate' | 'ParticipantsJoin' | 'ParticipantsLeave'

export type DmEventTypeFilter = 'MessageCreate' | 'ParticipantsJoin' | 'ParticipantsLeave'

export interface DraftArticleReply {
  data: { id: string; title: string }
}

export interface EndAllStreamConnectionsReply {
  data: KilledConnections
}

export interface EndConnectionsToStreamReply {
  data: KilledConnections
}

export interface EndStreamConnectionsReply {
  data: KilledConnections
}

export type EngagementField = 'errors' | 'measurement'

export interface EvaluateNoteBody {
  /** The post that the note would be about. */
  post_id: string
  /** Up to 280 characters; each URL counts as one. */
  note_text: string
}

export interface EvaluateNoteReply {
  data: { claim_opinion_score: number }
}

export type ExcludedPosts = 'replies' | 'reposts'

export interface ExtendedEntities {
  media: PostMedia[]
}

export interface ExtendedPost {
  full_text: string
  display_text_range: number[]
  entities: PostEntities
}

export interface FinalizeChatMediaUploadBody {
  /** The conversation, with a hyphen or a colon between two user ids. */
  conversation_id: string
  /** The file. */
  media_hash_key: string
  /** Number of parts. */
  num_parts?: string
  /** An id that the client chooses, such as a UUID. Sending it again creates nothing. */
  message_id?: string
  /** How long it is kept, in milliseconds. */
  ttl_msec?: string
}

export interface FinalizeChatMediaUploadReply {
  data: FinalizedChatMedia
}

export interface FinalizeMediumUploadReply {
  data: UploadedMedium
}

export interface FinalizedChatMedia {
  /** Always true. */
  success: boolean
}

export interface FollowListReply {
  data?: FollowedList
  errors?: ResourceProblem[]
}

export interface FollowUserReply {
  data?: Followed
  errors?: ResourceProblem[]
}

export interface Followed {
  /** Whether the user now follows the other user. */
  following: boolean
  /** The other user must accept the follow first. */
  pending_follow: boolean
}

export interface FollowedList {
  following: boolean
}

export interface ForwardMeta {
  /** Entries of the page. */
  result_count: number
  /** Token for the next page, if there is one. */
  next_token?: string
}

export interface GetBroadcastChatReply {
  data?: BroadcastChatMessage[]
  includes?: BroadcastChatMessageIncludes
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
  meta?: ForwardMeta
}

export interface GetBroadcastReply {
  data?: Broadcast
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
}

export interface GetChatConversationReply {
  data?: ChatConversation
  includes?: ChatConversationIncludes
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
}

export interface GetCommunityReply {
  data?: Community
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
}

export interface GetComplianceJobReply {
  data?: ComplianceJob
  errors?: ResourceProblem[]
}

export interface GetDmEventReply {
  data?: DmEvent
  includes?: DmEventIncludes
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
}

export interface GetHistoricalInsightsReply {
  data: Insights[]
}

export interface GetListReply {
  data?: List
  includes?: ListIncludes
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
}

export interface GetMediaAnalyticsReply {
  data?: MediaAnalytics[]
  errors?: ResourceProblem[]
}

export interface GetMediumReply {
  data?: Media
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
}

export interface GetMediumUploadReply {
  data: UploadedMedium
}

export interface GetNewsReply {
  data?: News
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
}

export interface GetOwnUserReply {
  data?: User
  includes?: UserIncludes
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
}

export interface GetPostReply {
  data?: Post
  includes?: PostIncludes
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
}

export interface GetPostUsageReply {
  data: PostUsage
}

export interface GetPostsAnalyticsReply {
  data?: PostAnalytics[]
  errors?: ResourceProblem[]
}

export interface GetRecentInsightsReply {
  data: Insights[]
}

export interface GetScheduledBroadcastReply {
  data?: ScheduledBroadcast
  errors?: ResourceProblem[]
}

export interface GetSpaceReply {
  data?: Space
  includes?: SpaceIncludes
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
}

export interface GetTrendsByWoeidReply {
  data?: Trend[]
  errors?: ResourceProblem[]
  meta?: TrendsMeta
}

export interface GetUserByUsernameReply {
  data?: User
  includes?: UserIncludes
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
}

export interface GetUserReply {
  data?: User
  includes?: UserIncludes
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
}

export interface GoLiveScheduledBroadcastReply {
  data?: ScheduledBroadcast
  errors?: ResourceProblem[]
}

export interface HiddenReply {
  hidden: boolean
}

export interface HideReplyBody {
  hidden: boolean
}

export interface HideReplyReply {
  data?: HiddenReply
  errors?: ResourceProblem[]
}

export interface IndicateChatTypingReply {
  data: IndicatedChatTyping
}

export interface IndicateTypingForm {
  /** The other user. */
  recipient_id: string
}

export interface IndicatedChatTyping {
  /** Always true. */
  success: boolean
}

export interface InitializeChatGroupReply {
  data: InitializedChatGroup
}

export interface InitializeChatMediaUploadBody {
  /** The conversation, with a hyphen or a colon between two user ids. */
  conversation_id: string
  /** Size of the encrypted file in bytes. */
  total_bytes?: number
}

export interface InitializeChatMediaUploadReply {
  data: InitializedChatMedia
}

export interface InitializeMediumUploadForm {
  /** Type of the file. */
  media_type?: UploadType
  /** Size of the file in bytes. */
  total_bytes?: number
  /** Category; derived from the file or its type when absent. */
  media_category?: UploadCategory
  /** Other users who may use the medium. */
  additional_owners?: string[]
  /** Whether several direct messages may show it. */
  shared?: boolean
}

export interface InitializeMediumUploadReply {
  data: UploadedMedium
}

export interface InitializedChatGroup {
  /** The id of the group. */
  conversation_id: string
}

export interface InitializedChatMedia {
  /** The upload session. */
  session_id: string
  /** The file. */
  media_hash_key: string
  /** The conversation, with a colon. */
  conversation_id: string
}

export interface InsightMeasurement {
  metrics_total: { post_id: string; value: InsightValue[] }[]
  /** Periods, oldest first, post by post. */
  metrics_time_series?: { post_id: string; value: { metric_values: InsightValue[]; timestamp: { iso8601_time: string } } }[]
}

export type InsightMetric = 'AppInstallAttempts' | 'AppOpens' | 'DetailExpands' | 'EmailPost' | 'Engagements' | 'Follows' | 'HashtagClicks' | 'Impressions' | 'Likes' | 'LinkClicks' | 'MediaEngagements' | 'MediaViews' | 'PermalinkClicks' | 'ProfileVisits' | 'QuotePosts' | 'Replies' | 'Reposts' | 'UniqueVideoViews' | 'UrlClicks' | 'UserProfileClicks' | 'VideoCompletions' | 'VideoPlayed25Percent' | 'VideoPlayed50Percent' | 'VideoPlayed75Percent' | 'VideoStarts' | 'VideoViews'

export interface InsightValue {
  /** The metric. */
  metric_type: InsightMetric
  metric_value: number
}

export interface Insights {
  errors?: { error: string; posts: string[] }[]
  measurement?: InsightMeasurement
}

export interface InvalidateBearerForm {
  /** The bearer token, percent-encoded or not. */
  access_token: string
}

export interface InvalidateBearerReply {
  access_token: string
}

export interface InvalidateTokenReply {
  access_token: string
}

export interface KilledConnection {
  /** The connection. */
  uuid: string
  /** Whether this call ended the open connection. */
  success: boolean
  /** Why not. */
  error_message?: string
}

export interface KilledConnections {
  successful_kills: number
  failed_kills: number
  results: KilledConnection[]
}

export type LabelApplication = 'apply' | 'remove'

export interface LeaveConversationReply {
  data: MadeDmEvent
}

export interface LikePostReply {
  data?: Liked
  errors?: ResourceProblem[]
}

/** A like of a post. Fields that were not requested are omitted. */
export interface LikeWithPostAuthor {
  /** The like. */
  id: string
  /** When it was liked. */
  created_at?: string
  /** The same in epoch milliseconds. */
  timestamp_ms?: string
  /** The newest version of the post. */
  liked_post_id?: string
  /** The author of the post. */
  liked_post_author_id?: string
  /** The media of the post. */
  attachments_media_keys?: string[]
}

export type LikeWithPostAuthorExpansion = 'attachments.media_keys' | 'liked_post_author_id' | 'liked_post_id'

export type LikeWithPostAuthorField = 'attachments_media_keys' | 'created_at' | 'id' | 'liked_post_author_id' | 'liked_post_id' | 'timestamp_ms'

/** Objects that expansions requested, each once. */
export interface LikeWithPostAuthorIncludes {
  media?: Media[]
  posts?: Post[]
  users?: User[]
}

export interface Liked {
  liked: boolean
}

export interface LinkStreamWebhookReply {
  data: { provisioned: boolean }
}

export interface Links {
  urls: TextLink[]
}

/** A list of users. Fields that were not requested are omitted. */
export interface List {
  /** The list. */
  id: string
  /** Name. */
  name: string
  /** When it was created. */
  created_at?: string
  /** Description; may be empty. */
  description?: string
  /** Number of followers. */
  follower_count?: number
  /** Number of members. */
  member_count?: number
  /** The user who made it. */
  owner_id?: string
  /** Whether only its owner sees it. */
  private?: boolean
}

export interface ListAccountSubscriptionsReply {
  data: AccountActivitySubscriptions
}

export interface ListActivitySubscriptionsReply {
  data: ActivitySubscription[]
  meta: { result_count: number; total_subscriptions: number; next_token?: string }
}

export interface ListAffiliatesReply {
  data?: User[]
  includes?: UserIncludes
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
  meta?: PageMeta
}

export interface ListBlockingReply {
  data?: User[]
  includes?: UserIncludes
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
  meta?: PageMeta
}

export interface ListBookmarkFoldersReply {
  data?: BookmarkFolder[]
  meta: PageMeta
}

export interface ListBookmarksReply {
  data?: Post[]
  includes?: PostIncludes
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
  meta?: PageMeta
}

export interface ListBroadcastsReply {
  data?: Broadcast[]
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
  meta?: ForwardMeta
}

export interface ListBuyersOfSpaceReply {
  data?: User[]
  includes?: UserIncludes
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
  meta?: PageMeta
}

export interface ListChatConversationsReply {
  data?: ChatConversation[]
  includes?: ChatConversationIncludes
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
  meta: ChatConversationsMeta
}

export interface ListChatEventsReply {
  data?: ChatMessageEvent[]
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
  meta: ChatEventsMeta
}

export interface ListComplianceJobsReply {
  data?: ComplianceJob[]
  meta: { result_count: number }
}

export interface ListDmEventsReply {
  data?: DmEvent[]
  includes?: DmEventIncludes
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
  meta: PageMeta
}

export interface ListEventsOfConversationReply {
  data?: DmEvent[]
  includes?: DmEventIncludes
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
  meta: PageMeta
}

export interface ListEventsWithUserReply {
  data?: DmEvent[]
  includes?: DmEventIncludes
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
  meta: PageMeta
}

export type ListExpansion = 'owner_id'

export type ListField = 'created_at' | 'description' | 'follower_count' | 'id' | 'member_count' | 'name' | 'owner_id' | 'private'

export interface ListFollowedListsReply {
  data?: List[]
  includes?: ListIncludes
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
  meta?: PageMeta
}

export interface ListFollowersReply {
  data?: User[]
  includes?: UserIncludes
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
  meta?: PageMeta
}

export interface ListFollowingReply {
  data?: User[]
  includes?: UserIncludes
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
  meta?: PageMeta
}

export interface ListIdBody {
  /** The list. */
  list_id: string
}

/** Objects that expansions requested, each once. */
export interface ListIncludes {
  users?: User[]
}

export interface ListLikedPostsReply {
  data?: Post[]
  includes?: PostIncludes
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
  meta?: PageMeta
}

export interface ListLikingUsersReply {
  data?: User[]
  includes?: UserIncludes
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
  meta?: PageMeta
}

export interface ListListFollowersReply {
  data?: User[]
  includes?: UserIncludes
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
  meta?: PageMeta
}

export interface ListListMembersReply {
  data?: User[]
  includes?: UserIncludes
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
  meta?: PageMeta
}

export interface ListListMembershipsReply {
  data?: List[]
  includes?: ListIncludes
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
  meta?: PageMeta
}

export interface ListMediaReply {
  data?: Media[]
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
}

export interface ListMemberBody {
  /** The user. */
  user_id: string
}

export interface ListMentionsReply {
  data?: Post[]
  includes?: PostIncludes
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
  meta?: TimelineMeta
}

export interface ListMeta {
  /** Objects of the list. */
  result_count: number
}

export interface ListMutingReply {
  data?: User[]
  includes?: UserIncludes
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
  meta?: PageMeta
}

export interface ListNotesWrittenReply {
  data?: Note[]
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
  meta: NoteListMeta
}

export interface ListOwnedListsReply {
  data?: List[]
  includes?: ListIncludes
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
  meta?: PageMeta
}

export interface ListPersonalizedTrendsReply {
  data?: PersonalizedTrend[]
  meta?: TrendsMeta
}

export interface ListPinnedListsReply {
  data?: List[]
  includes?: ListIncludes
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
  meta: ListMeta
}

export interface ListPostsEligibleForNotesReply {
  data?: Post[]
  includes?: PostIncludes
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
  meta: NoteListMeta
}

export interface ListPostsOfBookmarkFolderReply {
  data?: BookmarkedPostId[]
  errors?: ResourceProblem[]
  meta?: PageMeta
}

export interface ListPostsOfSpaceReply {
  data?: Post[]
  includes?: PostIncludes
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
  meta?: PageMeta
}

export interface ListPostsReply {
  data?: Post[]
  includes?: PostIncludes
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
}

export interface ListPublicKeysOfUserReply {
  data?: PublicKey[]
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
}

export interface ListPublicKeysReply {
  data?: PublicKey[]
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
}

export interface ListQuotesReply {
  data?: Post[]
  includes?: PostIncludes
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
  meta?: PageMeta
}

export interface ListRepostersReply {
  data?: User[]
  includes?: UserIncludes
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
  meta?: PageMeta
}

export interface ListRepostsOfMeReply {
  data?: Post[]
  includes?: PostIncludes
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
  meta?: PageMeta
}

export interface ListRepostsReply {
  data?: Post[]
  includes?: PostIncludes
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
  meta?: PageMeta
}

export interface ListScheduledBroadcastsReply {
  data?: ScheduledBroadcast[]
}

export interface ListSpacesByCreatorsReply {
  data?: Space[]
  includes?: SpaceIncludes
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
  meta: ListMeta
}

export interface ListSpacesReply {
  data?: Space[]
  includes?: SpaceIncludes
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
}

export interface ListStreamConnectionsReply {
  data: StreamConnection[]
  meta: { result_count: number; next_token?: string }
}

export interface ListStreamRulesReply {
  data?: Rule[]
  meta: { sent: string; result_count: number; next_token?: string }
}

export interface ListStreamWebhooksReply {
  data: { links: StreamWebhookLink[] }
}

export interface ListUserPostsReply {
  data?: Post[]
  includes?: PostIncludes
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
  meta?: TimelineMeta
}

export interface ListUsersByUsernamesReply {
  data?: User[]
  includes?: UserIncludes
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
}

export interface ListUsersReply {
  data?: User[]
  includes?: UserIncludes
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
}

export interface ListWebhooksReply {
  data: Webhook[]
  meta: { result_count: number }
}

export type ListedComplianceJobStatus = 'created' | 'in_progress' | 'failed' | 'complete'

/** The created event and its conversation. */
export interface MadeDmEvent {
  /** The conversation. */
  dm_conversation_id: string
  /** The event. */
  dm_event_id: string
}

export interface MarkChatReadBody {
  /** The event up to which the user has read. */
  seen_until_sequence_id: string
}

export interface MarkChatReadReply {
  data: MarkedChatRead
}

export interface MarkMessagesReadForm {
  /** The newest message that was read. */
  last_read_event_id: string
  /** Who sent it. */
  recipient_id: string
}

export interface MarkedChatRead {
  /** Always true. */
  success: boolean
}

export interface MatchingRule {
  /** The rule. */
  id: string
  /** Name that the app gave to the rule. */
  tag?: string
}

/** An image, GIF or video. Fields that were not requested, or are empty, are omitted. */
export interface Media {
  /** Key of the medium. */
  media_key: string
  /** Type of the medium. */
  type: MediaType
  /** Alternative text. */
  alt_text?: string
  /** Length of a video in milliseconds. */
  duration_ms?: number
  /** Height in pixels. */
  height?: number
  /** How far users played a video. Only for its owner, for 30 days. */
  non_public_metrics?: { playback_0_count: number; playback_25_count: number; playback_50_count: number; playback_75_count: number; playback_100_count: number }
  /**
   * Views and playbacks without advertising, only for its owner, for 30 days. Those by advertising
   * are not counted.
   */
  organic_metrics?: VideoReach
  /** URL of the preview image of a video or GIF. */
  preview_image_url?: string
  /**
   * Views and playbacks without advertising, only for its owner, for 30 days. Those by advertising
   * are not counted.
   */
  promoted_metrics?: VideoReach
  /** Views of a video, over all posts. */
  public_metrics?: { view_count: number }
  /** URL of a photo. */
  url?: string
  /** Files of a video or GIF. */
  variants?: { content_type: string; url: string; bit_rate?: number }[]
  /** Width in pixels. */
  width?: number
}

export interface MediaAnalytics {
  /** The medium. */
  media_key: string
  /** Periods, oldest first. */
  timestamped_metrics: MediaAnalyticsPeriod[]
  /** Start of the time span of a total. */
  timestamp?: string
  cta_url_clicks?: number
  cta_watch_clicks?: number
  play_from_tap?: number
  playback25?: number
  playback50?: number
  playback75?: number
  playback_complete?: number
  playback_start?: number
  video_views?: number
  watch_time_ms?: number
}

export type MediaAnalyticsField = 'media_key' | 'timestamp' | 'timestamped_metrics' | 'cta_url_clicks' | 'cta_watch_clicks' | 'play_from_tap' | 'playback25' | 'playback50' | 'playback75' | 'playback_complete' | 'playback_start' | 'video_views' | 'watch_time_ms'

export interface MediaAnalyticsMetrics {
  cta_url_clicks?: number
  cta_watch_clicks?: number
  play_from_tap?: number
  playback25?: number
  playback50?: number
  playback75?: number
  playback_complete?: number
  playback_start?: number
  video_views?: number
  watch_time_ms?: number
}

export interface MediaAnalyticsPeriod {
  /** Start of the period. */
  timestamp: string
  metrics: MediaAnalyticsMetrics
}

export type MediaField = 'alt_text' | 'duration_ms' | 'height' | 'media_key' | 'non_public_metrics' | 'organic_metrics' | 'preview_image_url' | 'promoted_metrics' | 'public_metrics' | 'type' | 'url' | 'variants' | 'width'

export interface MediaMetadata {
  /** The medium. */
  id: string
  /** What Plaza stores. */
  associated_metadata: AssociatedMetadata
}

export interface MediaMetadataBody {
  /** The medium. */
  id: string
  metadata?: SentMediaMetadata
}

export interface MediaMetadataCreateBody {
  /** The medium. */
  media_id: string
  alt_text: AltText
}

export interface MediaSize {
  w: number
  h: number
  /** How it becomes this size. */
  resize: 'fit' | 'crop'
}

export type MediaType = 'photo' | 'animated_gif' | 'video'

export interface MediaUpload {
  /** The medium. */
  media_id: Int64
  /** The id of the media file as a string, for clients without 64-bit integers. */
  media_id_string: string
  /** Its key, which posts and the advertising API show. */
  media_key: string
  /** Size in bytes. */
  size?: number
  /** Seconds until an unused upload is deleted. */
  expires_after_secs?: number
  image?: UploadedImage
  video?: UploadedVideo
  processing_info?: Processing
}

export interface MentionEntity {
  /** First code point. */
  start: number
  /** End in code points, exclusive. */
  end: number
  username: string
  /** The user. */
  id: string
}

export type MisleadingTag = 'disputed_claim_as_fact' | 'factual_error' | 'manipulated_media' | 'misinterpreted_satire' | 'missing_important_context' | 'other' | 'outdated_information'

export type Mutability = 'immutable' | 'mutable' | 'segmented'

export interface MuteBroadcastChatUserBody {
  /** The user. */
  user_id: string
  /** When the mute ends, in milliseconds; never by default. */
  end_at_ms?: string
  /** A message that is deleted. */
  message_id?: string
}

export interface MuteBroadcastChatUserReply {
  data?: MutedBroadcastUser
  errors?: ResourceProblem[]
}

export interface MuteUserReply {
  data?: Muted
  errors?: ResourceProblem[]
}

export interface Muted {
  muting: boolean
}

export interface MutedBroadcastUser {
  muted: boolean
}

export type NewActivityEventType = 'post.create' | 'post.delete' | 'post.mention.create' | 'post.reply.create' | 'post.quote.create' | 'post.repost.create' | 'like.create' | 'follow.follow' | 'follow.unfollow' | 'mute.mute' | 'mute.unmute' | 'block.block' | 'block.unblock' | 'profile.update.bio' | 'profile.update.geo' | 'profile.update.url' | 'profile.update.profile_picture' | 'profile.update.banner_picture' | 'profile.update.screenname' | 'profile.update.handle' | 'profile.update.verified' | 'profile.update.verified_badge' | 'profile.update.affiliate' | 'profile.update.affiliate_badge' | 'spaces.start' | 'spaces.end' | 'broadcast.start' | 'broadcast.end' | 'broadcast.chat' | 'chat.received' | 'chat.sent' | 'chat.conversation_join' | 'chat.conversation.join' | 'chat.conversation.member_added' | 'dm.received' | 'dm.sent' | 'dm.join' | 'dm.leave' | 'dm.indicate_typing' | 'dm.read' | 'news.new' | 'oauth.revoke' | 'PostCreate' | 'PostDelete' | 'PostMentionCreate' | 'PostReplyCreate' | 'PostQuoteCreate' | 'PostRepostCreate' | 'LikeCreate' | 'FollowFollow' | 'FollowUnfollow' | 'MuteMute' | 'MuteUnmute' | 'BlockBlock' | 'BlockUnblock' | 'ProfileBioUpdate' | 'ProfileGeoUpdate' | 'ProfileUrlUpdate' | 'ProfilePictureUpdate' | 'ProfileBannerPictureUpdate' | 'ProfileBannerUpdate' | 'ProfileScreennameUpdate' | 'ProfileHandleUpdate' | 'ProfileVerifiedUpdate' | 'ProfileVerifiedBadgeUpdate' | 'ProfileAffiliateUpdate' | 'ProfileAffiliateBadgeUpdate' | 'SpacesStart' | 'SpacesEnd' | 'BroadcastStart' | 'BroadcastEnd' | 'BroadcastChat' | 'ChatReceived' | 'ChatSent' | 'ChatConversationJoin' | 'ChatConversationMemberAdded' | 'DmReceived' | 'DmSent' | 'DmJoin' | 'DmLeave' | 'DmIndicateTyping' | 'DmRead' | 'NewsNew' | 'TrendsNew' | 'OauthRevoke'

export type NewReplySettings = 'following' | 'mentionedUsers' | 'subscribers' | 'verified'

export interface NewRule {
  /** A query: which posts the rule matches. */
  value: string
  /** A name of your choice, which is returned with each match. */
  tag?: string
  /** Ignored: each rule gets its own id. */
  id?: unknown
}

/** A story built from posts. Fields that were not requested are omitted. */
export interface News {
  /** The story. */
  id: string
  /** The same id. Clients use either. */
  rest_id: string
  /** What the story is about. */
  name: string
  /** The category of the story. */
  category?: NewsCategory
  /** Up to 20 posts of the story, most representative first. */
  cluster_posts_results?: { post_id: string }[]
  contexts?: NewsContexts
  /** Notice about the reliability of the story. */
  disclaimer?: string
  /** The first sentence of the most typical post. */
  hook?: string
  /** What its posts have in common, most important first. */
  keywords?: string[]
  /** When its last post was added, as a string. */
  last_updated_at_ms?: string
  /** Sentences of up to three posts of different authors. */
  summary?: string
  /** When its last post was added. */
  updated_at?: string
}

export type NewsCategory = 'News' | 'Sports' | 'Entertainment' | 'Other'

/** What a story is about, by kind, as spelled in its posts. */
export interface NewsContexts {
  /** Hashtags, and names that belong to no other kind. */
  topics: string[]
  entities: { events: string[]; organizations: string[]; people: string[]; places: string[]; products: string[] }
  finance: { tickers: string[] }
  sports: { teams: string[] }
}

export type NewsField = 'category' | 'cluster_posts_results' | 'contexts' | 'disclaimer' | 'hook' | 'id' | 'keywords' | 'last_updated_at_ms' | 'name' | 'rest_id' | 'summary' | 'updated_at'

export interface NewsSearchMeta {
  /** Stories of the reply. */
  result_count: number
}

/** A community note. Fields that were not requested are omitted. */
export interface Note {
  /** The note. */
  id: string
  /** The post that it is about. */
  post_id: string
  info?: NoteInfo
  scoring_status?: NoteScoringStatus
  /** Result of the ratings. Test notes have none. */
  status?: NoteStatus
  /** Outcomes of the evaluators. The first outcome is also returned outside the list. */
  test_result?: NoteTestResult
}

export type NoteClassification = 'misinformed_or_potentially_misleading' | 'not_misleading'

export type NoteEvaluator = 'UrlValidity' | 'ClaimOpinion' | 'HarassmentAbuse'

export type NoteField = 'id' | 'info' | 'post_id' | 'scoring_status' | 'status' | 'test_result'

export interface NoteInfo {
  /** Up to 280 characters; each URL counts as one. Must contain an http or https URL. */
  text: string
  /** What the note says about the post. */
  classification: NoteClassification
  /** Why the post is misleading: at least one reason if it is, none if it is not. */
  misleading_tags: MisleadingTag[]
  /** Whether the sources are trustworthy. */
  trustworthy_sources: boolean
  /** Whether the note is about the media of the post. */
  is_media_note?: boolean
}

export interface NoteListMeta {
  /** Objects of the page. */
  result_count: number
  /** Token for the next page; absent on the last page. */
  next_token?: string
}

/** Ratings of users with one viewpoint, and their most frequent tags. */
export interface NoteRatingCounts {
  helpful_count: number
  somewhat_helpful_count: number
  not_helpful_count: number
  helpful_tag_counts?: NoteTagCount
  not_helpful_tag_counts?: NoteTagCount
}

/** The newest suggestion of a request for a note. */
export interface NoteRequestSuggestion {
  /** The suggestion. */
  suggestion_id: string
  /** What the note should say. */
  suggestion: string
  source_link?: UrlEntity
}

export type NoteScoreBucket = 'High' | 'Medium' | 'Low'

export interface NoteScoringStatus {
  /** Whether the note can be rated. Test notes cannot. */
  has_access: boolean
  rating_counts_per_model?: { model_name: string; value: { positive_factor_bucket_counts: NoteRatingCounts; neutral_factor_bucket_counts: NoteRatingCounts; negative_factor_bucket_counts: NoteRatingCounts } }
}

export type NoteStatus = 'currently_rated_helpful' | 'currently_rated_not_helpful' | 'firm_reject' | 'insufficient_consensus' | 'minimum_ratings_not_met' | 'needs_more_ratings' | 'needs_your_help'

export interface NoteTagCount {
  tag_name: string
  tag_count: number
}

export interface NoteTestResult {
  evaluation_outcome: { evaluator_score_bucket: NoteScoreBucket; evaluator_type: NoteEvaluator }[]
  /** `High` is the best. */
  evaluator_score_bucket: NoteScoreBucket
  /** What was evaluated. */
  evaluator_type: NoteEvaluator
}

export interface OauthMetadataReply {
  issuer: string
  authorization_endpoint: string
  token_endpoint: string
  revocation_endpoint: string
  scopes_supported: string[]
  response_types_supported: string[]
  response_modes_supported: string[]
  grant_types_supported: string[]
  token_endpoint_auth_methods_supported: string[]
  revocation_endpoint_auth_methods_supported: string[]
  code_challenge_methods_supported: string[]
  authorization_response_iss_parameter_supported?: boolean
}

export interface PageMeta {
  /** Entries of the page. */
  result_count: number
  /** Token for older entries; absent on the last page. */
  next_token?: string
  /** Token for newer entries; absent if there are none. */
  previous_token?: string
}

export interface PersonalizedTrend {
  /** `News`, `Sports`, `Entertainment` or `Other`. */
  category?: string
  /** Posts of the last day; of an author, one per hour. */
  post_count?: number
  /** A hashtag, a ticker or a phrase. */
  trend_name?: string
  /** `Trending now`, or `3 hours ago`. */
  trending_since?: string
}

export type PersonalizedTrendField = 'category' | 'post_count' | 'trend_name' | 'trending_since'

export interface PinListReply {
  data?: PinnedList
  errors?: ResourceProblem[]
}

export interface PinnedList {
  pinned: boolean
}

/** A place. Fields that were not requested, or are empty, are omitted. */
export interface Place {
  /** 16 hexadecimal digits. */
  id: string
  /** Name with the surrounding places: `Munich, Bavaria, Germany`. */
  full_name: string
  /** Ids of the places that contain it. */
  contained_within?: string[]
  /** Name of the country. */
  country?: string
  /** ISO 3166-1 alpha-2. */
  country_code?: string
  /** Approximate location. Cities and postal codes only. */
  geo?: { type: 'Feature'; bbox: number[]; geometry: PostCoordinates; properties: Record<string, never> }
  /** Name only. */
  name?: string
  /** Type of the place. */
  place_type?: PlaceType
}

export type PlaceField = 'contained_within' | 'country' | 'country_code' | 'full_name' | 'geo' | 'id' | 'name' | 'place_type'

export type PlaceType = 'poi' | 'neighborhood' | 'city' | 'admin' | 'country' | 'unknown'

/** A question of a post with two to four answers. */
export interface Poll {
  /** The poll. */
  id: string
  options: { position: number; label: string; votes: number }[]
  duration_minutes?: number
  /** When the poll closes. */
  end_datetime?: string
  /** Whether votes are taken. */
  voting_status?: VotingStatus
}

export type PollField = 'duration_minutes' | 'end_datetime' | 'id' | 'options' | 'voting_status'

/** A post. Fields that were not requested, or are empty, are omitted. */
export interface Post {
  /** The post. */
  id: string
  /** The text; for a long post, its beginning. */
  text: string
  /** All versions of the post, oldest first. */
  edit_history_post_ids: string[]
  /** The article that the post publishes. */
  article?: Article
  /** Title of its article. */
  article_title?: string
  /** Attachments of the post. */
  attachments?: { media_keys?: string[]; media_source_post_id?: string[]; poll_ids?: string[] }
  /** The user who wrote it. */
  author_id?: string
  /** The card that it shows. */
  card_uri?: string
  /** The community that it was posted in. */
  community_id?: string
  /** What the post is about. */
  context_annotations?: ContextAnnotation[]
  /** The post that began the conversation. */
  conversation_id?: string
  /** When it was created. */
  created_at?: string
  /** Start and end of the text in code points; the end is exclusive. */
  display_text_range?: number[]
  /** Whether and how long it can be edited. */
  edit_controls?: { edits_remaining: number; is_edit_eligible: boolean; editable_until: string }
  entities?: TextEntities
  /** Where it was written. */
  geo?: { place_id?: string; coordinates?: PostCoordinates }
  /** The author of the post that it replies to, or the user with whose name it begins. */
  in_reply_to_user_id?: string
  /** Language of the text; `und` if it has no words. */
  lang?: string
  /** Texts of the media that the post shows, if they have any. */
  media_metadata?: PostMediaMetadata[]
  /** Only for the author, for 30 days. */
  non_public_metrics?: { impression_count: number; url_link_clicks: number; user_profile_clicks: number; engagements: number }
  /** The full text of a long post. */
  note_post?: { text: string; entities?: TextEntities }
  note_request_suggestions?: NoteRequestSuggestion
  /** Reach without advertising, or by advertising. Only for the author, for 30 days. */
  organic_metrics?: PostReach
  /** Labelled as paid promotion. */
  paid_partnership?: boolean
  /** Links or media may be sensitive. */
  possibly_sensitive?: boolean
  /** Reach without advertising, or by advertising. Only for the author, for 30 days. */
  promoted_metrics?: PostReach
  /** Public reach metrics, with those of advertising. */
  public_metrics?: { repost_count: number; reply_count: number; like_count: number; quote_count: number; bookmark_count: number; impression_count: number }
  /** Posts that it replies to, quotes or reposts. */
  referenced_posts?: PostReference[]
  /** Who may reply. */
  reply_settings?: ReplySettings
  /** Who sees a post of a community, in addition to its members. */
  scopes?: { followers: boolean }
  /** Sources that requests for a note name, the most frequent first. */
  suggested_source_links?: UrlEntity[]
  suggested_source_links_with_counts?: SuggestedSourceLink
  /** Where the post is withheld. Plaza shows it everywhere. */
  withheld?: { copyright: boolean; country_codes: string[]; scope: WithheldScope }
  /** Name of the app that it was sent with. */
  source?: string
}

export interface PostAnalytics {
  /** The post. */
  id: string
  /** Periods, oldest first. */
  timestamped_metrics: PostAnalyticsPeriod[]
  /** Start of the time span of a total. */
  timestamp?: string
  app_install_attempts?: number
  app_opens?: number
  bookmarks?: number
  detail_expands?: number
  email_post?: number
  engagements?: number
  follows?: number
  hashtag_clicks?: number
  impressions?: number
  likes?: number
  link_clicks?: number
  media_engagements?: number
  media_views?: number
  permalink_clicks?: number
  profile_visits?: number
  quote_posts?: number
  replies?: number
  reposts?: number
  shares?: number
  unfollows?: number
  unlikes?: number
  url_clicks?: number
  user_profile_clicks?: number
}

export interface PostAnalyticsMetrics {
  app_install_attempts?: number
  app_opens?: number
  bookmarks?: number
  detail_expands?: number
  email_post?: number
  engagements?: number
  follows?: number
  hashtag_clicks?: number
  impressions?: number
  likes?: number
  link_clicks?: number
  media_engagements?: number
  media_views?: number
  permalink_clicks?: number
  profile_visits?: number
  quote_posts?: number
  replies?: number
  reposts?: number
  shares?: number
  unfollows?: number
  unlikes?: number
  url_clicks?: number
  user_profile_clicks?: number
}

export interface PostAnalyticsPeriod {
  /** Start of the period. */
  timestamp: string
  metrics: PostAnalyticsMetrics
}

export interface PostComplianceEvent {
  post: CompliancePost
  /** A post that quotes it. */
  quote_post_id?: string
  /** When it happened. */
  event_at: string
}

/** A point: where exactly a post was written, or the middle of a place. */
export interface PostCoordinates {
  type: 'Point'
  /** Longitude and latitude, in degrees. */
  coordinates: number[]
}

export interface PostCount {
  /** Start of the period. */
  start?: string
  /** Its end, exclusive. */
  end?: string
  post_count?: number
}

export interface PostCountMeta {
  total_post_count: number
  next_token?: string
}

export interface PostEntities {
  hashtags: PostTag[]
  symbols: PostTag[]
  user_mentions: { screen_name: string; name: string; id: Int64; id_str: string; indices: number[] }[]
  urls: TextLink[]
  /** The first medium of the post. */
  media?: PostMedia[]
}

export type PostExpansion = 'article.cover_media' | 'article.media_entities' | 'attachments.media_keys' | 'attachments.media_source_post' | 'attachments.poll_ids' | 'author_id' | 'edit_history_post_ids' | 'entities.mentions.username' | 'entities.note.mentions.username' | 'geo.place_id' | 'in_reply_to_user_id' | 'referenced_posts.id' | 'referenced_posts.id.attachments.media_keys' | 'referenced_posts.id.author_id' | 'username'

export type PostField = 'article' | 'article_title' | 'attachments' | 'author_id' | 'card_uri' | 'community_id' | 'context_annotations' | 'conversation_id' | 'created_at' | 'display_text_range' | 'edit_controls' | 'edit_history_post_ids' | 'entities' | 'geo' | 'id' | 'in_reply_to_user_id' | 'lang' | 'matched_media_notes' | 'media_metadata' | 'non_public_metrics' | 'note_post' | 'note_request_suggestions' | 'organic_metrics' | 'paid_partnership' | 'possibly_sensitive' | 'promoted_metrics' | 'public_metrics' | 'referenced_posts' | 'reply_settings' | 'scopes' | 'source' | 'suggested_source_links' | 'suggested_source_links_with_counts' | 'text' | 'withheld'

export interface PostIdBody {
  /** The post. */
  post_id: string
}

/** Objects that expansions requested, each once. */
export interface PostIncludes {
  media?: Media[]
  places?: Place[]
  polls?: Poll[]
  posts?: Post[]
  users?: User[]
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

export interface PostMediaMetadata {
  /** The medium. */
  media_key: string
  /** Alternative text. */
  alt_text?: string
  /** Title of the video. */
  title?: string
  /** Description of the video. */
  description?: string
}

export interface PostReach {
  impression_count: number
  like_count: number
  reply_count: number
  repost_count: number
  url_link_clicks: number
  user_profile_clicks: number
}

export interface PostReference {
  /** How it refers to the post. */
  type: 'replied_to' | 'quoted' | 'reposted'
  /** The post. */
  id: string
}

export interface PostScopes {
  followers: boolean
}

export interface PostSearchMeta {
  /** The newest post of the page. */
  newest_id?: string
  /** The oldest post of the page. */
  oldest_id?: string
  /** Posts of the page. */
  result_count: number
  /**
   * Token for the next page; absent on the last page. A page may be short or empty and have one, if
   * many posts had to be compared.
   */
  next_token?: string
}

export interface PostTag {
  text: string
  /** Start and end in code points; the end is exclusive. */
  indices: number[]
}

export interface PostUsage {
  /** Day of the month on which the usage of a month begins. */
  cap_reset_day?: number
  /**
   * Apps of the project that received posts on these days: up to 100, those with the most posts
   * first.
   */
  daily_client_app_usage?: AppUsage[]
  daily_project_usage?: ProjectUsage
  /** Maximum number of posts that the project may receive in a month. Absent without a cap. */
  project_cap?: number
  /** The project: all apps of one owner, whose id it has. */
  project_id?: string
  /** Number of posts that the project received this month. */
  project_usage?: number
}

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

export interface PowerstreamRules {
  data: { rules: Rule[] }
  /** Rules that were not added. */
  errors?: RuleProblem[]
}

export interface Processing {
  /** State of processing. */
  state: ProcessingState
  /** Seconds to wait before asking again. */
  check_after_secs?: number
  /** Progress in percent. */
  progress_percent?: number
  error?: ProcessingError
}

export interface ProcessingError {
  code: number
  name: string
  message: string
}

export type ProcessingState = 'pending' | 'in_progress' | 'succeeded' | 'failed'

export interface ProjectUsage {
  /** The project: all apps of one owner, whose id it has. */
  project_id: string
  /** Each day, the oldest first; the last is today. */
  usage: DayUsage[]
}

/** A version of the public keys of a user. Keys and signatures are as they were uploaded. */
export interface PublicKey {
  /** Signature of the identity key. */
  identity_public_key_signature?: string
  /** The identity key. */
  public_key?: string
  /** The version, in digits. */
  public_key_version: string
  /** The key for signatures. */
  signing_public_key?: string
}

export interface PublicKeyBody {
  /** The identity key, Base64 of its DER form. */
  public_key?: string
  /** The key for signatures. */
  signing_public_key?: string
  /** Signature of the identity key. */
  identity_public_key_signature?: string
  /** Signature of the signing key. */
  signing_public_key_signature?: string
  /** Fingerprint of the identity key. */
  public_key_fingerprint?: string
  /** How the keys are kept. */
  registration_method?: string
}

export type PublicKeyField = 'identity_public_key_signature' | 'juicebox_config' | 'public_key' | 'public_key_version' | 'signing_public_key'

export interface PublishArticleReply {
  data?: PublishedArticle
  errors?: ResourceProblem[]
}

export interface PublishedArticle {
  /** The post. */
  post_id: string
}

export interface ReadHomeTimelineReply {
  data?: Post[]
  includes?: PostIncludes
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
  meta?: TimelineMeta
}

export interface ReadListTimelineReply {
  data?: Post[]
  includes?: PostIncludes
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
  meta?: PageMeta
}

export interface RemoveListMemberReply {
  data?: RemovedListMember
  errors?: ResourceProblem[]
}

export interface RemovedListMember {
  is_member: boolean
}

export interface ReplayAccountActivityReply {
  data: WebhookReplay
}

export interface ReplayWebhookEventsBody {
  /** The webhook. */
  webhook_id: string
  /** Start of the window, at least 31 minutes ago. In UTC, as yyyymmddhhmm. */
  from_date: string
  /** End of the window, exclusive; at least 10 minutes ago. In UTC, as yyyymmddhhmm. */
  to_date: string
}

export interface ReplayWebhookEventsReply {
  data: WebhookReplay
}

export type ReplySettings = 'everyone' | 'following' | 'mentionedUsers' | 'subscribers' | 'verified'

export interface ReportedProblem {
  title: string
  /** A URI that names the subtype, or about:blank. */
  type: string
  detail?: string
  status?: number
  errors?: { parameters?: Record<string, unknown>; message: string }[]
}

export interface RepostPostReply {
  data?: Reposted
  errors?: ResourceProblem[]
}

export interface RepostUndone {
  reposted: boolean
}

export interface Reposted {
  /** The repost. */
  id: string
  reposted: boolean
}

export interface RequestTokenForm {
  /** Callback URL, or `oob` for a PIN. */
  oauth_callback?: string
  /** Requests less access than the app has. It cannot request more. */
  svc_auth_access_type?: 'read' | 'write'
}

export interface RequestTokenReply {
  oauth_token: string
  oauth_token_secret: string
  oauth_callback_confirmed: boolean
}

/** A requested resource, or a part of it, that is not returned. */
export interface ResourceProblem {
  title: string
  /** A URI that names the subtype. */
  type: string
  detail: string
  /** The value as it was requested. */
  value?: string
  /** The parameter that named the resource. */
  parameter?: string
  /** The resource that the Problem is about. */
  resource_id: string
  /** Type of the resource. */
  resource_type: AnyResourceType
  /** Part of the reply that would have held it. */
  section?: 'data' | 'includes'
  /** The field that the caller may not read. */
  field?: string
}

export interface Rule {
  /** The rule. */
  id: string
  /** Which posts the rule matches. */
  value: string
  /** Name that the app gave to the rule. */
  tag?: string
}

/** Rules to delete, by id or value. */
export interface RuleDeletion {
  ids?: string[]
  values?: string[]
}

/** A rule that was not added or not deleted. */
export interface RuleProblem {
  /** The rule. */
  value?: string
  /** Id of the rule that exists. */
  id?: string
  /** What is invalid, and where. */
  details?: string[]
  title: string
  detail?: string
  errors?: { message: string; parameters?: Record<string, string[]>; code?: number }[]
  /** A URI that names the subtype. */
  type: string
}

export interface RulesCount {
  /** Apps of the project that have rules. */
  all_project_client_apps?: AppRulesCount[]
  cap_per_client_app?: number
  cap_per_project?: number
  client_app_rules_count?: AppRulesCount
  project_rules_count?: number
}

export type RulesCountField = 'all_project_client_apps' | 'cap_per_client_app' | 'cap_per_project' | 'client_app_rules_count' | 'project_rules_count'

export interface ScheduledBroadcast {
  /** The broadcast, as paths name it. */
  broadcast_id: string
  /** The broadcast, as replacements of it name it too. */
  scheduled_broadcast_id: string
  /** What became of it. */
  state: BroadcastState
  /** Title; may be empty. */
  title: string
  /** Description. */
  description?: string
  /** The source of the video. */
  source_id?: string
  /** The start, in milliseconds. */
  scheduled_start_ms: string
  /** The end, in milliseconds. */
  scheduled_end_ms?: string
  /** Whether it waits for the call that starts it. */
  manual_publish: boolean
  /** Whether it can be watched after its end. */
  available_for_replay: boolean
  /** Who may chat, as it was given. */
  chat_option?: string
  /** Locale. */
  locale?: string
  /** The series that it belongs to. */
  recurring_schedule_id?: string
  /** The telecast, as it was given. */
  telecast_id?: string
  /** The picture. */
  thumbnail_media_id?: string
}

export interface SearchAllPostsReply {
  data?: Post[]
  includes?: PostIncludes
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
  meta: PostSearchMeta
}

export interface SearchCommunitiesReply {
  data?: Community[]
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
  meta?: PageMeta
}

export interface SearchNewsReply {
  data?: News[]
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
  meta: NewsSearchMeta
}

export interface SearchRecentPostsReply {
  data?: Post[]
  includes?: PostIncludes
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
  meta: PostSearchMeta
}

export interface SearchSpacesReply {
  data?: Space[]
  includes?: SpaceIncludes
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
  meta: ListMeta
}

export interface SearchUsersReply {
  data?: User[]
  includes?: UserIncludes
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
  meta?: PageMeta
}

export interface SendBroadcastChatBody {
  /** What it says. */
  text: string
  /** The message that it answers. */
  reply_to?: string
}

export interface SendBroadcastChatReply {
  data?: SentBroadcastMessage
  errors?: ResourceProblem[]
}

export interface SendChatMessageBody {
  /** An id that the client chooses, such as a UUID. Sending it again creates nothing. */
  message_id: string
  /** Base64 of the message, in the binary protocol. */
  encoded_message_create_event: string
  /** Base64 of its signature, likewise. */
  encoded_message_event_signature?: string
  /** The token of an event. Not needed. */
  conversation_token?: string
}

export interface SendChatMessageReply {
  data: SentChatMessage
}

export interface SendMessageToConversationReply {
  data: MadeDmEvent
}

export interface SendMessageToUserReply {
  data: MadeDmEvent
}

export interface SentBroadcastMessage {
  /** Always true. */
  success: boolean
  /** The message: its time in nanoseconds. */
  timestamp: string
}

export interface SentChatMessage {
  /** Base64 of the event. */
  encoded_message_event: string
}

export interface SentMediaMetadata {
  alt_text?: AltText
  /** Accepted and ignored. */
  allow_download_status?: unknown
  /** Accepted and ignored. */
  audience_policy?: unknown
  /** Accepted and ignored. */
  content_expiration?: unknown
  /** Accepted and ignored. */
  domain_restrictions?: unknown
  /** Accepted and ignored. */
  found_media_origin?: unknown
  /** Accepted and ignored. */
  geo_restrictions?: unknown
  /** Accepted and ignored. */
  management_info?: unknown
  /** Accepted and ignored. */
  preview_image?: unknown
  /** Accepted and ignored. */
  sensitive_media_warning?: unknown
  /** Accepted and ignored. */
  shared_info?: unknown
  /** Accepted and ignored. */
  sticker_info?: unknown
  /** Accepted and ignored. */
  upload_source?: unknown
}

/** A live audio conversation. Fields that were not requested, or are empty, are omitted. */
export interface Space {
  /** The space. */
  id: string
  /** Whether it is live. */
  state: SpaceState
  /** When it was created. */
  created_at?: string
  /** The user who made it. */
  creator_id?: string
  /** When it ended. */
  ended_at?: string
  /** Hosts; the creator is the first. */
  host_ids?: string[]
  /** Users who were invited to speak. */
  invited_user_ids?: string[]
  /** Whether it sells tickets. */
  is_ticketed?: boolean
  /** Language. */
  lang?: string
  /** Hosts and speakers while the space is live. There are no other listeners. */
  participant_count?: number
  /** The scheduled start. */
  scheduled_start?: string
  /** Users who speak in addition to the hosts. */
  speaker_ids?: string[]
  /** When it started. */
  started_at?: string
  /** Users who want to be told of its start. */
  subscriber_count?: number
  /** Title. */
  title?: string
  /** What it is about. */
  topic_ids?: string[]
  /** When it was last changed. */
  updated_at?: string
}

export type SpaceExpansion = 'creator_id' | 'host_ids' | 'invited_user_ids' | 'speaker_ids' | 'topic_ids'

export type SpaceField = 'created_at' | 'creator_id' | 'ended_at' | 'host_ids' | 'id' | 'invited_user_ids' | 'is_ticketed' | 'lang' | 'participant_count' | 'scheduled_start' | 'speaker_ids' | 'started_at' | 'state' | 'subscriber_count' | 'title' | 'topic_ids' | 'updated_at'

/** Objects that expansions requested, each once. */
export interface SpaceIncludes {
  topics?: Topic[]
  users?: User[]
}

export type SpaceState = 'live' | 'scheduled' | 'ended'

export interface StreamActivitiesReply {
  data: { event_uuid: string; filter: ActivityFilter; event_type: ActivityEventType; tag?: string; payload: Record<string, unknown>; includes?: Record<string, unknown> }
}

export interface StreamConnection {
  /** A connection: a UUID. */
  id?: string
  /** The stream. */
  endpoint_name: StreamEndpoint
  /** When it was opened. */
  connected_at: string
  /** The address of the client. */
  client_ip?: string
  /** When it ended. */
  disconnected_at?: string
  /** Why it ended. */
  disconnect_reason?: string
}

export type StreamEndpoint = 'filtered_stream' | 'sample_stream' | 'sample10_stream' | 'firehose_stream' | 'posts_compliance_stream' | 'users_compliance_stream' | 'post_label_stream' | 'firehose_stream_lang_en' | 'firehose_stream_lang_ja' | 'firehose_stream_lang_ko' | 'firehose_stream_lang_pt' | 'likes_firehose_stream' | 'likes_sample10_stream' | 'likes_compliance_stream' | 'activity_stream' | 'powerstream'

export interface StreamFirehoseEnglishReply {
  data?: Post
  includes?: PostIncludes
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
}

export interface StreamFirehoseJapaneseReply {
  data?: Post
  includes?: PostIncludes
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
}

export interface StreamFirehoseKoreanReply {
  data?: Post
  includes?: PostIncludes
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
}

export interface StreamFirehosePortugueseReply {
  data?: Post
  includes?: PostIncludes
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
}

export interface StreamFirehoseReply {
  data?: Post
  includes?: PostIncludes
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
}

export interface StreamLikesComplianceReply {
  data: { delete: { favorite: { id: string; user_id: string }; event_at: string } }
}

export interface StreamLikesFirehoseReply {
  data?: LikeWithPostAuthor
  includes?: LikeWithPostAuthorIncludes
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
}

export interface StreamLikesSample10Reply {
  data?: LikeWithPostAuthor
  includes?: LikeWithPostAuthorIncludes
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
}

export interface StreamPostLabelsReply {
  data: { public_post_notice?: { post: CompliancePost; event_type: string; application: LabelApplication; event_at: string; label_title?: string; details?: string }; public_post_unviewable?: { post: CompliancePost; application: LabelApplication; event_at: string } }
}

export interface StreamPostsComplianceReply {
  data: { delete?: PostComplianceEvent; drop?: PostComplianceEvent; undrop?: PostComplianceEvent; withheld?: { post: CompliancePost; quote_post_id?: string; withheld_in_countries: string[]; event_at: string }; post_edit?: { post: { id: string }; initial_post_id: string; edit_post_ids: string[]; event_at: string } }
}

export interface StreamPostsReply {
  data?: Post
  includes?: PostIncludes
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
  /** Rules of the app that the post matches. */
  matching_rules: MatchingRule[]
}

export type StreamPowerstreamReply = AccountActivityPost[]

export interface StreamSample10Reply {
  data?: Post
  includes?: PostIncludes
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
}

export interface StreamSampleReply {
  data?: Post
  includes?: PostIncludes
  /** Requested resources that cannot be shown. */
  errors?: ResourceProblem[]
}

export interface StreamUsersComplianceReply {
  data: { user_delete?: UserComplianceEvent; user_protect?: UserComplianceEvent; user_unprotect?: UserComplianceEvent; user_suspend?: UserComplianceEvent; user_unsuspend?: UserComplianceEvent; user_withheld?: { user: ComplianceUser; withheld_in_countries: string[]; event_at: string }; scrub_geo?: { user: ComplianceUser; up_to_post_id: string; event_at: string }; user_profile_modification?: { user: ComplianceUser; profile_field: string; new_value: string; event_at: string } }
}

export interface StreamWebhookLink {
  /** The app. */
  application_id: string
  /** The owner of the app. */
  business_user_id: string
  /** When it was first linked. */
  created_at: string
  fields: string[]
  /** The stream. An app has one. */
  instance_id: string
  /** The webhook. */
  webhook_id: string
}

export type SubscribeToAccountBody = Record<string, never>

export type SubscriptionType = 'None' | 'Basic' | 'Premium' | 'PremiumPlus'

export type SubtitledCategory = 'PostVideo' | 'AmplifyVideo'

export interface SubtitledVideo {
  /** The video. */
  id: string
  /** Category of the video. */
  media_category?: SubtitledCategory
  /** Subtitles of the video, by language. */
  associated_subtitles: Subtitles[]
}

export interface Subtitles {
  /** The uploaded file of subtitles. */
  id: string
  /** Language of the subtitles, as BCP 47 names it. */
  language_code: string
  /** Name of the language, for readers. */
  display_name: string
}

export interface SubtitlesBody {
  /** The video. */
  id: string
  /** Category of the video. */
  media_category?: SubtitledCategory
  subtitles: Subtitles
}

export interface SubtitlesRemoval {
  /** Whether they were removed. */
  deleted: boolean
}

export interface SubtitlesRemovalBody {
  /** The video. */
  id: string
  /** Category of the video. */
  media_category?: SubtitledCategory
  /** Language of the subtitles, as BCP 47 names it. */
  language_code: string
}

/** The source that most requests for a note name. */
export interface SuggestedSourceLink {
  count: number
  url: UrlEntity
}

export interface TagEntity {
  /** First code point. */
  start: number
  /** End in code points, exclusive. */
  end: number
  tag: string
}

export interface TargetUserBody {
  /** The other user. */
  target_user_id: string
}

/** A name in a text. */
export interface TextAnnotation {
  /** First code point. */
  start: number
  /** Last code point. */
  end: number
  /** How certain it is. */
  probability?: number
  /** Such as Person, Place, Product or Organization. */
  type?: string
  /** Usual form of the name. */
  normalized_text?: string
}

/** Entities in a text, such as links and mentions. Empty lists are omitted. */
export interface TextEntities {
  annotations?: TextAnnotation[]
  cashtags?: TagEntity[]
  hashtags?: TagEntity[]
  mentions?: MentionEntity[]
  urls?: UrlEntity[]
}

export interface TextLink {
  url: string
  expanded_url: string
  display_url: string
  /** Start and end in code points; the end is exclusive. */
  indices: number[]
}

export interface TimelineMeta {
  /** Entries of the page. */
  result_count: number
  /** The newest post of the page. */
  newest_id?: string
  /** The oldest post of the page. */
  oldest_id?: string
  /** Token for older entries; absent on the last page. */
  next_token?: string
  /** Token for newer entries; absent if there are none. */
  previous_token?: string
}

/** What spaces are about. */
export interface Topic {
  /** The topic. */
  id: string
  /** Name. */
  name: string
  /** Description. */
  description?: string
}

export type TopicField = 'description' | 'id' | 'name'

export interface Trend {
  /** A hashtag, a ticker or a phrase. */
  trend_name?: string
  /** Posts of the last day; of an author, one per hour. */
  post_count?: number
}

export type TrendField = 'trend_name' | 'post_count'

export interface TrendsMeta {
  /** 0: there are no trends. */
  result_count: number
}

export interface UnblockDirectMessagesReply {
  data?: UnblockedMessages
  errors?: ResourceProblem[]
}

export interface UnblockUserReply {
  data?: Unblocked
  errors?: ResourceProblem[]
}

export interface Unblocked {
  blocking: boolean
}

export interface UnblockedMessages {
  blocked: boolean
}

export interface UnbookmarkPostReply {
  data?: Unbookmarked
  errors?: ResourceProblem[]
}

export interface Unbookmarked {
  bookmarked: boolean
}

export interface UndoRepostReply {
  data?: RepostUndone
  errors?: ResourceProblem[]
}

export interface UnfollowListReply {
  data?: UnfollowedList
  errors?: ResourceProblem[]
}

export interface UnfollowUserReply {
  data?: Unfollowed
  errors?: ResourceProblem[]
}

export interface Unfollowed {
  following: boolean
}

export interface UnfollowedList {
  following: boolean
}

export interface UnlikePostReply {
  data?: Unliked
  errors?: ResourceProblem[]
}

export interface Unliked {
  liked: boolean
}

export interface UnlinkStreamWebhookReply {
  data: Deleted
}

export interface UnmuteBroadcastChatUserReply {
  data?: UnmutedBroadcastUser
  errors?: ResourceProblem[]
}

export interface UnmuteUserReply {
  data?: Unmuted
  errors?: ResourceProblem[]
}

export interface Unmuted {
  muting: boolean
}

export interface UnmutedBroadcastUser {
  /** Always false. */
  muted: boolean
}

export interface UnpinListReply {
  data?: UnpinnedList
  errors?: ResourceProblem[]
}

export interface UnpinnedList {
  pinned: boolean
}

export interface UpdateListBody {
  /** Name. */
  name?: string
  /** Description; may be empty. */
  description?: string
  /** Whether only the owner sees the list. */
  private?: boolean
}

export interface UpdateListReply {
  data?: UpdatedList
  errors?: ResourceProblem[]
}

export interface UpdateProfileForm {
  /** Display name: 1 to 50 characters. */
  name?: string
  /** URL of the profile: up to 100 characters. */
  url?: string
  /** Location that the user gives: up to 30 characters. */
  location?: string
  /** Description that the user gives: up to 160 characters. */
  description?: string
  /** `false` omits `entities`. */
  include_entities?: boolean
  /** Accepted and ignored: responses never include the latest post. */
  skip_status?: boolean
}

export interface UpdateScheduledBroadcastBody {
  /** Title. */
  title?: string
  /** Description. */
  description?: string
  /** Locale, such as `en_US`. */
  locale?: string
  /** Who may chat. It is stored and returned; any user may chat. */
  chat_option?: string
  /** An image that the user has uploaded. */
  thumbnail_media_id?: string
  /** Whether it waits for the call that starts it. */
  manual_publish?: boolean
  /** Whether it can be watched after its end. */
  available_for_replay?: boolean
  /** Whether only its owner knows of it: nobody else can chat, and no event tells of it. */
  is_locked?: boolean
  /** `scheduled_broadcast_id` of the broadcast in the path. */
  scheduled_broadcast_id: string
  /** The start, in milliseconds. */
  scheduled_start_ms: string
  /** The end, in milliseconds. */
  scheduled_end_ms: string
  /** A source of the user. */
  source_id?: string
  /** Whether the later broadcasts of the series follow. */
  roll_forward?: boolean
}

export interface UpdateScheduledBroadcastReply {
  data?: ScheduledBroadcast
  errors?: ResourceProblem[]
}

export interface UpdatedList {
  updated: boolean
}

export type UploadCategory = 'post_image' | 'post_gif' | 'post_video' | 'amplify_video' | 'dm_image' | 'dm_gif' | 'dm_video' | 'PostImage' | 'PostGif' | 'PostVideo' | 'AmplifyVideo' | 'DmImage' | 'DmGif' | 'DmVideo' | 'POST_IMAGE' | 'POST_GIF' | 'POST_VIDEO' | 'AMPLIFY_VIDEO' | 'subtitles' | 'Subtitles' | 'SUBTITLES'

export type UploadCommand = 'INIT' | 'APPEND' | 'FINALIZE'

export interface UploadMediumReply {
  data: UploadedMedium
}

export type UploadType = 'image/jpeg' | 'image/jpg' | 'image/pjpeg' | 'image/png' | 'image/webp' | 'image/bmp' | 'image/gif' | 'video/mp4' | 'video/quicktime' | 'text/srt' | 'text/vtt'

export interface UploadedImage {
  image_type: string
  w: number
  h: number
}

export interface UploadedMedium {
  /** The medium. */
  id: string
  /** Its key, which posts and the advertising API show. */
  media_key: string
  /** Size in bytes. */
  size?: number
  /** Seconds until an unused upload is deleted. */
  expires_after_secs?: number
  image?: UploadedImage
  video?: UploadedVideo
  processing_info?: Processing
}

export interface UploadedVideo {
  video_type: string
}

export interface UrlEntity {
  /** First code point. */
  start: number
  /** End in code points, exclusive. */
  end: number
  url: string
  expanded_url: string
  display_url: string
  /** Where the link leads in the end. */
  unwound_url?: string
  /** Title of the page. */
  title?: string
  /** Description of the page. */
  description?: string
  /** Status with which the page answers. */
  status?: number
  images?: UrlImage[]
  /** The first medium of the linked post. */
  media_key?: string
}

/** An image of a page. */
export interface UrlImage {
  url: string
  /** In pixels. */
  width?: number
  /** In pixels. */
  height?: number
}

export type UsageField = 'cap_reset_day' | 'daily_client_app_usage' | 'daily_project_usage' | 'project_cap' | 'project_id' | 'project_usage'

/** A user. Fields that were not requested, or are empty, are omitted. */
export interface User {
  /** The user. */
  id: string
  /** Display name. */
  name: string
  /** Name used in mentions, as the user spells it. */
  username: string
  /** The organisation that the user belongs to. */
  affiliation?: { badge_url?: string; description: string; url?: string; user_id: string[] }
  /** Relations between the user and the authenticated user. */
  connection_status?: UserConnection[]
  /** When the user was created. */
  created_at?: string
  /** Description that the user gives. */
  description?: string
  entities?: UserEntities
  /** Whether the identity of the user was checked. */
  is_identity_verified?: boolean
  /** Location that the user gives. */
  location?: string
  /** The newest post of the user that the caller sees. */
  most_recent_post_id?: string
  /** Whether the user says to be a parody. */
  parody?: boolean
  /** The post at the top of the profile. */
  pinned_post_id?: string
  /** URL of the banner. */
  profile_banner_url?: string
  /** URL of the picture. */
  profile_image_url?: string
  /** Only followers see the posts of the user. */
  protected?: boolean
  /** Counts of the profile. */
  public_metrics?: { followers_count: number; following_count: number; post_count: number; listed_count: number; like_count: number }
  /** Whether the user accepts direct messages from the authenticated user. */
  receives_your_dm?: boolean
  /** Subscription of the user. */
  subscription_type?: SubscriptionType
  /** URL of the profile. */
  url?: string
  /** Where the user is withheld. Plaza shows the user everywhere. */
  withheld?: { country_codes: string[]; scope: UserWithheldScope }
  /** The user is verified. */
  verified?: boolean
  /** How the user is verified. */
  verified_type?: VerifiedType
}

export interface UserAccount {
  /** The user. */
  id: Int64
  /** The id of the user as a string, for clients without 64-bit integers. */
  id_str: string
  name: string
  screen_name: string
  location: string
  description: string
  url: string | null
  /** Links of the profile: its URL, and those in its description. */
  entities?: { url?: Links; description: Links }
  protected: boolean
  verified: boolean
  followers_count: number
  friends_count: number
  listed_count: number
  favourites_count: number
  statuses_count: number
  /** When it was created, like `Wed Jan 20 22:00:00 +0000 2017`. */
  created_at: string
  utc_offset: number | null
  time_zone: string | null
  geo_enabled: boolean
  lang: string | null
  contributors_enabled: boolean
  is_translator: boolean
  /** Its own picture, or the default one. */
  profile_image_url: string
  /** Its own picture, or the default one. */
  profile_image_url_https: string
  profile_banner_url?: string | null
  default_profile: boolean
  default_profile_image: boolean
  following: boolean
  follow_request_sent: boolean
  notifications: boolean
  /** Always false: the token of a suspended user is rejected. */
  suspended: boolean
  needs_phone_verification: boolean
  email?: string | null
}

export interface UserComplianceEvent {
  user: ComplianceUser
  /** When it happened. */
  event_at: string
}

export type UserConnection = 'follow_request_received' | 'follow_request_sent' | 'blocking' | 'followed_by' | 'following' | 'muting'

/** Entities in the description and the URL of a user. Empty ones are omitted. */
export interface UserEntities {
  description?: TextEntities
  url?: TextEntities
}

export type UserExpansion = 'affiliation.user_id' | 'most_recent_post_id' | 'pinned_post_id'

export type UserField = 'affiliation' | 'confirmed_email' | 'connection_status' | 'created_at' | 'description' | 'entities' | 'id' | 'is_identity_verified' | 'location' | 'most_recent_post_id' | 'name' | 'parody' | 'pinned_post_id' | 'profile_banner_url' | 'profile_image_url' | 'protected' | 'public_metrics' | 'receives_your_dm' | 'subscribes_to_you' | 'subscription' | 'subscription_type' | 'url' | 'username' | 'verified' | 'verified_followers_count' | 'verified_type' | 'withheld'

/** Objects that expansions requested, each once. */
export interface UserIncludes {
  posts?: Post[]
  users?: User[]
}

export interface UserRevokeForm {
  /** The access token or refresh token. */
  token: string
  /** `access_token` or `refresh_token`. A hint: Plaza looks for both. */
  token_type_hint?: string
  /** Of a public client; a confidential one sends Basic credentials. */
  client_id?: string
}

export interface UserRevokeReply {
  revoked: boolean
}

export interface UserTokenForm {
  /** `authorization_code` or `refresh_token`. */
  grant_type: string
  /** Of a public client; a confidential one sends Basic credentials. */
  client_id?: string
  /** With `authorization_code`: the code. */
  code?: string
  /** With `authorization_code`: the same redirect URL as in the authorization request. */
  redirect_uri?: string
  /** With `authorization_code`: the verifier from which the challenge was derived. */
  code_verifier?: string
  /** With `refresh_token`: the token. */
  refresh_token?: string
}

export interface UserTokenReply {
  /** Type of the token. */
  token_type: 'bearer'
  /** Seconds until the access token expires. */
  expires_in: number
  access_token: string
  /** The scopes, separated by spaces. */
  scope: string
  refresh_token?: string
}

export type UserWithheldScope = 'user'

export interface ValidateWebhookReply {
  data: { attempted: boolean }
  errors?: ReportedProblem[]
}

export type VerifiedType = 'none' | 'blue' | 'government' | 'business'

export interface VideoDescription {
  title?: string
  description?: string
  embeddable?: boolean
  call_to_actions?: CallToActions
}

export interface VideoReach {
  playback_0_count: number
  playback_25_count: number
  playback_50_count: number
  playback_75_count: number
  playback_100_count: number
  view_count: number
}

export type VotingStatus = 'open' | 'closed'

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

export interface WebhookReplay {
  /** When the replay was started. */
  created_at: string
  /** The replay. */
  job_id: string
}

export type WithheldScope = 'post' | 'user'
