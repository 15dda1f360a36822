import type { PostRow } from './tables.ts'

/** Whether a post is of a kind that can be edited (core reference, 04 section 1.2). */
export function isEditable(row: PostRow): boolean {
  const repliesToOther = row.in_reply_to_post_id !== null && row.in_reply_to_user_id !== row.author_id
  return (
    row.poll_id === null &&
    !repliesToOther &&
    row.reposted_post_id === null &&
    row.nullcast === 0 &&
    (row.community_id === null || row.share_with_followers === 1)
  )
}
