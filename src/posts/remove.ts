import { emit } from '../events/log.ts'
import type { Transaction } from '../storage/store.ts'
import type { PostRow } from '../storage/tables.ts'
import { countPost } from '../users/queries.ts'
import { countReferences } from './counts.ts'
import { postDeleted } from './events.ts'
import { eventOf, isCounted } from './insert.ts'
import { removeMentions, removePost, versionsOf } from './queries.ts'

/** Deletes a post with all its versions; `row` is one of them. The row of the author must be locked. */
export async function deleteVersions(tx: Transaction, row: PostRow): Promise<void> {
  const versions = await tx.all(versionsOf, { first: row.first_version_id })
  const [first = row, ...later] = versions
  await tx.run(removePost, { first: first.id })
  await tx.run(removeMentions, { posts: JSON.stringify(versions.map(({ id }) => id)) })
  if (isCounted(first)) await tx.run(countPost, { author: first.author_id, by: -1 })
  await countReferences(tx, first, -1)
  await emit(tx, postDeleted, eventOf(later.at(-1) ?? first))
}
