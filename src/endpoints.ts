import { adsEndpoints } from './ads/endpoints.ts'
import { showPostPreview } from './ads/previews/show.ts'
import { updateOwnProfile } from './core/account/update-profile.ts'
import { verifyCredentials } from './core/account/verify-credentials.ts'
import { indicateTyping } from './core/direct-messages/indicate-typing.ts'
import { markMessagesRead } from './core/direct-messages/mark-read.ts'
import { createConversation } from './core/dm-conversations/create.ts'
import { listEventsOfConversation } from './core/dm-conversations/list-events.ts'
import { addConversationParticipants } from './core/dm-conversations/participants/add.ts'
import { leaveConversation } from './core/dm-conversations/participants/leave.ts'
import { sendMessageToConversation } from './core/dm-conversations/send.ts'
import { listEventsWithUser } from './core/dm-conversations/with/list-events.ts'
import { sendMessageToUser } from './core/dm-conversations/with/send.ts'
import { deleteDmEvent } from './core/dm-events/delete.ts'
import { getDmEvent } from './core/dm-events/get.ts'
import { listDmEvents } from './core/dm-events/list.ts'
import { getMediaFile } from './core/media/file.ts'
import { getMedium } from './core/media/get.ts'
import { listMedia } from './core/media/list.ts'
import { createMediaMetadata, describeMedium } from './core/media/metadata.ts'
import { getMediaUpload } from './core/media/classic/status.ts'
import { uploadMedia } from './core/media/classic/upload.ts'
import { appendMediumUpload } from './core/media/upload/append.ts'
import { createSubtitles } from './core/media/subtitles/create.ts'
import { deleteSubtitles } from './core/media/subtitles/delete.ts'
import { uploadMedium } from './core/media/upload/create.ts'
import { finalizeMediumUpload } from './core/media/upload/finalize.ts'
import { initializeMediumUpload } from './core/media/upload/initialize.ts'
import { getMediumUpload } from './core/media/upload/status.ts'
import { getNews } from './core/news/get.ts'
import { searchNews } from './core/news/search.ts'
import { createNote } from './core/notes/create.ts'
import { deleteNote } from './core/notes/delete.ts'
import { evaluateNote } from './core/notes/evaluate.ts'
import { listPostsEligibleForNotes } from './core/notes/search/eligible.ts'
import { listNotesWritten } from './core/notes/search/written.ts'
import { endAllStreamConnections } from './core/connections/all/delete.ts'
import { endStreamConnections } from './core/connections/delete.ts'
import { endConnectionsToStream } from './core/connections/endpoint_id/delete.ts'
import { listStreamConnections } from './core/connections/list.ts'
import { createPost } from './core/posts/create.ts'
import { deletePost } from './core/posts/delete.ts'
import { getPost } from './core/posts/get.ts'
import { countAllPosts } from './core/posts/counts/all.ts'
import { countRecentPosts } from './core/posts/counts/recent.ts'
import { listPosts } from './core/posts/list.ts'
import { listSpacesByCreators } from './core/spaces/by/creators.ts'
import { getSpace } from './core/spaces/get.ts'
import { listSpaces } from './core/spaces/list.ts'
import { listPostsOfSpace } from './core/spaces/posts.ts'
import { searchSpaces } from './core/spaces/search.ts'
import { getUserByUsername } from './core/users/by/get.ts'
import { showUser } from './core/users/show.ts'
import { listUsersByUsernames } from './core/users/by/list.ts'
import { blockUser } from './core/users/blocking/create.ts'
import { unblockUser } from './core/users/blocking/delete.ts'
import { listBlocking } from './core/users/blocking/list.ts'
import { listFollowers } from './core/users/followers/list.ts'
import { followUser } from './core/users/following/create.ts'
import { unfollowUser } from './core/users/following/delete.ts'
import { listFollowing } from './core/users/following/list.ts'
import { muteUser } from './core/users/muting/create.ts'
import { unmuteUser } from './core/users/muting/delete.ts'
import { listMuting } from './core/users/muting/list.ts'
import { likePost } from './core/users/likes/create.ts'
import { unlikePost } from './core/users/likes/delete.ts'
import { listLikedPosts } from './core/users/liked_posts/list.ts'
import { listLikingUsers } from './core/posts/liking_users/list.ts'
import { repostPost } from './core/users/reposts/create.ts'
import { undoRepost } from './core/users/reposts/delete.ts'
import { listReposters } from './core/posts/reposted_by/list.ts'
import { listReposts } from './core/posts/reposts/list.ts'
import { listQuotes } from './core/posts/quote_posts/list.ts'
import { bookmarkPost } from './core/users/bookmarks/create.ts'
import { unbookmarkPost } from './core/users/bookmarks/delete.ts'
import { listBookmarks } from './core/users/bookmarks/list.ts'
import { hideReply } from './core/posts/hidden/update.ts'
import { listUserPosts } from './core/users/posts/list.ts'
import { listMentions } from './core/users/mentions/list.ts'
import { readHomeTimeline } from './core/users/timelines/reverse-chronological.ts'
import { getUser } from './core/users/get.ts'
import { listUsers } from './core/users/list.ts'
import { getOwnUser } from './core/users/me.ts'
import { searchAllPosts } from './core/posts/search/all.ts'
import { searchRecentPosts } from './core/posts/search/recent.ts'
import { linkStreamWebhook } from './core/posts/search/webhooks/link.ts'
import { listStreamWebhooks } from './core/posts/search/webhooks/list.ts'
import { unlinkStreamWebhook } from './core/posts/search/webhooks/unlink.ts'
import { streamPosts } from './core/posts/search/stream/get.ts'
import { changeStreamRules } from './core/posts/search/stream/rules/change.ts'
import { countStreamRules } from './core/posts/search/stream/rules/counts.ts'
import { listStreamRules } from './core/posts/search/stream/rules/list.ts'
import { streamPowerstream } from './core/powerstream/get.ts'
import { addPowerstreamRules } from './core/powerstream/rules/add.ts'
import { deletePowerstreamRules } from './core/powerstream/rules/delete.ts'
import { listPowerstreamRules } from './core/powerstream/rules/list.ts'
import { getPostUsage } from './core/usage/posts.ts'
import { countAccountSubscriptions } from './core/account-activity/subscriptions/count.ts'
import { findAccountSubscription } from './core/account-activity/subscriptions/find.ts'
import { listAccountSubscriptions } from './core/account-activity/subscriptions/list.ts'
import { subscribeToAccount } from './core/account-activity/subscriptions/subscribe.ts'
import { unsubscribeFromAccount } from './core/account-activity/subscriptions/unsubscribe.ts'
import { replayAccountActivity } from './core/account-activity/replay.ts'
import { streamActivities } from './core/activity/stream.ts'
import { changeActivitySubscription } from './core/activity/subscriptions/change.ts'
import { createActivitySubscription } from './core/activity/subscriptions/create.ts'
import { deleteActivitySubscription } from './core/activity/subscriptions/delete.ts'
import { deleteActivitySubscriptions } from './core/activity/subscriptions/delete-many.ts'
import { listActivitySubscriptions } from './core/activity/subscriptions/list.ts'
import { createWebhook } from './core/webhooks/create.ts'
import { deleteWebhook } from './core/webhooks/delete.ts'
import { listWebhooks } from './core/webhooks/list.ts'
import { replayWebhookEvents } from './core/webhooks/replay.ts'
import { validateWebhook } from './core/webhooks/validate.ts'
import type { PlazaEndpoint } from './auth/endpoint.ts'
import { accessToken } from './oauth/access-token.ts'
import { apps, appsDecision, signOut } from './oauth/apps.ts'
import { authenticate, authenticateDecision } from './oauth/authenticate.ts'
import { authorize, authorizeDecision } from './oauth/authorize.ts'
import { bearerToken } from './oauth/bearer-token.ts'
import { invalidateBearer } from './oauth/invalidate-bearer.ts'
import { invalidateToken } from './oauth/invalidate-token.ts'
import { requestToken } from './oauth/request-token.ts'
import { userAuthorize, userAuthorizeDecision } from './oauth/user-tokens/authorize.ts'
import { oauthMetadata } from './oauth/user-tokens/metadata.ts'
import { userRevoke } from './oauth/user-tokens/revoke.ts'
import { userToken } from './oauth/user-tokens/token.ts'
import type { Context } from './start/context.ts'

