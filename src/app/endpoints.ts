import { adsEndpoints } from '../api/ads/endpoints.ts'
import { showPostPreview } from '../api/ads/previews/show.ts'
import { updateOwnProfile } from '../api/core/account/update-profile.ts'
import { verifyCredentials } from '../api/core/account/verify-credentials.ts'
import { replayAccountActivity } from '../api/core/account-activity/replay.ts'
import { countAccountSubscriptions } from '../api/core/account-activity/subscriptions/count.ts'
import { findAccountSubscription } from '../api/core/account-activity/subscriptions/find.ts'
import { listAccountSubscriptions } from '../api/core/account-activity/subscriptions/list.ts'
import { subscribeToAccount } from '../api/core/account-activity/subscriptions/subscribe.ts'
import { unsubscribeFromAccount } from '../api/core/account-activity/subscriptions/unsubscribe.ts'
import { streamActivities } from '../api/core/activity/stream.ts'
import { changeActivitySubscription } from '../api/core/activity/subscriptions/change.ts'
import { createActivitySubscription } from '../api/core/activity/subscriptions/create.ts'
import { deleteActivitySubscription } from '../api/core/activity/subscriptions/delete.ts'
import { deleteActivitySubscriptions } from '../api/core/activity/subscriptions/delete-many.ts'
import { listActivitySubscriptions } from '../api/core/activity/subscriptions/list.ts'
import { endAllStreamConnections } from '../api/core/connections/all/delete.ts'
import { endStreamConnections } from '../api/core/connections/delete.ts'
import { endConnectionsToStream } from '../api/core/connections/endpoint_id/delete.ts'
import { listStreamConnections } from '../api/core/connections/list.ts'
import { indicateTyping } from '../api/core/direct-messages/indicate-typing.ts'
import { markMessagesRead } from '../api/core/direct-messages/mark-read.ts'
import { createConversation } from '../api/core/dm-conversations/create.ts'
import { listEventsOfConversation } from '../api/core/dm-conversations/list-events.ts'
import { addConversationParticipants } from '../api/core/dm-conversations/participants/add.ts'
import { leaveConversation } from '../api/core/dm-conversations/participants/leave.ts'
import { sendMessageToConversation } from '../api/core/dm-conversations/send.ts'
import { listEventsWithUser } from '../api/core/dm-conversations/with/list-events.ts'
import { sendMessageToUser } from '../api/core/dm-conversations/with/send.ts'
import { deleteDmEvent } from '../api/core/dm-events/delete.ts'
import { getDmEvent } from '../api/core/dm-events/get.ts'
import { listDmEvents } from '../api/core/dm-events/list.ts'
import { getMediaUpload } from '../api/core/media/classic/status.ts'
import { uploadMedia } from '../api/core/media/classic/upload.ts'
import { getMediaFile } from '../api/core/media/file.ts'
import { getMedium } from '../api/core/media/get.ts'
import { listMedia } from '../api/core/media/list.ts'
import { createMediaMetadata, describeMedium } from '../api/core/media/metadata.ts'
import { createSubtitles } from '../api/core/media/subtitles/create.ts'
import { deleteSubtitles } from '../api/core/media/subtitles/delete.ts'
import { appendMediumUpload } from '../api/core/media/upload/append.ts'
import { uploadMedium } from '../api/core/media/upload/create.ts'
import { finalizeMediumUpload } from '../api/core/media/upload/finalize.ts'
import { initializeMediumUpload } from '../api/core/media/upload/initialize.ts'
import { getMediumUpload } from '../api/core/media/upload/status.ts'
import { getNews } from '../api/core/news/get.ts'
import { searchNews } from '../api/core/news/search.ts'
import { createNote } from '../api/core/notes/create.ts'
import { deleteNote } from '../api/core/notes/delete.ts'
import { evaluateNote } from '../api/core/notes/evaluate.ts'
import { listPostsEligibleForNotes } from '../api/core/notes/search/eligible.ts'
import { listNotesWritten } from '../api/core/notes/search/written.ts'
import { countAllPosts } from '../api/core/posts/counts/all.ts'
import { countRecentPosts } from '../api/core/posts/counts/recent.ts'
import { createPost } from '../api/core/posts/create.ts'
import { deletePost } from '../api/core/posts/delete.ts'
import { getPost } from '../api/core/posts/get.ts'
import { hideReply } from '../api/core/posts/hidden/update.ts'
import { listLikingUsers } from '../api/core/posts/liking_users/list.ts'
import { listPosts } from '../api/core/posts/list.ts'
import { listQuotes } from '../api/core/posts/quote_posts/list.ts'
import { listReposters } from '../api/core/posts/reposted_by/list.ts'
import { listReposts } from '../api/core/posts/reposts/list.ts'
import { searchAllPosts } from '../api/core/posts/search/all.ts'
import { searchRecentPosts } from '../api/core/posts/search/recent.ts'
import { streamPosts } from '../api/core/posts/search/stream/get.ts'
import { changeStreamRules } from '../api/core/posts/search/stream/rules/change.ts'
import { countStreamRules } from '../api/core/posts/search/stream/rules/counts.ts'
import { listStreamRules } from '../api/core/posts/search/stream/rules/list.ts'
import { linkStreamWebhook } from '../api/core/posts/search/webhooks/link.ts'
import { listStreamWebhooks } from '../api/core/posts/search/webhooks/list.ts'
import { unlinkStreamWebhook } from '../api/core/posts/search/webhooks/unlink.ts'
import { streamPowerstream } from '../api/core/powerstream/get.ts'
import { addPowerstreamRules } from '../api/core/powerstream/rules/add.ts'
import { deletePowerstreamRules } from '../api/core/powerstream/rules/delete.ts'
import { listPowerstreamRules } from '../api/core/powerstream/rules/list.ts'
import { listSpacesByCreators } from '../api/core/spaces/by/creators.ts'
import { getSpace } from '../api/core/spaces/get.ts'
import { listSpaces } from '../api/core/spaces/list.ts'
import { listPostsOfSpace } from '../api/core/spaces/posts.ts'
import { searchSpaces } from '../api/core/spaces/search.ts'
import { getPostUsage } from '../api/core/usage/posts.ts'
import { blockUser } from '../api/core/users/blocking/create.ts'
import { unblockUser } from '../api/core/users/blocking/delete.ts'
import { listBlocking } from '../api/core/users/blocking/list.ts'
import { bookmarkPost } from '../api/core/users/bookmarks/create.ts'
import { unbookmarkPost } from '../api/core/users/bookmarks/delete.ts'
import { listBookmarks } from '../api/core/users/bookmarks/list.ts'
import { getUserByUsername } from '../api/core/users/by/get.ts'
import { listUsersByUsernames } from '../api/core/users/by/list.ts'
import { listFollowers } from '../api/core/users/followers/list.ts'
import { followUser } from '../api/core/users/following/create.ts'
import { unfollowUser } from '../api/core/users/following/delete.ts'
import { listFollowing } from '../api/core/users/following/list.ts'
import { getUser } from '../api/core/users/get.ts'
import { listLikedPosts } from '../api/core/users/liked_posts/list.ts'
import { likePost } from '../api/core/users/likes/create.ts'
import { unlikePost } from '../api/core/users/likes/delete.ts'
import { listUsers } from '../api/core/users/list.ts'
import { getOwnUser } from '../api/core/users/me.ts'
import { listMentions } from '../api/core/users/mentions/list.ts'
import { muteUser } from '../api/core/users/muting/create.ts'
import { unmuteUser } from '../api/core/users/muting/delete.ts'
import { listMuting } from '../api/core/users/muting/list.ts'
import { listUserPosts } from '../api/core/users/posts/list.ts'
import { repostPost } from '../api/core/users/reposts/create.ts'
import { undoRepost } from '../api/core/users/reposts/delete.ts'
import { showUser } from '../api/core/users/show.ts'
import { readHomeTimeline } from '../api/core/users/timelines/reverse-chronological.ts'
import { createWebhook } from '../api/core/webhooks/create.ts'
import { deleteWebhook } from '../api/core/webhooks/delete.ts'
import { listWebhooks } from '../api/core/webhooks/list.ts'
import { replayWebhookEvents } from '../api/core/webhooks/replay.ts'
import { validateWebhook } from '../api/core/webhooks/validate.ts'
import { accessToken } from '../api/oauth/access-token.ts'
import { apps, appsDecision, signOut } from '../api/oauth/apps.ts'
import { authenticate, authenticateDecision } from '../api/oauth/authenticate.ts'
import { authorize, authorizeDecision } from '../api/oauth/authorize.ts'
import { bearerToken } from '../api/oauth/bearer-token.ts'
import { invalidateBearer } from '../api/oauth/invalidate-bearer.ts'
import { invalidateToken } from '../api/oauth/invalidate-token.ts'
import { requestToken } from '../api/oauth/request-token.ts'
import { userAuthorize, userAuthorizeDecision } from '../api/oauth/user-tokens/authorize.ts'
import { oauthMetadata } from '../api/oauth/user-tokens/metadata.ts'
import { userRevoke } from '../api/oauth/user-tokens/revoke.ts'
import { userToken } from '../api/oauth/user-tokens/token.ts'
import type { PlazaEndpoint } from '../identity/auth/endpoint.ts'
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
