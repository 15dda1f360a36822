import { countLike, profilesByIds } from '../../identity/users/queries.ts'
import { emit } from '../../platform/events/log.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import { countAction } from '../analytics/count.ts'
import { removeFromFolders } from '../bookmark-folders/queries.ts'
import { countReferences } from './counts.ts'
import { postBookmarked, postLiked, postUnbookmarked, postUnliked } from './events.ts'
import { type InsertRepostOptions, insertRepost } from './insert.ts'
import {
  addBookmark,
  addLike,
  countBookmark,
  countPostLike,
  removeBookmark,
  removeLike,
  repostBy,
} from './queries.ts'
import { deleteVersions } from './remove.ts'
import type { PostRow } from './tables.ts'
import { newestVersionOf } from './versions.ts'

/**
 * A reaction of a user to a post. It belongs to all versions of the post. The row of the user is
 * locked, so that the actions of one user are serialized.
 */
export interface Reaction {
  tx: Transaction
  userId: string
  /**
   * Any version of a post in production that is not a repost. It exists, and `lockPost` locks it.
   */
  post: PostRow
}

/** The reaction that a user takes back. The post may be hidden or deleted meanwhile. */
export type ReactionUndo = Reaction

const eventDataOf = ({ userId, post }: Reaction) => ({
  user_id: userId,
  post_id: newestVersionOf(post),
  author_id: post.author_id,
})
const reactionKeyOf = ({ userId, post }: Reaction) => ({ user_id: userId, post_id: post.first_version_id })

// Repeating an action changes nothing.

export async function like(reaction: Reaction): Promise<void> {
  const { tx, userId, post } = reaction
  if ((await tx.run(addLike, { ...reactionKeyOf(reaction), created_at: tx.now })) === 0) return
  await tx.run(countPostLike, { first: post.first_version_id, by: 1 })
  await countAction(tx, post.id, 'likes')
  await tx.run(countLike, { id: userId, by: 1 })
  await emit(tx, postLiked, eventDataOf(reaction))
}

export async function unlike(reaction: ReactionUndo): Promise<void> {
  const { tx, userId, post } = reaction
  if ((await tx.run(removeLike, reactionKeyOf(reaction))) === 0) return
  await tx.run(countPostLike, { first: post.first_version_id, by: -1 })
  await countAction(tx, post.id, 'unlikes')
  await tx.run(countLike, { id: userId, by: -1 })
  await emit(tx, postUnliked, eventDataOf(reaction))
}

export async function bookmark(reaction: Reaction): Promise<void> {
  const { tx, post } = reaction
  if ((await tx.run(addBookmark, { ...reactionKeyOf(reaction), created_at: tx.now })) === 0) return
  await tx.run(countBookmark, { first: post.first_version_id, by: 1 })
  await countAction(tx, post.id, 'bookmarks')
  await emit(tx, postBookmarked, eventDataOf(reaction))
}

export async function unbookmark(reaction: ReactionUndo): Promise<void> {
  const { tx, userId, post } = reaction
  if ((await tx.run(removeBookmark, reactionKeyOf(reaction))) === 0) return
  await tx.run(removeFromFolders, { post: post.first_version_id, users: JSON.stringify([userId]) })
  await tx.run(countBookmark, { first: post.first_version_id, by: -1 })
  await emit(tx, postUnbookmarked, eventDataOf(reaction))
}

/** Resolves to the id of the repost. */
export async function repost(
  { tx, userId, post }: Reaction,
  { appId, ...parts }: InsertRepostOptions & { appId: string },
): Promise<string> {
  const known = await tx.first(repostBy, { author: userId, first: post.first_version_id })
  if (known) return known.id
  const [author] = await tx.all(profilesByIds, { ids: JSON.stringify([post.author_id]) })
  const by = { authorId: userId, appId, contributorId: null, screenName: author?.screen_name ?? '' }
  const row = await insertRepost(tx, post, by, parts)
  await countReferences(tx, row, 1)
  return row.id
}

export async function undoRepost({ tx, userId, post }: ReactionUndo): Promise<void> {
  const known = await tx.first(repostBy, { author: userId, first: post.first_version_id })
  if (known) await deleteVersions(tx, known)
}
