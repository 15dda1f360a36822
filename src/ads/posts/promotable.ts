import { isPublic } from '../../storage/visibility.ts'
import type { PostRow } from '../../storage/tables.ts'

/** How far an account may promote a user; undefined: not at all. */
export type PromotableType = 'FULL' | 'REPOSTS_ONLY' | undefined

/** A post, and whether everyone sees it (1) or not (0), published for advertisements only or not. */
export interface KnownPostRow extends PostRow {
  seen_by_everyone: number
}

/**
 * Whether an account may see a post: every post of its own user, and public posts. The posts that another
 * advertiser published for advertisements only are not visible, nor those that are not for everyone.
 */
export const isKnown = (type: PromotableType, post: Pick<KnownPostRow, 'visibility' | 'seen_by_everyone'>) =>
  type === 'FULL' || (isPublic(post.visibility) && post.seen_by_everyone === 1)
