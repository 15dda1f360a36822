import { isPublic } from '../../storage/visibility.ts'
import type { PostRow } from '../../storage/tables.ts'

/** How far an account may promote a user; undefined: not at all. */
export type PromotableType = 'FULL' | 'REPOSTS_ONLY' | undefined

/**
 * Whether an account may see a post: every post of its own user, and public posts. The posts that another
 * advertiser published for advertisements only are not visible.
 */
export const isKnown = (type: PromotableType, post: Pick<PostRow, 'visibility'>) =>
  type === 'FULL' || isPublic(post.visibility)
