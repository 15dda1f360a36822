import type { Entities } from '../../platform/text/entities.ts'
import type { MentionRow, PostRow } from './tables.ts'

/**
 * The users whom a post mentions or replies to, as the timelines of mentions list it.
 * Advertisements and reposts mention no one, and authors do not mention themselves.
 */
export function mentionsOf(row: PostRow): MentionRow[] {
  if (row.environment !== 'production' || row.nullcast === 1 || row.reposted_post_id !== null) return []
  const { mentions } = JSON.parse(row.entities) as Entities
  const ids = [...mentions.map(({ id }) => id), row.in_reply_to_user_id].filter((id) => id !== null)
  return [...new Set(ids)]
    .filter((id) => id !== row.author_id)
    .map((id) => ({ user_id: id, post_id: row.id }))
}
