import { draftPostEndpoints } from '../draft-posts/draft-posts.ts'
import type { AdsEndpoint } from '../endpoint.ts'
import { mediaCreatives } from '../media-creatives/media-creatives.ts'
import { previewDraftPost } from '../previews/draft.ts'
import { listPostPreviews } from '../previews/list.ts'
import { promotedAccounts } from '../promoted-accounts/promoted-accounts.ts'
import { createPromotedPosts } from '../promoted-posts/create.ts'
import { promotedPosts } from '../promoted-posts/promoted-posts.ts'
import { scheduledPostEndpoints } from '../scheduled-posts/scheduled-posts.ts'
import { scheduledPromotedPosts } from '../scheduled-promoted-posts/scheduled-promoted-posts.ts'
import { createAccountPost } from './create.ts'
import { listAccountPosts } from './list.ts'
import { nameAccountPost } from './name.ts'

/** Posts of advertisers, and the entities that promote them. */
export const postEndpoints: readonly AdsEndpoint[] = [
  createAccountPost,
  listAccountPosts,
  nameAccountPost,
  listPostPreviews,
  previewDraftPost,
  ...draftPostEndpoints,
  ...scheduledPostEndpoints,
  createPromotedPosts,
  ...promotedPosts.endpoints,
  ...promotedAccounts.endpoints,
  ...mediaCreatives.endpoints,
  ...scheduledPromotedPosts.endpoints,
]
