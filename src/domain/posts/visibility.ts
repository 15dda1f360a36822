/**
 * The visibility class of a post: lists scan one class, so they never read posts that they do not
 * return. Posts shown only in advertisements are `nullcast`; replies, and posts that begin with a
 * mention, have classes of their own.
 */
export const ORGANIC = 0
export const ORGANIC_TO_SOMEBODY = 1
export const NULLCAST = 2
export const NULLCAST_TO_SOMEBODY = 3
/** Deleted, or replaced by an edit. */
export const GONE = 4

/** The visibility class of a new post. */
export function visibilityClass({
  nullcast,
  toSomebody,
}: {
  nullcast: boolean
  toSomebody: boolean
}): number {
  if (nullcast) return toSomebody ? NULLCAST_TO_SOMEBODY : NULLCAST
  return toSomebody ? ORGANIC_TO_SOMEBODY : ORGANIC
}

/** Whether a post that is not deleted is public. */
export const isPublic = (visibility: number) => visibility <= ORGANIC_TO_SOMEBODY

/** The kind of a post in indexes: 2 for a repost, 1 for a reply, 0 for anything else. */
export const POST_KIND =
  'case when reposted_post_id is not null then 2 when in_reply_to_post_id is not null then 1 else 0 end'
