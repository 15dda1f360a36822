import type { PostRow } from './tables.ts'

type Versions = Pick<PostRow, 'id' | 'version_ids'>

/** The ids of all versions of a post, oldest first. */
export const versionIdsOf = ({ id, version_ids }: Versions): string[] =>
  version_ids === null ? [id] : (JSON.parse(version_ids) as string[])

/** The newest version of a post. */
export const newestVersionOf = (row: Versions): string => versionIdsOf(row).at(-1) ?? row.id
