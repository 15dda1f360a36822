import type { PostRow } from '../../../domain/posts/tables.ts'
import { isPublic } from '../../../domain/posts/visibility.ts'

/** How far an account may promote a user; undefined if not at all. */
export type PromotableType = 'FULL' | 'REPOSTS_ONLY' | undefined

/**
 * A post, whether it is public (1) or not (0), and whether it was published only for
 * advertisements.
 */
export interface KnownPostRow extends PostRow {
  seen_by_everyone: number
}

/**
 * Whether an account may show a known post to anyone, in a preview: public posts, and posts that
 * its own user published only for advertisements.
 */
export const isForAnyone = (
  post: Pick<KnownPostRow, 'visibility' | 'seen_by_everyone' | 'reposted_post_id'>,
) => post.seen_by_everyone === 1 || (!isPublic(post.visibility) && post.reposted_post_id === null)

/**
 * Whether an account may see a post: every post of its own user, and public posts. Posts that
 * another advertiser published only for advertisements, and posts that are not public, are hidden.
 */
export const isKnown = (type: PromotableType, post: Pick<KnownPostRow, 'visibility' | 'seen_by_everyone'>) =>
  type === 'FULL' || (isPublic(post.visibility) && post.seen_by_everyone === 1)
