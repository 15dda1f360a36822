import { countPost } from '../../identity/users/queries.ts'
import { emit } from '../../platform/events/log.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import { countReferences } from './counts.ts'
import { postsImported } from './events.ts'
import { mentionsOf } from './mentions.ts'
import { addMentions, addPost } from './queries.ts'
import type { PostRow } from './tables.ts'

/** Publishes a post or repost without streams and webhooks. Its author must be locked. */
export async function addUnannounced(tx: Transaction, row: PostRow): Promise<void> {
  await tx.run(addPost, row)
  await addMentions(tx, mentionsOf(row))
  await tx.run(countPost, { author: row.author_id, by: 1 })
  await countReferences(tx, row, 1)
  await emit(tx, postsImported, { import_id: row.id, count: 1, post_ids: row.id })
}