/** Every endpoint of Plaza. Routes, documents and tests are derived from this list. */
export const endpoints: readonly PlazaEndpoint<Context>[] = [
  createWebhook,
  listWebhooks,
  validateWebhook,
  deleteWebhook,
  replayWebhookEvents,
  replayAccountActivity,
  subscribeToAccount,
  findAccountSubscription,
  unsubscribeFromAccount,
  listAccountSubscriptions,
  countAccountSubscriptions,
  createActivitySubscription,
  listActivitySubscriptions,
  changeActivitySubscription,
  deleteActivitySubscription,
  deleteActivitySubscriptions,
  streamActivities,
  listPosts,
  createPost,
  getPost,
  deletePost,
  getOwnUser,
  listUsers,
  getUser,
  listUsersByUsernames,
  getUserByUsername,
  listUserPosts,
  listMentions,
  readHomeTimeline,
  followUser,
  unfollowUser,
  listFollowing,
  listFollowers,
  blockUser,
  unblockUser,
  listBlocking,
  muteUser,
  unmuteUser,
  listMuting,
  likePost,
  unlikePost,
  listLikedPosts,
  listLikingUsers,
  repostPost,
  undoRepost,
  listReposters,
  listReposts,
  listQuotes,
  bookmarkPost,
  unbookmarkPost,
  listBookmarks,
  hideReply,
  searchRecentPosts,
  searchAllPosts,
  countRecentPosts,
  countAllPosts,
  streamPosts,
  linkStreamWebhook,
  listStreamWebhooks,
  unlinkStreamWebhook,
  listStreamConnections,
  endStreamConnections,
  endAllStreamConnections,
  endConnectionsToStream,
  listStreamRules,
  changeStreamRules,
  countStreamRules,
  streamPowerstream,
  listPowerstreamRules,
  addPowerstreamRules,
  deletePowerstreamRules,
  getPostUsage,
  searchNews,
  getNews,
  createNote,
  deleteNote,
  evaluateNote,
  listNotesWritten,
  listPostsEligibleForNotes,
  listSpaces,
  getSpace,
  listSpacesByCreators,
  searchSpaces,
  listPostsOfSpace,
  createConversation,
  sendMessageToUser,
  listEventsWithUser,
  sendMessageToConversation,
  listEventsOfConversation,
  addConversationParticipants,
  leaveConversation,
  listDmEvents,
  getDmEvent,
  deleteDmEvent,
  indicateTyping,
  markMessagesRead,
  uploadMedia,
  getMediaUpload,
  uploadMedium,
  initializeMediumUpload,
  appendMediumUpload,
  finalizeMediumUpload,
  getMediumUpload,
  createSubtitles,
  deleteSubtitles,
  listMedia,
  getMedium,
  describeMedium,
  createMediaMetadata,
  getMediaFile,
  showPostPreview,
  requestToken,
  authorize,
  authorizeDecision,
  authenticate,
  authenticateDecision,
  accessToken,
  verifyCredentials,
  showUser,
  updateOwnProfile,
  invalidateToken,
  bearerToken,
  invalidateBearer,
  apps,
  appsDecision,
  signOut,
  oauthMetadata,
  userAuthorize,
  userAuthorizeDecision,
  userToken,
  userRevoke,
  ...adsEndpoints,
]
