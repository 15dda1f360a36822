import { compareIds } from '../../platform/common/ids.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import { countAction } from '../analytics/count.ts'
import { countQuote, countReply, countRepost, lockPost } from './queries.ts'
import type { PostRow } from './tables.ts'

const COUNTED = [
  ['in_reply_to_post_id', countReply, 'replies'],
  ['quoted_post_id', countQuote, 'quote_posts'],
  ['reposted_post_id', countRepost, 'reposts'],
] as const

/**
 * Counts a post in the posts that it refers to. All versions of a post count once. Posts that only
 * advertisements show do not count.
 */
export async function countReferences(tx: Transaction, row: PostRow, by: 1 | -1): Promise<void> {
  if (row.nullcast === 1) return
  const references = COUNTED.flatMap(([column, count, metric]) => {
    const id = row[column]
    return id === null ? [] : [{ id, count, metric }]
  })
  // Locked in one order, so that two posts that refer to the same posts do not deadlock.
  references.sort((a, b) => compareIds(a.id, b.id))
  for (const { id, count, metric } of references) {
    const first = await tx.first(lockPost, { id })
    if (!first) continue
    await tx.run(count, { first: first.id, by })
    if (by === 1) await countAction(tx, id, metric)
  }
}
