import { countPost } from '../../identity/users/queries.ts'
import { emit } from '../../platform/events/log.ts'
import { enqueue } from '../../platform/queue/enqueue.ts'
import { taskType } from '../../platform/queue/task.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import { articleOf } from '../articles/in-post.ts'
import { removeArticle } from '../articles/queries.ts'
import { releaseCardMedia } from '../media/tasks.ts'
import { releaseMediaOfPost } from '../media/uses.ts'
import { countReferences } from './counts.ts'
import { postDeleted } from './events.ts'
import { eventOf, isCounted } from './insert.ts'
import { lockPost, removeMentions, removePost, versionsOf } from './queries.ts'
import type { PostRow } from './tables.ts'

/** Removes the likes, bookmarks and reposts of a deleted post. `post` is its first version. */
export const removeReactions = taskType<{ post: string; author: string }>('remove reactions to post', {
  owner: ({ author }) => author,
  subject: ({ post }) => post,
})

/**
 * Deletes a post with all its versions; `row` is one of them. The row of the author must be locked.
 * A task removes the reactions to it. Its media are deleted, unless something else uses them.
 */
export async function deleteVersions(tx: Transaction, row: PostRow): Promise<void> {
  await tx.first(lockPost, { id: row.id })
  const versions = await tx.all(versionsOf, { first: row.first_version_id })
  const [first = row, ...later] = versions
  await tx.run(removePost, { first: first.id })
  await tx.run(removeMentions, { posts: JSON.stringify(versions.map(({ id }) => id)) })
  if (isCounted(first)) await tx.run(countPost, { author: first.author_id, by: -1 })
  // Media before other posts, as when a post is published.
  await releaseMediaOfPost(tx, first)
  await countReferences(tx, first, -1)
  const article = articleOf(first)
  if (article) await tx.run(removeArticle, { id: article.id })
  await emit(tx, postDeleted, eventOf(later.at(-1) ?? first))
  const cards = new Set(versions.flatMap(({ card_uri }) => card_uri ?? []))
  await enqueue(tx, ...[...cards].map((uri) => releaseCardMedia.task({ uri, author: first.author_id })))
  // No one reacts to a repost: a reaction to it is one to its original.
  if (first.reposted_post_id === null)
    await enqueue(tx, removeReactions.task({ post: first.id, author: first.author_id }))
}
