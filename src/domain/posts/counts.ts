import { compareIds } from '../../platform/common/ids.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import { countQuote, countReply, countRepost, lockPost } from './queries.ts'
import type { PostRow } from './tables.ts'

const COUNTED = [
  ['in_reply_to_post_id', countReply],
  ['quoted_post_id', countQuote],
  ['reposted_post_id', countRepost],
] as const

/**
 * Counts a post in the posts that it refers to. All versions of a post count once. Posts that only
 * advertisements show do not count.
 */
export async function countReferences(tx: Transaction, row: PostRow, by: 1 | -1): Promise<void> {
  if (row.nullcast === 1) return
  const references = COUNTED.flatMap(([column, count]) => {
    const id = row[column]
    return id === null ? [] : [{ id, count }]
  })
  // Locked in one order, so that two posts that refer to the same posts do not deadlock.
  references.sort((a, b) => compareIds(a.id, b.id))
  for (const { id, count } of references) {
    const first = await tx.first(lockPost, { id })
    if (first) await tx.run(count, { first: first.id, by })
  }
}
