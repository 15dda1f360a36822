import { adsEndpoints } from './ads/endpoints.ts'
import { showPostPreview } from './ads/previews/show.ts'
import { verifyCredentials } from './core/account/verify-credentials.ts'
import { getMediaFile } from './core/media/file.ts'
import { getMediaUpload } from './core/media/status.ts'
import { uploadMedia } from './core/media/upload.ts'
import { createPost } from './core/posts/create.ts'
import { deletePost } from './core/posts/delete.ts'
import { getPost } from './core/posts/get.ts'
import { countAllPosts } from './core/posts/counts/all.ts'
import { countRecentPosts } from './core/posts/counts/recent.ts'
import { listPosts } from './core/posts/list.ts'
import { getUserByUsername } from './core/users/by/get.ts'
import { listUsersByUsernames } from './core/users/by/list.ts'
import { getUser } from './core/users/get.ts'
import { listUsers } from './core/users/list.ts'
import { getOwnUser } from './core/users/me.ts'
import { searchAllPosts } from './core/posts/search/all.ts'
import { searchRecentPosts } from './core/posts/search/recent.ts'
import { changeStreamRules } from './core/posts/search/stream/rules/change.ts'
import { countStreamRules } from './core/posts/search/stream/rules/counts.ts'
import { listStreamRules } from './core/posts/search/stream/rules/list.ts'
import { addPowerstreamRules } from './core/powerstream/rules/add.ts'
import { deletePowerstreamRules } from './core/powerstream/rules/delete.ts'
import { listPowerstreamRules } from './core/powerstream/rules/list.ts'
import { createWebhook } from './core/webhooks/create.ts'
import { deleteWebhook } from './core/webhooks/delete.ts'
import { listWebhooks } from './core/webhooks/list.ts'
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
import type { Context } from './start/context.ts'

/** Every endpoint of Plaza. What is not here does not exist: routes, documents and tests come from this list. */
export const endpoints: readonly PlazaEndpoint<Context>[] = [
  createWebhook,
  listWebhooks,
  validateWebhook,
  deleteWebhook,
  listPosts,
  createPost,
  getPost,
  deletePost,
  getOwnUser,
  listUsers,
  getUser,
  listUsersByUsernames,
  getUserByUsername,
  searchRecentPosts,
  searchAllPosts,
  countRecentPosts,
  countAllPosts,
  listStreamRules,
  changeStreamRules,
  countStreamRules,
  listPowerstreamRules,
  addPowerstreamRules,
  deletePowerstreamRules,
  uploadMedia,
  getMediaUpload,
  getMediaFile,
  showPostPreview,
  requestToken,
  authorize,
  authorizeDecision,
  authenticate,
  authenticateDecision,
  accessToken,
  verifyCredentials,
  invalidateToken,
  bearerToken,
  invalidateBearer,
  apps,
  appsDecision,
  signOut,
  ...adsEndpoints,
]
