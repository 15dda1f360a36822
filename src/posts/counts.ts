import type { Transaction } from '../storage/store.ts'
import type { PostRow } from '../storage/tables.ts'
import { countQuote, countReply, countRepost } from './queries.ts'

/** Counts a post in the posts that it refers to. All versions of a post count once. */
export async function countReferences(tx: Transaction, row: PostRow, by: 1 | -1): Promise<void> {
  if (row.in_reply_to_post_id !== null) await tx.run(countReply, { id: row.in_reply_to_post_id, by })
  if (row.quoted_post_id !== null) await tx.run(countQuote, { id: row.quoted_post_id, by })
  if (row.reposted_post_id !== null && row.nullcast === 0)
    await tx.run(countRepost, { id: row.reposted_post_id, by })
}
