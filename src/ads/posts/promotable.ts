import { isPublic } from '../../storage/visibility.ts'
import type { PostRow } from '../../storage/tables.ts'

/** How far an account may promote a user; undefined: not at all. */
export type PromotableType = 'FULL' | 'REPOSTS_ONLY' | undefined

/**
 * Whether an account knows a post: everything of its own user, and what everybody sees. The posts that another
 * advertiser made for advertisements are nobody else's business.
 */
export const isKnown = (type: PromotableType, post: Pick<PostRow, 'visibility'>) =>
  type === 'FULL' || isPublic(post.visibility)
