import type { PostRow } from './tables.ts'

type VersionedRow = Pick<PostRow, 'id' | 'version_ids'>

/** The ids of all versions of a post, oldest first. */
export const versionIdsOf = ({ id, version_ids }: VersionedRow): string[] =>
  version_ids === null ? [id] : (JSON.parse(version_ids) as string[])

/** The newest version of a post. */
export const newestVersionOf = (row: VersionedRow): string => versionIdsOf(row).at(-1) ?? row.id
