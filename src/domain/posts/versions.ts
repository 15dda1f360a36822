import type { PostRow } from './tables.ts'

type VersionedRow = Pick<PostRow, 'id' | 'version_ids'>

/** The ids of all versions of a post, oldest first. */
export const versionIdsOf = ({ id, version_ids }: VersionedRow): string[] =>
  version_ids === null ? [id] : (JSON.parse(version_ids) as string[])

/** The newest version of a post. */
export const newestVersionOf = (row: VersionedRow): string => versionIdsOf(row).at(-1) ?? row.id

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
